// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package pii

import (
	"bufio"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/holdfast-dev/holdfast/internal/xz"
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
	t.Cleanup(func() { file.Close() })
	if filepath.Ext(name) != ".xz" {
		return file
	}
	return xz.NewReader(file, 64<<20)
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
