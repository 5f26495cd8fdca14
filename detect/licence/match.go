// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package licence

import (
	"cmp"
	"slices"

	"github.com/holdfast-dev/holdfast/detect"
)

const (
	maxGap = 100 // words between two fingerprints of one place
	fewest = 8   // fingerprints that are enough
	whole  = 0.9 // the share from which on all of a licence seems to be there
)

// A place is a part of the text that looks like one licence.
type place struct {
	licence    int
	start, end int
	found      int // fingerprints of the licence, each once
	score      float64
}

// A track follows one licence through the hits.
type track struct {
	place
	word   int // of the last hit; 0: none
	serial int32
	seen   []int32 // by fingerprint, the serial of the place where it was last seen
}

// licences returns the texts of licences of which at least a share is there.
func (s *scan) licences(least float64) []detect.Span {
	if len(s.hits) < fewest {
		return nil
	}
	var out []detect.Span
	for _, p := range best(s.places(least)) {
		out = append(out, detect.Span{Kind: licenceText, Start: p.start, End: p.end, Score: p.score, Text: s.table.ids[p.licence]})
	}
	return out
}

func (s *scan) places(least float64) []place {
	var out []place
	tracks := make([]track, len(s.table.ids))
	end := func(t *track) {
		if t.score = float64(t.found) / float64(s.table.sizes[t.licence]); t.found >= fewest && t.score >= least {
			out = append(out, t.place)
		}
	}
	for _, h := range s.hits {
		for _, o := range s.table.owners[s.table.from[h.key]:s.table.from[h.key+1]] {
			t := &tracks[o.licence]
			if t.seen == nil {
				t.seen = make([]int32, s.table.sizes[o.licence])
				t.licence = int(o.licence)
			}
			if t.word == 0 || h.word-t.word > maxGap {
				end(t)
				t.serial++
				t.start, t.found = h.start, 0
			}
			t.word, t.end = h.word, h.end
			if t.seen[o.ordinal] != t.serial {
				t.seen[o.ordinal] = t.serial
				t.found++
			}
		}
	}
	for i := range tracks {
		if tracks[i].word > 0 {
			end(&tracks[i])
		}
	}
	return out
}

// best leaves of places that lie over each other the one that explains most.
func best(places []place) []place {
	slices.SortFunc(places, func(a, b place) int { return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.end, b.end)) })
	var out []place
	for len(places) > 0 {
		// As many as hang together.
		n, end := 1, places[0].end
		for n < len(places) && places[n].start < end {
			end = max(end, places[n].end)
			n++
		}
		out = append(out, chosen(places[:n])...)
		places = places[n:]
	}
	slices.SortFunc(out, func(a, b place) int { return cmp.Compare(a.start, b.start) })
	return out
}

// chosen takes the best of the places, then the best of those that lie mostly
// beside it.
func chosen(places []place) []place {
	slices.SortFunc(places, func(a, b place) int { return cmp.Or(better(a, b), cmp.Compare(a.licence, b.licence)) })
	var out []place
	for _, p := range places {
		if !slices.ContainsFunc(out, func(q place) bool { return 2*(min(p.end, q.end)-max(p.start, q.start)) > p.end-p.start }) {
			out = append(out, p)
		}
	}
	return out
}

// better orders by how much is found. A licence that is part of another has
// nearly as much in it as the other; then the one that is there as a whole is
// meant.
func better(a, b place) int {
	weight := func(p place) float64 { return float64(p.found) * (1 + max(0, p.score-whole)) }
	return cmp.Compare(weight(b), weight(a))
}
