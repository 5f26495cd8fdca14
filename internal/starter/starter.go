// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

// Package starter writes a first policy for an agent, of which nothing is known
// but its tools: which of them answer with texts that others wrote, hand
// something to others, take something away, or bind the user.
//
// It judges by words, and marks what it is unsure of. What it writes is meant
// to be read and edited; until then it rather asks than lets pass.
package starter

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/holdfast-dev/holdfast/diag"
	"github.com/holdfast-dev/holdfast/internal/toolset"
	"github.com/holdfast-dev/holdfast/syntax"
)

// PolicyName and TestsName are what the files are called: the cases name the
// policy.
const (
	PolicyName = "policy.gr"
	TestsName  = "policy_test.txtar"
)

// A Draft is a policy and its cases.
type Draft struct {
	Policy []byte // in its canonical form
	Tests  []byte

	// How many tools the lists have. One may stand in several.
	Tools, Sources, Sinks, Destructive, Approval, Unsure int
}

// New drafts a policy for tools.
func New(tools []toolset.Tool) (*Draft, error) {
	for _, t := range tools {
		if !utf8.ValidString(t.Name) || strings.ContainsFunc(t.Name, func(r rune) bool { return !unicode.IsPrint(r) }) {
			return nil, fmt.Errorf("the tool %.60q has a name with characters that nobody sees: no tool that means well has one", t.Name)
		}
	}
	l := sortOut(tools)
	if len(l.all) == 0 {
		return nil, errors.New("there are no tools to write a policy for")
	}
	text, err := syntax.Format(diag.NewFile(PolicyName, l.policy()))
	if err != nil {
		return nil, fmt.Errorf("laying the policy out: %w", err)
	}
	return &Draft{
		Policy: text, Tests: l.tests(),
		Tools: len(l.all), Sources: len(l.sources), Sinks: len(l.sinks), Destructive: len(l.destructive), Approval: len(l.approval), Unsure: l.marked,
	}, nil
}

// An item is a tool in a list of the policy.
type item struct {
	tool   *toolset.Tool
	unsure string
}

// lists are tools by what the policy has to know of them.
type lists struct {
	all                                                       []item
	sources, sinks, destructive, approval, unjudged, harmless []item
	marked                                                    int
}

// sortOut judges tools, each name once: the last of several counts, as where
// lists are read for calls.
func sortOut(tools []toolset.Tool) *lists {
	l := &lists{}
	last := map[string]int{}
	for i := range tools {
		last[tools[i].Name] = i
	}
	for i := range tools {
		if last[tools[i].Name] == i {
			l.add(&tools[i])
		}
	}
	return l
}

func (l *lists) add(t *toolset.Tool) {
	j := Classify(t)
	it := item{t, j.Unsure}
	if j.Unsure != "" {
		l.marked++
	}
	l.all = append(l.all, it)
	if j.Class&Source != 0 {
		l.sources = append(l.sources, it)
	}
	if j.Class&Sink != 0 {
		l.sinks = append(l.sinks, it)
	}
	switch { // both ask: one list is enough
	case j.Class&Destructive != 0:
		l.destructive = append(l.destructive, it)
	case j.Class&Approval != 0:
		l.approval = append(l.approval, it)
	case j.Class == 0 && j.Unsure != "":
		l.unjudged = append(l.unjudged, it)
	case j.Class == 0:
		l.harmless = append(l.harmless, it)
	}
}

// within reports whether all of some tools are among others.
func within(some, others []item) bool {
	names := map[string]bool{}
	for _, it := range others {
		names[it.tool.Name] = true
	}
	for _, it := range some {
		if !names[it.tool.Name] {
			return false
		}
	}
	return true
}

// flows reports whether the policy has a rule about what is handed on. Where
// another asks of all sinks anyway, it would say nothing.
func (l *lists) flows() bool {
	return len(l.sources) > 0 && len(l.sinks) > 0 && !within(l.sinks, l.destructive) && !within(l.sinks, l.approval)
}
