// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package view

import (
	"cmp"
	"fmt"
	"slices"
	"unicode/utf8"
)

// What is encoded is looked at where it stands: a decoded layer is a window
// of the text, the regions with a little of what is round them, each replaced
// by what it stands for. So a rule that wants a word before a key finds it,
// and an address with one letter escaped is an address. Windows do not
// overlap, and nothing grows by being decoded: three times deep is at most
// three times the text.

const (
	// depth is how often what has been decoded is decoded again.
	depth = 3

	// margin is how much of the text is looked at before and behind a region.
	margin = 128

	// rim is how far from a cut something has to be to be believed.
	rim = 32

	// mostExpanded is how many bytes all that is encoded in letters and
	// digits may come to, if the options do not say.
	mostExpanded = 64 << 10

	// mostRegions is how many regions a text may have.
	mostRegions = 1 << 18
)

// decode looks at what is encoded in l and, where it differs, in what l folds
// to. Where there are two ways to read an encoding it looks at both: a plus
// may be a blank, and characters that show nothing may be there to spell or to
// disturb.
func (k *look) decode(l, folded *layer, level int) error {
	find := func(in func(*layer) []region) []region {
		found := in(l)
		if folded != l {
			found = append(found, sink(in(folded), folded, l)...)
		}
		return found
	}
	escapes := find(func(l *layer) []region { return findEscapes(l.text) })
	rows := find(func(l *layer) []region { return findRows(l.text) })
	if err := k.decodeRegions(l, append(rows, escapes...), level, all); err != nil {
		return err
	}
	if pluses := find(func(l *layer) []region { return findPluses(l.text) }); len(pluses) > 0 {
		if err := k.decodeRegions(l, append(pluses, escapes...), level, withPlus); err != nil {
			return err
		}
	}
	return k.decodeRegions(l, findSpelled(l.text, l.odd), level, all)
}

func all([]region) bool { return true }

func withPlus(regions []region) bool {
	return slices.ContainsFunc(regions, func(r region) bool { return r.kind == plus })
}

// decodeRegions looks at the windows with the regions found, as far as they
// are wanted.
func (k *look) decodeRegions(l *layer, found []region, level int, wanted func([]region) bool) error {
	regions, err := k.settle(l, found)
	if err != nil {
		return err
	}
	for len(regions) > 0 {
		n := cluster(regions)
		window := regions[:n]
		regions = regions[n:]
		if !wanted(window) {
			continue
		}
		if err := k.decodedOnce(decoded(l, window), level); err != nil {
			return err
		}
	}
	return nil
}

// decodedOnce looks at a decoded layer, and at what is encoded in it.
func (k *look) decodedOnce(l *layer, level int) error {
	if err := k.scanDecoded(l, l); err != nil {
		return err
	}
	folded := foldDecoded(l)
	if folded != l {
		if err := k.scanDecoded(folded, l); err != nil {
			return err
		}
	}
	if level < depth {
		return k.decode(l, folded, level+1)
	}
	for _, r := range findRows(l.text) {
		if l.isFresh(r.span) {
			return fmt.Errorf("decoding a text: more than %d encodings in one another", depth)
		}
	}
	return nil
}

func foldDecoded(l *layer) *layer {
	if l.plain() {
		return l
	}
	return newFold(l).skeleton
}

// tooMany reports whether there is no need to look for more regions: the text
// has more than it may have.
func tooMany(regions []region) bool { return len(regions) > mostRegions }

// settle puts regions in order, without overlaps: of two that do, the one that
// begins first, then the longer one, stays. In a decoded layer it passes over
// what was there before.
func (k *look) settle(l *layer, found []region) ([]region, error) {
	if tooMany(found) {
		return nil, k.exceeded()
	}
	slices.SortStableFunc(found, func(a, b region) int {
		return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(b.end, a.end))
	})
	out, end := found[:0], 0
	for _, r := range found {
		if r.start < end || l.fresh != nil && !l.isFresh(r.span) {
			continue
		}
		out, end = append(out, r), r.end
		if r.kind == tried {
			k.expanded += len(r.text)
		}
	}
	k.found += len(out)
	if k.expanded > k.most || k.found > mostRegions {
		return nil, k.exceeded()
	}
	return out, nil
}

func (k *look) exceeded() error {
	return fmt.Errorf("decoding a text: it has more encoded in it than %d bytes or %d regions", k.most, mostRegions)
}

// sink finds the places of regions of a layer in a layer below it.
func sink(regions []region, from, to *layer) []region {
	out := make([]region, 0, len(regions))
	for _, r := range regions {
		if r.each == 0 {
			r.span = from.downTo(to, r.span)
			out = append(out, r)
			continue
		}
		for i := range len(r.text) { // the pieces need not be of one size below
			at := r.start + i*r.each
			out = append(out, region{span: from.downTo(to, span{at, at + r.each}), text: r.text[i : i+1], kind: r.kind})
		}
	}
	return out
}

// cluster returns how many of the regions belong in one window.
func cluster(regions []region) int {
	n := 1
	for n < len(regions) && regions[n].start-regions[n-1].end <= 2*margin {
		n++
	}
	return n
}

// decoded makes a layer of a window of l, with the regions decoded.
func decoded(l *layer, regions []region) *layer {
	part := window(l.text, span{regions[0].start, regions[len(regions)-1].end})
	b := buildPart(l, part)
	var fresh []span
	for _, r := range regions {
		b.copyTo(r.start)
		at := len(b.out)
		if r.each == 0 {
			replace(b, r.start, r.end, r.text)
		} else {
			b.replaceEach(r.start, r.each, r.text)
		}
		if n := len(fresh); n > 0 && fresh[n-1].end == at {
			fresh[n-1].end = len(b.out)
		} else {
			fresh = append(fresh, span{at, len(b.out)})
		}
	}
	child := b.layer()
	child.fresh = fresh
	child.cut = [2]bool{l.cut[0] || part.start > 0, l.cut[1] || part.end < len(l.text)}
	return child
}

// window adds the margins to a part of a text, whole characters.
func window(text string, part span) span {
	start, end := max(part.start-margin, 0), min(part.end+margin, len(text))
	start, _ = character(text, start)
	_, end = character(text, end)
	return span{start, end}
}

// character returns where the character begins and ends that the border i is
// inside of; i itself if it is inside of none.
func character(text string, i int) (start, end int) {
	for start = i - 1; start >= 0 && start > i-utf8.UTFMax && i < len(text); start-- {
		if utf8.RuneStart(text[start]) {
			if _, size := utf8.DecodeRuneInString(text[start:]); start+size > i {
				return start, start + size
			}
			break
		}
	}
	return i, i
}
