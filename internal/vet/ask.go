// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package vet

import (
	"math/big"
	"strconv"
	"strings"

	"github.com/holdfast-dev/holdfast/internal/automata"
	"github.com/holdfast-dev/holdfast/internal/builtin"
	"github.com/holdfast-dev/holdfast/internal/check"
	"github.com/holdfast-dev/holdfast/internal/value"
	"github.com/holdfast-dev/holdfast/syntax"
)

// Each question below says what its answer is for every kind of value, as
// docs/spec.md has it; where that depends on more than a text, a number or a
// boolean it says that it can be anything.

// truthy is an expression that counts by its truth.
func (r *reader) truthy(e syntax.Expr, s *scope) *node {
	return r.about(r.termOf(e, s), "truth", func(a *atom) {
		a.set(isNone, isFalse)
		a.set(isBool, theory)
		a.boolean = [2]truths{isFalse, isTrue}
		a.set(isText, theory)
		a.text = automata.AtLeast(1)
		a.set(isNumber|isList|isDict|isParts|isOther, anyTruth)
	})
}

// equal is `x == y`, also for `is` with a constant.
func (r *reader) equal(n *syntax.Binary, s *scope) *node {
	x := n.X
	c, ok := r.constant(n.Y, s)
	if !ok {
		if c, ok = r.constant(x, s); ok {
			x = n.Y
		}
	}
	if !ok {
		a, b := r.key(n.X, s), r.key(n.Y, s)
		if a > b {
			a, b = b, a
		}
		return leaf(r.opaque("(== " + a + " " + b + ")"))
	}
	if d, folded := r.constant(x, s); folded {
		return constant(known(c.kind == d.kind && c.key() == d.key()))
	}
	if arg, isLen := r.lenOf(x, s); isLen && c.kind == isNumber {
		if from, ok := lengthOf(c.number, 0); ok {
			return allOf(r.longer(arg, s, from), notOf(r.longer(arg, s, from+1)))
		}
	}
	t, missing, ok := r.got(x, s)
	if !ok {
		t, missing = r.termOf(x, s), literal{}
	}
	return r.equals(t, c, missing)
}

// equals is equality with a literal. If kind is set in missing, an absent key
// is read as it.
func (r *reader) equals(t *term, c, missing literal) *node {
	key := "== " + c.key()
	if missing.kind != 0 {
		key += " or else " + missing.key()
	}
	return r.about(t, key, func(a *atom) {
		a.set(isNone|isBool|isNumber|isText|isParts|isList|isDict|isOther, isFalse)
		switch {
		case c.kind == isText:
			a.set(isText|isParts, theory)
			a.text = automata.Text(c.text)
		case c.kind == isNumber:
			a.set(isNumber, theory)
			a.number = &bound{0, c.number}
		case c.kind == isBool:
			a.set(isBool, theory)
			a.boolean = [2]truths{known(!c.boolean), known(c.boolean)}
		case c.kind == isNone:
			a.set(isNone, isTrue)
		}
		if missing.kind != 0 {
			a.set(isMissing, known(c.kind == missing.kind && c.key() == missing.key()))
		}
	})
}

// order is `<`, `<=`, `>` or `>=`. Where there is an order it is total, so
// `<=` is the contrary of `>`.
func (r *reader) order(n *syntax.Binary, s *scope) *node {
	op, x := n.Op, n.X
	c, ok := r.constant(n.Y, s)
	if !ok {
		if c, ok = r.constant(n.X, s); ok {
			x, op = n.Y, flipped(op)
		}
	}
	switch op {
	case syntax.Le:
		return notOf(r.strictly(syntax.Gt, n, x, c, ok, s))
	case syntax.Ge:
		return notOf(r.strictly(syntax.Lt, n, x, c, ok, s))
	}
	return r.strictly(op, n, x, c, ok, s)
}

func flipped(op syntax.Op) syntax.Op {
	switch op {
	case syntax.Lt:
		return syntax.Gt
	case syntax.Le:
		return syntax.Ge
	case syntax.Gt:
		return syntax.Lt
	}
	return syntax.Le
}

// strictly is `x < c` or `x > c`; of two terms if there is no literal.
func (r *reader) strictly(op syntax.Op, n *syntax.Binary, x syntax.Expr, c literal, isConst bool, s *scope) *node {
	if !isConst {
		a, b := r.key(n.X, s), r.key(n.Y, s)
		if op == syntax.Gt {
			a, b = b, a
		}
		return leaf(r.opaque("(< " + a + " " + b + ")"))
	}
	if _, folded := r.constant(x, s); folded || c.kind != isNumber && c.kind != isText {
		return r.unread(n, s)
	}
	sign := 1
	if op == syntax.Lt {
		sign = -1
	}
	if arg, isLen := r.lenOf(x, s); isLen && c.kind == isNumber {
		if from, ok := lengthOf(c.number, sign); ok {
			if sign > 0 {
				return r.longer(arg, s, from)
			}
			return notOf(r.longer(arg, s, from))
		}
	}
	t, missing, ok := r.got(x, s)
	if !ok {
		t = r.termOf(x, s)
	}
	key := [...]string{"< ", "", "> "}[sign+1] + c.key()
	if missing.kind != 0 {
		key += " or else " + missing.key()
	}
	return r.about(t, key, func(a *atom) {
		if c.kind == isText {
			a.set(isText|isParts, isTrue|isFalse)
		} else {
			a.set(isNumber, theory)
			a.number = &bound{sign, c.number}
		}
		switch {
		case missing.kind == 0:
		case missing.kind == isNumber && c.kind == isNumber:
			a.set(isMissing, known(a.number.holds(missing.number)))
		case missing.kind == isText && c.kind == isText:
			a.set(isMissing, isTrue|isFalse)
		}
	})
}

// got reads `d.get(key, default)` of a dict: the term at the key, and what an
// absent one is read as.
func (r *reader) got(e syntax.Expr, s *scope) (*term, literal, bool) {
	e, s = r.resolve(e, s)
	n, ok := syntax.Node(e).(*syntax.Call)
	if !ok {
		return nil, literal{}, false
	}
	c := r.prog.Calls[n]
	if c == nil || c.Method == nil || c.Method.Name != "get" || len(c.Args) == 0 {
		return nil, literal{}, false
	}
	root, path, ok := r.place(c.Recv, s)
	key, isKey := r.constant(c.Args[0], s)
	if !ok || !isKey || key.kind != isText || !dictAt(root, path) {
		return nil, literal{}, false
	}
	missing := literal{kind: isNone}
	if len(c.Args) > 1 && c.Args[1] != nil {
		if missing, ok = r.constant(c.Args[1], s); !ok {
			return nil, literal{}, false
		}
	}
	return r.termAt(root, append(append([]string{}, path...), key.text)), missing, true
}

// lenOf returns the argument of a call of len.
func (r *reader) lenOf(e syntax.Expr, s *scope) (syntax.Expr, bool) {
	e, _ = r.resolve(e, s)
	n, ok := syntax.Node(e).(*syntax.Call)
	if !ok {
		return nil, false
	}
	c := r.prog.Calls[n]
	if c == nil || c.Func == nil || c.Func != builtin.Universe()["len"] || len(c.Args) != 1 {
		return nil, false
	}
	return c.Args[0], true
}

// lengthOf returns the least length that a comparison with x is about: of
// `len(s) > x`, `len(s) < x`, `len(s) == x`.
func lengthOf(x *big.Rat, sign int) (int, bool) {
	if x.Sign() < 0 || x.Cmp(big.NewRat(automata.MaxLength/4, 1)) > 0 || sign == 0 && !x.IsInt() {
		return 0, false
	}
	n := int(floorOf(x).Num().Int64())
	if sign > 0 || sign < 0 && !x.IsInt() {
		n++
	}
	return n, true
}

// longer asks whether a length is at least n.
func (r *reader) longer(e syntax.Expr, s *scope, n int) *node {
	return r.about(r.termOf(e, s), "length from "+strconv.Itoa(n), func(a *atom) {
		a.set(isText|isParts, theory)
		a.text = automata.AtLeast(n)
		a.set(isNone, known(n == 0))
		a.set(isList|isDict|isOther, anyTruth)
	})
}

// in is membership: of a variable, of a text in a text, of a value in a list
// that is written out, of a key in a dict.
func (r *reader) in(n *syntax.Binary, s *scope) *node {
	if v, ok := syntax.Unparen(n.X).(*syntax.TypedVar); ok {
		return r.declared(v, s)
	}
	if items, ok := r.literals(n.Y, s); ok {
		return r.amongst(n.X, items, s)
	}
	c, ok := r.constant(n.X, s)
	if _, folded := r.constant(n.Y, s); !ok || folded || c.kind != isText {
		return leaf(r.opaque("(in " + r.key(n.X, s) + " " + r.key(n.Y, s) + ")"))
	}
	if root, path, ok := r.place(n.Y, s); ok && dictAt(root, path) {
		return r.present(root, path, c.text)
	}
	return r.contains(r.termOf(n.Y, s), c.text)
}

func (r *reader) contains(t *term, text string) *node {
	return r.about(t, "contains "+strconv.Quote(text), func(a *atom) {
		a.set(isText|isParts, theory)
		a.text = automata.Containing(text)
		a.set(isNone, isFalse)
		a.set(isList|isDict|isOther, anyTruth)
	})
}

// present asks whether a dict has a key.
func (r *reader) present(root element, path []string, key string) *node {
	there := r.about(r.termAt(root, append(append([]string{}, path...), key)), "present", func(a *atom) {
		a.set(anyKind, isTrue)
		a.set(isMissing, isFalse)
		a.set(isUnread, anyTruth)
	})
	return allOf(r.readable(root, path), there)
}

// readable is true of a dict, false of None and unknown of what cannot be
// read.
func (r *reader) readable(root element, path []string) *node {
	return r.about(r.termAt(root, path), "a dict", func(a *atom) {
		a.set(anyKind, isFalse)
		a.set(isDict, isTrue)
		a.set(isMissing|isUnread, isUnknown)
	})
}

// amongst is membership in a list of literals. A list on the left asks for
// each of its items, which gives no truth.
func (r *reader) amongst(x syntax.Expr, items []literal, s *scope) *node {
	if _, folded := r.constant(x, s); folded {
		out := &node{op: opOr}
		for _, it := range items {
			c, _ := r.constant(x, s)
			out.subs = append(out.subs, constant(known(c.kind == it.kind && c.key() == it.key())))
		}
		return out
	}
	t, missing, ok := r.got(x, s)
	if !ok {
		t = r.termOf(x, s)
	}
	notList := r.about(t, "no list", func(a *atom) {
		a.set(anyKind&^(isMissing|isUnread|isList), isFalse)
		if missing.kind != 0 {
			a.set(isMissing, isFalse)
		}
	})
	out := oneOf(notList)
	for _, it := range items {
		out.subs = append(out.subs, r.equals(t, it, missing))
	}
	return out
}

// method is a method's answer where a truth is wanted.
func (r *reader) method(n *syntax.Call, c *check.Call, s *scope) *node {
	plain := len(c.Args) > 0
	for i, a := range c.Args {
		plain = plain && (i == 0 || a == nil)
	}
	if !plain || c.Method.Recv != value.StrType {
		return r.truthy(n, s)
	}
	arg, ok := r.constant(c.Args[0], s)
	if !ok || arg.kind != isText {
		return r.truthy(n, s)
	}
	var set *automata.Set
	switch c.Method.Name {
	case "startswith":
		set = automata.Prefix(arg.text)
	case "endswith":
		set = automata.Suffix(arg.text)
	default:
		return r.truthy(n, s)
	}
	return r.about(r.termOf(c.Recv, s), c.Method.Name+" "+strconv.Quote(arg.text), func(a *atom) {
		a.set(isText|isParts, theory)
		a.text = set
		a.set(isNone, isFalse)
		a.set(isOther, anyTruth)
	})
}

// matches is match(pattern, x), or find(pattern, x) for its truth.
func (r *reader) matches(n *syntax.Call, c *check.Call, s *scope, anywhere bool) *node {
	if len(c.Args) < 2 || c.Args[0] == nil || c.Args[1] == nil {
		return r.unread(n, s)
	}
	p, ok := r.constant(c.Args[0], s)
	if !ok || p.kind != isText || r.regexp(p.text) == nil {
		return r.truthy(n, s)
	}
	re := r.regexp(p.text)
	src := re.Source(false)
	t := r.textOf(c.Args[1], s)
	if len(src.Nots) > 0 && (anywhere || t.kinds&isParts != 0) {
		return r.truthy(n, s)
	}
	out := allOf(r.pattern(t, src.Body, automata.Options{Anywhere: anywhere, ASCII: src.ASCII}))
	for _, not := range src.Nots {
		out.subs = append(out.subs, notOf(r.pattern(t, not, automata.Options{ASCII: src.ASCII})))
	}
	return out
}

// textOf returns the term of the text that a text function looks at: of a
// message or an output its content.
func (r *reader) textOf(e syntax.Expr, s *scope) *term {
	if root, path, ok := r.place(e, s); ok && len(path) == 0 && (isMessage(root.typ) || root.typ == "ToolOutput") {
		return r.termAt(root, []string{"content"})
	}
	return r.termOf(e, s)
}

// pattern asks whether a text has a match. None has no text.
func (r *reader) pattern(t *term, body string, o automata.Options) *node {
	key := "pattern " + strconv.FormatBool(o.Anywhere) + strconv.FormatBool(o.ASCII) + strconv.Quote(body)
	return r.about(t, key, func(a *atom) {
		a.set(isText|isParts, anyTruth)
		if set, err := automata.Compile(body, o); err == nil {
			a.text, a.each = set, true
			a.set(isText|isParts, theory)
			if o.Anywhere && set.Looks() {
				// Of matches in the joined text those count that run over a border;
				// one that does may hold another that does not.
				a.set(isParts, anyTruth)
			}
		}
		a.set(isNone, isFalse)
		a.set(isOther, anyTruth)
	})
}

// whole asks whether a text is equal to one or matches it as a whole, as an
// argument pattern does. An absent argument does not.
func (r *reader) whole(t *term, text string) *node {
	fill := func(set *automata.Set) func(*atom) {
		return func(a *atom) {
			a.set(isMissing|isNone|isBool|isNumber, isFalse)
			a.set(isOther, anyTruth)
			a.set(isText, theory)
			if a.text = set; set == nil {
				a.set(isText, isTrue|isFalse)
			}
			a.set(isParts, anyTruth)
		}
	}
	equal := r.about(t, "argument == "+strconv.Quote(text), fill(automata.Text(text)))
	if !strings.ContainsAny(text, `\.+*?()|[]{}^$`) {
		return equal
	}
	re := r.regexp(text)
	if re == nil {
		return equal
	}
	part := func(body string) *node {
		src := re.Source(true)
		set, _ := automata.Compile(body, automata.Options{ASCII: src.ASCII})
		return r.about(t, "argument matches "+strconv.FormatBool(src.ASCII)+strconv.Quote(body), fill(set))
	}
	src := re.Source(true)
	match := allOf(part(src.Body))
	for _, not := range src.Nots {
		match.subs = append(match.subs, notOf(part(not)))
	}
	return oneOf(equal, match)
}
