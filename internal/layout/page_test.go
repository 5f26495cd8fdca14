// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package layout_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/holdfast-dev/holdfast/internal/layout"
	"github.com/holdfast-dev/holdfast/trace"
)

// TestPage runs the example of docs/mapping.md.
func TestPage(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "mapping.md"))
	if err != nil {
		t.Fatal(err)
	}
	fenced := func(name string) string {
		_, rest, ok := strings.Cut(string(page), "```json "+name+"\n")
		text, _, end := strings.Cut(rest, "```\n")
		if !ok || !end {
			t.Fatalf("no block %q", name)
		}
		return text
	}
	m, err := layout.Read("mapping.md", []byte(fenced("mapping")))
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	opts := &trace.DecodeOptions{Layout: m.Layout()}
	for tr, err := range trace.DecodeAll(strings.NewReader(fenced("input")), opts) {
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range tr.Events {
			text, err := e.MarshalJSON()
			if err != nil {
				t.Fatal(err)
			}
			got.Write(append(text, '\n'))
		}
	}
	if want := fenced("events"); got.String() != want {
		t.Errorf("got\n%swant\n%s", got.String(), want)
	}
}
