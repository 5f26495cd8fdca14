// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package report_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/holdfast-dev/holdfast/internal/report"
)

func TestWriteNotes(t *testing.T) {
	notes := []report.Note{
		{Level: "error", ID: "weaker", Title: "a call may pass now", Message: "deny, now \x1b[31mallow", Path: "runs/a.json", Line: 7},
		{Level: "note", ID: "stronger", Title: "a call is stopped now", Message: "two\nlines", Path: "runs/b.json"},
		{Level: "error", ID: "weaker", Title: "a call may pass now", Message: "::set-output name=x::y", Path: "::x"},
	}
	for _, n := range [][]report.Note{notes, nil} {
		var out bytes.Buffer
		if err := report.WriteNotes("sarif", &report.Options{Out: &out, Command: "diff", Version: "v0"}, n); err != nil {
			t.Fatal(err)
		}
		if err := validate(t, sarifSchema, out.String()); err != nil {
			t.Errorf("%v\n%s", err, &out)
		}
	}
	var out bytes.Buffer
	if err := report.WriteNotes("github", &report.Options{Out: &out}, notes); err != nil {
		t.Fatal(err)
	}
	want := `::error file=runs/a.json,line=7,title=holdfast weaker::deny, now \u001b[31mallow
::notice file=runs/b.json,title=holdfast stronger::two%0Alines
::error file=%3A%3Ax,title=holdfast weaker::::set-output name=x::y
`
	if got := out.String(); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if err := report.WriteNotes("junit", &report.Options{}, notes); err == nil || !strings.Contains(err.Error(), "sarif, github") {
		t.Errorf("an unknown format: got %v", err)
	}
}
