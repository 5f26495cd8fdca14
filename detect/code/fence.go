// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package code

import "strings"

// A segment is a part of a text: the inside of a block that stands between
// fences of Markdown, or what stands outside of them.
type segment struct {
	start, end int
	fenced     bool
	language   *language // the block's, where it says one that there are rules for
}

// A fence is a line that opens or closes a block.
type fence struct {
	mark byte
	n    int    // how many marks
	info string // what is written behind them
}

// fenceOf reads a line as a fence; n is 0 if it is none. It may stand in a list
// or a quote.
func fenceOf(line string) fence {
	line = strings.TrimLeft(line, " \t>")
	if line == "" || line[0] != '`' && line[0] != '~' {
		return fence{}
	}
	f := fence{mark: line[0]}
	rest := strings.TrimLeft(line, line[:1])
	if f.n = len(line) - len(rest); f.n < 3 {
		return fence{}
	}
	f.info = strings.TrimSpace(rest)
	if f.mark == '`' && strings.Contains(f.info, "`") {
		return fence{} // code within a line
	}
	return f
}

// language is the language that the fence names: python, {.python}, python:a.py.
func (f fence) language() *language {
	word, _, _ := strings.Cut(strings.Trim(f.info, "{}"), " ")
	word = strings.TrimPrefix(word, ".")
	if i := strings.IndexAny(word, ":,{}[("); i >= 0 {
		word = word[:i]
	}
	return named(word)
}

// segments takes a text apart, in its order. A block that is not closed reaches
// to the end.
func segments(text string) []segment {
	if !strings.Contains(text, "```") && !strings.Contains(text, "~~~") {
		return []segment{{end: len(text)}}
	}
	var out []segment
	var open fence
	var language *language
	at, from := 0, 0
	put := func(end int) {
		if from < end {
			out = append(out, segment{from, end, open.n > 0, language})
		}
	}
	for line := range strings.Lines(text) {
		begin := at
		at += len(line)
		f := fenceOf(line)
		switch {
		case f.n == 0:
			continue
		case open.n == 0:
			put(begin)
			open, language, from = f, f.language(), at
		case f.mark == open.mark && f.n >= open.n && f.info == "":
			put(begin)
			open, language, from = fence{}, nil, at
		}
	}
	put(len(text))
	return out
}
