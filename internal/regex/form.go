// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package regex

import "strings"

// formKind names the shapes of patterns that need no matcher.
type formKind uint8

const (
	plainNone   formKind = iota
	plainPrefix          // `abc`: for MatchStart, and for MatchWhole equality
	plainOther           // `.*abc`, `abc.*`, `.*abc.*`, `.*`: for MatchWhole
)

// A form is a pattern that is plain text but for `.*` at its ends, as most
// patterns on arguments are.
type form struct {
	kind       formKind
	text       string
	head, tail bool // any text may stand before, behind it
}

// plainForm recognises such a pattern.
func plainForm(n *node) form {
	subs := []*node{n}
	switch {
	case n.op == opConcat:
		subs = n.subs
	case n.op == opEmpty:
		subs = nil
	}
	subs = trimAnchors(subs)
	f := form{kind: plainPrefix}
	if len(subs) > 0 && anything(subs[0]) {
		f.head, subs = true, subs[1:]
	}
	if len(subs) > 0 && anything(subs[len(subs)-1]) {
		f.tail, subs = true, subs[:len(subs)-1]
	}
	var text strings.Builder
	for _, sub := range subs {
		if sub.op != opLit || sub.fold {
			return form{}
		}
		text.WriteRune(sub.r)
	}
	f.text = text.String()
	if f.head || f.tail || n.find(opEnd) != nil {
		f.kind = plainOther
	}
	return f
}

// trimAnchors drops `^` at the start and `$` at the end: a look at the whole
// text stands there anyway.
func trimAnchors(subs []*node) []*node {
	if len(subs) > 0 && subs[0].op == opBegin {
		subs = subs[1:]
	}
	if len(subs) > 0 && subs[len(subs)-1].op == opEnd {
		subs = subs[:len(subs)-1]
	}
	return subs
}

// anything reports whether n is `.*`, greedy or lazy.
func anything(n *node) bool {
	return n.op == opRepeat && n.min == 0 && n.max == -1 && (n.subs[0].op == opAny || n.subs[0].op == opAnyNL)
}

// whole matches all of s; done is false for a pattern that is not plain.
func (f form) whole(s string) (done, ok bool) {
	switch {
	case f.kind == plainNone:
		return false, false
	case f.head && f.tail:
		return true, strings.Contains(s, f.text)
	case f.head:
		return true, strings.HasSuffix(s, f.text)
	case f.tail:
		return true, strings.HasPrefix(s, f.text)
	}
	return true, s == f.text
}
