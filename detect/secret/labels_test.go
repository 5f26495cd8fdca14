// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package secret

import (
	"crypto/sha256"
	"fmt"
	"os"
	"strings"
	"testing"
)

// labels reads testdata/labels.tsv: what a person has said about a finding, by
// corpus, kind, file and the beginning of the secret's SHA-256.
func labels(t *testing.T) map[string]string {
	t.Helper()
	text, err := os.ReadFile("testdata/labels.tsv")
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		fields := strings.Split(strings.TrimSpace(line), "\t")
		if len(fields) != 6 {
			t.Fatalf("label %q", line)
		}
		switch label := fields[4]; label {
		case "secret", "dummy", "false":
			out[strings.Join(fields[:4], "\t")] = label
		default:
			t.Fatalf("label %q", line)
		}
	}
	return out
}

// TestFalseFindings: at most one false finding a megabyte in the standard
// libraries of Go and Python. A finding that nobody has labelled is false, so another version of a library counts against the
// rules until somebody has looked.
func TestFalseFindings(t *testing.T) {
	if testing.Short() {
		t.Skip("reads two standard libraries")
	}
	known := labels(t)
	for _, c := range corpora {
		t.Run(c.name, func(t *testing.T) {
			size, total, wrong := 0, 0, 0
			for _, s := range c.read(t) {
				size += len(s.text)
				for _, f := range Find(s.text, nil) {
					total++
					key := fmt.Sprintf("%s\t%s\t%s\t%.6x", c.name, f.Kind, s.name, sha256.Sum256([]byte(s.text[f.Start:f.End])))
					switch known[key] {
					case "secret":
						continue
					case "":
						t.Logf("not labelled: %s\t%q", key, s.text[max(0, f.Start-20):min(len(s.text), f.End+20)])
					}
					wrong++
				}
			}
			mb := float64(size) / 1e6
			t.Logf("%d texts of %.1f MB: %d findings, %d of them false, %.3f a megabyte", len(c.read(t)), mb, total, wrong, float64(wrong)/mb)
			if float64(wrong) > mb {
				t.Errorf("%d false findings in %.1f MB", wrong, mb)
			}
		})
	}
}
