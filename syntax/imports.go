// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package syntax

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
)

// An importLine is an import with the comment that ends its line.
type importLine struct {
	stmt       Stmt
	start, end int
}

// importRuns returns the imports of a file, those together that no blank line,
// comment or other statement parts: in a run each may stand anywhere.
func importRuns(tree *File) [][]importLine {
	var runs [][]importLine
	last := -1 // index of the statement that the last run ends with
	for i, s := range tree.Stmts {
		if !isImport(s) {
			continue
		}
		line := importLine{s, s.Span().Start, endOfLine(tree, s)}
		if n := len(runs) - 1; n >= 0 && last == i-1 {
			end := runs[n][len(runs[n])-1].end
			if bytes.Count(tree.Source.Src[end:line.start], []byte("\n")) == 1 {
				runs[n], last = append(runs[n], line), i
				continue
			}
		}
		runs, last = append(runs, []importLine{line}), i
	}
	return runs
}

// endOfLine returns where a statement ends with the comment behind it.
func endOfLine(tree *File, s Stmt) int {
	end := s.Span().End
	behind := tree.commentsIn(end, len(tree.Source.Src))
	if len(behind) > 0 && !behind[0].Own && !bytes.Contains(tree.Source.Src[end:behind[0].span.Start], []byte("\n")) {
		return behind[0].span.End
	}
	return end
}

// commentsIn returns the comments that begin in [start, end).
func (f *File) commentsIn(start, end int) []*Comment {
	at := func(offset int) int {
		i, _ := slices.BinarySearchFunc(f.Comments, offset, func(c *Comment, at int) int { return cmp.Compare(c.span.Start, at) })
		return i
	}
	return f.Comments[at(start):at(end)]
}

// compareImports orders the imports of a run: modules, names of modules, names
// of files, rules. Imports of rules keep their order, which is the order of
// their rules and decides ids.
func compareImports(a, b importLine) int {
	x, y := importKey(a.stmt), importKey(b.stmt)
	return slices.Compare(x, y)
}

// importKey is what an import is sorted by.
func importKey(s Stmt) []string {
	switch s := Node(s).(type) {
	case *Import:
		if s.As != nil {
			return []string{"1", s.Module, s.As.Name}
		}
		return []string{"1", s.Module}
	case *FromImport:
		key := []string{"2", s.Module}
		if s.Local {
			key[0] = "3"
		}
		for _, n := range sortedNames(s) {
			key = append(key, n.Name.Name, n.As.Name)
		}
		return key
	}
	return []string{"4"}
}

// sortedNames returns the names of an import in their canonical order.
func sortedNames(s *FromImport) []*ImportName {
	names := slices.Clone(s.Names)
	slices.SortStableFunc(names, func(a, b *ImportName) int {
		return cmp.Or(strings.Compare(a.Name.Name, b.Name.Name), strings.Compare(a.As.Name, b.As.Name))
	})
	return names
}

// A speller writes a source with its imports in order and its strings in their
// canonical quotes; the layout is for others to make.
type speller struct {
	tree *File
	p    *parser
	toks []token
	out  bytes.Buffer
}

// respell returns the source of a tree without mistakes in its canonical
// spelling.
func respell(tree *File) []byte {
	src := tree.Source.Src
	s := &speller{tree: tree, p: &parser{file: tree.Source}, toks: tree.tokens()}
	at := 0
	for _, run := range importRuns(tree) {
		sorted := slices.Clone(run)
		slices.SortStableFunc(sorted, compareImports)
		for i, slot := range run {
			s.copy(at, slot.start)
			s.line(sorted[i])
			at = slot.end
		}
	}
	s.copy(at, len(src))
	return s.out.Bytes()
}

// copy writes a part of the source. Strings that touch get a space between
// them: two quotes and one more could be read as three.
func (s *speller) copy(from, to int) {
	i, _ := slices.BinarySearchFunc(s.toks, from, func(t token, at int) int { return cmp.Compare(int(t.start), at) })
	for ; i < len(s.toks) && int(s.toks[i].start) < to; i++ {
		t := s.toks[i]
		if t.kind != tString {
			continue
		}
		s.out.Write(s.tree.Source.Src[from:t.start])
		if i > 0 && s.toks[i-1].kind == tString && s.toks[i-1].end == t.start {
			s.out.WriteByte(' ')
		}
		s.out.WriteString(s.p.requoted(t))
		from = int(t.end)
	}
	s.out.Write(s.tree.Source.Src[from:to])
}

// line writes an import with the comment that ends its line.
func (s *speller) line(l importLine) {
	x, ok := l.stmt.(*FromImport)
	if !ok {
		s.copy(l.start, l.end)
		return
	}
	names := sortedNames(x)
	items, ok := s.tree.nameItems(x)
	if !ok || slices.Equal(names, x.Names) {
		s.copy(l.start, l.end)
		return
	}
	s.copy(l.start, items[x.Names[0]].start)
	for i, n := range names {
		it := items[n]
		s.out.WriteString(n.span.Text())
		if i < len(names)-1 || items[x.Names[i]].comma {
			s.out.WriteByte(',')
		}
		switch {
		case it.comment != nil:
			s.out.WriteString(commentGap + commentText(it.comment) + "\n")
		case i < len(names)-1:
			s.out.WriteByte(' ')
		}
	}
	s.copy(items[x.Names[len(names)-1]].end, l.end)
}

// A nameItem is one name of an import with what stands between it and the next
// one or the end.
type nameItem struct {
	start, end int
	comma      bool
	comment    *Comment
}

// nameItems returns the items of an import of names; false if they cannot be
// moved without moving a comment from what it is about.
func (f *File) nameItems(x *FromImport) (map[*ImportName]nameItem, bool) {
	items := map[*ImportName]nameItem{}
	for _, c := range f.commentsIn(x.span.Start, x.span.End) {
		if c.Own {
			return nil, false
		}
	}
	for i, n := range x.Names {
		it := nameItem{start: n.span.Start, end: x.span.End, comma: true}
		if i < len(x.Names)-1 {
			it.end = x.Names[i+1].span.Start
		} else {
			if f.Source.Src[it.end-1] == ')' {
				it.end--
			}
			it.comma = f.commaIn(n.span.End, it.end)
		}
		switch comments := f.commentsIn(n.span.End, it.end); len(comments) {
		case 0:
		case 1:
			it.comment = comments[0]
		default:
			return nil, false
		}
		items[n] = it
	}
	return items, true
}

// commaIn reports whether a comma stands between two offsets, outside comments.
func (f *File) commaIn(start, end int) bool {
	for _, t := range scanFile(f.Source, start, end) {
		if t.kind == tComma {
			return true
		}
	}
	return false
}
