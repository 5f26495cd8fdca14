// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

// Package policytest runs tests of policies that are text files: a policy, a
// trace, and what checking the one against the other must come to. Holdfast's
// own corpus is written so, and authors of policies write theirs the same way.
//
// # A case
//
// A case is a txtar archive. The text above the first section says why the
// case exists:
//
//	A fetched page must not reach mail, even two steps later.
//	-- policy --
//	raise "web content reaches mail" if:
//	    (out: ToolOutput) -> (call: ToolCall)
//	    out is tool:fetch_page
//	    call is tool:send_mail
//	-- trace --
//	[{"role": "assistant", "tool_calls": [...]}, {"role": "tool", ...}, ...]
//	-- want --
//	deny at 4: web content reaches mail (out=2 call=4)
//
// Two more sections may be there: input, a JSON object with the policy's
// parameters, and options, a JSON object with on_unknown (deny, ask, warn or
// allow) and on_unknown_rule (the same by rule id). Every other section is a
// file beside the policy, for `from ./lib import p`.
//
// # What is wanted
//
// The section want has a line for each violation, in the order of the rules
// and, within a rule, of the trace:
//
//	deny at 4: web content reaches mail (out=2 call=4)
//	ask at 1: pay 1,000? (call=1)
//	warn: three messages
//
// After `at` stands the index of the last event of those that the rule's
// messages, calls, outputs and tools are bound to; without such variables
// there is no `at`. The parentheses hold the variables in the order of the
// trace: the address of the element, without `.tool_calls.0`, so that the
// only call of event 4 is call=4 and its second is call=4.tool_calls.1; or,
// for an element that a computation made, its value as JSON; or none for an
// optional variable that ranges over nothing.
//
// What could not be decided has a line for each rule and cause, with the
// first assignment that has it. After `unknown` stands what the rule would do:
//
//	unknown deny at 2: missing (call=2)
//
// (`passed unknown …` where on_unknown lets it pass). With no line at all the
// text is `allow`. Where the lines do not say which decision they lead to,
// because of an on_unknown, the decision stands alone on the first line. A policy that does not load, and a trace
// that cannot be read, are wanted so:
//
//	error at 3:5: P0203: type Function has no field "argumnets"
//	trace error: line 1 at 0.role: unknown role "robot"
//
// A want that begins with a line `show` asks for more to be stated and
// compared: `ids` puts a rule's id behind its verb (`deny mail-after-web at
// 4: …`), `spans` appends the evidence (`[2.content:7-12]`), `counts` appends
// the number of assignments to unknown lines and adds a line `count RULE N`
// for each violated rule, `warnings` adds the load warnings:
//
//	show ids spans
//	deny mail-after-web at 4: web content reaches mail (out=2 call=4) [2 4]
//
// # How a case runs
//
// Every case runs three ways and has one want: the whole trace at once; event
// by event; and split at every index, the first part appended and the rest
// first checked and then appended. The online answers must add up to the want
// (violations of rules whose matches may retract are those of the last
// answer), and a check must change nothing.
package policytest

import (
	"context"
	"errors"
	"fmt"
	"os"

	"golang.org/x/tools/txtar"

	"github.com/holdfast-dev/holdfast"
	"github.com/holdfast-dev/holdfast/diag"
	"github.com/holdfast-dev/holdfast/trace"
)

// A Reporter is told what is wrong with a case. A *testing.T is one.
type Reporter interface {
	Errorf(format string, args ...any)
}

// Options are how cases are run. Nil is the same as the zero Options.
type Options struct {
	// Update rewrites the section want of a case that does not give it.
	Update bool
	// Compile has the functions and the loader of scripts that the policies
	// need. Its Files are not used: a case has its own.
	Compile *holdfast.Options
}

// Run runs the case in a file.
func Run(r Reporter, file string, opts *Options) {
	src, err := os.ReadFile(file)
	if err != nil {
		r.Errorf("reading case: %v", err)
		return
	}
	c, err := Parse(file, src)
	if err != nil {
		r.Errorf("%v", err)
		return
	}
	c.Run(r, opts)
	if updated := txtar.Format(c.archive); opts != nil && opts.Update && string(updated) != string(src) {
		if err := os.WriteFile(file, updated, 0o644); err != nil {
			r.Errorf("updating case: %v", err)
		}
	}
}

// Run runs the case every way and reports each way that does not give what is
// wanted. With Options.Update, c's want is what the whole trace gives.
func (c *Case) Run(r Reporter, opts *Options) {
	if opts == nil {
		opts = &Options{}
	}
	show, want, err := splitShow(string(c.section(wantSection)))
	if err != nil {
		r.Errorf("%s: %v", c.Name, err)
		return
	}
	run, refusal := c.start(opts, show)
	if refusal != nil {
		c.compare(r, opts, show, want, refusal.text)
		return
	}
	whole, err := run.whole()
	if err != nil {
		r.Errorf("%s: checking the whole trace: %v", c.Name, err)
		return
	}
	if !c.compare(r, opts, show, want, whole.text(show, run.policy.Warnings())) && !opts.Update {
		return // the other ways would say the same again
	}
	for _, err := range run.online(whole) {
		r.Errorf("%s: %v", c.Name, err)
	}
}

// compare reports whether got is wanted; with Update it makes it so.
func (c *Case) compare(r Reporter, opts *Options, show detail, want, got string) bool {
	if got == want {
		return true
	}
	if opts.Update {
		c.setWant(show.line() + got)
		return true
	}
	r.Errorf("%s: got\n%swant\n%s", c.Name, indent(got), indent(want))
	return false
}

// A refusal is a policy that does not load or a trace that cannot be read.
type refusal struct{ text string }

// start compiles the policy and reads the trace. Mistakes in the case itself
// come out as a refusal too: no want is like them.
func (c *Case) start(opts *Options, show detail) (*runner, *refusal) {
	settings, err := c.settings()
	if err != nil {
		return nil, &refusal{err.Error() + "\n"}
	}
	compile := holdfast.Options{}
	if opts.Compile != nil {
		compile = *opts.Compile
	}
	compile.Files = c.files()
	policy, err := holdfast.Compile("policy", c.section(policySection), &compile)
	if err != nil {
		return nil, &refusal{loadErrors(err)}
	}
	t, err := trace.Decode(c.section(traceSection), nil)
	if err != nil {
		return nil, &refusal{traceError(err)}
	}
	monitor, err := monitorOptions(settings)
	if err != nil {
		return nil, &refusal{err.Error() + "\n"}
	}
	return &runner{ctx: context.Background(), policy: policy, trace: t, opts: monitor, show: show}, nil
}

func monitorOptions(s settings) (*holdfast.MonitorOptions, error) {
	opts := &holdfast.MonitorOptions{Input: s.Input, OnUnknownRule: map[string]holdfast.Outcome{}}
	var err error
	if opts.OnUnknown, err = outcome(s.OnUnknown); err != nil {
		return nil, err
	}
	for id, name := range s.OnUnknownRule {
		if opts.OnUnknownRule[id], err = outcome(name); err != nil {
			return nil, err
		}
	}
	return opts, nil
}

func outcome(name string) (holdfast.Outcome, error) {
	o, ok := holdfast.OutcomeOf(name)
	if !ok {
		return o, fmt.Errorf("reading section options: got %q, want deny, ask, warn or allow", name)
	}
	return o, nil
}

// loadErrors renders why a policy does not load.
func loadErrors(err error) string {
	var list diag.List
	if !errors.As(err, &list) {
		return fmt.Sprintf("error: %v\n", err)
	}
	text := ""
	for _, d := range list {
		if d.Severity == diag.Error {
			text += "error" + diagnosticText(d)
		}
	}
	return text
}

// diagnosticText is ` at 3:5: P0203: …`, with the file before the line if it
// is not the policy.
func diagnosticText(d diag.Diagnostic) string {
	line, col := d.Span.Position()
	file := ""
	if f := d.Span.File; f != nil && f.Name != "policy" {
		file = f.Name + ":"
	}
	return fmt.Sprintf(" at %s%d:%d: %s: %s\n", file, line, col, d.Code, d.Message)
}

func traceError(err error) string {
	var bad *trace.Error
	if !errors.As(err, &bad) {
		return fmt.Sprintf("trace error: %v\n", err)
	}
	at := ""
	if bad.Path != "" {
		at = " at " + bad.Path
	}
	return fmt.Sprintf("trace error: line %d%s: %s\n", bad.Line, at, bad.Msg)
}
