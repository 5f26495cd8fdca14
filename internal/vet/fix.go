// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package vet

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"

	"github.com/holdfast-dev/holdfast/diag"
	"github.com/holdfast-dev/holdfast/syntax"
)

// A Mended is a file with its fixes applied.
type Mended struct {
	Name  string
	Text  []byte // in its canonical form
	Fixes []*Fix // in the order of their places
}

// Mend applies the fixes of diagnoses, file by file. Of fixes that touch the
// same place the first is applied; vetting the result finds the others again.
// A file that cannot be laid out anew is an error, and none is returned: what
// a fix makes must be a policy. Whether it compiles is for the caller to see.
func Mend(found []Diagnosis) ([]Mended, error) {
	byFile := map[*diag.File][]*Fix{}
	var files []*diag.File
	for _, d := range found {
		if d.Fix == nil || len(d.Fix.Edits) == 0 {
			continue
		}
		f := d.Fix.Edits[0].Span.File
		if byFile[f] == nil {
			files = append(files, f)
		}
		byFile[f] = append(byFile[f], d.Fix)
	}
	var out []Mended
	for _, f := range files {
		m := Mended{Name: f.Name}
		text, fixes := apply(f, byFile[f])
		formatted, err := syntax.Format(diag.NewFile(f.Name, text))
		if err != nil {
			return nil, fmt.Errorf("mending %s: %w", f.Name, err)
		}
		m.Text, m.Fixes = formatted, fixes
		out = append(out, m)
	}
	return out, nil
}

// apply makes the edits that do not overlap.
func apply(f *diag.File, fixes []*Fix) ([]byte, []*Fix) {
	slices.SortStableFunc(fixes, func(a, b *Fix) int { return cmp.Compare(a.Edits[0].Span.Start, b.Edits[0].Span.Start) })
	var edits []Edit
	var applied []*Fix
	for _, x := range fixes {
		if !slices.ContainsFunc(x.Edits, func(e Edit) bool { return slices.ContainsFunc(edits, e.touches) }) {
			edits = append(edits, x.Edits...)
			applied = append(applied, x)
		}
	}
	slices.SortStableFunc(edits, func(a, b Edit) int { return cmp.Compare(a.Span.Start, b.Span.Start) })
	var out bytes.Buffer
	at := 0
	for _, e := range edits {
		out.Write(f.Src[at:e.Span.Start])
		out.WriteString(e.Text)
		at = e.Span.End
	}
	out.Write(f.Src[at:])
	return out.Bytes(), applied
}

// touches reports whether two edits are about the same place.
func (e Edit) touches(o Edit) bool {
	return e.Span.Start < o.Span.End && o.Span.Start < e.Span.End || e.Span.Start == o.Span.Start
}
