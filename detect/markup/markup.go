// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

// Package markup finds what mark-up hides from the eye: the addresses of links
// and images, and texts that only machines read. It reads HTML and Markdown, cut
// and broken ones too, in time linear in the text.
//
// It reads HTML as browsers do where they and a language model would see the
// same, and more than browsers where a model would: tags in titles, what follows
// a comment, a quote or a script that never ends, attributes that are there
// twice. What is found is in the Text of a span, decoded; the span is its place
// in the text.
package markup

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/holdfast-dev/holdfast/detect"
)

// Version names what the answers depend on.
const Version = "1"

// The kinds of spans.
const (
	altText = "alt_text"
	link    = "link"
	image   = "image"
)

// maxSpans is how much one text may hold. A text with more is an error, so that
// who asks about it does not know.
const maxSpans = 100_000

var errTooMany = errors.New("more addresses than are looked at")

// HTML is the scanner of the function html_code: alternative texts, titles and
// labels of HTML as spans of the kind "alt_text", addresses as "link". It takes
// no parameters.
func HTML(ctx context.Context, text, _ string) ([]detect.Span, error) {
	c := collector{ctx: ctx, kinds: kindSet{altTexts: true, links: true}}
	readHTML(text, &c)
	return c.spans()
}

// Links is the scanner of the function links: addresses in HTML, in Markdown
// and bare, as spans of the kind "link". It takes no parameters.
func Links(ctx context.Context, text, _ string) ([]detect.Span, error) {
	c := collector{ctx: ctx, kinds: kindSet{links: true}}
	readHTML(text, &c)
	c.settle()
	readMarkdown(text, &c)
	c.settle()
	readBare(text, &c)
	return c.spans()
}

// Images is the scanner of the function images: addresses and data of images
// in HTML, in Markdown and, if they are data, bare, as spans of the kind
// "image". It takes no parameters.
func Images(ctx context.Context, text, _ string) ([]detect.Span, error) {
	c := collector{ctx: ctx, kinds: kindSet{images: true}}
	readHTML(text, &c)
	c.settle()
	readMarkdown(text, &c)
	c.settle()
	readData(text, &c)
	return c.spans()
}

// A kindSet says which kinds are wanted.
type kindSet struct{ altTexts, links, images bool }

// A collector gathers spans in the order in which they are met.
type collector struct {
	ctx   context.Context
	kinds kindSet
	found []detect.Span
	cover []stretch // what the spans cover that were settled, in order and apart
	asked int
	err   error
}

// add takes a span whose text is not empty.
func (c *collector) add(kind string, start, end int, text string) {
	if text == "" || c.err != nil {
		return
	}
	if len(c.found) == maxSpans {
		c.err = errTooMany
		return
	}
	c.found = append(c.found, detect.Span{Kind: kind, Start: start, End: end, Score: 1, Text: text})
}

// done reports whether there is no use in going on. It looks at the context
// now and then.
func (c *collector) done() bool {
	if c.asked++; c.err == nil && c.asked%1024 == 0 {
		c.err = c.ctx.Err()
	}
	return c.err != nil
}

// A stretch is a part of the text.
type stretch struct{ start, end int }

// settle notes what was found so far, so that covers can tell.
func (c *collector) settle() {
	c.cover = c.cover[:0]
	for _, s := range c.found {
		c.cover = append(c.cover, stretch{s.Start, s.End})
	}
	slices.SortFunc(c.cover, func(a, b stretch) int { return cmp.Compare(a.start, b.start) })
	apart := c.cover[:0]
	for _, s := range c.cover {
		if last := len(apart) - 1; last >= 0 && s.start <= apart[last].end {
			apart[last].end = max(apart[last].end, s.end)
		} else {
			apart = append(apart, s)
		}
	}
	c.cover = apart
}

// covers reports whether the place stands in a span that was settled.
func (c *collector) covers(at int) bool {
	i, _ := slices.BinarySearchFunc(c.cover, at+1, func(s stretch, at int) int { return cmp.Compare(s.start, at) })
	return i > 0 && at < c.cover[i-1].end
}

// spans returns what was found, each place and text once.
func (c *collector) spans() ([]detect.Span, error) {
	if c.err == nil {
		c.err = c.ctx.Err()
	}
	if c.err != nil {
		return nil, c.err
	}
	slices.SortStableFunc(c.found, func(a, b detect.Span) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Text, b.Text))
	})
	return slices.Compact(c.found), nil
}
