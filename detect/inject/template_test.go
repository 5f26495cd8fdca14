// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package inject

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ulikunitz/xz"
)

// folded is the words of a text, in small letters.
func folded(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return (r < 'a' || r > 'z') && r != '\'' })
}

// dojoTemplates returns the sentences of AgentDojo's attacks without what is
// asked for, from the runs of one model.
func dojoTemplates(t *testing.T) map[string]bool {
	t.Helper()
	packed, err := os.ReadFile(filepath.Join(shared, "agentdojo/gpt-4o-2024-05-13.jsonl.xz"))
	if err != nil {
		t.Skipf("the shared data are not here: %v", err)
	}
	r, err := xz.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	goals, attacks := map[string]string{}, map[[2]string]string{}
	for s := bufio.NewReaderSize(r, 1<<20); ; {
		line, err := s.ReadBytes('\n')
		var run struct {
			Suite      string            `json:"suite_name"`
			Attack     string            `json:"attack_type"`
			Task       string            `json:"injection_task_id"`
			Injections map[string]string `json:"injections"`
		}
		if len(line) > 1 && json.Unmarshal(line, &run) == nil {
			for _, text := range run.Injections {
				if goal, ok := strings.CutPrefix(text, "TODO: "); ok {
					goals[run.Suite+run.Task] = goal
				}
				attacks[[2]string{run.Attack, run.Suite + run.Task}] = text
			}
		}
		if err != nil {
			break
		}
	}
	out := map[string]bool{}
	for key, text := range attacks {
		goal := goals[key[1]]
		if goal == "" || strings.Contains(key[0], "dos") {
			continue
		}
		for _, sentence := range strings.FieldsFunc(strings.Replace(text, goal, ".", 1), func(r rune) bool { return strings.ContainsRune(".!:\n", r) }) {
			if words := folded(sentence); len(words) > 2 {
				out[strings.Join(words, " ")] = true
			}
		}
	}
	return out
}

// TestNoTemplate: no rule and no set of words holds a sentence of the attacks
// that the rules are tested with, nor half a line of one.
func TestNoTemplate(t *testing.T) {
	templates := dojoTemplates(t)
	if len(templates) < 8 {
		t.Fatalf("only %d sentences: %v", len(templates), templates)
	}
	var held [][]string
	for _, r := range Rules() {
		for _, text := range slices.Concat(r.Patterns, r.Marks, r.Match, r.NoMatch) {
			held = append(held, folded(text))
		}
	}
	const shingle = 5
	for sentence := range templates {
		words := strings.Fields(sentence)
		for i := range max(1, len(words)-shingle+1) {
			piece := strings.Join(words[i:min(len(words), i+shingle)], " ")
			for _, h := range held {
				if strings.Contains(" "+strings.Join(h, " ")+" ", " "+piece+" ") {
					t.Errorf("the rules hold %q of %q", piece, sentence)
				}
			}
		}
	}
}
