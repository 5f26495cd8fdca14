// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package trace

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"

	"github.com/holdfast-dev/holdfast/internal/value"
)

// Split finds the traces in r without decoding them, so that this can be done
// elsewhere, several at a time. The input is
//
//   - JSON lines: each line is a trace as Decode takes it;
//   - or one such trace over several lines;
//   - or, in a line or over several, a list of traces: one whose first element
//     is a list or an object with "messages". It may be of any size; each of its
//     elements is a record, and only one at a time is held.
//
// A piece that is too long, or a list that cannot be taken apart, is yielded as
// an *Error with a Record that has its place and no text, and what can be told
// from it follows. An error of r, which is yielded wrapped, ends the sequence;
// what was read last before it is not taken for a record. Blank lines are skipped,
// and so is a byte order mark at the beginning; a UTF-16 input is one error.
func Split(r io.Reader, opts *DecodeOptions) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		s := &splitter{yield: yield}
		s.in, s.line, s.column = r, 1, 1
		s.d.opts = opts.filled()
		s.run()
	}
}

// splitter is one reading of Split. Its methods return false if nothing more is
// wanted.
type splitter struct {
	window
	d     decoder // for a look at a text
	yield func(Record, error) bool
}

func (s *splitter) run() {
	if !s.begin() {
		return
	}
	for first := true; s.passSpace(false); first = false {
		if !s.piece(first) {
			return
		}
	}
	if s.broken() {
		s.yield(s.here(), fmt.Errorf("reading traces: %w", s.err))
	}
}

// begin passes a byte order mark, as editors and shells of Windows write it.
func (s *splitter) begin() bool {
	const utf8, little, big = "\xef\xbb\xbf", "\xff\xfe", "\xfe\xff"
	for len(s.rest()) < len(utf8) && s.fill() {
	}
	switch head := string(s.rest()[:min(len(utf8), len(s.rest()))]); {
	case head == utf8:
		s.from += len(utf8)
		s.offset += int64(len(utf8))
	case strings.HasPrefix(head, little), strings.HasPrefix(head, big):
		return s.fault(s.here(), "the text is UTF-16, want UTF-8") && false
	}
	return true
}

// piece takes what begins here: a line, several, or a list of traces.
func (s *splitter) piece(first bool) bool {
	switch {
	case s.d.opts.Layout.traces() != nil:
		return s.document()
	case s.rest()[0] == '[' && s.holdsTraces(!first):
		ended, wanted := s.list(!first)
		return wanted && (!ended || s.lineEnds())
	}
	return s.text(first)
}

// here returns a record of the current place, without text.
func (s *splitter) here() Record {
	return Record{Line: s.line, Column: s.column, Offset: s.offset}
}

// next returns the record of the next n bytes.
func (s *splitter) next(n int) Record {
	r := s.here()
	r.Text = string(bytes.TrimRight(s.rest()[:n], " \t\r\n"))
	return r
}

// fault yields an error about r.
func (s *splitter) fault(r Record, format string, args ...any) bool {
	r.Text = ""
	return s.yield(r, &Error{Line: r.Line, Offset: r.Offset, Msg: fmt.Sprintf(format, args...)})
}

func (s *splitter) tooLong(r Record) bool {
	return s.fault(r, "a trace longer than %d bytes", s.d.opts.MaxBytes)
}

// holdsTraces reports whether the list that begins here is one of traces. It
// looks as far as the first element takes to show it, and no further than a
// trace may be long, however much has been read.
func (s *splitter) holdsTraces(stay bool) bool {
	most := s.d.opts.MaxBytes
	for {
		seen := len(s.rest())
		if sort := sortOf(s.rest()[:min(seen, most+1)], s.d.opts.Layout.key(), stay); sort != unsure {
			return sort == records
		}
		if seen > most {
			return false
		}
		for len(s.rest()) < 2*seen {
			if !s.fill() {
				break
			}
		}
		if len(s.rest()) == seen {
			return false
		}
	}
}

// text takes a line, or all that follows if the first line begins a value that
// it does not end.
func (s *splitter) text(first bool) bool {
	most := s.d.opts.MaxBytes
	n, ok := s.lineEnd(0, most+2)
	r := s.here()
	if ok {
		r = s.next(n)
	}
	if !ok || len(r.Text) > most {
		s.passLine()
		return s.tooLong(r)
	}
	ended := s.rest()[n-1] == '\n'
	if first && s.incomplete(r.Text) {
		if n, ok = s.goesOn(n); !ok {
			s.from = len(s.buf)
			s.err = io.EOF
			return s.tooLong(r)
		}
		ended = ended && n < len(s.rest())
		r = s.next(n)
	}
	s.pass(n)
	return s.broken() && !ended || s.yield(r, nil)
}

// incomplete reports whether text is the beginning of a JSON value that goes on
// in the next line.
func (s *splitter) incomplete(text string) bool {
	var f framer
	if _, at := f.scan([]byte(text)); at != partial {
		return false // and not worth a closer look
	}
	_, err := s.d.json.Parse(text, value.JSONLimits{Depth: s.d.opts.MaxDepth + s.d.opts.Layout.levels(), Values: s.d.opts.MaxValues})
	var e *value.JSONError
	return errors.As(err, &e) && e.Incomplete
}

// goesOn returns how long the value is that the first n bytes, a line, begin:
// all that follows belongs to it. But if the next line is a trace of its own,
// the first is one that was cut off and stays as it is. False: it is too long.
func (s *splitter) goesOn(n int) (int, bool) {
	most := s.d.opts.MaxBytes
	for next, ok := n, true; ok && next < len(s.rest()) || s.fill(); {
		start := next
		if next, ok = s.lineEnd(start, most); !ok {
			return 0, false
		}
		line := bytes.TrimSpace(s.rest()[start:next])
		if len(line) == 0 {
			continue
		}
		if s.isTrace(string(line)) {
			return n, true
		}
		break
	}
	for s.fill() {
		if len(s.rest()) > most {
			return 0, false
		}
	}
	return len(s.rest()), len(s.rest()) <= most
}

// isTrace reports whether text is a trace by itself, or a list of some.
func (s *splitter) isTrace(text string) bool {
	probe := decoder{opts: s.d.opts, line: 1}
	_, err := probe.trace(text)
	return err == nil
}
