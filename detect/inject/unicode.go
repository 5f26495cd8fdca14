// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package inject

import (
	"context"
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/holdfast-dev/holdfast/detect"
)

// How many findings there are of a category at most: a text may hold a million
// letters.
const (
	mostPlaces  = 1024
	mostUnnamed = 4 // of a general one that nobody has named
)

// Unicode finds characters by what they are. Params may hold categories, a
// list of names of Categories; without it all are reported, so that it can be
// asked what a text consists of, as the public function has it:
//
//	unicode(out) contains_only ["Lu", "Ll", "Zs"]
//
// Every character has a general category, one that is not what it seems one of
// our own beside it. Ours do not count what is where it belongs: the joiners of
// emoji, of Persian and of Indic scripts, the points of Hebrew.
//
// There is one finding for each character, up to 1,024 of a category; the last
// of these reaches from its character to the last one of the category. If no
// category is named, there are four of each general one: they are all there in
// every text, and nobody asks where.
//
// It looks at the text as it is: the views of a text have lost what it looks
// for.
//
// Time is linear in the text, and memory beside the text is bounded.
func Unicode(ctx context.Context, text, params string) ([]detect.Span, error) {
	wanted, err := readCategories(params)
	if err != nil {
		return nil, err
	}
	s := newCharacters(text, wanted)
	const piece = 1 << 16 // bytes between two looks at the context
	for at := 0; at < len(text); {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		at = s.scan(at, min(at+piece, len(text)))
	}
	if s.wants(catAlike) && s.high {
		s.alike()
	}
	return s.spans(), nil
}

// kinds is how many categories there are.
const kinds = 30 + 9

// characters is the work on one text.
type characters struct {
	text   string
	most   [kinds]int // by place in general, then in ownCategories: how many findings are wanted
	own    bool       // whether one of our own is wanted
	all    bool       // whether a general one is wanted
	found  []detect.Span
	alikes map[int]bool // where confusable ones begin that are found: there may be several reasons for one
	count  [kinds]int   // how many findings there are
	final  [kinds]int   // which is the last of them
	last   [kinds]int   // where the last character of a category ends that has enough of them
	high   bool         // there is something beyond ASCII
	marks  int          // how many marks stand right before
	rtl    int8         // whether somebody writes from right to left: 0 not asked, 1 yes, -1 no
}

func newCharacters(text string, categories []string) *characters {
	s := &characters{text: text}
	if categories == nil {
		s.own, s.all = true, true
		for i := range s.most {
			s.most[i] = mostPlaces
			if i < len(general) {
				s.most[i] = mostUnnamed
			}
		}
		return s
	}
	for _, name := range categories {
		i := slices.Index(general, name)
		if s.all = s.all || i >= 0; i < 0 {
			i, s.own = placeOf(name), true
		}
		s.most[i] = mostPlaces
	}
	return s
}

func placeOf(category string) int { return len(general) + slices.Index(ownCategories, category) }

func (s *characters) wants(category string) bool { return s.most[placeOf(category)] > 0 }

// scan looks at the characters from at to about end, and returns where it
// stopped.
func (s *characters) scan(at, end int) int {
	for at < end {
		if s.all {
			at = s.usual(at, end)
		} else {
			at = s.plain(at, end)
		}
		if at < end {
			at += s.odd(at)
		}
	}
	return at
}

// ascii holds the categories of ASCII.
var ascii = func() (out [utf8.RuneSelf]uint8) {
	for r := range rune(utf8.RuneSelf) {
		out[r] = categoryOf(r)
	}
	return out
}()

// usual notes the categories of printable ASCII, and returns where it ends.
func (s *characters) usual(at, end int) int {
	from := at
	for ; at < end && s.text[at] >= ' ' && s.text[at] < 0x7F; at++ {
		if c := ascii[s.text[at]]; s.count[c] < s.most[c] {
			s.note(int(c), at, at+1)
		} else {
			s.last[c] = at + 1
		}
	}
	if at > from {
		s.marks = 0
	}
	return at
}

// plain returns where after at printable ASCII ends.
func (s *characters) plain(at, end int) int {
	from := at
	for at < end && s.text[at] >= ' ' && s.text[at] < 0x7F || at < end && (s.text[at] == '\n' || s.text[at] == '\t') {
		at++
	}
	if at > from {
		s.marks = 0
	}
	return at
}

// odd looks at a character that is not printable ASCII, and returns how far it
// reaches.
func (s *characters) odd(at int) int {
	r, category, size := decode(s.text, at)
	s.high = s.high || size > 1
	kind, length := "", size
	if s.own {
		kind, length = s.hidden(at, r, category, size)
	}
	for i := at; i < at+length; { // a flag has several
		_, category, size := decode(s.text, i)
		s.note(int(category), i, i+size)
		i += size
	}
	if kind != "" {
		s.note(placeOf(kind), at, at+length)
	}
	return length
}

// note adds a finding, or has the last one of its category reach to it.
func (s *characters) note(category, start, end int) {
	if s.count[category] >= s.most[category] {
		s.last[category] = max(s.last[category], end)
		return
	}
	if category == alikePlace {
		if s.alikes[start] {
			return
		}
		if s.alikes == nil {
			s.alikes = map[int]bool{}
		}
		s.alikes[start] = true
	}
	s.count[category]++
	s.final[category] = len(s.found)
	s.found = append(s.found, detect.Span{Kind: s.name(category), Start: start, End: end, Score: 1})
}

// alikePlace is the place of confusable characters.
var alikePlace = placeOf(catAlike)

func (s *characters) name(category int) string {
	if category < len(general) {
		return general[category]
	}
	return ownCategories[category-len(general)]
}

func (s *characters) spans() []detect.Span {
	for category, end := range s.last {
		if s.count[category] > 0 {
			f := &s.found[s.final[category]]
			f.End = max(end, f.End)
		}
	}
	return s.found
}

// rightToLeft reports whether the text has letters of a script that is written
// from right to left.
func (s *characters) rightToLeft() bool {
	if s.rtl == 0 {
		s.rtl = -1
		for _, r := range s.text {
			if r >= 0x590 && r <= 0x8FF && unicode.IsLetter(r) || r >= 0xFB1D && r <= 0xFEFC && unicode.IsLetter(r) ||
				r >= 0x10800 && r <= 0x10FFF || r >= 0x1E800 && r <= 0x1EFFF {
				s.rtl = 1
				break
			}
		}
	}
	return s.rtl > 0
}
