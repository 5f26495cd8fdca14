// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package trace

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/holdfast-dev/holdfast/internal/value"
)

// Position returns where the value with the given address stands in the input,
// as line and column, which counts characters; both from 1. The address is one
// of the record's own trace, "2.content" or "3.tool_calls.0.function.arguments.to";
// a range of characters behind it, as in "2.content:7-9", is left out of
// account. An address that leads nowhere is the end of the way that can be
// gone.
//
// It reads the record once more: it is for what is shown to people.
func (r Record) Position(address string, opts *DecodeOptions) (line, column int) {
	p := r.Positions(opts, address)[0]
	return p[0], p[1]
}

// Positions is Position for several addresses at once, at little more than the
// cost of one: the line and the column of each.
func (r Record) Positions(opts *DecodeOptions, addresses ...string) [][2]int {
	d := decoder{opts: opts.filled(), line: r.Line, base: r.Offset, places: make(map[*value.Value]int)}
	d.opts.Strict = false
	t, err := d.once(r.Text)
	out := make([][2]int, len(addresses))
	for i, a := range addresses {
		at := 0
		if err == nil {
			at = d.find(t, a)
		}
		out[i] = r.lineColumn(at)
	}
	return out
}

// find returns the offset at which the value with an address stands.
func (d *decoder) find(t *Trace, address string) int {
	step, rest := cutStep(address)
	i, err := strconv.Atoi(step)
	if err != nil || i < 0 || i >= len(t.Events) {
		return 0
	}
	v := t.Events[i].root
	for rest != "" {
		step, rest = cutStep(rest)
		next := child(v, step)
		if next == nil {
			break
		}
		v = next
	}
	return d.placeOf(v)
}

// child returns the part of v that a step of an address names, nil if there is
// none.
func child(v *value.Value, step string) *value.Value {
	if strings.HasPrefix(step, `"`) {
		quoted, err := value.ParseJSON(step, value.JSONLimits{})
		if err != nil {
			return nil
		}
		step = quoted.Text()
	}
	if v.Keys() != nil {
		return v.Get(step)
	}
	i, err := strconv.Atoi(step)
	if err != nil || i < 0 || i >= len(v.Items()) {
		return nil
	}
	return v.Items()[i]
}

// cutStep cuts the first step off an address; a range ends it.
func cutStep(address string) (step, rest string) {
	i := 0
	if strings.HasPrefix(address, `"`) {
		for i = 1; i < len(address) && address[i] != '"'; i++ {
			if address[i] == '\\' {
				i++
			}
		}
	}
	for i < len(address) && address[i] != '.' && address[i] != ':' {
		i++
	}
	i = min(i, len(address))
	step, rest = address[:i], address[i:]
	if strings.HasPrefix(rest, ".") {
		return step, rest[1:]
	}
	return step, ""
}

// placeOf returns the offset of v, or of what it was made of or is part of.
func (d *decoder) placeOf(v *value.Value) int {
	for ; v != nil; v = v.Parent() {
		if at, ok := d.places[v]; ok {
			return at
		}
		if at, ok := d.places[value.Original(v)]; ok {
			return at
		}
	}
	return 0
}

// lineColumn returns the place in the input of an offset in the record's text.
func (r Record) lineColumn(offset int) [2]int {
	before := r.Text[:min(offset, len(r.Text))]
	if i := strings.LastIndexByte(before, '\n'); i >= 0 {
		return [2]int{r.Line + strings.Count(before, "\n"), 1 + utf8.RuneCountInString(before[i+1:])}
	}
	return [2]int{r.Line, max(r.Column, 1) + utf8.RuneCountInString(before)}
}
