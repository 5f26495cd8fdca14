// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package starter

import (
	"slices"

	"github.com/holdfast-dev/holdfast/internal/toolset"
)

// judge judges by words alone.
func (f *facts) judge() Judgement {
	if j, ok := f.running(); ok {
		return j
	}
	if f.takes(addresses) && f.takes(set("body data method payload header")) {
		return Judgement{Class: Source | Sink}
	}
	switch f.kind {
	case reads:
		return f.reading()
	case sends:
		j := f.sending()
		if f.overwrites() || has(f.name, set("force")) {
			j.Class |= Destructive
		}
		return j
	case destroys:
		return f.destroying()
	case commits, transmits:
		return f.committing()
	case changes, composes:
		return f.changing()
	case manages:
		return f.managing()
	case noVerb, runs: // what runs was judged above
	}
	if f.takes(addresses) {
		return Judgement{Class: Source, Unsure: "its arguments have an address"}
	}
	return Judgement{Unsure: "its name and description do not say what it does"}
}

// running judges what runs what it is given.
func (f *facts) running() (Judgement, bool) {
	given := f.takes(programs)
	queries := has(f.object, set("query statement sql")) || f.kind == runs && f.takes(set("sql statement"))
	switch {
	case queries && (f.kind == runs || f.kind == composes || f.kind == changes):
		if has(f.text, set("delete update insert drop write modify alter")) || f.kind != runs {
			return Judgement{Class: Destructive}, true
		}
		return Judgement{Class: Destructive, Unsure: "can its queries change anything?"}, true
	case f.kind == runs && (given || has(f.object, programs) || has(f.about, programs)):
		return Judgement{Class: Approval}, true
	case f.kind == runs:
		return Judgement{Class: Approval, Unsure: "what does it run?"}, true
	case (f.kind == noVerb || f.kind == changes) && f.takes(set("bash cmd code command script shell")):
		return Judgement{Class: Approval, Unsure: "its arguments look like programs"}, true
	}
	return Judgement{}, false
}

// reading judges what answers and changes nothing.
func (f *facts) reading() Judgement {
	if has(f.name, own) || judging[f.verb] {
		return Judgement{}
	}
	if f.takes(addresses) {
		return Judgement{Class: Source}
	}
	object := slices.Clone(f.object)
	for len(object) > 1 && vague[object[len(object)-1]] && !foreign[object[len(object)-1]] {
		object = object[:len(object)-1]
	}
	head := ""
	if len(object) > 0 {
		head = object[len(object)-1]
	}
	switch {
	case f.verb == "list" && containers[head] || f.verb == "count":
		return Judgement{}
	case foreign[head]:
		return Judgement{Class: Source}
	case head == "channel" && has(f.object, set("history message")), has(object[:max(0, len(object)-1)], foreign) && vague[head]:
		return Judgement{Class: Source}
	case f.answersText():
		return Judgement{Class: Source, Unsure: "by the names of what it answers with"}
	case f.said && has(f.about, foreign), !f.said && f.verb != "list" && has(f.described(), foreign), len(f.about) > 0 && foreign[f.about[0]]:
		return Judgement{Class: Source, Unsure: "only its description says so"}
	}
	return Judgement{}
}

// described is what the description says the verb is about: its words up to
// the first preposition but "of".
func (f *facts) described() []string {
	if len(f.about) == 0 {
		return nil
	}
	words := f.about[1:]
	if i := slices.IndexFunc(words, func(w string) bool { return prepositions[w] && w != "of" }); i > 0 {
		words = words[:i]
	}
	return words
}

// answersText reports whether the names of what it answers with are those of
// texts of others.
func (f *facts) answersText() bool {
	for w := range f.results {
		if set("review comment body message post snippet attachment email tweet article")[w] {
			return true
		}
	}
	return false
}

// sending judges what hands something to others.
func (f *facts) sending() Judgement {
	switch {
	case has(f.object, money) && !has(f.object, public), f.takes(set("amount")) && !has(f.object, public):
		return Judgement{Class: Approval}
	case f.verb == "invite":
		return Judgement{Class: Sink | Approval}
	}
	return Judgement{Class: Sink}
}

// destroying judges what takes away.
func (f *facts) destroying() Judgement {
	switch {
	case has(f.object, trifles):
		return Judgement{Unsure: "is what it takes away no loss?"}
	case f.verb == "reset" && has(f.object, security):
		return Judgement{Class: Approval}
	}
	return Judgement{Class: Destructive}
}

// committing judges what binds the user.
func (f *facts) committing() Judgement {
	head := ""
	if n := len(f.object); n > 0 {
		head = f.object[n-1]
	}
	switch {
	case nounLike[f.verb] && set("cost count detail estimate history info information price quote rate status")[head]:
		return Judgement{}
	case f.said && f.verb == "return":
		return f.reading()
	case f.kind == transmits && has(f.object, set("human agent call conversation person chat")) && !f.takes(set("amount")):
		return Judgement{}
	case f.verb == "give" && has(f.object, set("feedback answer hint")):
		return Judgement{}
	}
	return Judgement{Class: Approval}
}

// changing judges what changes or makes something.
func (f *facts) changing() Judgement {
	switch {
	case has(f.name, own) && !f.takes(receivers):
		return Judgement{}
	case slices.ContainsFunc(f.name, func(w string) bool { return verbs[w] == destroys }) && !has(f.object, trifles):
		return Judgement{Class: Destructive}
	case f.overwrites():
		return Judgement{Class: Destructive}
	case has(f.object, money) && f.kind == composes && f.binds():
		return Judgement{Class: Approval}
	case has(f.object, public) && (f.kind == composes || adding[f.verb]):
		return Judgement{Class: Sink}
	case f.takes(receivers):
		return Judgement{Class: Sink}
	case f.binds():
		return Judgement{Class: Approval}
	case f.verb == "export":
		return Judgement{Class: Sink, Unsure: "where does it put what it exports?"}
	case f.verb == "write" && f.takes(set("path file filename")):
		return Judgement{Class: Destructive, Unsure: "does it overwrite?"}
	case !f.spared() && (has(f.described(), physical) || has(f.described(), automate) || has(f.about, set("dns domain permission password"))):
		return Judgement{Class: Approval, Unsure: "only its description says so"}
	case has(stems(f.tool.Kit), physical):
		return Judgement{Class: Approval, Unsure: "it belongs to something that acts outside of computers"}
	}
	return Judgement{}
}

// overwrites reports whether a tool says that it puts something in the place
// of what is there.
func (f *facts) overwrites() bool {
	return has(f.text, set("overwrite overwriting")) && !has(f.object, trifles)
}

// binds reports whether what is changed or made binds the user.
func (f *facts) binds() bool {
	switch {
	case f.spared():
		return false
	case f.verb == "add" && has(f.object, persons):
		return true
	case has(f.object, security), has(f.object, physical), has(f.object, automate):
		return true
	case has(f.object, money):
		return f.verb != "track"
	case has(f.object, medical):
		return f.verb != "add"
	}
	return false
}

// spared reports whether the verb takes the edge off its object: a lock is
// closed, a text is proposed.
func (f *facts) spared() bool {
	return f.verb == "lock" || f.verb == "draft" || f.verb == "generate" && !has(f.object, set("access"))
}

// managing judges what may do any of these: its description says what.
func (f *facts) managing() Judgement {
	j := Judgement{Unsure: "what it does depends on its arguments"}
	object := f.object
	if f.said {
		object = append(slices.Clone(object), f.about...)
	}
	switch {
	case has(object, trifles):
		return j
	case has(object, security), has(object, physical), has(object, medical), has(object, automate), has(object, money), has(f.about, set("confirm approve accept")):
		j.Class |= Approval
	}
	if has(f.text, taking) && !f.said {
		j.Class |= Destructive
	}
	if has(object, set("sharing share")) {
		j.Class |= Sink
	}
	return j
}

// hinted takes in what the tool's server claims. It may be wrong or lie, so it
// only adds.
func (j Judgement) hinted(h toolset.Hints) Judgement {
	says := func(b *bool) bool { return b != nil && *b }
	acts := j.Class & (Sink | Destructive | Approval)
	switch {
	case says(h.Destructive) && acts == 0:
		j.Class |= Destructive
		j.Unsure = "its server calls it destructive"
	case says(h.ReadOnly) && acts != 0:
		j.Unsure = "its server says that it only reads"
	case says(h.ReadOnly) && says(h.OpenWorld) && j.Class == 0:
		j.Class = Source
		j.Unsure = "its server says that it reads what is outside"
	}
	return j
}
