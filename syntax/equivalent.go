// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package syntax

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/holdfast-dev/holdfast/diag"
)

// Equivalent compares two policies without mistakes up to what Format may
// change. It returns nil if they have
//
//   - the same statements, but for the order of imports that stand together (those
//     of rules excepted) and of the names that one of them brings;
//   - the same tokens, strings by their value;
//   - the same comments between the same tokens, each with a line of its own in
//     both or in neither, and the same ones above each rule and parameter.
//
// Else the error names the first place of a that is not so in b.
func Equivalent(a, b *File) error {
	if d := different(a.meanings(), b.meanings()); d >= 0 {
		return differAt(a, d, "this statement is another one")
	}
	if d := different(a.pieces(), b.pieces()); d >= 0 {
		return differAt(a, d, "other tokens or comments stand here")
	}
	return nil
}

// A part is something of a file as text: equal texts, equal parts.
type part struct {
	text string
	at   int // its place in the source
}

// partAt returns the index of the first of some parts that stands at an offset
// or behind it.
func partAt(parts []part, offset int) int {
	i, _ := slices.BinarySearchFunc(parts, offset, func(p part, at int) int { return p.at - at })
	return i
}

// different returns the place of the first part that is another one in b, or
// that b does not have; -1 if there is none.
func different(a, b []part) int {
	for i, x := range a {
		if i == len(b) || x.text != b[i].text {
			return x.at
		}
	}
	switch {
	case len(a) == len(b):
		return -1
	case len(a) == 0:
		return 0
	}
	return a[len(a)-1].at
}

// differAt is the error of a place.
func differAt(f *File, at int, why string) error {
	line, col := (diag.Span{File: f.Source, Start: at, End: at}).Position()
	return fmt.Errorf("%s:%d:%d: %s", f.Source.Name, line, col, why)
}

// meanings are the trees of the statements, with the comments that belong to
// them.
func (f *File) meanings() []part {
	var all []part
	runs := importRuns(f)
	for i := 0; i < len(f.Stmts); i++ {
		s := f.Stmts[i]
		if len(runs) > 0 && runs[0][0].stmt == s {
			all = append(all, sortedRun(runs[0], func(l importLine) string { return Sexpr(canonicalStmt(l.stmt)) })...)
			i += len(runs[0]) - 1
			runs = runs[1:]
			continue
		}
		text := Sexpr(s)
		if doc := docOf(s); doc != nil {
			for _, c := range *doc {
				text += "\n" + commentPart(c)
			}
		}
		all = append(all, part{text, s.Span().Start})
	}
	return all
}

// canonicalStmt returns an import with its names in their canonical order.
func canonicalStmt(s Stmt) Stmt {
	if x, ok := s.(*FromImport); ok {
		y := *x
		y.Names = sortedNames(x)
		return &y
	}
	return s
}

// sortedRun returns the imports of a run as text, in an order that does not
// depend on the one they have but for those of rules.
func sortedRun(run []importLine, text func(importLine) string) []part {
	var names, rules []part
	for _, l := range run {
		p := part{text(l), l.start}
		if _, ok := l.stmt.(*RuleImport); ok {
			rules = append(rules, p)
		} else {
			names = append(names, p)
		}
	}
	slices.SortStableFunc(names, func(a, b part) int { return strings.Compare(a.text, b.text) })
	return append(names, rules...)
}

// pieces are the tokens and comments of a file in their order; each import is
// one piece with the comments in its lines.
func (f *File) pieces() []part {
	var all []part
	between := f.spelled(f.begin(), len(f.Source.Src))
	upTo := func(end int) {
		i := partAt(between, end)
		all, between = append(all, between[:i]...), between[i:]
	}
	for _, run := range importRuns(f) {
		upTo(run[0].start)
		n := len(all)
		upTo(run[len(run)-1].end)
		inner := all[n:]
		all = append(slices.Clone(all[:n]), sortedRun(run, func(l importLine) string { return f.importPiece(l, inner) })...)
	}
	upTo(len(f.Source.Src))
	return all
}

// importPiece is an import with its comments as one text; inner are the pieces
// of its run. The commas between names do not count: a comment may stand on
// either side of one.
func (f *File) importPiece(l importLine, inner []part) string {
	within := func(start, end int, commas bool) string {
		var texts []string
		for _, p := range inner[partAt(inner, start):partAt(inner, end)] {
			if commas || p.text != "," {
				texts = append(texts, p.text)
			}
		}
		return strings.Join(texts, "\n")
	}
	x, ok := l.stmt.(*FromImport)
	if !ok {
		return within(l.start, l.end, true)
	}
	items, ok := f.nameItems(x)
	if !ok {
		return within(l.start, l.end, true)
	}
	first, last := items[x.Names[0]], items[x.Names[len(x.Names)-1]]
	texts := []string{within(l.start, first.start, true)}
	for _, n := range sortedNames(x) {
		texts = append(texts, within(items[n].start, items[n].end, false))
	}
	return strings.Join(append(texts, strconv.FormatBool(last.comma), within(last.end, l.end, true)), "\n")
}

// spelled returns the tokens and comments between two offsets.
func (f *File) spelled(start, end int) []part {
	var all []part
	comments := f.commentsIn(start, end)
	p := &parser{file: f.Source}
	for _, t := range scanFile(f.Source, start, end) {
		for len(comments) > 0 && comments[0].span.Start < int(t.start) {
			all = append(all, part{commentPart(comments[0]), comments[0].span.Start})
			comments = comments[1:]
		}
		if t.kind != tEOF {
			all = append(all, part{p.spelling(t), int(t.start)})
		}
	}
	return all
}

// commentPart is a comment as text.
func commentPart(c *Comment) string {
	if c.Own {
		return "\n" + commentText(c)
	}
	return commentText(c)
}

// spelling is a token as text: a string by its value, quoted.
func (p *parser) spelling(t token) string {
	if t.kind != tString {
		return p.text(t)
	}
	seg := p.stringSegment(t)
	if !seg.fstr {
		return strconv.Quote(p.unescape(seg, seg.span.Start, seg.span.End))
	}
	var lit literal
	p.fstring(seg, &lit)
	lit.flush()
	return Sexpr(&FString{Parts: lit.parts})
}

// Tokens returns the tokens of a node that was parsed without mistakes, each as
// it is written but for strings, which stand by their value in double quotes;
// those of templates as trees (see Sexpr). Comments and white space are no
// tokens. Format changes none of it, imports excepted.
func Tokens(n Node) []string {
	at := n.Span()
	p := &parser{file: at.File}
	var texts []string
	for _, t := range scanFile(at.File, at.Start, at.End) {
		if t.kind != tEOF {
			texts = append(texts, p.spelling(t))
		}
	}
	return texts
}

// begin is where a file begins, behind its byte order mark.
func (f *File) begin() int {
	if bytes.HasPrefix(f.Source.Src, []byte("\uFEFF")) {
		return len("\uFEFF")
	}
	return 0
}

// tokens are the tokens of a file, the last of which is its end.
func (f *File) tokens() []token { return scanFile(f.Source, f.begin(), len(f.Source.Src)) }

// scanFile returns the tokens between two offsets of a file that was parsed.
func scanFile(file *diag.File, start, end int) []token {
	return scan(file, start, end, func(diag.Diagnostic) {}).toks
}
