// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package trace

import "bytes"

// list takes the list of traces that begins here, element by element. If stay,
// it must end in its line. Ended: its last bracket has been passed; otherwise
// reading goes on with what comes here. Wanted is false if nothing more is.
func (s *splitter) list(stay bool) (ended, wanted bool) {
	start := s.here()
	s.pass(1)
	for at := inside; ; {
		switch at, wanted = s.item(start, stay, at); {
		case !wanted || at == beyond:
			return false, wanted
		case at == closed:
			return true, true
		}
	}
}

// position is where a list is being read.
type position int

const (
	inside position = iota // an element follows, or the end
	comma                  // an element must follow
	closed                 // behind the last bracket
	beyond                 // nobody knows: the list is broken
)

// item takes one element of a list with what follows it.
func (s *splitter) item(list Record, stay bool, at position) (next position, wanted bool) {
	if !s.passSpace(stay) {
		return beyond, s.endless(list)
	}
	if s.rest()[0] != ']' {
		return s.element(list, stay)
	}
	r := s.here()
	s.pass(1)
	return closed, at != comma || s.fault(r, "want a trace after the comma, got the end of the list")
}

// endless says that the list ends without its bracket, unless reading failed.
func (s *splitter) endless(list Record) bool {
	if s.broken() {
		return true
	}
	return s.fault(s.here(), "want a comma or the end of the list that begins in line %d, got the end", list.Line)
}

// lineEnds looks at what follows a list in its line, which should be nothing.
func (s *splitter) lineEnds() bool {
	if !s.passSpace(true) {
		return true
	}
	at := s.here()
	s.passLine()
	return s.fault(at, "want the end of the line after the list of traces")
}

// element takes an element and the comma, or the end of the list, behind it.
func (s *splitter) element(list Record, stay bool) (next position, wanted bool) {
	r, bracket := s.here(), s.rest()[0]
	at, wanted := s.framed(stay)
	switch {
	case !wanted:
		return beyond, false
	case at == torn:
		return s.recover(r, bracket, stay)
	}
	if !s.passSpace(stay) {
		return beyond, s.endless(list)
	}
	behind := s.here()
	switch c := s.rest()[0]; c {
	case ',':
		s.pass(1)
		return comma, true
	case ']':
		s.pass(1)
		return closed, true
	case '{', '[':
		return inside, s.fault(behind, "want a comma between two traces of a list")
	default:
		if !s.fault(behind, "want a comma or the end of the list, got %q", c) {
			return beyond, false
		}
		return s.recover(r, bracket, stay)
	}
}

// framed yields the value that begins here, or why it is none, and goes on
// behind it. What is too long is not kept.
func (s *splitter) framed(stay bool) (at frame, wanted bool) {
	f := framer{line: stay}
	r, n := s.here(), 0
	long, cut := false, false
	for {
		var k int
		if k, at = f.scan(s.rest()[n:]); at != partial {
			n += k
			break
		}
		if n += k; n > s.d.opts.MaxBytes {
			s.pass(n)
			long, n = true, 0
		}
		if !s.fill() {
			at, cut = torn, true
			break
		}
	}
	switch {
	case cut && s.broken(): // the error of reading says enough
		s.pass(n)
		return at, true
	case long || n > s.d.opts.MaxBytes:
		s.pass(n)
		return at, s.tooLong(r)
	}
	if at == torn {
		if r = s.next(n); n < len(s.rest()) {
			r.Text = string(s.rest()[:n+1])
		}
		s.pass(n)
		return at, s.yieldTorn(r)
	}
	r = s.next(n)
	s.pass(n)
	return at, s.yield(r, nil)
}

// yieldTorn says what is wrong with a text that is no whole value, up to the byte
// that shows it.
func (s *splitter) yieldTorn(r Record) bool {
	_, err := s.d.record(r)
	if err == nil {
		return s.fault(r, "a trace that does not end")
	}
	r.Text = ""
	return s.yield(r, err)
}

// recover goes on after an element that is torn, so that nobody knows where it
// ends: at a line that begins with the same bracket in the same column or, if
// another kind of line is a trace of its own, as lines.
func (s *splitter) recover(lost Record, bracket byte, stay bool) (next position, wanted bool) {
	for s.passLine(); s.passSpace(false); s.passLine() {
		c := s.rest()[0]
		switch {
		case stay:
			return beyond, true
		case c == bracket && s.column == lost.Column:
			return inside, true
		case c == ']' && s.column < lost.Column:
			s.pass(1)
			return closed, true
		case s.column == 1 && (c == '[' || c == '{') && s.isLine():
			return beyond, true
		}
	}
	return beyond, true
}

// isLine reports whether the line that begins here is a trace or a list of some.
func (s *splitter) isLine() bool {
	n, ok := s.lineEnd(0, s.d.opts.MaxBytes)
	line := string(bytes.TrimSpace(s.rest()[:n]))
	return ok && (s.isTrace(line) || line[0] == '[' && sortOf([]byte(line), s.d.opts.Layout.key(), true) == records)
}
