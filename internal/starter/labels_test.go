// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package starter_test

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"testing"

	"github.com/holdfast-dev/holdfast/internal/starter"
	"github.com/holdfast-dev/holdfast/internal/toolset"
)

// A labelled tool is one that a person has judged. Those of published sets are
// looked up there; the others are described in our words.
type labelled struct {
	From        string   `json:"from"`
	Name        string   `json:"name"`
	Labels      []string `json:"labels"`
	Description string   `json:"description"`
	Arguments   []string `json:"arguments"`
	Held        bool     `json:"held"` // never tuned on
}

// published are the sets that tools are looked up in.
var published = map[string]string{
	"injecagent": "../../../shared/data/injecagent/tools.json",
	"asb":        "../../../shared/data/asb/all_normal_tools.jsonl",
}

// readShared reads the tools of a published set; none if it is not here.
func readShared(t *testing.T, set string) []toolset.Tool {
	t.Helper()
	src, err := os.ReadFile(published[set])
	if os.IsNotExist(err) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	tools, err := toolset.Read(src)
	if err != nil {
		t.Fatal(err)
	}
	return tools
}

// A score counts labels that are right, too many and missing.
type score struct{ tools, right, extra, missing int }

func (s *score) precision() float64 { return float64(s.right) / float64(max(1, s.right+s.extra)) }
func (s *score) recall() float64    { return float64(s.right) / float64(max(1, s.right+s.missing)) }

func (s *score) add(got, want []string) {
	s.tools++
	for _, g := range got {
		if slices.Contains(want, g) {
			s.right++
		} else {
			s.extra++
		}
	}
	for _, w := range want {
		if !slices.Contains(got, w) {
			s.missing++
		}
	}
}

func (s *score) String() string {
	return fmt.Sprintf("%d tools, precision %.2f (%d of %d), recall %.2f (%d of %d)", s.tools, s.precision(), s.right, s.right+s.extra, s.recall(), s.right, s.right+s.missing)
}

// TestLabelled holds the judgements to those of a person, and says how far
// they go on tools that the lists of words were not made with.
func TestLabelled(t *testing.T) {
	for file, least := range map[string]float64{
		"testdata/tools.labels.json": .85,
		"testdata/more.labels.json":  .8, // its held part was written last, and judged once
	} {
		t.Run(file, func(t *testing.T) { judged(t, file, least) })
	}
}

func judged(t *testing.T, file string, least float64) {
	t.Helper()
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var list []labelled
	if err := json.Unmarshal(src, &list); err != nil {
		t.Fatal(err)
	}
	known := map[string]map[string]*toolset.Tool{}
	for set := range published {
		known[set] = map[string]*toolset.Tool{}
		for _, tool := range readShared(t, set) {
			known[set][tool.Name] = &tool
		}
	}
	scores := map[bool]*score{true: {}, false: {}}
	classes := map[string]*score{}
	for _, l := range list {
		tool := known[l.From][l.Name]
		if set, ok := known[l.From]; ok && tool == nil {
			if len(set) > 0 {
				t.Errorf("%s is not in %s", l.Name, l.From)
			}
			continue // the set is not here
		}
		if tool == nil {
			tool = described(t, &l)
		}
		j := starter.Classify(tool)
		got := j.Class.Names()
		scores[l.Held].add(got, l.Labels)
		for _, c := range slices.Compact(slices.Sorted(slices.Values(append(slices.Clone(got), l.Labels...)))) {
			if classes[c] == nil {
				classes[c] = &score{}
			}
			classes[c].add(only(got, c), only(l.Labels, c))
		}
		if slices.Sort(l.Labels); !l.Held && !slices.Equal(slices.Sorted(slices.Values(got)), l.Labels) {
			t.Logf("%s: got %v (%s), want %v", l.Name, got, j.Unsure, l.Labels)
		}
	}
	for held, s := range scores {
		if s.tools == 0 { // the sets that they are in are not here
			continue
		}
		t.Logf("held=%v: %s", held, s)
		if s.precision() < least || s.recall() < least {
			t.Errorf("held=%v: %s, want %.2f of both", held, s, least)
		}
	}
	for c, s := range classes {
		t.Logf("%s: %s", c, s)
	}
}

func only(labels []string, one string) []string {
	if slices.Contains(labels, one) {
		return []string{one}
	}
	return nil
}

// described makes a tool of a label that describes it.
func described(t *testing.T, l *labelled) *toolset.Tool {
	t.Helper()
	properties := map[string]any{}
	for _, name := range l.Arguments {
		properties[name] = map[string]string{"type": "string"}
	}
	schema, err := json.Marshal(map[string]any{"type": "object", "properties": properties})
	if err != nil {
		t.Fatal(err)
	}
	return &toolset.Tool{Name: l.Name, Description: l.Description, Arguments: schema}
}
