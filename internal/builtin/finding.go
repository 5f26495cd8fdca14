// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package builtin

import (
	"slices"
	"strings"

	"github.com/holdfast-dev/holdfast/internal/value"
)

// What functions make of the findings of their detectors.

// whether is the implementation of functions that ask whether a detector finds
// anything. One finding settles it, whatever else could not be looked at.
func whether(c *Call) *value.Value {
	found, trouble := c.look()
	if trouble != nil && len(found) == 0 {
		return trouble
	}
	return value.BoolOf(len(found) > 0)
}

// unsafe is is_unsafe_code: whether there is an issue that is more than a hint.
// Without a severity it is.
func unsafe(c *Call) *value.Value {
	found, trouble := c.look()
	if slices.ContainsFunc(found, func(s seen) bool { return s.Severity != "info" }) {
		return value.TrueV
	}
	if trouble != nil {
		return trouble
	}
	return value.FalseV
}

// kinds is the implementation of functions that list what a detector finds:
// the kinds of its findings, in the order of the text.
func kinds(c *Call) *value.Value {
	return c.list(func(s seen) *value.Value { return value.StrOf(s.Kind) })
}

// distinctKinds is kinds, each of which is listed once.
func distinctKinds(c *Call) *value.Value {
	met := map[string]bool{}
	return c.list(func(s seen) *value.Value {
		if met[s.Kind] {
			return nil
		}
		met[s.Kind] = true
		return value.StrOf(s.Kind)
	})
}

// licences is copyright: the kinds of findings, beside that of a licence's text
// its SPDX identifier, and the names that the public function has for both.
func licences(c *Call) *value.Value {
	return c.lists(func(s seen) []*value.Value {
		names := []string{s.Kind}
		switch s.Kind {
		case "licence_text":
			names = append(names, s.Text, publicLicences[s.Text])
		case "notice":
			names = append(names, "COPYRIGHT")
		}
		return namesOf(slices.DeleteFunc(names, func(name string) bool { return name == "" })).Items()
	})
}

var publicLicences = map[string]string{
	"AGPL-3.0": "GNU_AGPL_V3", "Apache-2.0": "APACHE_LICENSE_2.0", "BSL-1.0": "BOOST_SOFTWARE_LICENSE", "GPL-2.0": "GNU_GPL_V2",
	"LGPL-3.0": "GNU_LGPL_V3", "MIT": "MIT_LICENSE", "MPL-2.0": "MOZILLA_PUBLIC_LICENSE_2.0",
}

// foundTexts is the implementation of functions that list the texts of what a
// detector finds.
func foundTexts(c *Call) *value.Value {
	return c.list(func(s seen) *value.Value { return value.StrOf(s.text()) })
}

// issues is the implementation of functions that list issues in code.
func issues(c *Call) *value.Value {
	return c.list(func(s seen) *value.Value {
		return value.RecordOf(CodeIssueType, value.StrOf(s.Text), value.StrOf(s.Severity), value.StrOf(s.Kind), value.IntOf(int64(s.line())))
	})
}

// list makes a value of each finding; nil is none.
func (c *Call) list(item func(seen) *value.Value) *value.Value {
	return c.lists(func(s seen) []*value.Value {
		if v := item(s); v != nil {
			return []*value.Value{v}
		}
		return nil
	})
}

// lists makes values of each finding. If there may be more findings than were seen, the list ends with an Unknown item, see unfinished; but
// only where the function looks at all views, which is where more items make
// more violations.
func (c *Call) lists(of func(seen) []*value.Value) *value.Value {
	found, trouble := c.look()
	if trouble != nil && !c.allViews() {
		return trouble
	}
	items := make([]*value.Value, 0, len(found))
	for _, s := range found {
		items = append(items, of(s)...)
	}
	if most := c.Env.limits().items(); len(items) >= most && c.allViews() {
		items, trouble = items[:most-1], tooLarge()
	}
	if trouble != nil && len(items) == 0 {
		return trouble
	}
	if trouble != nil {
		items = append(items, trouble)
	}
	return c.Env.listOf(items)
}

// allViews reports whether the call looks at all views of a text.
func (c *Call) allViews() bool {
	last := len(c.Func.Params) - 1
	return c.Func.Params[last].Name == ViewsParam && c.Args[last].Kind() == value.None
}

// unfinished returns the Unknown value that ends a computed list of which only a
// part is known, nil for all others. What is in the list, any and not empty
// can be told of such a list; its length cannot.
func unfinished(v *value.Value) *value.Value {
	if v.Kind() != value.List || value.Placed(v) || value.Answers(v) {
		return nil
	}
	items := v.Items()
	if len(items) == 0 || items[len(items)-1].Kind() != value.Unknown {
		return nil
	}
	return items[len(items)-1]
}

// hiddenHTML is html_code.
func hiddenHTML(c *Call) *value.Value {
	found, trouble := c.look()
	if trouble != nil {
		return trouble
	}
	var alts, links []*value.Value
	for _, s := range found {
		switch text := value.StrOf(s.text()); s.Kind {
		case "alt_text":
			alts = append(alts, text)
		case "link":
			links = append(links, text)
		}
	}
	return value.RecordOf(HiddenHTMLType, c.Env.listOf(alts), c.Env.listOf(links))
}

// imageTexts is ocr: the text of each image, its lines in a row.
func imageTexts(c *Call) *value.Value {
	parts, trouble := c.Func.parts(c.Args[0])
	if trouble != nil {
		return trouble
	}
	found, trouble := c.look()
	if trouble != nil {
		return trouble
	}
	items := make([]*value.Value, len(parts))
	for i, p := range parts {
		var lines []string
		for _, s := range found {
			if s.in.At == p.At {
				lines = append(lines, s.Text)
			}
		}
		items[i] = c.Env.textOf(strings.Join(lines, "\n"))
	}
	return c.Env.listOf(items)
}

// imagePolicy is image_policy_violations. No image violates nothing.
func imagePolicy(c *Call) *value.Value {
	found, trouble := c.look()
	switch {
	case len(found) > 0:
		return value.RecordOf(ImagePolicyType, value.FalseV, value.StrOf(found[0].Text))
	case trouble != nil:
		return trouble
	}
	return value.RecordOf(ImagePolicyType, value.TrueV, value.EmptyStr)
}

// modelAnswer is llm: what a model answers to a prompt.
func modelAnswer(c *Call) *value.Value {
	found, trouble := c.look()
	switch {
	case trouble != nil:
		return trouble
	case len(found) != 1:
		return value.Trouble(value.Failed, nil, "the detector of "+c.Func.Name+" gave no answer, or several")
	}
	return c.Env.textOf(found[0].Text)
}

// detected is detect: the findings of a detector that is named, those whose
// score is the threshold at least.
func detected(c *Call) *value.Value {
	name, trouble := text(c.Args[1], "the name of a detector")
	if trouble != nil {
		return trouble
	}
	least, trouble := number(c.Args[2], 0, "a threshold")
	if trouble != nil {
		return trouble
	}
	asks := *c.Func
	asks.Asks = name
	return (&Call{Func: &asks, Args: c.Args, Env: c.Env}).list(func(s seen) *value.Value {
		if s.Score < least {
			return nil
		}
		kind := value.StrOf(s.Kind)
		return value.RecordOf(FindingType, kind, value.IntOf(int64(s.Start)), value.IntOf(int64(s.End)), value.FloatOf(s.Score), kind,
			value.StrOf(s.text()))
	})
}

// The words for how alike texts are, as numbers.
var likenesses = map[string]float64{"might_resemble": 0.2, "same_topic": 0.5, "very_similar": 0.8}

// similar is is_similar: whether one of the texts is more like one of the
// targets than the threshold says.
func similar(c *Call) *value.Value {
	least, ok := likenesses[c.Args[2].Text()]
	if !ok {
		var trouble *value.Value
		if least, trouble = number(c.Args[2], 0, "a threshold"); trouble != nil {
			return trouble
		}
	}
	scores, trouble := c.likeness()
	if len(scores) > 0 && slices.Max(scores) > least {
		return value.TrueV
	}
	if trouble != nil {
		return trouble
	}
	return value.FalseV
}

// similarity is embedding_similarity: the greatest or the least likeness
// between the texts and the targets.
func similarity(c *Call) *value.Value {
	pick := slices.Max[[]float64]
	switch c.Args[2].Text() {
	case "max":
	case "min":
		pick = slices.Min
	default:
		return value.Trouble(value.TypeError, c.Args[2], `the mode is "max" or "min"`)
	}
	scores, trouble := c.likeness()
	switch {
	case trouble != nil:
		return trouble
	case len(scores) == 0:
		return value.Trouble(value.TypeError, nil, "there is no text to compare")
	}
	return value.FloatOf(pick(scores))
}

// likeness returns how alike each text and each target are.
func (c *Call) likeness() ([]float64, *value.Value) {
	targets, trouble := textList(c.Args[1])
	if trouble != nil {
		return nil, trouble
	}
	own := *c
	own.Args = slices.Clone(c.Args)
	own.Args[1] = targets
	found, trouble := own.look()
	scores := make([]float64, len(found))
	for i, s := range found {
		scores[i] = s.Score
	}
	return scores, trouble
}

// textList returns the list of the texts in v.
func textList(v *value.Value) (*value.Value, *value.Value) {
	parts, trouble := textsIn(v, nil)
	if trouble != nil {
		return nil, trouble
	}
	items := make([]*value.Value, len(parts))
	for i, p := range parts {
		items[i] = value.StrOf(p.Text)
	}
	return value.ListOf(items), nil
}

// number returns the number that v is, def for None.
func number(v *value.Value, def float64, what string) (float64, *value.Value) {
	switch v.Kind() {
	case value.None:
		return def, nil
	case value.Int, value.Float:
		f := toFloat(&Call{Args: []*value.Value{v}})
		if f.Kind() == value.Float {
			return f.Float(), nil
		}
		return 0, f
	}
	return 0, wrongKind(what+" must be a number", v)
}
