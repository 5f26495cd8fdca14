// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package trace

import "bytes"

// list takes the list of traces that begins here, element by element. If stay,
// it must end in its line.
func (s *splitter) list(stay bool) bool {
	start := s.here()
	s.pass(1)
	for first := true; ; first = false {
		switch more, wanted := s.item(start, stay, first); {
		case !wanted:
			return false
		case !more:
			return true
		}
	}
}

// item takes one element of a list with what follows it. More is false behind the end of the
// list.
func (s *splitter) item(list Record, stay, first bool) (more, wanted bool) {
	if !s.passSpace(stay) {
		return false, s.endless(list)
	}
	if s.rest()[0] == ']' {
		at := s.here()
		s.pass(1)
		if !first && !s.fault(at, "want a trace after the comma, got the end of the list") {
			return false, false
		}
		return false, s.closed()
	}
	return s.element(list, stay)
}

// endless says that the list ends without its bracket, unless reading failed.
func (s *splitter) endless(list Record) bool {
	if s.broken() {
		return true
	}
	return s.fault(s.here(), "want a comma or the end of the list that begins in line %d, got the end", list.Line)
}

// closed looks at what follows a list in its line, which should be nothing.
func (s *splitter) closed() bool {
	if !s.passSpace(true) {
		return true
	}
	at := s.here()
	s.passLine()
	return s.fault(at, "want the end of the line after the list of traces")
}

// element takes an element and the comma, or the end of the list, behind it.
func (s *splitter) element(list Record, stay bool) (more, wanted bool) {
	r, bracket := s.here(), s.rest()[0]
	at, wanted := s.framed(stay)
	switch {
	case !wanted || s.broken():
		return false, wanted
	case at == torn:
		return s.recover(r, bracket, stay)
	}
	if !s.passSpace(stay) {
		return false, s.endless(list)
	}
	switch r = s.here(); s.rest()[0] {
	case ',':
		s.pass(1)
		return true, true
	case ']':
		s.pass(1)
		return false, s.closed()
	case '{', '[':
		return true, s.fault(r, "want a comma between two traces of a list")
	}
	if !s.fault(r, "want a comma or the end of the list, got %q", s.rest()[0]) {
		return false, false
	}
	return s.recover(r, bracket, stay)
}

// framed yields the value that begins here, or why it is none, and goes on
// behind it. What is too long is not kept.
func (s *splitter) framed(stay bool) (at frame, wanted bool) {
	f := framer{line: stay}
	r, n := s.here(), 0
	long := false
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
			at = torn
			break
		}
	}
	switch {
	case s.broken() && at == torn:
		s.pass(n)
		return at, true
	case long || n > s.d.opts.MaxBytes:
		s.pass(n)
		return at, s.tooLong(r)
	}
	whole := s.next(n)
	s.pass(n)
	if at == torn {
		return at, s.yieldTorn(whole)
	}
	return at, s.yield(whole, nil)
}

// yieldTorn says what is wrong with a text that is no whole value.
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
func (s *splitter) recover(lost Record, bracket byte, stay bool) (more, wanted bool) {
	for s.passLine(); s.passSpace(false); s.passLine() {
		c := s.rest()[0]
		switch {
		case stay:
			return false, true
		case c == bracket && s.column == lost.Column:
			return true, true
		case c == ']' && s.column < lost.Column:
			s.pass(1)
			return false, s.closed()
		case s.column == 1 && (c == '[' || c == '{') && s.isLine():
			return false, true
		}
	}
	return false, true
}

// isLine reports whether the line that begins here is a trace or a list of some.
func (s *splitter) isLine() bool {
	n, ok := s.lineEnd(0, s.d.opts.MaxBytes)
	line := string(bytes.TrimSpace(s.rest()[:n]))
	return ok && (s.isTrace(line) || line[0] == '[' && sortOf([]byte(line), s.d.opts.Layout.key(), true) == records)
}
