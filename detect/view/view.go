// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

// Package view looks at a text from several sides, so that a disguise does
// not hide what it says. It makes of a scanner, which looks at one text as it
// is, a detector; packages of detectors and embedders use it.
//
// The views are
//
//   - raw: the text as it stands;
//   - nfkc: with characters of compatibility, such as full-width letters and
//     ligatures, in their usual form;
//   - stripped: that, without what cannot be seen: zero-width characters, soft
//     hyphens, tags, direction marks, variation selectors, fillers, control
//     characters, marks that make no letter;
//   - skeleton: that, with ASCII for what looks like ASCII: letters of other
//     scripts, letters with accents, digits of all scripts, dashes and quotes;
//   - decoded: the surroundings of what is encoded, with base64, hex, percent
//     escapes, HTML entities, escapes of programming languages, and text
//     spelled in tags or variation selectors replaced by what they stand for,
//     three times over, each also as its skeleton.
//
// A view that does not differ from one before it is not looked at again: plain
// ASCII with nothing encoded in it is scanned once. Findings are placed in the
// raw text, whatever view they come from.
package view

//go:generate go -C gen run . ../confusables.go

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/holdfast-dev/holdfast/detect"
)

// The names of the views beside detect.Raw.
const (
	NFKC     = "nfkc"
	Stripped = "stripped"
	Skeleton = "skeleton"
	Decoded  = "decoded"
)

// names are the views in the order in which they are looked at: what is seen
// in several counts as seen in the first.
var names = [...]string{detect.Raw, NFKC, Stripped, Skeleton, Decoded}

const (
	raw = iota
	nfkc
	stripped
	skeleton
	decodedView
)

// tables names the state of the tables and rules of this package: what the
// findings of a view depend on beside the scanner.
const tables = "view.1"

// Options bound what views cost. Nil stands for the defaults.
type Options struct {
	// Expanded is how many bytes what is encoded in a text as base64 or hex
	// may come to in all, as far as it is text; 0 stands for 64 KiB. Escapes,
	// which shorten a text, and images do not count.
	Expanded int
}

// Over returns a detector that shows a scanner the views of a text. Its
// version is the given one and that of the views.
//
// A finding of a view has the place in the raw text that what it covers was
// made from; in base64 and hex that is all of the encoded region. A finding
// that several views have, of one kind and text at one place, appears once, with
// the best score and the first view; a text that only folding changes is the
// same.
//
// A request that names a view which does not exist has an error as its
// result, and so has a text in which more is encoded than the options allow
// or four encodings stand in one another: a detector that does not look at
// all of a text must not say that it found nothing. What it has found by then
// stands beside the error.
//
// Time and memory are linear in the text, but for what the scanner does.
func Over(version string, scan detect.Scanner, o *Options) detect.Detector {
	v := &viewer{version: version + "+" + tables, scan: scan, most: mostExpanded}
	if o != nil && o.Expanded > 0 {
		v.most = o.Expanded
	}
	return v
}

type viewer struct {
	version string
	scan    detect.Scanner
	most    int
}

func (v *viewer) Version() string { return v.version }

func (v *viewer) Detect(ctx context.Context, requests []detect.Request) ([]detect.Result, error) {
	out := make([]detect.Result, len(requests))
	for i, r := range requests {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		out[i].Findings, out[i].Err = v.answer(ctx, r)
		if err := ctx.Err(); err != nil && out[i].Err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (v *viewer) answer(ctx context.Context, r detect.Request) ([]detect.Finding, error) {
	wanted, err := choose(r.Views)
	if err != nil {
		return nil, err
	}
	if uint64(len(r.Text)) > math.MaxUint32 {
		return nil, errors.New("a text of more than 4 GiB")
	}
	k := look{ctx: ctx, viewer: v, params: r.Params}
	problem := k.all(root(r.Text), wanted)
	found, err := k.findings(r.Text)
	if problem == nil {
		problem = err
	}
	return found, problem
}

// choose says which views are wanted.
func choose(asked []string) (wanted [len(names)]bool, err error) {
	if asked == nil {
		return [...]bool{true, true, true, true, true}, nil
	}
	if len(asked) == 0 {
		return wanted, errors.New("no view to look at")
	}
	for _, name := range asked {
		i := indexOf(name)
		if i < 0 {
			return wanted, fmt.Errorf("unknown view %q, want one of %q", name, names)
		}
		wanted[i] = true
	}
	return wanted, nil
}

func indexOf(name string) int {
	for i, n := range names {
		if n == name {
			return i
		}
	}
	return -1
}

// A look is the work on one request.
type look struct {
	*viewer
	ctx    context.Context
	params string
	spans  [len(names)][]detect.Span // by view, in the raw text

	expanded int // how many bytes have been decoded
	found    int // how many regions have been decoded
}

// all looks at the views that are wanted.
func (k *look) all(text *layer, wanted [len(names)]bool) error {
	f := fold{text, text, text}
	if !text.plain() && wanted != [len(names)]bool{raw: true} {
		f = newFold(text)
	}
	var last *layer // views differ from the one before, or from none
	for view, l := range []*layer{raw: text, nfkc: f.nfkc, stripped: f.stripped, skeleton: f.skeleton} {
		if !wanted[view] || l == last {
			continue
		}
		if err := k.scanLayer(l, view); err != nil {
			return err
		}
		last = l
	}
	if wanted[decodedView] {
		return k.decode(text, f.skeleton, 1)
	}
	return nil
}

// scanLayer shows a layer to the scanner.
func (k *look) scanLayer(l *layer, view int) error {
	return k.scanEach(l, func(s span, found detect.Span) {
		k.keep(view, l.raw(s), found)
	})
}

// scanDecoded shows the scanner a decoded layer, or what it folds to.
func (k *look) scanDecoded(l, child *layer) error {
	return k.scanEach(l, func(s span, found detect.Span) {
		if s = l.downTo(child, s); child.counts(s) {
			k.keep(decodedView, child.raw(s), found)
		}
	})
}

func (k *look) scanEach(l *layer, each func(span, detect.Span)) error {
	if err := k.ctx.Err(); err != nil {
		return err
	}
	found, err := k.scan(k.ctx, l.text, k.params)
	if err != nil {
		return err
	}
	for _, f := range found {
		if f.Start < 0 || f.End < f.Start || f.End > len(l.text) {
			return errors.New("a span that is no part of the text")
		}
		each(span{f.Start, f.End}, f)
	}
	return nil
}

// keep notes what was found, at its place in the raw text.
func (k *look) keep(view int, at span, found detect.Span) {
	found.Start, found.End = at.start, at.end
	k.spans[view] = append(k.spans[view], found)
}

// only returns the view that alone has findings, none of which says something:
// those of most texts.
func (k *look) only() (view int, ok bool) {
	for v, spans := range k.spans {
		if len(spans) == 0 {
			continue
		}
		if ok || slices.ContainsFunc(spans, func(s detect.Span) bool { return s.Text != "" }) {
			return 0, false
		}
		view, ok = v, true
	}
	return view, ok
}

// A place is where a finding of a kind and a text is.
type place struct {
	kind, text string
	start, end int
}

// findings joins what was found in all views. What a folded view shows in other
// letters, as the name of a holder without its accent, is the same.
func (k *look) findings(text string) ([]detect.Finding, error) {
	if view, ok := k.only(); ok {
		found, err := detect.Findings(text, k.spans[view])
		for i := range found {
			found[i].View = names[view]
		}
		return slices.CompactFunc(found, func(a, b detect.Finding) bool { // of one, the best score is first
			return a.Kind == b.Kind && a.Start == b.Start && a.End == b.End
		}), err
	}
	var out []detect.Finding
	var at map[place]int
	for view, spans := range k.spans {
		if len(spans) == 0 {
			continue
		}
		found, err := detect.Findings(text, spans)
		if err != nil {
			return nil, err
		}
		if at == nil {
			at = make(map[place]int, len(found))
		}
		for _, f := range found {
			p, any := place{f.Kind, f.Text, f.Start, f.End}, place{f.Kind, "", f.Start, f.End}
			i, ok := at[p]
			if !ok && view != decodedView {
				i, ok = at[any]
				ok = ok && out[i].View != names[view]
			}
			if ok {
				out[i].Score = max(out[i].Score, f.Score)
				continue
			}
			f.View = names[view]
			if _, ok := at[any]; !ok {
				at[any] = len(out)
			}
			at[p] = len(out)
			out = append(out, f)
		}
	}
	detect.Sort(out)
	return out, nil
}
