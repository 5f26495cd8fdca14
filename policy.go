// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

// Package holdfast is the reference monitor for AI agents: it reads a policy
// of rules over the trace of an agent, and says of each step whether a rule
// stands against it.
//
// Compile a policy once and share it. Analyze answers for a recorded trace; a
// Monitor follows an agent as it runs:
//
//	policy, err := holdfast.Compile("mail.gr", source, nil)
//	monitor, err := policy.Monitor(nil)
//	monitor.Append(ctx, trace.UserText("…"))           // what has happened
//	verdict, err := monitor.Admit(ctx, pending)        // what is about to
//	if err != nil || !verdict.Allowed() { … do not run it … }
//
// An allowed step means: no rule is violated by the trace with that step.
// Every doubt (missing data, an error, a budget that ran out) makes a rule
// unknown, and unknown blocks unless the policy or the operator said
// otherwise.
package holdfast

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/holdfast-dev/holdfast/detect"
	"github.com/holdfast-dev/holdfast/diag"
	"github.com/holdfast-dev/holdfast/internal/builtin"
	"github.com/holdfast-dev/holdfast/internal/check"
	"github.com/holdfast-dev/holdfast/internal/compile"
	"github.com/holdfast-dev/holdfast/internal/eval"
	"github.com/holdfast-dev/holdfast/syntax"
	"github.com/holdfast-dev/holdfast/trace"
)

// A Policy is one or more compiled policy files with what they import. It is
// immutable and safe for concurrent use.
type Policy struct {
	program *eval.Program
	rules   []*Rule

	detectors *builtin.Detectors
	reveal    bool // see Options
}

// A Rule describes one rule of a policy.
type Rule struct {
	Index      int    // over all rules, in file order; imported ones stand where the import does
	ID         string // from its `# id:` comment, or made of its file and message
	Policy     string // the file; "holdfast.policies.…" if the library's
	Line       int    // of the rule in it
	Action     string // "deny", "ask" or "warn"
	Message    string // the text of the raise expression where it is a plain text
	Class      string // "local", "past", "growing" or "global", see docs/spec.md
	Retracts   bool   // its matches may go away as the trace grows
	Preventive bool   // the last event of a match can still be stopped

	// What the comment above the rule says beside its id.
	Title       string
	Severity    string // "low", "medium", "high", "critical", or "" if it says none
	Refs, Tags  []string
	Description string // the lines for people

	onUnknown Outcome
	plan      *compile.Rule
	polarity  map[*syntax.FlowChain]check.Polarity
}

// A Source is the text of a policy file.
type Source struct {
	Name string // what diagnostics call it
	Text []byte
	// Files is where this file's `from ./lib import p` and `import "./lib"` find
	// lib.gr; nil: where Options says.
	Files fs.FS
}

// Compile reads a policy. Name is what diagnostics call it; src is its text.
// The error is a diag.List with everything that is wrong, and then there is
// no policy: one that does not load is never half loaded.
func Compile(name string, src []byte, opts *Options) (*Policy, error) {
	return CompileAll([]Source{{Name: name, Text: src}}, opts)
}

// CompileAll reads several policy files as one policy: all their rules, in
// order. Each file has names of its own; ids of rules are common, and two
// rules that give themselves the same one are an error. Everything that is
// wrong in any of the files is in the diag.List.
func CompileAll(sources []Source, opts *Options) (*Policy, error) {
	if len(sources) == 0 {
		return nil, errors.New("compiling no files: a policy without rules would allow everything")
	}
	if opts == nil {
		opts = &Options{}
	}
	funcs, err := builtins("embedder", opts.Functions)
	if err != nil {
		return nil, fmt.Errorf("registering functions: %w", err)
	}
	if err := knownDetectors(opts.Detectors); err != nil {
		return nil, err
	}
	var progs []*check.Program
	var wrong diag.List
	for _, src := range sources {
		prog, list := load(src, opts, funcs)
		progs = append(progs, prog)
		if list.HasErrors() {
			wrong = append(wrong, list...)
		}
	}
	if err := wrong.Err(); err != nil {
		return nil, err
	}
	prog, list := check.Join(progs...)
	if err := list.Err(); err != nil {
		return nil, err
	}
	plans, list := compile.Compile(prog)
	if err := list.Err(); err != nil {
		return nil, err
	}
	detectors := builtin.NewDetectors(opts.Detectors, 0)
	p := &Policy{program: eval.NewProgram(plans, detectors, opts.Workspace), detectors: detectors, reveal: opts.Reveal}
	for _, r := range plans.Rules {
		p.rules = append(p.rules, describe(prog, r))
	}
	return p, nil
}

// load parses and checks one file with what it imports.
func load(src Source, opts *Options, funcs map[string]*builtin.Func) (*check.Program, diag.List) {
	file, list := syntax.Parse(diag.NewFile(src.Name, src.Text))
	if list.HasErrors() {
		return nil, list
	}
	im := &importer{files: src.Files, scripts: opts.Scripts, main: file, read: map[string]*diag.File{}, paths: map[*diag.File]string{}}
	if im.files == nil {
		im.files = opts.Files
	}
	return check.Check(file, &check.Config{
		Input: opts.known(), Import: im.load, Funcs: funcs, Detectors: slices.Sorted(maps.Keys(opts.Detectors)), Workspace: opts.Workspace != nil,
	})
}

// knownDetectors returns an error if a detector is given for a name that is
// almost that of one that a function asks. Other names are for detect(…).
func knownDetectors(given map[string]detect.Detector) error {
	known := builtin.DetectorNames()
	for _, name := range slices.Sorted(maps.Keys(given)) {
		switch {
		case name == "" || !slices.Contains(known, name) && diag.Nearest(name, known) != "":
			return fmt.Errorf("no function asks a detector %q, want one of %s, or a name of its own", name, strings.Join(known, ", "))
		case given[name] == nil:
			return fmt.Errorf("the detector %q is nil", name)
		}
	}
	return nil
}

func describe(prog *check.Program, r *compile.Rule) *Rule {
	span := r.Check.Node.VerbAt
	line, _ := span.File.Position(span.Start)
	out := &Rule{
		Index: r.Check.Index, ID: r.Check.ID, Policy: span.File.Name, Line: line,
		Action:     [...]string{syntax.Raise: "deny", syntax.Ask: "ask", syntax.Warn: "warn"}[r.Check.Node.Verb],
		Class:      r.Check.Class.String(),
		Retracts:   r.Check.Retracts,
		Preventive: r.Check.Preventive,
		Title:      r.Check.Meta.Title, Severity: r.Check.Meta.Severity,
		Refs: r.Check.Meta.Refs, Tags: r.Check.Meta.Tags, Description: r.Check.Meta.Doc,
		plan:     r,
		polarity: prog.Flows,
	}
	out.onUnknown, _ = OutcomeOf(r.Check.OnUnknown)
	if args := r.Check.Message.Args; len(args) > 0 {
		if lit, ok := syntax.Unparen(args[0]).(*syntax.StringLit); ok {
			out.Message = lit.Value
		}
	}
	return out
}

// Rules returns the policy's rules in file order. The caller must not change
// them.
func (p *Policy) Rules() []*Rule { return p.rules }

// An Input describes a parameter of a policy, input.x.
type Input struct {
	Name     string
	Type     Type // "str", "list[str]", …; "any" if it is not declared
	Declared bool // by `input x: type`; others are read, and unknown where not given
	Required bool // declared without a default: a monitor does not start without it
	Default  any  // of one that is declared and not required, a JSON-like Go value
	Fixed    bool // it bounds a count: known when the policy loads, a monitor gives no other value
	Doc      string
}

// Inputs returns the parameters that a monitor may be given, by name.
func (p *Policy) Inputs() []Input {
	var out []Input
	for _, in := range p.program.Check.Inputs {
		x := Input{Name: in.Name, Type: Type(in.TypeName()), Declared: in.Declared, Required: in.Required(), Fixed: in.Fixed, Doc: in.Doc}
		if in.Default != nil {
			x.Default = toGo(in.Default)
		}
		out = append(out, x)
	}
	return out
}

// Warnings returns what the author of the policy should know.
func (p *Policy) Warnings() diag.List { return p.program.Check.Warnings }

// Line returns line n, from 1, of a file of the policy as diagnostics and rules
// name it, without its end; "" if there is none. Imported files are among them.
func (p *Policy) Line(file string, n int) string {
	for _, f := range p.program.Check.Files {
		if f.Source.Name == file {
			return f.Source.Line(n)
		}
	}
	return ""
}

// Explain writes, for each rule, its class, what it can do online and the
// plan by which it is kept up to date.
func (p *Policy) Explain(w io.Writer) error {
	for _, r := range p.rules {
		if _, err := fmt.Fprint(w, explanation(r)); err != nil {
			return err
		}
	}
	return nil
}

// Analyze answers for a whole recorded trace: the violations of all of it. It
// does not change the trace.
func (p *Policy) Analyze(ctx context.Context, t *trace.Trace, opts *MonitorOptions) (Verdict, error) {
	m, err := p.monitor(opts, true)
	if err != nil {
		return Verdict{}, fmt.Errorf("starting a monitor: %w", err)
	}
	return m.Append(ctx, t.Events...)
}
