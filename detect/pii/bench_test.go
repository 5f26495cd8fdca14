// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package pii

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// prose returns a megabyte of the assistants' and users' words and of the
// business rules in tau-bench.
func prose(t testing.TB) string {
	t.Helper()
	var all strings.Builder
	for _, name := range []string{"airline_policy_wiki.md", "retail_policy_wiki.md"} {
		src, err := os.ReadFile(dataFolder + "tau-bench/" + name)
		if err != nil {
			t.Skipf("the shared data is not here: %v", err)
		}
		all.Write(src)
	}
	var runs []struct {
		Traj []message `json:"traj"`
	}
	if err := json.NewDecoder(open(t, dataFolder+"tau-bench/gpt-4o-airline.json.xz")).Decode(&runs); err != nil {
		t.Fatal(err)
	}
	for _, run := range runs {
		for i := range run.Traj {
			if m := &run.Traj[i]; (m.Role == "assistant" || m.Role == "user") && all.Len() < 1<<20 {
				all.WriteString(m.text() + "\n")
			}
		}
	}
	return all.String()
}

// tauJSON returns a megabyte of tau-bench's runs as they lie in their file.
func tauJSON(t testing.TB) string {
	t.Helper()
	var raw json.RawMessage
	if err := json.NewDecoder(open(t, dataFolder+"tau-bench/gpt-4o-airline.json.xz")).Decode(&raw); err != nil {
		t.Fatal(err)
	}
	return string(raw[:min(len(raw), 1<<20)])
}

func BenchmarkFind(b *testing.B) {
	for _, corpus := range []struct {
		name string
		text func(testing.TB) string
	}{{"prose", prose}, {"json", tauJSON}} {
		b.Run(corpus.name, func(b *testing.B) {
			text := corpus.text(b)
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				Find(text, nil)
			}
		})
	}
}
