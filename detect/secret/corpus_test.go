// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package secret

import (
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A sample is a text of a corpus and where it comes from.
type sample struct{ name, text string }

// corpora are what speed and false findings are measured on.
var corpora = []struct {
	name string
	read func(t testing.TB) []sample
}{
	{"go", func(t testing.TB) []sample { return files(t, goLibrary(t), ".go") }},
	{"python", func(t testing.TB) []sample { return files(t, pythonLibrary(t), ".py") }},
	{"tools", func(t testing.TB) []sample { return append(messages(t, true), taubench(t, true)...) }},
	{"prose", func(t testing.TB) []sample { return messages(t, false) }},
	{"json", func(t testing.TB) []sample { return taubench(t, false) }},
}

// messages returns the distinct messages of AgentDojo runs without an attack:
// what tools put out, or what everybody said.
func messages(t testing.TB, tools bool) []sample {
	var out []sample
	seen := map[string]bool{}
	for _, name := range []string{"claude-3-opus-20240229", "gpt-4o-2024-05-13", "gpt-4-0125-preview", "command-r-plus", "gemini-1.5-pro-001"} {
		lines(t, shared(t, "agentdojo/"+name+".jsonl.xz"), func(line []byte) {
			var run struct {
				Path     string `json:"_path"`
				Attack   string `json:"attack_type"`
				Messages []chat `json:"messages"`
			}
			if json.Unmarshal(line, &run) != nil || run.Attack != "" && run.Attack != "none" {
				return
			}
			for _, m := range run.Messages {
				if text := m.text(); (!tools || m.Role == "tool") && !seen[text] {
					seen[text] = true
					out = append(out, sample{run.Path, text})
				}
			}
		})
	}
	return out
}

// A chat is one message of a run.
type chat struct {
	Role    string
	Content any
}

// text returns the message's text; one of several parts is joined.
func (m chat) text() string {
	switch c := m.Content.(type) {
	case string:
		return c
	case []any:
		var b strings.Builder
		for _, part := range c {
			if part, ok := part.(map[string]any); ok {
				text, _ := part["text"].(string)
				b.WriteString(text)
			}
		}
		return b.String()
	}
	return ""
}

// taubench returns the trajectories of tau-bench: what its tools put out, or
// the messages as the JSON that they are recorded in.
func taubench(t testing.TB, tools bool) []sample {
	var all strings.Builder
	lines(t, shared(t, "tau-bench/gpt-4o-airline.json.xz"), func(line []byte) { all.Write(line) })
	var runs []struct{ Traj []json.RawMessage }
	if err := json.Unmarshal([]byte(all.String()), &runs); err != nil {
		t.Fatal(err)
	}
	var out []sample
	for _, run := range runs {
		for _, raw := range run.Traj {
			var m chat
			switch err := json.Unmarshal(raw, &m); {
			case err != nil:
				t.Fatal(err)
			case !tools:
				out = append(out, sample{"tau-bench", string(raw)})
			case m.Role == "tool":
				out = append(out, sample{"tau-bench", m.text()})
			}
		}
	}
	return out
}

// goLibrary returns where the standard library of Go lies.
func goLibrary(t testing.TB) string {
	out, err := exec.CommandContext(t.Context(), "go", "env", "GOROOT").Output()
	if err != nil {
		t.Skipf("no Go here: %v", err)
	}
	return filepath.Join(strings.TrimSpace(string(out)), "src")
}

// pythonLibrary returns where the standard library of Python lies.
func pythonLibrary(t testing.TB) string {
	out, err := exec.CommandContext(t.Context(), "python3", "-c", "import sysconfig; print(sysconfig.get_paths()['stdlib'])").Output()
	if err != nil {
		t.Skipf("no Python here: %v", err)
	}
	return strings.TrimSpace(string(out))
}

// files returns the files of a library with the ending.
func files(t testing.TB, root, ext string) []sample {
	var out []sample
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if d != nil && d.IsDir() && (d.Name() == "site-packages" || d.Name() == "dist-packages") {
			return filepath.SkipDir
		}
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ext) {
			return err
		}
		text, err := os.ReadFile(path)
		name, _ := filepath.Rel(root, path)
		out = append(out, sample{filepath.ToSlash(name), string(text)})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func BenchmarkFind(b *testing.B) {
	for _, c := range corpora {
		b.Run(c.name, func(b *testing.B) {
			texts, size := c.read(b), 0
			for i := range texts {
				size += len(texts[i].text)
			}
			b.SetBytes(int64(size))
			for b.Loop() {
				for i := range texts {
					Find(texts[i].text, nil)
				}
			}
		})
	}
}

// BenchmarkShort is one message without a secret.
func BenchmarkShort(b *testing.B) {
	text := "They asked for access to the key of the house. No token was given."
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		Find(text, nil)
	}
}

// BenchmarkStart is what the first text costs before anything is compiled.
func BenchmarkStart(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		newRules()
	}
}
