// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

// Package licence finds texts of licences, by fingerprints of those that SPDX
// lists, and notices of copyright.
//
// A fingerprint is a hash of five words in a row; of four such in a row one is
// kept. So neither line ends nor the signs of comments nor a changed word keep a
// text from being found.
package licence

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/holdfast-dev/holdfast/detect"
)

// The fingerprints are made of spdx-license-list (CC0-1.0), see
// LICENSE-spdx-license-list; gen takes the texts out of it.
//
//go:generate go test -run TestFingerprints . -update

// Version names what the answers depend on.
const Version = "1 spdx-license-list 6.12.0"

// The kinds of spans.
const (
	licenceText = "licence_text"
	notice      = "notice"
)

// usual is the least score if none is asked for: a text that is cut to half is
// still found.
const usual = 0.3

// Scan is the scanner of the function copyright: spans of the kinds
// "licence_text", whose Text is an SPDX identifier and whose Score the share of
// the licence that is there, and "notice", whose Text is the holder or the
// identifier. The parameter threshold, between 0 and 1, is the least score.
func Scan(ctx context.Context, text, params string) ([]detect.Span, error) {
	var given struct{ Threshold *float64 }
	if params != "" {
		if err := json.Unmarshal([]byte(params), &given); err != nil {
			return nil, fmt.Errorf("reading the parameters of copyright: %w", err)
		}
	}
	least := usual
	if given.Threshold != nil {
		if least = *given.Threshold; !(least >= 0 && least <= 1) {
			return nil, fmt.Errorf("the threshold %v is not between 0 and 1", least)
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s := scan{text: text, table: known()}
	s.read()
	out := append(s.licences(least), s.notices...)
	out = slices.DeleteFunc(out, func(s detect.Span) bool { return s.Score < least })
	return out, ctx.Err()
}

// Licences returns the identifiers of the licences whose texts are known. An
// identifier without "only" and "or later" stands for both: the text does not
// say which.
func Licences() []string { return slices.Clone(known().ids) }

// A scan goes through a text once.
type scan struct {
	text    string
	table   *table
	hits    []hit
	notices []detect.Span
	said    int // up to here, a notice has been read
}

// A hit is a fingerprint that stands in the text.
type hit struct {
	word       int // the last of it, counted from the beginning
	start, end int
	key        int // of the table
}

func (s *scan) read() {
	var starts [shingle]int
	var roll rolling
	n := 0
	words(s.text, func(hash uint64, start, end int) {
		s.notice(hash, start, end)
		if hash == signHash {
			return
		}
		starts[n%shingle] = start
		print := roll.add(hash)
		if n++; n < shingle {
			return
		}
		if key, ok := s.table.find(print); ok {
			s.hits = append(s.hits, hit{n, starts[n%shingle], end, key})
		}
	})
}
