// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package check

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/holdfast-dev/holdfast/diag"
	"github.com/holdfast-dev/holdfast/syntax"
)

// Meta is what the comment above a rule says about it. It changes no verdict.
type Meta struct {
	Title    string
	Severity string // "low", "medium", "high", "critical", or "" if it says none
	Refs     []string
	Tags     []string
	Doc      string // the lines that say nothing of this: prose
}

// onUnknowns are the words of `# on_unknown:`, severities those of
// `# severity:`, keys all that a comment above a rule may set.
var (
	onUnknowns = []string{"allow", "ask", "deny", "warn"}
	severities = []string{"low", "medium", "high", "critical"}
	metaKeys   = []string{"id", "title", "severity", "refs", "tags", "on_unknown"}
)

// setting reads a comment line of the form `# key: value`.
func setting(doc *syntax.Comment) (key, val string, ok bool) {
	key, val, ok = strings.Cut(doc.Text, ":")
	key = strings.TrimSpace(key)
	return key, strings.TrimSpace(val), ok && slices.Contains(metaKeys, key)
}

// prose is what of a comment block is for people, as one text.
func prose(docs []*syntax.Comment) string {
	var lines []string
	for _, doc := range docs {
		if _, _, ok := setting(doc); !ok {
			lines = append(lines, strings.TrimSpace(doc.Text))
		}
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

// directives reads what the comment above a rule says to us. A value of one
// word ends at a further `#`.
func (c *checker) directives(r *Rule) {
	docs := r.Node.Doc
	r.Meta.Doc = prose(docs)
	said := map[string]*syntax.Comment{}
	for _, doc := range docs {
		key, val, ok := setting(doc)
		if !ok {
			continue
		}
		if first := said[key]; first != nil && key != "refs" && key != "tags" {
			c.report(diag.Diagnostic{
				Code: "P0317", Severity: diag.Warning, Span: doc.Span(), Message: quote(key) + " is said twice, the first counts",
				Notes: []diag.Note{{Span: first.Span(), Text: "the first time"}},
			})
			continue
		}
		said[key] = doc
		word, _, _ := strings.Cut(val, "#")
		c.directive(r, doc, key, val, strings.TrimSpace(word))
	}
	c.misspelt(docs, len(said) > 0)
}

func (c *checker) directive(r *Rule, doc *syntax.Comment, key, val, word string) {
	if val == "" && key != "id" && key != "on_unknown" || word == "" && key == "severity" {
		c.warn("P0317", doc.Span(), quote(key)+" has no value", "")
		return
	}
	switch key {
	case "id":
		c.ruleID(r, word, doc)
	case "on_unknown":
		c.onUnknown(r, word, doc)
	case "severity":
		c.severity(r, word, doc)
	case "title":
		r.Meta.Title = val
	case "refs":
		r.Meta.Refs = append(r.Meta.Refs, words(val)...)
	case "tags":
		r.Meta.Tags = append(r.Meta.Tags, words(val)...)
	}
}

// words takes a list apart: commas or spaces stand between its items.
func words(val string) []string {
	return strings.FieldsFunc(val, func(r rune) bool { return r == ',' || unicode.IsSpace(r) })
}

func (c *checker) severity(r *Rule, word string, doc *syntax.Comment) {
	word = strings.ToLower(word)
	if !slices.Contains(severities, word) {
		help := didYouMean(word, severities)
		if near := map[string]string{"error": "high", "warning": "medium", "info": "low", "note": "low"}[word]; near != "" {
			help = "did you mean " + quote(near) + "?"
		}
		c.warn("P0317", doc.Span(), fmt.Sprintf("severity cannot be %q", word), cmp.Or(help, "write low, medium, high or critical"))
		return
	}
	r.Meta.Severity = word
}

// misspelt warns of lines that look like settings and are none, which would be
// lost without a word: those that are nearly one and, beside settings, those
// that have their form.
func (c *checker) misspelt(docs []*syntax.Comment, beside bool) {
	for _, doc := range docs {
		key, val, ok := strings.Cut(strings.TrimSpace(doc.Text), ":")
		if !ok || slices.Contains(metaKeys, key) || !isKey(key) || val != "" && val[0] != ' ' {
			continue
		}
		help := didYouMean(key, metaKeys)
		if help == "" && !beside {
			continue
		}
		c.warn("P0319", doc.Span(), fmt.Sprintf("%q is not among what a comment above a rule sets", key),
			cmp.Or(help, "it sets id, title, severity, refs, tags and on_unknown"))
	}
}

// isKey reports whether a word looks like the name of a setting.
func isKey(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool { return (r < 'a' || r > 'z') && r != '_' && r != '-' })
}

func (c *checker) onUnknown(r *Rule, word string, doc *syntax.Comment) {
	if !slices.Contains(onUnknowns, word) {
		c.fail("P0313", doc.Span(), fmt.Sprintf("on_unknown cannot be %q", word),
			cmp.Or(didYouMean(word, onUnknowns), "write allow, ask, deny or warn"))
		return
	}
	r.OnUnknown = word
}
