// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package check

import (
	"fmt"
	"maps"
	"slices"

	"github.com/holdfast-dev/holdfast/diag"
	"github.com/holdfast-dev/holdfast/internal/value"
)

// Join makes one program of several, each of which has been checked by
// itself: all their rules, numbered in order. Names are not shared: a file
// keeps its own scope. Ids are, so the list is not empty if two rules claim
// the same one; of rules with the same text in several files, all but the
// first get a number behind the id, as they do in one file.
//
// The result shares the tables' entries with the given programs, which stay
// as they are.
func Join(progs ...*Program) (*Program, diag.List) {
	if len(progs) == 1 {
		return progs[0], nil
	}
	j := joiner{out: newProgram(), named: map[string]diag.Span{}, given: map[string]bool{}}
	for _, p := range progs {
		j.claim(p.Rules)
	}
	for _, p := range progs {
		j.add(p)
	}
	j.inputs(progs)
	if len(j.diags) > 0 {
		return nil, j.diags
	}
	return j.out, nil
}

type joiner struct {
	out   *Program
	named map[string]diag.Span // ids that a comment gives
	given map[string]bool      // ids of rules that are in out
	diags diag.List
}

// inputs joins the parameters, which have one value for all programs. A
// declaration says more than a use, and one without default asks for more.
func (j *joiner) inputs(progs []*Program) {
	byKey := map[string]*Input{}
	for _, p := range progs {
		for _, in := range p.Inputs {
			old := byKey[in.Name]
			switch {
			case old != nil && old.Fixed && in.Fixed && !value.Equal(old.Default, in.Default):
				j.diags = append(j.diags, diag.Diagnostic{
					Code: "P0235", Span: in.At, Message: fmt.Sprintf("parameter %q bounds counts and has two defaults", in.Name),
					Notes: []diag.Note{{Span: old.At, Text: "the first declaration"}},
				})
			case old != nil && (old.Fixed && in.Required() || in.Fixed && old.Required()):
				j.diags = append(j.diags, diag.Diagnostic{
					Code: "P0235", Span: in.At, Message: fmt.Sprintf("parameter %q bounds counts in one policy and has no default in another", in.Name),
					Help:  "give both the same default",
					Notes: []diag.Note{{Span: old.At, Text: "the first declaration"}},
				})
			case old != nil && old.sameType(in) && old.Fixed != in.Fixed:
				if in.Fixed {
					byKey[in.Name] = in // whatever is given has to be its default
				}
			case old == nil || !old.Declared || in.Required() && old.sameType(in):
				byKey[in.Name] = in
			case in.Declared && !old.sameType(in):
				j.diags = append(j.diags, diag.Diagnostic{
					Code: "P0235", Span: in.At, Message: fmt.Sprintf("parameter %q is declared with two types", in.Name),
					Help:  "one value is given to all policies that are loaded together: one type for each parameter",
					Notes: []diag.Note{{Span: old.At, Text: "the first declaration"}},
				})
			}
		}
	}
	j.out.Inputs = slices.SortedFunc(maps.Values(byKey), byName)
}

// claim enters the ids that rules have by name, which no other rule may have.
func (j *joiner) claim(rules []*Rule) {
	for _, r := range rules {
		if !r.Named {
			continue
		}
		if at, taken := j.named[r.ID]; taken {
			j.diags = append(j.diags, diag.Diagnostic{
				Code: "P0312", Span: r.Node.VerbAt, Message: fmt.Sprintf("two rules have the id %q", r.ID),
				Notes: []diag.Note{{Span: at, Text: "the first one"}},
			})
			continue
		}
		j.named[r.ID] = r.Node.VerbAt
	}
}

func (j *joiner) add(p *Program) {
	o := j.out
	o.Files = append(o.Files, p.Files...)
	o.Warnings = append(o.Warnings, p.Warnings...)
	maps.Copy(o.Uses, p.Uses)
	maps.Copy(o.Vars, p.Vars)
	maps.Copy(o.Calls, p.Calls)
	maps.Copy(o.Quants, p.Quants)
	maps.Copy(o.Patterns, p.Patterns)
	maps.Copy(o.Members, p.Members)
	maps.Copy(o.Types, p.Types)
	maps.Copy(o.Flows, p.Flows)
	for _, r := range p.Rules {
		own := *r
		own.Index = len(o.Rules)
		own.ID = j.free(r)
		o.Rules = append(o.Rules, &own)
	}
}

// free returns the id of a rule, with a number behind it if another rule has
// it already.
func (j *joiner) free(r *Rule) string {
	id := r.ID
	for n := 2; !r.Named && (j.given[id] || j.claimed(id)); n++ {
		id = fmt.Sprintf("%s-%d", r.ID, n)
	}
	j.given[id] = true
	return id
}

func (j *joiner) claimed(id string) bool {
	_, ok := j.named[id]
	return ok
}
