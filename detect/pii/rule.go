// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package pii

import (
	"slices"
	"strings"
	"sync"
)

// A rule finds one form of one kind of datum. Rules are literals; each brings
// texts that it must find and near misses that it must not.
//
// Scores follow one scale. A form that nothing else has (an e-mail address, an
// IBAN that adds up) is near 1. A form that other numbers share now and then
// is .5 to .7: found by default. A form that any number may have, with a check
// that one number in ten passes by chance, is under .5: found when the kind is
// asked for, or when a word beside it says what it is.
type rule struct {
	kind  string
	masks []string // its shapes; see mask.go

	// find, if there is one, reads the datum whose beginning a mask matches,
	// and says where it ends and how sure that is; end < 0 if there is none.
	find func(text string, start int) (end int, score float64)

	// check looks at the letters and digits of a match, in upper case, and
	// at the match itself. A rule without one takes what its masks match.
	check func(code []byte, raw string) verdict

	edge   edge
	inside bool    // it often is a part of something longer
	score  float64 // of a match that the check says nothing about
	sure   float64 // of one that passes the check
	near   float64 // at least this beside one of the words; 0: .35 more
	words  string  // what stands before such a datum, set apart by "|"

	hits, misses string // own texts, set apart by "|"; in a hit, ‹…› is the datum
}

// A verdict is what a check says of a match.
type verdict int

const (
	no    verdict = iota // it is none
	maybe                // it has the form; there is nothing to check, or the check is not for all
	yes                  // it passes the check
)

func must(ok bool) verdict {
	if ok {
		return yes
	}
	return no
}

// may is for numbers that need not pass their check.
func may(ok bool) verdict {
	if ok {
		return yes
	}
	return maybe
}

// An edge says what may stand around a match.
type edge int

const (
	words  edge = iota // no letter, digit or underscore
	digits             // no digit
	latin              // before it no Latin letter or digit, after it no digit
	apart              // as words, and no hyphen before it
)

// best is the highest score that a match can come to.
func (r *rule) best() float64 {
	top := max(r.score, r.sure)
	if r.find != nil {
		return 1
	}
	if r.words != "" {
		top = max(r.near, top+boost)
	}
	return min(top, 1)
}

// open reports whether more of the first run may follow what the masks match.
func (r *rule) open() bool { return r.find != nil || r.edge != words && r.edge != apart }

// boost is what a word beside a match adds to its score.
const boost = .35

// An entry is a mask of a rule, ready to be tried.
type entry struct {
	*rule
	mask  mask
	words [][]byte
	id    int // of the kind
	order int // among all
}

// A bucket holds entries by the run that a match begins with, and by the class
// of what comes behind the run.
type bucket [longest + 1][followerCount][]*entry

// at returns the entries that can match at text[i], where a run is.
func (b *bucket) at(text string, i int, r run) []*entry {
	next := bySign
	if i += r.n; i < len(text) {
		next = followers[text[i]]
	}
	return b[r.n][next]
}

// add files an entry under what a match of it can begin with, and says whether
// there is anything.
func (b *bucket) add(e *entry, follows [longest + 1]uint16) (filed bool) {
	for n, classes := range follows {
		for class := range followerCount {
			if classes>>class&1 != 0 {
				b[n][class] = append(b[n][class], e)
				filed = true
			}
		}
	}
	return filed
}

// An index holds the masks of some rules by what a match begins with.
type index struct {
	digits, letters bucket   // by the run at the beginning of a word
	inside          bucket   // rules that may begin inside a word: by the run of digits
	signs           []*entry // those that begin with + or (
}

// rules lists every rule that is anchored to the beginning of a number. The
// kinds that are found by a sign inside them (@, :, .) are in scan.go.
func rules() []rule {
	return slices.Concat(worldRules(), americaRules(), britainRules(), germanyRules(), europeRules(), asiaRules(), oceaniaRules())
}

// signKinds are the kinds that are not found by rules.
var signKinds = [...]string{"EMAIL_ADDRESS", "IP_ADDRESS", "MAC_ADDRESS", "URL", "PHONE_NUMBER", "PERSON", "LOCATION"}

// tables number the kinds.
type tables struct {
	kinds   []string
	ids     map[string]int
	unasked []bool // by kind: whether it is looked for without being named
}

var load = sync.OnceValue(func() *tables {
	t := &tables{ids: map[string]int{}}
	for _, kind := range signKinds {
		t.id(kind)
	}
	for _, r := range rules() {
		t.id(r.kind)
	}
	t.unasked = slices.Repeat([]bool{true}, len(t.kinds))
	t.unasked[person], t.unasked[location] = false, false
	return t
})

// Masks are read when the first text with a digit is scanned: of all rules, and
// of those that can find something unasked.
var (
	allRules     = sync.OnceValue(func() *index { return newIndex(0) })
	defaultRules = sync.OnceValue(func() *index { return newIndex(Threshold) })
)

// newIndex files the rules that can come to a score.
func newIndex(score float64) *index {
	x, t, n := &index{}, load(), 0
	for _, r := range rules() {
		if r.best() < score {
			continue
		}
		words := make([][]byte, 0, 8)
		for w := range strings.SplitSeq(r.words, "|") {
			if w != "" {
				words = append(words, []byte(w))
			}
		}
		for _, src := range r.masks {
			x.add(&entry{rule: &r, mask: newMask(src), words: words, id: t.ids[r.kind], order: n})
			n++
		}
	}
	return x
}

// id returns the number of a kind, a new one if it has none yet.
func (t *tables) id(kind string) int {
	id, ok := t.ids[kind]
	if !ok {
		id = len(t.kinds)
		t.ids[kind] = id
		t.kinds = append(t.kinds, kind)
	}
	return id
}

// add files e under everything that a match of it can begin with.
func (x *index) add(e *entry) {
	digits := &x.digits
	if e.edge != words && e.edge != apart {
		digits = &x.inside
	}
	filed := digits.add(e, e.mask.follows(byDigit, e.open()))
	if !x.letters.add(e, e.mask.follows(byLetter, e.open())) && !filed {
		x.signs = append(x.signs, e)
	}
}
