// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package trace

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/holdfast-dev/holdfast/internal/value"
)

// Position returns where the value with the given address stands in the input,
// as line and column, which counts characters; both from 1. The address is one
// of the record's own trace, "2.content", "3.tool_calls.0.function.arguments.to",
// "2.content:7-9", which is where that range of a text begins. An address that
// leads nowhere is the end of the way that can be gone.
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
	for strings.HasPrefix(rest, ".") {
		step, rest = cutStep(rest[1:])
		next := child(v, step)
		if next == nil {
			return d.placeOf(v)
		}
		v = next
	}
	first, _, _ := strings.Cut(strings.TrimPrefix(rest, ":"), "-")
	if n, err := strconv.Atoi(first); err == nil && v.Kind() == value.Str {
		return character(d.src, d.placeOf(v), n)
	}
	return d.placeOf(v)
}

// character returns the offset of character n in the JSON string at an offset of
// src; that of the string if there is none.
func character(src string, at, n int) int {
	if at >= len(src) || src[at] != '"' {
		return at
	}
	for i := at + 1; i < len(src) && src[i] != '"'; n-- {
		if n == 0 {
			return i
		}
		i += characterSize(src[i:])
	}
	return at
}

// characterSize returns how many bytes a character takes up that is written in
// a JSON string.
func characterSize(s string) int {
	switch {
	case s[0] != '\\':
		_, n := utf8.DecodeRuneInString(s)
		return n
	case !strings.HasPrefix(s, `\u`):
		return min(2, len(s))
	}
	high, err := strconv.ParseUint(s[2:min(6, len(s))], 16, 32)
	if err == nil && utf16.IsSurrogate(rune(high)) && len(s) >= 12 && s[6:8] == `\u` {
		return 12
	}
	return min(6, len(s))
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

// cutStep cuts the first step off an address, up to the dot before the next one
// or the colon before a range.
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
	return address[:i], address[i:]
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
