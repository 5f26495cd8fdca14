// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package detectbench

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ulikunitz/xz"
)

// A sample is a text of a corpus and where it comes from.
type sample struct{ name, text string }

// A corpus is a set of texts that people can find again.
type corpus string

const (
	dojoOutputs  corpus = "AgentDojo tool outputs"      // distinct, of runs without an attack
	dojoMessages corpus = "AgentDojo messages"          // all roles, distinct, without an attack
	prose        corpus = "BIPIA mails, AgentDojo talk" // mails of both halves, and what users and assistants say in those runs
	tauOutputs   corpus = "tau-bench tool outputs"      // distinct, of the airline runs
	tauJSON      corpus = "tau-bench JSON"              // the messages as they are recorded
	goSource     corpus = "Go standard library"         // of the installed Go
	pythonSource corpus = "Python standard library"     // of the installed Python
)

// read returns the texts of a corpus, in a fixed order.
func (b *bench) read(c corpus) ([]sample, error) {
	if texts, ok := b.texts[c]; ok {
		return texts, nil
	}
	var texts []sample
	var err error
	switch c {
	case dojoOutputs:
		texts, err = b.agentDojo("*.jsonl.xz", "tool")
	case dojoMessages:
		texts, err = b.agentDojo("*.jsonl.xz")
	case prose:
		texts, err = b.prose()
	case tauOutputs:
		texts, err = b.tauBench(true)
	case tauJSON:
		texts, err = b.tauBench(false)
	case goSource:
		texts, err = b.library(".go", "go", "env", "GOROOT")
	case pythonSource:
		texts, err = b.library(".py", "python3", "-c", "import sysconfig; print(sysconfig.get_paths()['stdlib'])")
	}
	if err == nil && len(texts) == 0 {
		err = fmt.Errorf("the corpus %s is empty: %w", c, fs.ErrNotExist)
	}
	b.texts[c] = texts
	return texts, err
}

// size is how many bytes the texts have.
func size(texts []sample) int {
	n := 0
	for _, s := range texts {
		n += len(s.text)
	}
	return n
}

// open opens a file of the data, decompressed if it is compressed.
func (b *bench) open(name string) (io.Reader, func(), error) {
	file, err := os.Open(filepath.Join(b.Data, filepath.FromSlash(name)))
	if err != nil {
		return nil, nil, err
	}
	done := func() { _ = file.Close() } // it was only read
	if filepath.Ext(name) != ".xz" {
		return file, done, nil
	}
	unpacked, err := xz.NewReader(bufio.NewReader(file))
	if err != nil {
		done()
		return nil, nil, fmt.Errorf("reading %s: %w", name, err)
	}
	return unpacked, done, nil
}

// lines calls f with every line of a file of the data that is not empty.
func (b *bench) lines(name string, f func([]byte) error) error {
	r, done, err := b.open(name)
	if err != nil {
		return err
	}
	defer done()
	buffered := bufio.NewReaderSize(r, 1<<20)
	for n := 1; ; n++ {
		line, err := buffered.ReadBytes('\n')
		if len(line) > 1 {
			if err := f(line); err != nil {
				return fmt.Errorf("%s, line %d: %w", name, n, err)
			}
		}
		switch {
		case errors.Is(err, io.EOF):
			return b.ctx.Err()
		case err != nil:
			return fmt.Errorf("reading %s: %w", name, err)
		case b.ctx.Err() != nil:
			return b.ctx.Err()
		}
	}
}

// A chat is one message of a recorded run.
type chat struct {
	Role    string          `json:"role"`
	Content json.RawMessage `json:"content"`
}

// text joins the parts of the content.
func (m *chat) text() string {
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

// distinct collects texts that are not empty, each once.
type distinct struct {
	seen map[string]bool
	out  []sample
}

func (d *distinct) add(name, text string) {
	if text == "" || d.seen[text] {
		return
	}
	if d.seen == nil {
		d.seen = map[string]bool{}
	}
	d.seen[text] = true
	d.out = append(d.out, sample{name, text})
}

// prose returns what people and models write to each other.
func (b *bench) prose() ([]sample, error) {
	var all []sample
	for _, half := range []string{"train", "test"} {
		mails, err := b.mails(half)
		if err != nil {
			return nil, err
		}
		all = append(all, mails...)
	}
	talk, err := b.agentDojo("*.jsonl.xz", "user", "assistant")
	return append(all, talk...), err
}

// agentDojo returns what was said in runs without an attack, by those who have
// one of the roles if roles are given. The pipeline that blanks outputs is left
// out.
func (b *bench) agentDojo(pattern string, roles ...string) ([]sample, error) {
	paths, err := filepath.Glob(filepath.Join(b.Data, "agentdojo", pattern))
	if err != nil {
		return nil, err
	}
	var all distinct
	for _, path := range paths {
		name := filepath.Base(path)
		if strings.Contains(name, "pi_detector") {
			continue
		}
		err := b.lines("agentdojo/"+name, func(line []byte) error {
			var run struct {
				Path     string `json:"_path"`
				Attack   string `json:"attack_type"`
				Messages []chat `json:"messages"`
			}
			if err := json.Unmarshal(line, &run); err != nil {
				return err
			}
			for i := range run.Messages {
				if m := &run.Messages[i]; (run.Attack == "" || run.Attack == "none") && (roles == nil || slices.Contains(roles, m.Role)) {
					all.add(run.Path, m.text())
				}
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return all.out, nil
}

// tauBench returns the airline runs: what tools put out, or all messages as
// the JSON that they are recorded in.
func (b *bench) tauBench(tools bool) ([]sample, error) {
	r, done, err := b.open("tau-bench/gpt-4o-airline.json.xz")
	if err != nil {
		return nil, err
	}
	defer done()
	var runs []struct{ Traj []json.RawMessage }
	if err := json.NewDecoder(r).Decode(&runs); err != nil {
		return nil, fmt.Errorf("reading the runs of tau-bench: %w", err)
	}
	var all distinct
	for _, run := range runs {
		for _, raw := range run.Traj {
			var m chat
			if err := json.Unmarshal(raw, &m); err != nil {
				return nil, fmt.Errorf("reading a message of tau-bench: %w", err)
			}
			switch {
			case !tools:
				all.out = append(all.out, sample{"tau-bench", string(raw)})
			case m.Role == "tool":
				all.add("tau-bench", m.text())
			}
		}
	}
	return all.out, nil
}

// library returns the files with an ending of the library that a command
// names.
func (b *bench) library(ext string, command ...string) ([]sample, error) {
	said, err := exec.CommandContext(b.ctx, command[0], command[1:]...).Output()
	if err != nil {
		return nil, fmt.Errorf("asking %s for its library: %w, %w", command[0], fs.ErrNotExist, err)
	}
	root := strings.TrimSpace(string(said))
	if command[0] == "go" {
		root = filepath.Join(root, "src")
	}
	var out []sample
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if d != nil && d.IsDir() && (d.Name() == "site-packages" || d.Name() == "dist-packages") {
			return filepath.SkipDir
		}
		if err != nil || d.IsDir() || filepath.Ext(path) != ext {
			return err
		}
		text, err := os.ReadFile(path)
		name, _ := filepath.Rel(root, path)
		out = append(out, sample{filepath.ToSlash(name), string(text)})
		return err
	})
	return out, err
}
