// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package regex

// A Source is a pattern in the syntax of package regexp, for those who reason
// about patterns instead of running them. A match is one of Body that begins
// where none of Nots does.
type Source struct {
	Body string
	Nots []string

	ASCII bool // word boundaries are those of ASCII words
}

// Source returns the pattern as MatchStart and FindAll read it or, with whole,
// as MatchWhole does: Body then ends at the end of the text.
func (re *Regexp) Source(whole bool) Source {
	l := re.search
	if whole {
		l = re.full
	}
	s := Source{Body: l.body.text, ASCII: l.body.ascii}
	for _, n := range l.nots {
		s.Nots = append(s.Nots, n.text)
	}
	return s
}
