// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package trace

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"

	"github.com/holdfast-dev/holdfast/internal/value"
)

// DecodeAll reads traces from r: JSON lines, each of which is a trace as Decode
// takes it, or one such trace over several lines. It holds one trace at a time
// and reads on only when the next one is wanted. A line that is no trace is
// yielded as an *Error, and reading goes on after it; an error of r, which is
// yielded as it is, ends the sequence. Blank lines are skipped.
func DecodeAll(r io.Reader, opts *DecodeOptions) iter.Seq2[*Trace, error] {
	return func(yield func(*Trace, error) bool) {
		s := &stream{in: bufio.NewReaderSize(r, 256<<10), yield: yield}
		s.d.opts = opts.filled()
		s.run()
	}
}

// stream is one reading of DecodeAll.
type stream struct {
	in    *bufio.Reader
	d     decoder
	yield func(*Trace, error) bool

	line int   // of the next line to be read, less one
	base int64 // its offset
	buf  []byte
	held *textLine // read ahead
}

// textLine is a line of the input with its place.
type textLine struct {
	text string
	line int
	base int64
	err  error // the line is too long, or reading it ended the input
}

func (s *stream) run() {
	for first := true; ; first = false {
		l, ok := s.next()
		if !ok {
			return
		}
		if first && l.err == nil && s.incomplete(l.text) && !s.more(&l) {
			return
		}
		if !s.give(l) {
			return
		}
	}
}

// next returns the next line that is not blank; false at the end.
func (s *stream) next() (textLine, bool) {
	if s.held != nil {
		l := *s.held
		s.held = nil
		return l, true
	}
	for {
		l, ok := s.read()
		if !ok || l.err != nil || strings.Trim(l.text, " \t\r\n") != "" {
			return l, ok
		}
	}
}

// read reads a line. One that is longer than a trace may be is skipped to its
// end without being kept.
func (s *stream) read() (textLine, bool) {
	s.buf = s.buf[:0]
	l := textLine{line: s.line + 1, base: s.base}
	for {
		part, err := s.in.ReadSlice('\n')
		s.base += int64(len(part))
		if l.err == nil && len(s.buf)+len(part) > s.d.opts.MaxBytes+1 {
			s.d.line, s.d.base = l.line, l.base
			l.err = s.d.tooLong()
			s.buf = nil
		}
		if l.err == nil {
			s.buf = append(s.buf, part...)
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		s.line++
		if err != nil && !errors.Is(err, io.EOF) {
			l.err = fmt.Errorf("reading traces: %w", err)
		}
		l.text = string(s.buf)
		return l, err == nil || s.base > l.base || l.err != nil
	}
}

// incomplete reports whether text is the beginning of a JSON value that goes on
// in the next line.
func (s *stream) incomplete(text string) bool {
	_, err := s.d.json.Parse(text, value.JSONLimits{Depth: s.d.opts.MaxDepth + 2, Values: s.d.opts.MaxValues})
	var e *value.JSONError
	return errors.As(err, &e) && e.Incomplete
}

// more completes l, which begins a value that the first line does not hold, by
// all that follows; but if the next line is a trace of its own, l is a line that
// was cut off and stays as it is. False: there is nothing to go on with.
func (s *stream) more(l *textLine) bool {
	var b strings.Builder
	b.WriteString(l.text)
	for {
		next, ok := s.read()
		switch {
		case !ok:
			l.text = b.String()
			return true
		case next.err != nil:
			return s.yieldError(next.err)
		case strings.Trim(next.text, " \t\r\n") == "":
			b.WriteString(next.text)
			continue
		case s.isTrace(next.text):
			s.held = &next
			return true
		}
		b.WriteString(next.text)
		return s.rest(l, &b)
	}
}

// isTrace reports whether text is a trace by itself.
func (s *stream) isTrace(text string) bool {
	probe := decoder{opts: s.d.opts, line: 1}
	_, err := probe.trace(text)
	return err == nil
}

// rest completes l, whose first lines are in b, by all that follows.
func (s *stream) rest(l *textLine, b *strings.Builder) bool {
	room := s.d.opts.MaxBytes - b.Len()
	n, err := io.Copy(b, io.LimitReader(s.in, int64(max(room, 0))+1))
	l.text = b.String()
	if err != nil {
		return s.yieldError(fmt.Errorf("reading traces: %w", err))
	}
	if n > int64(room) {
		s.d.line, s.d.base = l.line, l.base
		return s.yieldError(s.d.tooLong())
	}
	return true
}

// yieldError yields an error after which there is nothing to read.
func (s *stream) yieldError(err error) bool {
	s.yield(nil, err)
	return false
}

// give yields what l is; false if reading is to end.
func (s *stream) give(l textLine) bool {
	if l.err != nil {
		var e *Error
		return s.yield(nil, l.err) && errors.As(l.err, &e)
	}
	s.d.line, s.d.base = l.line, l.base
	t, err := s.d.trace(l.text)
	if err != nil {
		return s.yield(nil, err)
	}
	return s.yield(t, nil)
}
