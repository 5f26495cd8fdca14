// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

// Package policytest runs tests of policies that are text files: a policy, a
// trace, and what checking the one against the other must come to. Holdfast's
// own corpus is written so, and authors of policies write theirs the same way;
// they run them with `holdfast test` or with go test.
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
// These are the sections:
//
//	policy       the text of the policy
//	policy PATH  or, in its place and empty, the file that it stands in: a .gr
//	             file of the folder of the case or below
//	trace        the events, in every form that holdfast check reads
//	want         what must come out
//	input        a JSON object with the policy's parameters
//	options      a JSON object with on_unknown (deny, ask, warn or allow) and
//	             on_unknown_rule (the same by rule id)
//	detectors    answers of detectors, see below
//	workspace PATH  a file of the workspace, for the functions of invariant.files
//
// Every other section is a file beside the policy, for `from ./lib import p`. A
// policy in a file imports from the folder of that file instead, so that what is
// tested is what is deployed.
//
// # Several cases in a file
//
// A section `case NAME` begins a case; its text says why the case exists. What
// stands before the first of them all cases of the file have, unless they have
// their own:
//
//	-- policy mail.gr --
//	-- case a stranger --
//	-- trace --
//	...
//	-- want --
//	deny at 3: mail to a stranger (call=3)
//	-- case a colleague --
//	-- trace --
//	...
//	-- want --
//	allow
//
// # Answers of detectors
//
// The section detectors is a JSON object: by the name of a detector, as
// holdfast.Options.Detectors has it (pii is asked by pii() and is_pii()), a list
// of texts with what the detector says of each. That is findings, with a kind
// and the part of the text that they are (all of it without one; a finding at
// each place where the part stands), only kinds, which are findings of all of
// the text, or an error; with none of these nothing is found. Findings may have
// a score, a severity and a value, which is what was found where that is not the
// text at its place: the answer of a model, the words in an image, the address of
// a link. An answer with params is one to a question with these parameters only.
// Beside an error, findings are those that are certain all the same; "timeout":
// true is the error of a detector that gave up.
//
//	{"pii": [
//	  {"text": "ask bob@corp.com", "findings": [{"kind": "EMAIL_ADDRESS", "text": "bob@corp.com"}]},
//	  {"text": "the minutes", "kinds": []},
//	  {"text": "a scan", "error": "the model server is down"}
//	], "llm": [
//	  {"text": "Is this fine?", "findings": [{"kind": "answer", "value": "no"}]}
//	]}
//
// A text without an answer is an error of the detector: what depends on it is
// unknown. Detectors that the section does not name answer as they do without
// it.
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
// because of an on_unknown, the decision stands alone on the first line. A
// policy that does not load, and a trace that cannot be read, are wanted so:
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
// As a grammar, with what show asks for in brackets with its word:
//
//	Want      = [ "show" { "ids" | "spans" | "counts" | "warnings" } "\n" ]
//	            { Refusal } | { Warning } [ Decision "\n" ] { Violation } { Unknown } { Count } .
//	Decision  = "deny" | "unknown" | "ask" | "allow" .
//	Verb      = "deny" | "ask" | "warn" .
//	Violation = Verb [ids: " " id] [ " at " index ] ": " message Variables [spans: Spans] "\n" .
//	Unknown   = [ "passed " ] "unknown " Verb [ids: " " id] [ " at " index ] ": " reason Variables
//	            [spans: Spans] [counts: " x" [ "at least " ] number] "\n" .
//	Count     = [counts: "count " id " " [ "at least " ] number "\n"] .
//	Warning   = [warnings: "warning" Diagnosis] .
//	Refusal   = "error" Diagnosis | "trace error: line " number [ " at " path ] ": " text "\n" .
//	Diagnosis = " at " [ file ":" ] line ":" column ": " code ": " text "\n" .
//	Variables = [ " (" name "=" ( address | json | "none" ) { " " … } ")" ] .
//	Spans     = " [" { address [ ":" start "-" end ] " " } "]" .
//
// # How a case runs
//
// Every case runs four ways and has one want: the whole trace at once; event
// by event; split at every index, the first part appended and the rest first
// checked and then appended; and the whole trace against the policy in its
// canonical form, whose rules must keep their ids. The online answers must add
// up to the want (violations of rules whose matches may retract are those of
// the last answer), and a check must change nothing.
package policytest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/holdfast-dev/holdfast"
	"github.com/holdfast-dev/holdfast/diag"
	"github.com/holdfast-dev/holdfast/trace"
)

// A Reporter is told what is wrong with a case. A *testing.T is one.
type Reporter interface {
	Errorf(format string, args ...any)
}

// Options are how cases are run. Nil is the same as the zero Options. A policy
// that several cases name is read once for all of them that are run with the
// same Options.
type Options struct {
	// Update rewrites the section want of a case that does not give it.
	Update bool
	// Compile has the functions, the loader of scripts and the detectors that
	// the policies need. Its Files are not used: a case has its own.
	Compile *holdfast.Options
	// Folder is where a case finds the policy that it names. Nil: Run takes the
	// folder of the file, and otherwise cases must have their policy in them.
	Folder *os.Root
	// Source returns the text of a policy that takes the place of what was read
	// of it, by its name: the file, or "policy". Nil changes nothing.
	Source func(name string, text []byte) []byte
	// Whole runs cases on the whole trace only.
	Whole bool

	policies policies[named]
}

// A Failure is one way in which a case does not give what it wants.
type Failure struct {
	Line      int    // of the file, from 1, on which the want begins
	Want, Got string // what the case wants and what came out, unless there is a Problem
	Problem   string // what is wrong if it is not that the whole trace gives something else
	Note      string // what may be the reason, "" if nothing is known
}

// String says what is wrong, on several lines.
func (f Failure) String() string {
	text := f.Problem
	if text == "" {
		text = fmt.Sprintf("got\n%swant\n%s", indent(f.Got), indent(f.Want))
	}
	if f.Note != "" {
		text += "note\n" + indent(f.Note)
	}
	return text
}

// Run runs the cases in a file.
func Run(r Reporter, file string, opts *Options) {
	if err := runFile(r, file, opts); err != nil {
		r.Errorf("%v", err)
	}
}

func runFile(r Reporter, file string, opts *Options) error {
	src, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("reading case: %w", err)
	}
	cases, err := Cases(file, src)
	if err != nil {
		return err
	}
	if opts == nil {
		opts = &Options{}
	}
	if opts.Folder == nil {
		folder, err := os.OpenRoot(filepath.Dir(file))
		if err != nil {
			return fmt.Errorf("opening the folder of the case: %w", err)
		}
		defer folder.Close() //nolint:errcheck // it was only read
		opts = &Options{Update: opts.Update, Compile: opts.Compile, Source: opts.Source, Whole: opts.Whole, Folder: folder}
	}
	for _, c := range cases {
		c.Run(r, opts)
	}
	if updated := cases[0].Source(); opts.Update && string(updated) != string(src) {
		if err := os.WriteFile(file, updated, 0o644); err != nil {
			return fmt.Errorf("updating case: %w", err)
		}
	}
	return nil
}

// Run runs the case every way and reports each way that does not give what is
// wanted. With Options.Update, c's want is what the whole trace gives.
func (c *Case) Run(r Reporter, opts *Options) {
	for _, f := range c.Check(context.Background(), opts) {
		if opts != nil && opts.Update && c.Update(f) {
			continue
		}
		r.Errorf("%s: %s", c.Name, f)
	}
}

// Check runs the case every way and returns each way that does not give what
// is wanted; of those the whole trace is the first, and without Options.Update
// the only one if it fails. The case stays as it is.
func (c *Case) Check(ctx context.Context, opts *Options) []Failure {
	if opts == nil {
		opts = &Options{}
	}
	show, want, err := splitShow(strings.ReplaceAll(c.text(wantSection), "\r\n", "\n"))
	if err != nil {
		return []Failure{c.problem(err)}
	}
	run, refused, err := c.start(ctx, opts, show)
	switch {
	case err != nil:
		return []Failure{c.problem(err)}
	case refused != "":
		return c.compare(show, want, refused)
	}
	whole, err := run.whole()
	if err != nil {
		return []Failure{c.problem(fmt.Errorf("checking the whole trace: %w", err))}
	}
	failures := c.compare(show, want, whole.text(show, run.policy.Warnings(), run.name))
	if len(failures) > 0 && !opts.Update {
		failures[0].Note = note(run.stubs)
		return failures // the other ways would say the same again
	}
	if opts.Whole {
		return failures
	}
	for _, err := range run.online(whole) {
		failures = append(failures, c.problem(err))
	}
	if err := c.formatted(opts, run); err != nil {
		failures = append(failures, c.problem(fmt.Errorf("formatted: %w", err)))
	}
	return failures
}

func (c *Case) problem(err error) Failure {
	return Failure{Line: c.wantLine(), Problem: err.Error()}
}

// compare returns a failure if got is not what is wanted.
func (c *Case) compare(show detail, want, got string) []Failure {
	if got == want {
		return nil
	}
	if want != "" {
		want = show.line() + want
	}
	return []Failure{{Line: c.wantLine(), Want: want, Got: show.line() + got}}
}

// Open compiles the policy of the case and reads its trace. The error says what
// of these is refused, which the case may want.
func (c *Case) Open(opts *Options) (*holdfast.Policy, *trace.Trace, *holdfast.MonitorOptions, error) {
	if opts == nil {
		opts = &Options{}
	}
	run, refused, err := c.start(context.Background(), opts, detail{})
	switch {
	case err != nil:
		return nil, nil, nil, err
	case refused != "":
		return nil, nil, nil, errors.New(strings.TrimSpace(refused))
	}
	return run.policy, run.trace, run.opts, nil
}

// Compile compiles the policy of the case. The error is a diag.List if it was
// read and does not load.
func (c *Case) Compile(opts *Options) (*holdfast.Policy, error) {
	if opts == nil {
		opts = &Options{}
	}
	stubs, err := c.stubs()
	if err != nil {
		return nil, err
	}
	return c.policy(opts, stubs, false)
}

// Policy returns the name and the text of the case's policy: the file that it
// stands in, or "policy", and then the line of the case's file, from 1, on which
// it begins.
func (c *Case) Policy(opts *Options) (name string, text []byte, line int, err error) {
	if opts == nil {
		opts = &Options{}
	}
	text, done, err := c.open(opts, &holdfast.Options{})
	if err != nil {
		return "", nil, 0, err
	}
	done()
	if s := c.section(policySection); s.label == "" {
		line = s.line
	}
	return c.policyName(), text, line, nil
}

// start compiles the policy and reads the trace. What is refused of these can
// be wanted; an error is a mistake in the case itself.
func (c *Case) start(ctx context.Context, opts *Options, show detail) (*runner, string, error) {
	monitor, err := c.monitorOptions()
	if err != nil {
		return nil, "", err
	}
	stubs, err := c.stubs()
	if err != nil {
		return nil, "", err
	}
	policy, err := c.policy(opts, stubs, false)
	if list := (diag.List{}); errors.As(err, &list) {
		return nil, loadErrors(list, c.policyName()), nil
	}
	if err != nil {
		return nil, "", err
	}
	t, err := trace.Decode([]byte(c.text(traceSection)), nil)
	if err != nil {
		return nil, traceError(err), nil
	}
	return &runner{ctx: ctx, policy: policy, name: c.policyName(), stubs: stubs, trace: t, opts: monitor, show: show}, "", nil
}

// loadErrors renders why a policy does not load.
func loadErrors(list diag.List, policy string) string {
	text := ""
	for _, d := range list {
		if d.Severity == diag.Error {
			text += "error" + diagnosticText(d, policy)
		}
	}
	return text
}

// diagnosticText is ` at 3:5: P0203: …`, with the file before the line if it
// is not the policy.
func diagnosticText(d diag.Diagnostic, policy string) string {
	line, col := d.Span.Position()
	file := ""
	if f := d.Span.File; f != nil && f.Name != policy {
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
