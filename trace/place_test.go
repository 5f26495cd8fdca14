// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package trace_test

import (
	"strings"
	"testing"

	"github.com/holdfast-dev/holdfast/trace"
)

func TestPosition(t *testing.T) {
	src := "\n[[]]\n" + `[ {"role":"user","content":"é\n\ud83d\ude00\"x"} ,{"role":"assistant","tool_calls":[` +
		`{"id":"1","function":{"name":"f","arguments":"{\"to\":1}"}}], "a.b" : {"c\"":[ 7 ]}}]` + "\n" +
		`{"tools":[{"name":"f","description":"d"}],"messages":[{"role":"user","content":[{"type":"text","text":"ab"}]}]}`
	var recs []trace.Record
	for rec, err := range trace.Split(strings.NewReader(src), nil) {
		if err != nil {
			t.Fatal(err)
		}
		recs = append(recs, rec)
	}
	if len(recs) != 3 {
		t.Fatalf("%d records", len(recs))
	}
	for _, c := range []struct {
		rec          int
		address      string
		line, column int
	}{
		{1, "0", 3, 3},
		{1, "0.content", 3, 28},
		{1, "0.content:0-1", 3, 29},
		{1, "0.content:1-2", 3, 30},
		{1, "0.content:2-3", 3, 32},
		{1, "0.content:3-4", 3, 44},
		{1, "0.content:4-5", 3, 46},
		{1, "0.content:9-10", 3, 28},
		{1, "1", 3, 51},
		{1, "1.tool_calls.0", 3, 85},
		{1, "1.tool_calls.0.function.arguments.to", 3, 130},
		{1, `1."a.b"."c\"".0`, 3, 164},
		{1, "1.tool_calls.5", 3, 84},
		{1, "2", 3, 1},
		{1, "x", 3, 1},
		{2, "0", 4, 1},
		{2, "0.tools.0.description:0-1", 4, 38},
		{2, "1.content.0.text:1-2", 4, 105},
	} {
		if line, column := recs[c.rec].Position(c.address, nil); line != c.line || column != c.column {
			t.Errorf("%s of record %d is at %d:%d, want %d:%d", c.address, c.rec, line, column, c.line, c.column)
		}
	}
	bad := trace.Record{Text: "[", Line: 7}
	if line, column := bad.Position("0.content", nil); line != 7 || column != 1 {
		t.Errorf("in a bad record: %d:%d", line, column)
	}
	got := recs[1].Positions(nil, "0", "1")
	if got[0] != [2]int{3, 3} || got[1] != [2]int{3, 51} {
		t.Errorf("both at once: %v", got)
	}
}
