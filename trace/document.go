// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package trace

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/holdfast-dev/holdfast/internal/value"
)

// document is one document in which a list of traces stands somewhere. The list
// streams; all around it is kept, and must be JSON by itself.
type document struct {
	*splitter
	path  []string
	start Record

	kept  []byte // the document without what its list holds
	found bool
	lost  bool // the list is broken, and that has been said
	done  bool // nothing more is wanted

	cut      int // in kept: where the list was
	cutBytes int64
	cutLines int
}

// document takes the document that begins here.
func (s *splitter) document() bool {
	d := &document{splitter: s, path: s.d.opts.Layout.traces(), start: s.here()}
	bracket := s.rest()[0]
	ok := d.value(0)
	switch {
	case d.done:
		return false
	case d.lost || !ok && s.broken() && len(s.rest()) == 0: // the error of reading says enough
		return true
	case len(d.kept) > s.d.opts.MaxBytes:
		if !s.fault(d.start, "longer than %d bytes beside its traces", s.d.opts.MaxBytes) {
			return false
		}
	case !d.sound(ok):
		return false
	}
	if ok {
		return s.lineEnds()
	}
	for s.passLine(); s.passSpace(false); s.passLine() {
		if s.rest()[0] == bracket && s.column == d.start.Column {
			break
		}
	}
	return true
}

// sound says what is wrong with the document beside its list, or that it has no
// list; false if nothing more is wanted.
func (d *document) sound(whole bool) bool {
	limits := value.JSONLimits{Depth: d.d.opts.MaxDepth, Values: d.d.opts.MaxValues}
	_, err := value.ParseJSON(string(d.kept), limits)
	if e, ok := err.(*value.JSONError); ok { //nolint:errorlint // ParseJSON documents its type
		before := d.kept[:e.Offset]
		r := Record{Line: d.start.Line + bytes.Count(before, newline), Column: 1, Offset: d.start.Offset + int64(e.Offset)}
		if d.found && e.Offset > d.cut {
			r.Line += d.cutLines
			r.Offset += d.cutBytes
		}
		return d.yield(r, &Error{Line: r.Line, Path: e.Path, Offset: r.Offset, Msg: e.Msg})
	}
	switch {
	case !whole:
		return d.fault(d.start, "a document that does not end")
	case !d.found:
		return d.fault(d.start, "no list of traces at %q", d.pointer())
	}
	return true
}

// pointer writes the path as a JSON pointer.
func (d *document) pointer() string {
	escape := strings.NewReplacer("~", "~0", "/", "~1")
	var b strings.Builder
	for _, step := range d.path {
		b.WriteString("/" + escape.Replace(step))
	}
	return b.String()
}

// keep takes over n bytes, or as many as make it too much; then it is false.
func (d *document) keep(n int) bool {
	n = min(n, d.d.opts.MaxBytes+1-len(d.kept))
	d.kept = append(d.kept, d.rest()[:n]...)
	d.pass(n)
	return len(d.kept) <= d.d.opts.MaxBytes
}

// space takes over white space; false if nothing follows it.
func (d *document) space() bool {
	for {
		n := spaces(d.rest(), false)
		end := n == len(d.rest())
		if !d.keep(n) {
			return false
		}
		if !end {
			return true
		}
		if !d.fill() {
			return false
		}
	}
}

// next takes over white space and the byte behind it, which it returns; 0 if
// there is none.
func (d *document) next() byte {
	if !d.space() {
		return 0
	}
	c := d.rest()[0]
	d.keep(1)
	return c
}

// value takes the value that begins here, which so many steps of the path lead
// to. False: it does not end.
func (d *document) value(steps int) bool {
	if !d.space() {
		return false
	}
	c := d.rest()[0]
	switch {
	case d.found || c != '{' && c != '[':
		_, ok := d.skip()
		return ok
	case steps == len(d.path):
		return d.traces(c)
	}
	d.keep(1)
	if c == '{' {
		return d.members(steps)
	}
	return d.items(steps)
}

// skip takes over a value and returns where in kept it begins.
func (d *document) skip() (int, bool) {
	var f framer
	start := len(d.kept)
	for {
		n, at := f.scan(d.rest())
		if at == torn {
			n++ // this byte shows what is wrong
		}
		if !d.keep(n) || at == torn {
			return start, false
		}
		if at == whole {
			return start, true
		}
		if !d.fill() {
			return start, false
		}
	}
}

func (d *document) members(steps int) bool {
	if !d.space() {
		return false
	}
	if d.rest()[0] == '}' {
		return d.keep(1)
	}
	for {
		if !d.space() || d.rest()[0] != '"' {
			return false
		}
		start, ok := d.skip()
		if !ok {
			return false
		}
		key := string(d.kept[start:])
		if d.next() != ':' || !d.child(steps, unquoted(key)) {
			return false
		}
		switch d.next() {
		case ',':
		case '}':
			return true
		default:
			return false
		}
	}
}

func (d *document) items(steps int) bool {
	if !d.space() {
		return false
	}
	if d.rest()[0] == ']' {
		return d.keep(1)
	}
	for i := 0; ; i++ {
		if !d.child(steps, strconv.Itoa(i)) {
			return false
		}
		switch d.next() {
		case ',':
		case ']':
			return true
		default:
			return false
		}
	}
}

// child takes a child of a container that steps of the path lead to.
func (d *document) child(steps int, step string) bool {
	if step == d.path[steps] {
		return d.value(steps + 1)
	}
	if !d.space() {
		return false
	}
	_, ok := d.skip()
	return ok
}

// unquoted returns the text of a key, as far as it is one.
func unquoted(key string) string {
	v, err := value.ParseJSON(key, value.JSONLimits{})
	if err != nil {
		return ""
	}
	return v.Text()
}

// traces takes the list that the path leads to.
func (d *document) traces(bracket byte) bool {
	if bracket != '[' {
		_, ok := d.skip()
		return ok
	}
	d.found = true
	d.kept = append(d.kept, '[')
	d.cut = len(d.kept)
	from := d.here()
	ended, wanted := d.list(false)
	d.cutBytes = d.offset - from.Offset - 2
	d.cutLines = d.line - from.Line
	d.kept = append(d.kept, ']')
	d.done, d.lost = !wanted, !ended
	return ended && wanted
}
