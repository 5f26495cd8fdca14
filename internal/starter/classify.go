// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package starter

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/holdfast-dev/holdfast/internal/toolset"
)

// A Class is what a tool does that a policy has to know of, as a set.
type Class uint8

// The classes.
const (
	Source      Class = 1 << iota // answers with texts that others wrote
	Sink                          // hands what it is given to others
	Destructive                   // takes away or overwrites
	Approval                      // binds the user: money, access, the world outside
)

// classNames are the names of classes, in the order of their bits.
var classNames = []string{"source", "sink", "destructive", "approval"}

// Names returns the names of the classes in c.
func (c Class) Names() []string {
	out := []string{}
	for i, name := range classNames {
		if c&(1<<i) != 0 {
			out = append(out, name)
		}
	}
	return out
}

// A Judgement is what a tool is taken for, by its name and schema.
type Judgement struct {
	Class Class

	// Unsure says what a person should look at; "" if names and schema agree.
	Unsure string
}

// facts are what is known of a tool, as words.
type facts struct {
	tool      *toolset.Tool
	name      []string // without the kit's
	about     []string // the first sentence of the description
	text      []string // all of it, and the values that arguments can have
	arguments map[string]bool
	results   map[string]bool

	verb   string
	kind   verbKind
	object []string // the words of the name behind the verb, else before it
	said   bool     // the verb is the description's
}

// Classify judges one tool.
func Classify(t *toolset.Tool) Judgement {
	f := factsOf(t)
	j := f.judge()
	if f.said && j.Class != 0 && j.Unsure == "" {
		j.Unsure = "only its description says so"
	}
	return j.hinted(t.Hints)
}

func factsOf(t *toolset.Tool) *facts {
	f := &facts{tool: t, name: stems(strings.TrimPrefix(t.Name, t.Kit)), arguments: map[string]bool{}, results: map[string]bool{}}
	first, _, _ := strings.Cut(t.Description, ". ")
	f.about, f.text = stems(first), append(stems(t.Description), stems(enumsOf(t))...)
	for _, name := range argumentsOf(t) {
		for _, w := range stems(name) {
			f.arguments[w] = true
		}
	}
	for _, r := range t.Results {
		for _, w := range stems(r) {
			f.results[w] = true
		}
	}
	f.findVerb()
	return f
}

// argumentsOf returns the names of a tool's arguments, sorted.
func argumentsOf(t *toolset.Tool) []string {
	var schema struct {
		Properties map[string]json.RawMessage `json:"properties"`
	}
	if json.Unmarshal(t.Arguments, &schema) != nil {
		return nil
	}
	return slices.Sorted(maps.Keys(schema.Properties))
}

// enumsOf returns the values that a tool's arguments are said to have.
func enumsOf(t *toolset.Tool) string {
	var schema struct {
		Properties map[string]struct {
			Enum []any `json:"enum"`
		} `json:"properties"`
	}
	if json.Unmarshal(t.Arguments, &schema) != nil {
		return ""
	}
	var out strings.Builder
	for _, name := range slices.Sorted(maps.Keys(schema.Properties)) {
		for _, e := range schema.Properties[name].Enum {
			if s, ok := e.(string); ok {
				out.WriteString(s + " ")
			}
		}
	}
	return out.String()
}

// findVerb finds what the tool does and to what: in its name, else in the
// first words of its description.
func (f *facts) findVerb() {
	at := -1
	for i, w := range f.name {
		v, ok := w, verbs[w] != noVerb
		if !ok {
			v, ok = gerund(w)
		}
		if ok && (at < 0 || nounLike[f.verb] && !nounLike[v] && (at > 0 || i == len(f.name)-1)) {
			at, f.verb, f.kind = i, v, verbs[v]
		}
	}
	if first := f.firstVerb(); at >= 0 && weak[f.verb] && first != "" {
		switch verbs[first] {
		case sends, destroys, commits, runs:
			f.verb, f.kind = first, verbs[first]
		case noVerb, reads, changes, manages, transmits, composes:
		}
	}
	if at >= 0 {
		f.object = phrase(f.name[at+1:])
		if len(f.object) == 0 {
			f.object = f.name[:at]
		}
		return
	}
	f.object, f.said = f.name, true
	for i, w := range f.about {
		if v, ok := gerund(w); ok && i > 0 { // "a tool for managing updates"
			f.verb, f.kind = v, verbs[v]
			return
		}
		if i == 0 && verbs[w] != noVerb {
			f.verb, f.kind = w, verbs[w]
			return
		}
	}
	if len(f.about) > 1 && articles[f.about[0]] && !kindsOfTool[f.about[1]] {
		f.verb, f.kind = "get", reads // "the transcript of a video"
	}
}

// firstVerb is what the description begins with, if it is a verb.
func (f *facts) firstVerb() string {
	if len(f.about) > 0 && verbs[f.about[0]] != noVerb {
		return f.about[0]
	}
	return ""
}

// phrase cuts words at the first preposition.
func phrase(words []string) []string {
	if i := slices.IndexFunc(words, func(w string) bool { return prepositions[w] }); i > 0 {
		return words[:i]
	}
	return words
}

// has reports whether a word is in a list.
func has(words []string, list map[string]bool) bool {
	return slices.ContainsFunc(words, func(w string) bool { return list[w] })
}

// takes reports whether an argument's name has a word of a list.
func (f *facts) takes(list map[string]bool) bool {
	for w := range f.arguments {
		if list[w] {
			return true
		}
	}
	return false
}
