// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package explain

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/holdfast-dev/holdfast"
	"github.com/holdfast-dev/holdfast/diag"
	"github.com/holdfast-dev/holdfast/internal/builtin"
	"github.com/holdfast-dev/holdfast/internal/check"
	"github.com/holdfast-dev/holdfast/internal/spec"
	"github.com/holdfast-dev/holdfast/internal/value"
	"github.com/holdfast-dev/holdfast/syntax"
	"github.com/holdfast-dev/holdfast/trace"
)

// An Expression is what Value evaluates.
type Expression struct {
	Text    string
	Vars    map[string]string // addresses that names stand for
	Policy  holdfast.Source   // whose imports, predicates, constants and parameters it may name; or the zero Source
	Options holdfast.Options
	Monitor *holdfast.MonitorOptions
	Max     int // results; 0: 100
}

// A Result is the value of an expression under one assignment of the variables
// that it declares.
type Result struct {
	Elements []Element `json:"elements,omitempty"`
	Value    string    `json:"value,omitempty"`   // as JSON, as it may be shown; "" if it is unknown
	Causes   []*Cause  `json:"unknown,omitempty"` // why it is unknown
	Ranges   []string  `json:"ranges,omitempty"`  // what is evidence, if it is true
}

// Values are the results of an expression.
type Values struct {
	Results []*Result `json:"results"`
	More    bool      `json:"more"`           // there are more
	None    string    `json:"none,omitempty"` // why there are none
}

// maxResults is how many results there are by default, and maxEvaluated how many
// assignments are looked at for them.
const (
	maxResults   = 100
	maxEvaluated = 200_000
	maxAbout     = 20 // events that a value without variables may be of
)

// Value evaluates an expression over a trace. The error is a diag.List if the
// expression does not load.
func Value(ctx context.Context, x *Expression, run *trace.Trace) (*Values, error) {
	t := &telling{opts: x.Monitor}
	log := &trace.Log{}
	for _, e := range run.Events {
		t.events = append(t.events, log.Append(e))
	}
	bound := map[string]*value.Value{}
	for name, at := range x.Vars {
		v := t.at(at)
		if v == nil {
			return nil, fmt.Errorf("reading --var %s: nothing stands at %q", name, t.plainAddress(at))
		}
		if typeOf(v) == "" {
			return nil, fmt.Errorf("reading --var %s: no variable can stand for %q", name, t.plainAddress(at))
		}
		bound[name] = v
	}
	both, err := x.compile(bound)
	if err != nil {
		return nil, err
	}
	t.policy = both
	prog, env, input, err := both.Inside(ctx, x.Monitor)
	if err != nil {
		return nil, err
	}
	t.prog = prog
	res := spec.Evaluate(prog, t.events, &spec.Options{Input: input, Env: env, MaxAssignments: maxEvaluated})
	return t.results(res, bound, x.Max), nil
}

// plainAddress is an address as it was given, without control characters.
func (t *telling) plainAddress(at string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' {
			return -1
		}
		return r
	}, at)
}

// results takes the results of the first rule, which has the value, and those of
// the second, which asks whether it is true.
func (t *telling) results(res *spec.Result, bound map[string]*value.Value, most int) *Values {
	if most <= 0 {
		most = maxResults
	}
	first := res.Rules[0]
	ranges := map[string][]string{}
	if len(res.Rules) > 1 {
		for _, m := range res.Rules[1].True {
			ranges[m.Key()] = m.Ranges
		}
	}
	out := &Values{Results: []*Result{}}
	for _, m := range slices.Concat(first.True, first.Unknown) {
		if m.Vars == nil && len(m.Causes) > 0 && len(first.Rule.Body.Vars) > 0 {
			out.More = true // the assignments were too many
			continue
		}
		if !stands(first.Rule.Body.Vars, m.Vars, bound) {
			continue
		}
		if len(out.Results) == most {
			out.More = true
			break
		}
		r := &Result{Elements: t.elements(first.Rule.Body.Vars, m.Vars)}
		if len(m.Vars) == 0 {
			t.about = t.events[:min(len(t.events), maxAbout)]
		}
		r.Ranges = t.addresses(ranges[m.Key()])
		causes := m.Causes
		if len(m.Kwargs) > 0 {
			if v := m.Kwargs[0]; v.Kind() != value.Unknown {
				r.Value = t.show(v)
			} else {
				causes = v.Causes()
			}
		}
		for _, c := range causes {
			x := &Cause{Reason: string(c.Reason), Detail: t.masked(c.Detail), Count: 1}
			if c.At != nil {
				at, _ := value.Address(c.At)
				x.Address = t.address(at)
			}
			r.Causes = append(r.Causes, x)
		}
		out.Results = append(out.Results, r)
	}
	if len(out.Results) == 0 && !out.More {
		out.None = t.nothing(first.Rule)
	}
	return out
}

// stands reports whether the variables that were given stand for what they
// should.
func stands(vars []*check.Var, vs []*value.Value, bound map[string]*value.Value) bool {
	for i, v := range vars {
		if want := bound[v.Name]; want != nil && (i >= len(vs) || vs[i] != want) {
			return false
		}
	}
	return true
}

// typeOf is the type of which a variable that stands for v is, "" if none is.
func typeOf(v *value.Value) string {
	switch v.Kind() {
	case value.Message:
		return "Message"
	case value.ToolCall:
		return "ToolCall"
	case value.ToolOutput:
		return "ToolOutput"
	case value.Tool:
		return "Tool"
	case value.ToolParameter:
		return "ToolParameter"
	case value.TextChunk:
		return "TextChunk"
	case value.Image:
		return "Image"
	case value.Str:
		return "str"
	case value.Int:
		return "int"
	case value.Float:
		return "float"
	case value.Bool:
		return "bool"
	case value.List:
		return "list"
	case value.Dict:
		return "dict"
	}
	return ""
}

// held is the name of the binding that stands for the expression.
const held = "it__value"

// compile makes a policy of an expression: a rule whose message has its value,
// and one that asks whether it is true, where it may be asked.
func (x *Expression) compile(bound map[string]*value.Value) (*holdfast.Policy, error) {
	var vars strings.Builder
	for _, name := range sorted(bound) {
		fmt.Fprintf(&vars, "    (%s: %s)\n", name, typeOf(bound[name]))
	}
	value := "raise PolicyViolation(\"value\", value=" + held + ") if:\n    " + held + " := (\n" + x.Text + "\n    )\n    True\n" + vars.String()
	truth := "raise \"truth\" if:\n    " + held + " := (\n" + x.Text + "\n    )\n    " + held + "\n" + vars.String()
	around, err := x.around()
	if err != nil {
		return nil, err
	}
	try := func(text string) (*holdfast.Policy, error) {
		src := x.Policy
		src.Text = []byte(text + around)
		src.Name = "expression"
		return holdfast.CompileAll([]holdfast.Source{src}, &x.Options)
	}
	p, err := try(value)
	if err != nil {
		return nil, err
	}
	if both, err := try(value + truth); err == nil {
		return both, nil
	}
	return p, nil
}

// around is what the expression may name: the policy without its rules, and the
// functions of the library that nothing else defines.
func (x *Expression) around() (string, error) {
	text := x.Policy.Text
	file, list := syntax.Parse(diag.NewFile(x.Policy.Name, text))
	if list.HasErrors() {
		return "", list
	}
	defined := map[string]bool{}
	var b strings.Builder
	for _, st := range file.Stmts {
		switch st := st.(type) {
		case *syntax.Rule, *syntax.RuleImport, *syntax.BadStmt:
			continue
		case *syntax.Import:
			if st.As != nil {
				defined[st.As.Name] = true
			} else {
				name, _, _ := strings.Cut(st.Module, ".")
				defined[name] = true
			}
		case *syntax.FromImport:
			for _, n := range st.Names {
				defined[n.As.Name] = true
			}
		case *syntax.Const:
			defined[st.Name.Name] = true
		case *syntax.Predicate:
			defined[st.Name.Name] = true
		case *syntax.Input:
			defined[st.Name.Name] = true
		}
		b.WriteString(st.Span().Text() + "\n")
	}
	return b.String() + x.imports(defined), nil
}

// imports brings the functions of the library that an expression names without
// an import.
func (x *Expression) imports(defined map[string]bool) string {
	file, _ := syntax.Parse(diag.NewFile("expression", []byte("raise \"\" if:\n    x := (\n"+x.Text+"\n    )\n    True\n")))
	var b strings.Builder
	syntax.Walk(file, func(n syntax.Node) bool {
		id, ok := n.(*syntax.Ident)
		if !ok || defined[id.Name] || builtin.Universe()[id.Name] != nil {
			return true
		}
		if _, given := x.Vars[id.Name]; given {
			return true
		}
		for _, path := range builtin.ModulePaths() {
			if m := builtin.LookupModule(path); m.Funcs[id.Name] != nil {
				defined[id.Name] = true
				b.WriteString("from " + path + " import " + id.Name + "\n")
				return true
			}
		}
		if m := builtin.LookupModule(id.Name); m != nil {
			defined[id.Name] = true
			b.WriteString("import " + id.Name + "\n")
		}
		return true
	})
	return b.String()
}

func sorted[V any](m map[string]V) []string {
	var out []string
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}
