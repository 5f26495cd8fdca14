// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package secret

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ulikunitz/xz"
)

// A vector is a text that gitleaks validates one of its rules with.
type vector struct {
	Rule  string `json:"rule_id"`
	Label bool   `json:"label"` // whether the rule finds something in the text
	Text  string `json:"text"`
	Path  string `json:"path"`
}

func (v *vector) options() *Options { return &Options{Path: v.Path, Kinds: []string{v.Rule}} }

// shared returns a file of the data that lies beside the repository.
func shared(t testing.TB, name string) string {
	t.Helper()
	path := filepath.Join("..", "..", "..", "shared", "data", filepath.FromSlash(name))
	if _, err := os.Stat(path); err != nil {
		t.Skipf("the data is not here: %v", err)
	}
	return path
}

// lines calls f with every line of a file, decompressed.
func lines(t testing.TB, path string, f func([]byte)) {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = file.Close() })
	var r *bufio.Reader
	if strings.HasSuffix(path, ".xz") {
		z, err := xz.NewReader(bufio.NewReader(file))
		if err != nil {
			t.Fatal(err)
		}
		r = bufio.NewReaderSize(z, 1<<20)
	} else {
		r = bufio.NewReaderSize(file, 1<<20)
	}
	for {
		line, err := r.ReadBytes('\n')
		if len(line) > 0 {
			f(line)
		}
		if err != nil {
			return
		}
	}
}

func vectors(t testing.TB) []vector {
	var out []vector
	lines(t, shared(t, "detectors/secrets/gitleaks_vectors.jsonl.xz"), func(line []byte) {
		var v vector
		if err := json.Unmarshal(line, &v); err != nil {
			t.Fatal(err)
		}
		out = append(out, v)
	})
	return out
}

// plain finds with every rule what gitleaks finds: the pattern on the whole
// text if a keyword is in it at all. It shares nothing with the scanner but
// what judges a match.
func plain(text, path string, chosen func(*live) bool) []found {
	s := &scan{rules: all(), walker: walker{text: text}, path: path}
	low := strings.ToLower(fold(text).text)
	var out []found
	for i, l := range s.live {
		if l.pattern == "" || !chosen(l) || !l.at(path) {
			continue
		}
		if !slices.ContainsFunc(l.keywords, func(k string) bool { return strings.Contains(low, k) }) {
			continue
		}
		for _, loc := range l.pat.get().FindAllStringIndex(text, -1) {
			if f, ok := s.judge(i, loc[0], loc[1]); ok {
				out = append(out, f)
			}
		}
	}
	return out
}

// same compares what the scanner finds, before rules yield to one another,
// with what the patterns find.
func same(t testing.TB, text, path string, chosen func(*live) bool) {
	t.Helper()
	s := &scan{rules: all(), walker: walker{text: text}, path: path, chosen: make([]bool, len(all().live))}
	for i, l := range s.live {
		s.chosen[i] = chosen(l)
	}
	got, want := s.run(), plain(text, path, chosen)
	if slices.Equal(got, want) {
		return
	}
	t.Errorf("in %s\nscanner  %s\npatterns %s", brief(text), s.show(got), s.show(want))
}

func (s *scan) show(in []found) string {
	var b strings.Builder
	for _, f := range in {
		fmt.Fprintf(&b, "%s[%d:%d match %d:%d] ", s.live[f.rule].ID, f.start, f.end, f.from, f.to)
	}
	return b.String()
}

func brief(text string) string {
	if len(text) > 2000 {
		text = text[:2000] + "…"
	}
	return fmt.Sprintf("%q", text)
}

func every(*live) bool { return true }

// TestVectors: a row is judged by its rule.
func TestVectors(t *testing.T) {
	wrong := 0
	for _, v := range vectors(t) {
		if found := len(Find(v.Text, v.options())) > 0; found != v.Label {
			wrong++
			if wrong <= 20 {
				t.Errorf("%s finds in %s (path %q): %t, want %t", v.Rule, brief(v.Text), v.Path, found, v.Label)
			}
		}
	}
	if wrong > 0 {
		t.Errorf("%d rows", wrong)
	}
}

// TestVectorsPlain: no keyword, shape or window hides a match in a vector.
func TestVectorsPlain(t *testing.T) {
	for i, v := range vectors(t) {
		if testing.Short() && i%10 != 0 {
			continue
		}
		same(t, v.Text, v.Path, every)
		if t.Failed() && i > 500 {
			return
		}
	}
}
