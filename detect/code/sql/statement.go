// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package sql

import "strings"

// verbs begin statements.
var verbs = map[string]bool{
	"select": true, "insert": true, "update": true, "delete": true, "drop": true, "truncate": true, "alter": true, "create": true, "grant": true, "revoke": true,
	"replace": true, "merge": true, "exec": true, "execute": true, "call": true, "with": true, "set": true, "copy": true, "load": true, "shutdown": true,
	"begin": true, "declare": true, "explain": true, "show": true, "describe": true, "desc": true, "use": true, "commit": true, "rollback": true, "start": true,
	"savepoint": true, "pragma": true, "vacuum": true, "lock": true, "kill": true, "reset": true, "attach": true, "bulk": true, "waitfor": true, "do": true, "prepare": true,
	"if": true, "end": true, "comment": true, "analyze": true, "values": true, "table": true, "rename": true, "explain analyze": true,
}

// changes are verbs that an injection stacks.
var changes = map[string]bool{
	"insert": true, "update": true, "delete": true, "drop": true, "truncate": true, "alter": true, "create": true, "grant": true, "exec": true, "execute": true,
	"shutdown": true, "merge": true, "copy": true, "load": true, "declare": true, "waitfor": true, "select": true, "call": true, "attach": true, "set": true,
}

// statement reads the tokens held as one statement.
func (r *reader) statement() {
	if len(r.tokens) == 0 {
		return
	}
	first := r.tokens[0]
	piece := r.first && !(first.kind == word && verbs[first.word] || first.word == "(" || first.kind == end)
	if piece && r.depth == 0 && !r.mode.fragment {
		r.fragment = true
	}
	for i := range r.tokens {
		t := &r.tokens[i]
		switch {
		case t.kind == cut:
			r.report("sql-comment-cut", t.start, t.end)
		case t.kind == stray && i+1 < len(r.tokens):
		case t.kind != word && t.kind != sign || t.word == "":
		case t.word == "or" || t.word == "xor" || t.word == "||" && (r.mode.fragment || r.stray):
			r.tautology(i)
		case t.kind == word:
			r.word(i)
		}
	}
	r.stacked()
	if n := len(r.tokens); r.tokens[n-1].kind == end {
		r.last = token{}
		if n > 1 {
			r.last = r.tokens[n-2]
		}
		r.last.line = r.value(n-2) && r.condition()
	}
}

// value reports whether a token may be what somebody put in.
func (r *reader) value(i int) bool {
	for i >= 0 && r.tokens[i].word == ")" {
		i--
	}
	if i < 0 {
		return r.mode.fragment
	}
	k := r.tokens[i].kind
	return k == text || k == number || k == stray || k == cut || k == name || r.mode.fragment
}

// condition reports whether the statement has one, or is the piece of one.
func (r *reader) condition() bool {
	first := r.tokens[0]
	if r.mode.fragment || r.stray && r.first {
		return true
	}
	if first.kind != word || !verbs[first.word] {
		return r.first && len(r.tokens) < 16 && r.depth == 0 && (first.kind == number || first.kind == text || first.kind == stray || first.kind == word && len(r.tokens) == 2)
	}
	return first.word == "select" && r.find(0, len(r.tokens), "where", "having") >= 0
}

// stacked reports a statement behind a value on the same line.
func (r *reader) stacked() {
	first := r.tokens[0]
	if r.first || !r.last.line || first.line || first.kind != word || !changes[first.word] || len(r.tokens) < 2 {
		return
	}
	if first.word == "select" || first.word == "set" {
		if !r.mode.fragment && !r.stray {
			return
		}
	}
	r.report("sql-stacked", first.start, r.tokens[len(r.tokens)-1].end)
}

// at returns the word of a token, "" behind the ends.
func (r *reader) at(i int) string {
	if i < 0 || i >= len(r.tokens) {
		return ""
	}
	return r.tokens[i].word
}

func (r *reader) is(i int, list ...string) bool {
	w := r.at(i)
	if w == "" {
		return false
	}
	for _, l := range list {
		if w == l {
			return true
		}
	}
	return false
}

// named reports whether a token may name a table.
func (r *reader) named(i int) bool {
	if i < 0 || i >= len(r.tokens) {
		return false
	}
	t := r.tokens[i]
	return t.kind == word && (t.word == "" || !verbs[t.word] && !r.is(i, "from", "where", "and", "or", "on", "into", "set", "by", "as")) || t.kind == name || t.kind == holder || t.word == "{" || t.word == "%" || t.word == "@"
}

// afterName returns where the name of a table ends, with its schema.
func (r *reader) afterName(i int) int {
	for r.named(i) {
		if r.tokens[i].word == "{" { // {table} of a template
			for i < len(r.tokens) && r.tokens[i].word != "}" {
				i++
			}
		}
		if i++; r.at(i) != "." {
			return i
		}
		i++
	}
	return i
}

// begins reports whether a statement may begin at a word.
func (r *reader) begins(i int) bool {
	if i == 0 {
		return true
	}
	p := r.tokens[i-1]
	if r.is(i-1, "begin", "then", "else", "loop", "do", "as", ")", "(", "explain", "analyze", "end") || p.kind == stray || p.kind == cut {
		return true
	}
	if r.tokens[i].line {
		return !r.is(i-1, "for", "on", "before", "after", "or", ",", "key", "instead", "of", "and")
	}
	return p.kind == text || p.kind == number
}

// until returns where the part of a statement that begins at i ends.
func (r *reader) until(i int) int {
	depth := 0
	limit := maxPart
	if r.steps > 32*len(r.text)+maxPart*16 {
		limit = 64 // many statements in one: none of them is long
	}
	for j := i + 1; j < len(r.tokens); j++ {
		if j-i > limit {
			return j
		}
		r.steps++
		t := r.tokens[j]
		switch {
		case t.kind == end:
			return j
		case t.word == "(":
			depth++
		case t.word == ")":
			if depth--; depth < 0 {
				return j
			}
		case depth == 0 && t.kind == word && t.line && verbs[t.word] && t.word != "set" && t.word != "with" && t.word != "select" && t.word != "if" && t.word != "values" && t.word != "do" && t.word != "table":
			return j
		}
	}
	return len(r.tokens)
}

// find returns where one of the words stands outside of brackets, -1 if
// nowhere.
func (r *reader) find(from, to int, list ...string) int {
	depth := 0
	for j := from; j < to && j < len(r.tokens); j++ {
		switch w := r.tokens[j].word; {
		case w == "(":
			depth++
		case w == ")":
			depth--
		case depth == 0 && r.tokens[j].kind == word && r.is(j, list...):
			return j
		}
	}
	return -1
}

func (r *reader) reportTokens(id string, from, to int) {
	to = min(max(to, from+1), len(r.tokens))
	r.report(id, r.tokens[from].start, r.tokens[to-1].end)
}

// tautology looks at what stands behind an OR.
func (r *reader) tautology(i int) {
	to, depth := i+1, 0
	for ; to < len(r.tokens) && to-i < 32; to++ {
		t := r.tokens[to]
		if t.kind == end || t.kind == cut || depth == 0 && (t.word == ")" || r.is(to, "and", "or", "group", "order", "limit", "union", "having", "returning", "then", "offset", "fetch", "when")) {
			break
		}
		switch t.word {
		case "(":
			depth++
		case ")":
			depth--
		}
	}
	from := i + 1
	for ; depth > 0 && r.at(from) == "("; depth-- { // left for the query to close
		from++
	}
	if to-i < 32 && r.truth(from, to) {
		r.reportTokens("sql-tautology", i, to)
	}
}

// truth reports whether the tokens from one place to another are always true.
func (r *reader) truth(from, to int) bool {
	for from < to && r.at(from) == "(" && r.at(to-1) == ")" {
		from, to = from+1, to-1
	}
	for to > from && r.tokens[to-1].kind == stray {
		to--
	}
	n := to - from
	switch {
	case n == 1:
		t := r.tokens[from]
		s := r.text[t.start:t.end]
		return t.word == "true" || t.kind == number && strings.Trim(s, "0.") != "" || t.kind == text && len(s) > 2 && s[1] >= '1' && s[1] <= '9'
	case n == 2 && r.at(from) == "not":
		t := r.tokens[from+1]
		return t.word == "false" || t.kind == number && r.text[t.start:t.end] == "0"
	case n == 3:
		return r.compared(r.tokens[from], r.tokens[from+1].word, r.tokens[from+2])
	case n == 4 && r.is(from+1, "is") && r.is(from+2, "not") && r.is(from+3, "null"):
		k := r.tokens[from].kind
		return k == text || k == number
	}
	return false
}

// compared reports whether a comparison of two tokens is always true.
func (r *reader) compared(a token, op string, b token) bool {
	constant := func(t token) bool { return t.kind == text || t.kind == number || r.quotedText(t) }
	x, y := strings.Trim(r.text[a.start:a.end], "'\""), strings.Trim(r.text[b.start:b.end], "'\"")
	same := strings.EqualFold(x, y) && a.kind != holder && b.kind != holder
	both := constant(a) && constant(b)
	switch op {
	case "=", "<=>", "like", "regexp", "ilike", "rlike", "is":
		return same && x+y != "" && (both || a.kind == b.kind && a.kind != sign) || same && both || op == "like" && y == "%" && both
	case "<>", "!=":
		return both && !same
	case "<", "<=":
		return both && len(x) <= len(y) && x < y || op == "<=" && same && both
	case ">", ">=":
		return both && len(x) >= len(y) && x > y || op == ">=" && same && both
	case "in", "between":
		return false
	}
	return false
}

// quotedText reports whether a name in double quotes is a string in the piece
// of a query.
func (r *reader) quotedText(t token) bool {
	return t.kind == name && r.text[t.start] == '"'
}
