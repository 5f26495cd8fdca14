// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package builtin

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/holdfast-dev/holdfast/detect"
	"github.com/holdfast-dev/holdfast/internal/value"
)

// ViewsParam is the parameter of detector functions that names the views of a
// text to look at. Where a policy does not give it, the place of the call in
// its rule does.
const ViewsParam = "views"

// RawView is an argument for it: the text as it stands.
var RawView = value.ListOf([]*value.Value{value.StrOf(detect.Raw)})

// A seen is a finding, and the text that it is in.
type seen struct {
	detect.Finding
	in part
	at place
}

// text returns what was found.
func (s seen) text() string {
	if s.Text != "" {
		return s.Text
	}
	return s.in.Text[s.at.start:s.at.end]
}

// line returns the line on which it begins, the first being 1.
func (s seen) line() int { return 1 + strings.Count(s.in.Text[:s.at.start], "\n") }

// look asks the function's detector about the texts of the call's first
// argument, marks what it finds, and returns it in the order of the texts. If
// the second result is not nil there may be more than that.
func (c *Call) look() ([]seen, *value.Value) {
	request, trouble := c.request()
	if trouble != nil {
		return nil, trouble
	}
	return c.ask(c.Func.Asks, request)
}

// bytesPerWork is how many bytes that a detector looks at are one unit of work:
// in the time that a rule takes to compute a value, a detector that reads 50 MB a
// second gets through as many.
const bytesPerWork = 4

// ask asks a detector about the texts, or images, of the call's first argument.
func (c *Call) ask(detector string, request detect.Request) ([]seen, *value.Value) {
	if c.Env == nil || !c.Env.Detectors.has(detector) {
		return nil, value.Trouble(value.NotProvided, nil, "no detector is set up for the function "+c.Func.Name)
	}
	parts, trouble := c.Func.parts(c.Args[0])
	if trouble != nil || len(parts) == 0 {
		return nil, trouble
	}
	requests := make([]detect.Request, len(parts))
	for i, p := range parts {
		requests[i] = request
		requests[i].Text = p.Text
		c.Env.spend(1 + len(p.Text)/bytesPerWork)
	}
	var found []seen
	places := make([][]place, len(parts))
	for i, r := range c.Env.Detectors.ask(c.Env.context(), detector, requests) {
		if r.Err != nil && trouble == nil {
			trouble = c.failed(r.Err)
		}
		places[i] = placesOf(parts[i].Text, r.Findings)
		for j, f := range parts[i].beyond(r.Findings, places[:i+1]) {
			if f != nil {
				found = append(found, seen{*f, parts[i], places[i][j]})
				c.mark(found[len(found)-1])
			}
		}
	}
	return found, trouble
}

// mark marks what was found: where it is in a text, or the whole image.
func (c *Call) mark(s seen) {
	if c.Func.images {
		c.Env.marks().Mark(s.in.At, -1, -1)
		return
	}
	c.Env.marks().markFinding(s.in, s.Finding, s.at)
}

// parts returns what the function looks at in an argument.
func (f *Func) parts(v *value.Value) ([]part, *value.Value) {
	switch {
	case f.images:
		return imagesIn(v)
	case f.whole:
		return wholeText(v)
	}
	return textsIn(v, nil)
}

// wholeText returns the one text that v is, all parts of it in a row.
func wholeText(v *value.Value) ([]part, *value.Value) {
	text, trouble := codeIn(v)
	if trouble != nil || value.TextSource(v).Kind() == value.None {
		return nil, trouble
	}
	return []part{{TextPart: value.TextPart{Text: text, At: value.TextSource(v)}}}, nil
}

// failed is what a call is that got no answer. What the detector said of it
// may quote the text and stays out.
func (c *Call) failed(err error) *value.Value {
	if errors.Is(err, context.DeadlineExceeded) {
		return value.Trouble(value.Timeout, nil, "the detector of "+c.Func.Name+" timed out")
	}
	return value.Trouble(value.Failed, nil, "the detector of "+c.Func.Name+" failed")
}

// request makes the request of a call, but for its text.
func (c *Call) request() (detect.Request, *value.Value) {
	var r detect.Request
	var params []byte
	names, args := c.parameters()
	for i, name := range names {
		switch {
		case name == ViewsParam:
			var trouble *value.Value
			if r.Views, trouble = viewNames(args[i]); trouble != nil {
				return r, trouble
			}
			continue
		case args[i].Kind() == value.None:
			continue
		case len(params) == 0:
			params = append(params, '{')
		default:
			params = append(params, ',')
		}
		arg, trouble := canonical(args[i])
		if trouble != nil {
			return r, trouble
		}
		params = value.AppendQuoted(params, name)
		params = append(params, ':')
		params = value.AppendJSON(params, arg)
	}
	if len(params) > 0 {
		r.Params = string(append(params, '}'))
	}
	return r, nil
}

// parameters returns the names under which a detector gets the arguments
// behind the first, sorted, and these.
func (c *Call) parameters() ([]string, []*value.Value) {
	given := map[string]*value.Value{}
	for i, p := range c.Func.Params[1:] {
		switch arg := c.Args[i+1]; {
		case p.Own:
		case p.As != "" && arg.Kind() != value.None:
			given[p.As] = listed(arg)
		default:
			given[p.Name] = arg
		}
	}
	names := slices.Sorted(maps.Keys(given))
	args := make([]*value.Value, len(names))
	for i, name := range names {
		args[i] = given[name]
	}
	return names, args
}

// canonical returns v with the keys of dicts sorted, however deep, so that what
// is asked does not depend on how it is written. What is unknown in it is
// returned second.
func canonical(v *value.Value) (*value.Value, *value.Value) {
	switch v.Kind() {
	case value.Unknown:
		return nil, v
	case value.List, value.Tuple, value.Dict:
	default:
		return v, nil
	}
	keys := slices.Sorted(slices.Values(v.Keys()))
	items := make([]*value.Value, len(v.Items()))
	for i, it := range v.Items() {
		if len(keys) > 0 {
			it = v.Get(keys[i])
		}
		item, trouble := canonical(it)
		if trouble != nil {
			return nil, trouble
		}
		items[i] = item
	}
	if v.Kind() == value.Dict {
		return value.DictOf(keys, items), nil
	}
	return value.ListOf(items), nil
}

// listed returns the list of texts that v is, or the list of the one text.
func listed(v *value.Value) *value.Value {
	if v.Kind() == value.List || v.Kind() == value.Tuple {
		return v
	}
	return value.ListOf([]*value.Value{v})
}

// viewNames reads the argument for ViewsParam; None is all views.
func viewNames(v *value.Value) ([]string, *value.Value) {
	if v.Kind() == value.None {
		return nil, nil
	}
	names := []string{}
	for _, it := range v.Items() {
		if it.Kind() != value.Str {
			return nil, wrongKind("the name of a view must be a str", it)
		}
		names = append(names, it.Text())
	}
	if v.Kind() != value.List && v.Kind() != value.Tuple || len(names) == 0 {
		return nil, value.Trouble(value.TypeError, v, "views must be a list of names of views")
	}
	return names, nil
}

// textsIn appends the texts that a detector looks at in v: those of a text, a
// message or an output; the strings in the arguments of a call, and in
// collections.
func textsIn(v *value.Value, parts []part) ([]part, *value.Value) {
	src := value.TextSource(v)
	switch {
	case src == nil:
	case src.Kind() == value.Unknown:
		return nil, src
	case src.Kind() == value.None:
		return parts, nil
	default:
		return append(parts, partsOf(src)...), nil
	}
	switch v.Kind() {
	case value.ToolCall:
		if args := v.Field(value.CallArguments); args != nil {
			return textsIn(args, parts)
		}
		return parts, nil
	case value.List, value.Tuple, value.Dict:
		var trouble *value.Value
		for _, it := range v.Items() {
			if scalar(it) {
				continue
			}
			if parts, trouble = textsIn(it, parts); trouble != nil {
				return nil, trouble
			}
		}
		return parts, nil
	}
	return nil, wrongKind("a detector looks at texts", v)
}

// scalar reports whether there cannot be a text in v.
func scalar(v *value.Value) bool {
	switch v.Kind() {
	case value.Int, value.Float, value.Bool, value.None:
		return true
	}
	return false
}

// A place is where a finding is in a text, in bytes, with what else tells it
// from others.
type place struct {
	kind, view string
	start, end int
}

// placesOf returns the places of findings in a text.
func placesOf(text string, found []detect.Finding) []place {
	if len(found) == 0 {
		return nil
	}
	var offsets []int
	for _, f := range found {
		offsets = append(offsets, f.Start, f.End)
	}
	slices.Sort(offsets)
	bytes := byteOffsets(text, slices.Compact(offsets))
	out := make([]place, len(found))
	for i, f := range found {
		out[i] = place{f.Kind, f.View, bytes[f.Start], bytes[f.End]}
	}
	return out
}

// beyond returns those of the findings in p that count, nil for the others: of
// a concatenation those that were not found in one of its parts. They need not
// run over a border: what a detector sees in a part may depend on what stands
// before it. The places are those in all parts up to p.
func (p part) beyond(found []detect.Finding, places [][]place) []*detect.Finding {
	seen := map[place]bool{}
	own, first := places[len(places)-1], len(places)-1-len(p.borders)
	if len(found) > 0 {
		base := 0
		for i, border := range p.borders {
			for _, at := range places[first+i] {
				at.start, at.end = at.start+base, at.end+base
				seen[at] = true
			}
			base = border
		}
	}
	out := make([]*detect.Finding, len(found))
	for i := range found {
		if !seen[own[i]] {
			out[i] = &found[i]
		}
	}
	return out
}

// markFinding marks a finding in a part.
func (m *Marks) markFinding(p part, f detect.Finding, at place) {
	switch {
	case !m.on() || len(m.spans) >= maxSpans:
	case p.At.Kind() == value.Str:
		m.Mark(p.At, f.Start, f.End) // counting code points again would take long
	default:
		m.markText(p.TextPart, at.start, at.end)
	}
}

// byteOffsets returns where each of the code points, which are sorted, begins.
func byteOffsets(text string, points []int) map[int]int {
	out := make(map[int]int, len(points))
	at, passed := 0, 0
	for _, p := range points {
		for ; passed < p; passed++ {
			_, n := utf8.DecodeRuneInString(text[at:])
			at += n
		}
		out[p] = at
	}
	return out
}
