// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package python

import (
	"regexp"
	"strings"
)

// promptAt are the prompts of the interactive shells, which IPython takes off.
var promptAt = regexp.MustCompile(`\A[ \t]*(?:>>>|\.\.\.|In \[\d+\]:|\.\.\.+:)(?: |[\r\n]|\z)`)

// skipPrompt passes a prompt, if the first line has one.
func (s *scanner) skipPrompt() {
	first := s.base < 0
	if !first && !s.prompt {
		return
	}
	if m := promptAt.FindStringIndex(s.text[s.pos:min(len(s.text), s.pos+100)]); m != nil {
		s.prompt = true
		s.pos += len(strings.TrimRight(s.text[s.pos:s.pos+m[1]], "\r\n"))
	}
}

// dedent takes the first line's indentation off a line.
func (s *scanner) dedent(in indent) indent {
	if s.base < 0 {
		s.base = in.col
	}
	n := min(s.base, in.col)
	return indent{in.col - n, max(0, in.alt-n)}
}

// magic reads a line that is IPython's own, if this is one.
func (s *scanner) magic() {
	start := s.pos
	switch s.text[start] {
	case '%':
		if s.at(start+1) == '%' && len(s.out) == 0 {
			s.cell()
			return
		}
	case '!', '?':
	default:
		return
	}
	s.commandLine()
	s.emit(kMagic, start)
}

// cell reads a cell magic: the rest of the text belongs to it, as Python only
// if the magic runs it as that.
func (s *scanner) cell() {
	start := s.pos
	s.commandLine()
	switch name := magicName(s.text[start:s.pos]); name {
	case "capture", "prun", "time", "timeit":
	default:
		s.pos = len(s.text)
	}
	s.emit(kMagic, start)
}

// magicName is the word after the percent signs.
func magicName(line string) string {
	name := strings.TrimLeft(line, "%")
	if i := strings.IndexAny(name, " \t\r\n"); i >= 0 {
		name = name[:i]
	}
	return name
}

// commandLine passes the line, and those a backslash joins to it.
func (s *scanner) commandLine() {
	for {
		s.pos = s.lineEnd(s.pos)
		if s.pos >= len(s.text) || s.text[s.pos-1] != '\\' {
			return
		}
		s.skipNewline()
	}
}

// assignedMagic reads the command in x = !command and x = %magic.
func (s *scanner) assignedMagic() {
	i := s.pos
	for s.at(i) == ' ' || s.at(i) == '\t' {
		i++
	}
	if c := s.at(i); c != '!' && c != '%' {
		return
	}
	s.pos = i
	s.commandLine()
	s.emit(kMagic, i)
}

// magicCall is what IPython makes of such a line: the function it calls.
func magicCall(text string) string {
	switch {
	case strings.HasPrefix(text, "%%"):
		return "get_ipython().run_cell_magic"
	case strings.HasPrefix(text, "%"):
		return "get_ipython().run_line_magic"
	case strings.HasPrefix(text, "!!"):
		return "get_ipython().getoutput"
	case strings.HasPrefix(text, "!"):
		return "get_ipython().system"
	}
	return "get_ipython().run_line_magic" // ?name is %pinfo name
}
