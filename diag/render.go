// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package diag

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Of a line longer than maxExcerpt runes only a window is printed, which
// begins windowLead runes before the mistake.
const (
	maxExcerpt = 200
	windowLead = 60
)

// Render writes the diagnostics of a list as a person reads them: the line
// `file:line:col: code: message`, the source line, a caret under the place with
// tildes to its end, notes, and the help. They come sorted, at most 20 of them
// and then a count. It returns the error of w, if any.
func Render(w io.Writer, l List) error {
	shown, more := l.shown()
	var b strings.Builder
	for i := range shown {
		render(&b, &shown[i])
	}
	if more > 0 {
		b.WriteString(moreLine(more) + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// render writes one diagnostic.
func render(b *strings.Builder, d *Diagnostic) {
	b.WriteString(headline(d) + "\n")
	gutter := gutterWidth(d)
	writeExcerpt(b, d.Span, gutter)
	indent := strings.Repeat(" ", gutter+1)
	for _, n := range d.Notes {
		b.WriteString(indent + "note: " + place(n.Span) + visible(n.Text) + "\n")
		writeExcerpt(b, n.Span, gutter)
	}
	if d.Help != "" {
		b.WriteString(indent + "help: " + visible(d.Help) + "\n")
	}
}

// gutterWidth is the width of the largest line number a diagnostic prints.
func gutterWidth(d *Diagnostic) int {
	line, _ := d.Span.Position()
	for _, n := range d.Notes {
		l, _ := n.Span.Position()
		line = max(line, l)
	}
	return len(strconv.Itoa(line))
}

// writeExcerpt writes the line on which a span starts and the caret below it.
func writeExcerpt(b *strings.Builder, s Span, gutter int) {
	if s.File == nil {
		return
	}
	line, _ := s.Position()
	text, from, to := excerpt(s, line)
	fmt.Fprintf(b, "%*d | %s\n", gutter, line, text)
	fmt.Fprintf(b, "%*s | %s\n", gutter, "", underline(text, from, to))
}

// excerpt returns the line as it is printed and the range of runes in it that
// the span covers; a span of several lines ends at the end of its first.
func excerpt(s Span, line int) (text string, from, to int) {
	start, end := s.File.lineBounds(line)
	src := s.File.Src
	a := min(max(s.Start, start), end)
	z := min(max(s.End, a), end)
	from = utf8.RuneCount(src[start:a])
	to = from + utf8.RuneCount(src[a:z])
	runes := []rune(pictures(string(src[start:end])))
	return window(runes, from, to)
}

// window cuts a long line down to the part around the mistake. Every cut end
// shows as one rune, so the caret line stays aligned.
func window(runes []rune, from, to int) (text string, lo, hi int) {
	if len(runes) <= maxExcerpt {
		return strings.TrimRight(string(runes), " \t"), from, to
	}
	start := max(from-windowLead, 0)
	end := min(start+maxExcerpt, len(runes))
	part := string(runes[start:end])
	lo, hi = from-start, min(to, end)-start
	if start > 0 {
		part, lo, hi = "…"+part, lo+1, hi+1
	}
	if end < len(runes) {
		part += "…"
	}
	return part, lo, max(lo, hi)
}

// underline returns the caret line: the text's tabs are copied, so it stays
// under its place at any tab width.
func underline(text string, from, to int) string {
	var b strings.Builder
	runes := []rune(text)
	for i := range from {
		if i < len(runes) && runes[i] == '\t' {
			b.WriteByte('\t')
		} else {
			b.WriteByte(' ')
		}
	}
	b.WriteByte('^')
	for i := from + 1; i < to; i++ {
		b.WriteByte('~')
	}
	return b.String()
}

// pictures replaces each rune that could act on a terminal or hide text by one
// visible rune, so that columns stay true. Tabs stay.
func pictures(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t':
			return r
		case r < 0x20:
			return 0x2400 + r // the control pictures: ␀, ␛, …
		case r == 0x7F:
			return '␡'
		case acts(r):
			return utf8.RuneError
		}
		return r
	}, s)
}

// visible replaces each rune that could act on a terminal or hide text by its
// escape. It is for messages, where columns do not matter.
func visible(s string) string {
	if strings.IndexFunc(s, acts) < 0 && utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if acts(r) {
			q := strconv.QuoteRuneToASCII(r)
			b.WriteString(q[1 : len(q)-1])
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// acts reports whether a rune is a control or a format character (which
// includes those that turn the direction of text) or ends a line.
func acts(r rune) bool {
	return unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == '\u2028' || r == '\u2029'
}
