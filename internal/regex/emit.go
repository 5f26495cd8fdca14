// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package regex

import (
	"regexp"
	"strconv"
	"strings"
)

// emit writes a tree as RE2 text. No flag of RE2 is set outside a group of
// its own, and only literals are left to RE2's folding.
func emit(n *node, dotAll bool) string {
	e := &emitter{dotAll: dotAll}
	e.node(n)
	return e.b.String()
}

type emitter struct {
	b      strings.Builder
	dotAll bool // every `.` crosses newlines
}

func (e *emitter) node(n *node) {
	switch n.op {
	case opEmpty:
		e.b.WriteString("(?:)")
	case opLit:
		e.literals([]*node{n})
	case opClass:
		n.set.emit(&e.b)
	case opAny, opAnyNL:
		if e.dotAll || n.op == opAnyNL {
			e.b.WriteString("(?s:.)")
		} else {
			e.b.WriteByte('.')
		}
	case opBegin:
		e.b.WriteString(`\A`)
	case opBeginLine:
		e.b.WriteString(`(?m:^)`)
	case opEnd:
		e.b.WriteString(`\z`)
	case opEndLine:
		e.b.WriteString(`(?m:$)`)
	case opWord:
		e.b.WriteString(`\b`)
	case opNotWord:
		e.b.WriteString(`\B`)
	case opConcat:
		e.concat(n.subs)
	case opAlt:
		e.alternatives(n.subs)
	case opRepeat:
		e.repeat(n)
	case opNot:
		panic("regex: a look-ahead is no part of a body") // splitNots saw to it
	}
}

// concat writes items one after the other, runs of literals together.
func (e *emitter) concat(subs []*node) {
	for i := 0; i < len(subs); {
		end := i
		for end < len(subs) && subs[end].op == opLit && subs[end].fold == subs[i].fold {
			end++
		}
		if end > i {
			e.literals(subs[i:end])
			i = end
			continue
		}
		e.node(subs[i])
		i++
	}
}

// literals writes runes that are all to be folded, or all not.
func (e *emitter) literals(run []*node) {
	var text strings.Builder
	for _, n := range run {
		text.WriteRune(n.r)
	}
	quoted := regexp.QuoteMeta(text.String())
	if run[0].fold {
		quoted = "(?i:" + quoted + ")"
	}
	e.b.WriteString(quoted)
}

func (e *emitter) alternatives(subs []*node) {
	e.b.WriteString("(?:")
	for i, sub := range subs {
		if i > 0 {
			e.b.WriteByte('|')
		}
		e.node(sub)
	}
	e.b.WriteByte(')')
}

func (e *emitter) repeat(n *node) {
	e.b.WriteString("(?:")
	e.node(n.subs[0])
	e.b.WriteByte(')')
	switch {
	case n.min == 0 && n.max == -1:
		e.b.WriteByte('*')
	case n.min == 1 && n.max == -1:
		e.b.WriteByte('+')
	case n.min == 0 && n.max == 1:
		e.b.WriteByte('?')
	case n.max == -1:
		e.b.WriteString("{" + strconv.Itoa(n.min) + ",}")
	default:
		e.b.WriteString("{" + strconv.Itoa(n.min) + "," + strconv.Itoa(n.max) + "}")
	}
	if n.lazy {
		e.b.WriteByte('?')
	}
}
