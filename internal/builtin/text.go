// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package builtin

import (
	"strings"

	"github.com/holdfast-dev/holdfast/internal/value"
)

// textSource returns the Str, Content or None that a text function looks at;
// a message, an output and a text part stand for their text. The second result
// is the trouble if v has no text.
func textSource(v *value.Value) (*value.Value, *value.Value) {
	src := value.TextSource(v)
	switch {
	case src == nil:
		return nil, wrongKind("only a text, a message or an output has text", v)
	case src.Kind() == value.Unknown:
		return nil, src
	}
	return src, nil
}

// match is Python's re.match: anchored at the start only. It looks at each
// part of a content and at their concatenation.
func match(c *Call) *value.Value {
	re, bad := c.Env.compile(c.Args[0])
	if bad != nil {
		return bad
	}
	src, bad := textSource(c.Args[1])
	if bad != nil {
		return bad
	}
	if src.Kind() == value.None {
		return value.FalseV
	}
	found := false
	for _, p := range partsOf(src) {
		end, ok, bad := matchStart(re, p.Text, c.Env)
		if bad != nil {
			return bad
		}
		if ok && c.Env.marks().on() {
			c.Env.marks().markText(p.TextPart, 0, end)
		}
		found = found || ok
	}
	return value.BoolOf(found)
}

// matchStart runs re at the start of s within the budget.
func matchStart(re *Regexp, s string, env *Env) (end int, ok bool, bad *value.Value) {
	if re.Cost(s) > env.limits().regexp() {
		if !re.MayMatch(s) {
			return 0, false, nil
		}
		return 0, false, outOfSteps()
	}
	env.spend(re.Cost(s) / costPerWork)
	_, end, ok = re.MatchStart(s)
	return end, ok, nil
}

// costPerWork is how much of a pattern's cost is one unit of work.
const costPerWork = 256

func outOfSteps() *value.Value {
	return value.Trouble(value.Budget, nil, "the pattern is too costly for a text of this length")
}

// find returns all matches as Python's re.finditer gives them. In a content
// these are the matches in each part, then those in the concatenation that run
// over a border.
func find(c *Call) *value.Value {
	re, bad := c.Env.compile(c.Args[0])
	if bad != nil {
		return bad
	}
	src, bad := textSource(c.Args[1])
	if bad != nil {
		return bad
	}
	if src.Kind() == value.None {
		return value.EmptyList
	}
	var items []*value.Value
	for _, p := range partsOf(src) {
		spans, bad := findAll(re, p.Text, c.Env)
		if bad != nil {
			return bad
		}
		for _, s := range spans {
			if !p.counts(s[0], s[1]) {
				continue
			}
			if c.Env.marks().on() && len(items) < maxOccurrences {
				c.Env.marks().markText(p.TextPart, s[0], s[1])
			}
			items = append(items, value.StrOf(p.Text[s[0]:s[1]]))
		}
	}
	return c.Env.listOf(items)
}

// findAll finds the matches of re in s within the budget.
func findAll(re *Regexp, s string, env *Env) ([][2]int, *value.Value) {
	budget := env.limits().regexp()
	if re.Cost(s) > budget && re.MayMatch(s) {
		return nil, outOfSteps()
	}
	env.spend(min(re.Cost(s), budget) / costPerWork)
	limit := env.limits().items() + 1 // one more is too many
	spans, ok := re.FindAll(s, limit, budget)
	if !ok {
		return nil, outOfSteps()
	}
	return spans, nil
}

// texts returns the texts of its arguments: the str nodes of a content as they
// stand, with their addresses.
func texts(c *Call) *value.Value {
	var out []*value.Value
	for _, v := range c.Args[0].Items() {
		var bad *value.Value
		if out, bad = appendTexts(out, v); bad != nil {
			return bad
		}
	}
	return c.Env.listOf(out)
}

func appendTexts(out []*value.Value, v *value.Value) ([]*value.Value, *value.Value) {
	k := v.Kind()
	if k == value.Image {
		return out, nil
	}
	if k == value.List || k == value.Tuple {
		return appendEach(out, v.Items(), appendTexts)
	}
	src, bad := textSource(v)
	switch {
	case bad != nil:
		return nil, bad
	case src.Kind() == value.Str:
		return append(out, src), nil
	case src.Kind() == value.Content:
		return appendEach(out, partsOfKind(src, value.TextChunk), appendTexts)
	}
	return out, nil // None
}

func appendEach(out, items []*value.Value, one func(out []*value.Value, v *value.Value) ([]*value.Value, *value.Value)) ([]*value.Value, *value.Value) {
	for _, it := range items {
		if it.Kind() == value.Unknown {
			return nil, it
		}
		var bad *value.Value
		if out, bad = one(out, it); bad != nil {
			return nil, bad
		}
	}
	return out, nil
}

// partsOfKind returns the parts of a content that are of one kind.
func partsOfKind(content *value.Value, k value.Kind) []*value.Value {
	var out []*value.Value
	for _, p := range content.Items() {
		if p.Kind() == k {
			out = append(out, p)
		}
	}
	return out
}

// images returns the URLs of the images in its arguments, as they stand.
func images(c *Call) *value.Value {
	var out []*value.Value
	for _, v := range c.Args[0].Items() {
		var bad *value.Value
		if out, bad = appendImages(out, v); bad != nil {
			return bad
		}
	}
	return c.Env.listOf(out)
}

func appendImages(out []*value.Value, v *value.Value) ([]*value.Value, *value.Value) {
	k := v.Kind()
	switch {
	case k == value.TextChunk || k == value.None:
		return out, nil
	case k == value.Image:
		return appendURL(out, v.Field(value.ImageURL))
	case k == value.Str:
		if strings.HasPrefix(v.Text(), "data:image/") {
			out = append(out, v)
		}
		return out, nil
	case k == value.List || k == value.Tuple:
		return appendEach(out, v.Items(), appendImages)
	case k == value.Content:
		return appendEach(out, partsOfKind(v, value.Image), appendImages)
	}
	src, bad := textSource(v)
	if bad != nil {
		return nil, bad
	}
	return appendImages(out, src)
}

// appendURL appends the URL of an image, which stands alone or under "url".
func appendURL(out []*value.Value, url *value.Value) ([]*value.Value, *value.Value) {
	if url != nil && url.Kind() == value.Dict {
		url = url.Get("url")
	}
	switch {
	case url == nil:
		return out, nil
	case url.Kind() == value.Unknown:
		return nil, url
	}
	return append(out, url), nil
}

// jsonLoads reads JSON strictly; a text that is none is unknown.
func jsonLoads(c *Call) *value.Value {
	src, bad := textSource(c.Args[0])
	if bad != nil {
		return bad
	}
	if src.Kind() == value.None {
		return value.Trouble(value.BadText, src, "None is no JSON text")
	}
	return c.Env.parse(src)
}

// jsonDumps writes JSON as Python's json.dumps does.
func jsonDumps(c *Call) *value.Value {
	dst, bad := appendDump(nil, c.Args[0], c.Env.limits().value())
	if bad != nil {
		return bad
	}
	return c.Env.textOf(string(dst))
}

// appendDump writes v, and not all of it if that is more than most bytes.
func appendDump(dst []byte, v *value.Value, most int) ([]byte, *value.Value) {
	k := v.Kind()
	switch {
	case k == value.Unknown:
		return nil, v
	case k == value.Str || k == value.Content:
		s, _ := value.Concat(v)
		return appendQuotedASCII(dst, s), nil
	case k == value.List || k == value.Tuple:
		return appendDumps(append(dst, '['), nil, v.Items(), ']', most)
	case k == value.Dict || k >= value.Message && k <= value.Listing:
		return appendDumps(append(dst, '{'), v.Keys(), v.Items(), '}', most)
	case k == value.Record:
		return nil, wrongKind("json.dumps takes what JSON has", v)
	}
	return value.AppendJSON(dst, v), nil
}

func appendDumps(dst []byte, keys []string, items []*value.Value, end byte, most int) ([]byte, *value.Value) {
	for i, it := range items {
		if len(dst) > most {
			break
		}
		if i > 0 {
			dst = append(dst, ", "...)
		}
		if keys != nil {
			dst = append(appendQuotedASCII(dst, keys[i]), ": "...)
		}
		var bad *value.Value
		if dst, bad = appendDump(dst, it, most); bad != nil {
			return nil, bad
		}
	}
	return append(dst, end), nil
}

// appendQuotedASCII quotes s, everything beyond ASCII escaped.
func appendQuotedASCII(dst []byte, s string) []byte {
	const hex = "0123456789abcdef"
	unit := func(dst []byte, r rune) []byte {
		return append(dst, '\\', 'u', hex[r>>12&15], hex[r>>8&15], hex[r>>4&15], hex[r&15])
	}
	dst = append(dst, '"')
	for _, r := range s {
		switch i := strings.IndexRune("\"\\\n\r\t\f\b", r); {
		case i >= 0:
			dst = append(dst, '\\', `"\nrtfb`[i])
		case r >= 0x10000:
			dst = unit(dst, 0xd800+(r-0x10000)>>10)
			dst = unit(dst, 0xdc00+(r-0x10000)&0x3ff)
		case r < ' ' || r > '~':
			dst = unit(dst, r)
		default:
			dst = append(dst, byte(r))
		}
	}
	return append(dst, '"')
}
