// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package pii

import (
	"bufio"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/therootcompany/xz"
)

const dataFolder = "../../../shared/data/"

// A message is as much of a logged message as tells what a tool put out.
type message struct {
	Role    string          `json:"role"`
	Content json.RawMessage `json:"content"`
}

// text joins the parts of the content.
func (m *message) text() string {
	var one string
	if json.Unmarshal(m.Content, &one) == nil {
		return one
	}
	var parts []struct {
		Text    string `json:"text"`
		Content string `json:"content"`
	}
	if json.Unmarshal(m.Content, &parts) != nil {
		return ""
	}
	var all strings.Builder
	for _, p := range parts {
		all.WriteString(p.Text + p.Content)
	}
	return all.String()
}

// outputs adds what tools put out to a set.
func outputs(into map[string]bool, messages []message) {
	for i := range messages {
		if m := &messages[i]; m.Role == "tool" {
			into[m.text()] = true
		}
	}
}

// open opens a file of the shared data, decompressed if it is compressed.
func open(t testing.TB, name string) io.Reader {
	t.Helper()
	file, err := os.Open(name)
	if err != nil {
		t.Skipf("the shared data is not here: %v", err)
	}
	t.Cleanup(func() { _ = file.Close() })
	if filepath.Ext(name) != ".xz" {
		return file
	}
	unpacked, err := xz.NewReader(file, 64<<20)
	if err != nil {
		t.Fatal(err)
	}
	return unpacked
}

// agentDojo returns the unique tool outputs of runs without an attack.
func agentDojo(t testing.TB) map[string]bool {
	t.Helper()
	out := map[string]bool{}
	names, _ := filepath.Glob(dataFolder + "agentdojo/*.xz")
	for _, name := range names {
		if strings.Contains(name, "pi_detector") { // it blanks outputs
			continue
		}
		lines := bufio.NewReaderSize(open(t, name), 1<<20)
		for {
			line, err := lines.ReadBytes('\n')
			if len(line) > 1 {
				var run struct {
					Attack   *string   `json:"attack_type"`
					Messages []message `json:"messages"`
				}
				if err := json.Unmarshal(line, &run); err != nil {
					t.Fatal(err)
				}
				if run.Attack == nil || *run.Attack == "none" {
					outputs(out, run.Messages)
				}
			}
			if err != nil {
				break
			}
		}
	}
	return out
}

// tauBench returns the unique tool outputs of the airline runs.
func tauBench(t testing.TB) map[string]bool {
	t.Helper()
	var runs []struct {
		Traj []message `json:"traj"`
	}
	if err := json.NewDecoder(open(t, dataFolder+"tau-bench/gpt-4o-airline.json.xz")).Decode(&runs); err != nil {
		t.Fatal(err)
	}
	out := map[string]bool{}
	for _, run := range runs {
		outputs(out, run.Traj)
	}
	return out
}

// judged reads which findings in the clean outputs are what they are said to
// be: somebody looked at each. An e-mail address and an IBAN that adds up need
// no judge. The data stays where it is, so the list has hashes.
func judged(t *testing.T) map[string]bool {
	t.Helper()
	src, err := os.ReadFile("testdata/judged.txt")
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]bool{}
	for line := range strings.Lines(string(src)) {
		if kind, rest, ok := strings.Cut(line, " "); ok && kind != "#" {
			hash, _, _ := strings.Cut(rest, " ")
			out[kind+" "+hash] = true
		}
	}
	return out
}

func hashed(kind, datum string) string {
	return fmt.Sprintf("%s %.8x", kind, sha256.Sum256([]byte(datum)))
}

// TestCleanOutputs: of tool outputs in which nobody attacks, at most two in a
// hundred have a false finding of a kind. Days and URLs are left out: whether
// one is personal, no form tells.
func TestCleanOutputs(t *testing.T) {
	truly := judged(t)
	for name, read := range map[string]func(testing.TB) map[string]bool{"AgentDojo": agentDojo, "tau-bench": tauBench} {
		t.Run(name, func(t *testing.T) {
			texts := read(t)
			with, falsely := map[string]int{}, map[string]int{}
			for text := range texts {
				found, wrong := map[string]bool{}, map[string]bool{}
				for _, f := range Find(text, nil) {
					found[f.Kind] = true
					datum := text[f.Start:f.End]
					if f.Kind == "DATE_TIME" || f.Kind == "URL" || f.Kind == "EMAIL_ADDRESS" || f.Kind == "IBAN_CODE" || truly[hashed(f.Kind, datum)] {
						continue
					}
					wrong[f.Kind] = true
					t.Logf("not judged to be one: %s %q", hashed(f.Kind, datum), datum)
				}
				for kind := range found {
					with[kind]++
				}
				for kind := range wrong {
					falsely[kind]++
				}
			}
			for kind, n := range with {
				t.Logf("%-16s in %3d of %d outputs, falsely in %d", kind, n, len(texts), falsely[kind])
				if float64(falsely[kind]) > .02*float64(len(texts)) {
					t.Errorf("%s: too many false findings", kind)
				}
			}
		})
	}
}
