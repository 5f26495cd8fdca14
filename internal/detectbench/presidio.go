// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package detectbench

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/holdfast-dev/holdfast/detect"
)

const caseFile = "detectors/pii/presidio_recognizer_cases.jsonl"

// A presidioRow is a row of the tables that Presidio's recognizers are tested
// with. Rows that ask a validator have the number instead of the text.
type presidioRow struct {
	Test     string   `json:"test"`
	Entities []string `json:"entities"`
	Case     map[string]json.RawMessage
}

// field reads a field of the case; false if there is none such.
func (r *presidioRow) field(name string, into any) bool {
	raw, ok := r.Case[name]
	return ok && json.Unmarshal(raw, into) == nil
}

// A presidioCase is what a row says: how many findings, and where.
type presidioCase struct {
	line  int
	text  string
	kinds []string
	n     int      // -1: one or none
	spans [][2]int // in code points; nil: not said
}

// presidioCases reads the rows that are about what a text holds.
func (b *bench) presidioCases() ([]presidioCase, error) {
	var out []presidioCase
	line := 0
	err := b.lines(caseFile, func(src []byte) error {
		line++
		var r presidioRow
		if err := json.Unmarshal(src, &r); err != nil {
			return err
		}
		if c, ok := r.read(); ok {
			c.line = line
			out = append(out, c)
		}
		return nil
	})
	return out, err
}

// read says what a row wants; false if it asks something else.
func (r *presidioRow) read() (c presidioCase, ok bool) {
	c.kinds = r.Entities
	if kinds := []string(nil); r.field("entities", &kinds) && len(kinds) > 0 {
		c.kinds = kinds[:1]
	}
	if which := -1; r.field("entity_num", &which) && which >= 0 && which < len(r.Entities) {
		c.kinds = r.Entities[which : which+1]
	}
	if len(c.kinds) == 0 {
		return c, false
	}
	for _, name := range []string{"text", "iban"} {
		if r.field(name, &c.text) {
			return c, r.readSpans(&c)
		}
	}
	for _, name := range []string{"number", "pesel", "gstin", "id_number"} {
		if r.field(name, &c.text) {
			r.readVerdict(&c)
			return c, true
		}
	}
	return c, false
}

// readVerdict reads what a validator is to say of a number.
func (r *presidioRow) readVerdict(c *presidioCase) {
	verdict := (*bool)(nil)
	r.field("expected", &verdict)
	switch {
	case verdict == nil:
		c.n = -1
	case *verdict:
		c.n, c.spans = 1, [][2]int{{0, utf8.RuneCountInString(c.text)}}
	}
}

func (r *presidioRow) readSpans(c *presidioCase) bool {
	known := r.field("expected_len", &c.n)
	if r.field("expected_positions", &c.spans) || r.field("expected_res", &c.spans) {
		if !known {
			c.n = len(c.spans)
		}
		known = true
	}
	if one := [2]int{}; r.field("expected_position", &one) && c.n > 0 {
		c.spans = [][2]int{one}
	}
	if start, end := 0, 0; r.field("expected_start", &start) && r.field("expected_end", &end) {
		c.spans = [][2]int{{start, end}}
	}
	return known || strings.HasPrefix(r.Test, "test_invalid")
}

// judge reports whether what was found is what the row wants.
func (c *presidioCase) judge(found []detect.Span) bool {
	if c.n < 0 {
		return len(found) <= 1
	}
	if len(found) != c.n {
		return false
	}
	var at [][2]int
	for _, f := range found {
		start := utf8.RuneCountInString(c.text[:f.Start])
		at = append(at, [2]int{start, start + utf8.RuneCountInString(c.text[f.Start:f.End])})
	}
	return !slices.ContainsFunc(c.spans, func(s [2]int) bool { return !slices.Contains(at, s) })
}
