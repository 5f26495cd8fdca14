// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package explain

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/holdfast-dev/holdfast"
	"github.com/holdfast-dev/holdfast/internal/check"
	"github.com/holdfast-dev/holdfast/internal/value"
	"github.com/holdfast-dev/holdfast/trace"
)

// A Report is what a policy says of a trace.
type Report struct {
	Decision holdfast.Decision // of all of it, looked at once
	Rules    []*Standing
	Blocked  []*Blocked // the calls that do not pass, each after what really happened before
	More     int        // calls that do not pass beyond those
}

// A Standing is how a rule stands to a trace: violated, unknown, or neither,
// and then how near it came.
type Standing struct {
	Rule    *holdfast.Rule
	State   string // "violated", "unknown", "missed"
	Count   uint64 // of violations
	AtLeast bool
	Matches []*Match // the first few
	Causes  []*Cause // of an unknown rule
	Near    *Near
}

// A Match is a violation: what the rule's variables stand for.
type Match struct {
	Message  string    `json:"message"`
	Elements []Element `json:"elements,omitempty"`
	Ranges   []string  `json:"ranges,omitempty"`
}

// A Cause is why a rule is unknown.
type Cause struct {
	Reason   string    `json:"reason"`
	Detail   string    `json:"detail"`
	Address  string    `json:"address,omitempty"`
	Line     int       `json:"line,omitempty"`
	Elements []Element `json:"elements,omitempty"`
	Count    int       `json:"count"`
}

// An Element is what a variable stands for.
type Element struct {
	Name string `json:"name"`         // of the variable
	At   string `json:"at,omitempty"` // address; "" if it stands nowhere
	Text string `json:"text"`         // in a few words
}

// maxMatches is how many violations of a rule are shown.
const maxMatches = 3

// A telling is the work on one trace.
type telling struct {
	policy *holdfast.Policy
	prog   *check.Program
	opts   *holdfast.MonitorOptions
	events []*trace.Event // placed
	nodes  map[string]*value.Value
	about  []*trace.Event // of which pieces must not be shown either
}

// Trace says what a policy says of a trace.
func Trace(ctx context.Context, policy *holdfast.Policy, opts *holdfast.MonitorOptions, run *trace.Trace) (*Report, error) {
	prog, _, _, err := policy.Inside(ctx, opts)
	if err != nil {
		return nil, err
	}
	t := &telling{policy: policy, prog: prog, opts: opts}
	log := &trace.Log{}
	for _, e := range run.Events {
		t.events = append(t.events, log.Append(e))
	}
	verdict, err := policy.Analyze(ctx, run, opts)
	if err != nil {
		return nil, err
	}
	out := &Report{Decision: verdict.Decision()}
	for _, r := range prog.Rules {
		s, err := t.standing(ctx, r, verdict)
		if err != nil {
			return nil, err
		}
		out.Rules = append(out.Rules, s)
	}
	out.Blocked, out.More, err = t.blocked(ctx)
	return out, err
}

func (t *telling) standing(ctx context.Context, r *check.Rule, v holdfast.Verdict) (*Standing, error) {
	s := &Standing{Rule: holdfastRule(t.policy, r)}
	for _, c := range v.Counts() {
		if c.Rule == s.Rule {
			s.State, s.Count, s.AtLeast = "violated", c.N, c.AtLeast
		}
	}
	for _, x := range v.Violations() {
		if x.Rule == s.Rule && len(s.Matches) < maxMatches {
			elements := t.bound(r, x.Bindings)
			s.Matches = append(s.Matches, &Match{x.Message, elements, t.addresses(x.Ranges)})
		}
	}
	for _, u := range v.Unknowns() {
		if u.Rule == s.Rule {
			elements := t.bound(r, u.Bindings)
			s.Causes = append(s.Causes, &Cause{Reason: u.Reason, Detail: t.masked(u.Detail), Address: t.address(u.Address), Line: u.Line, Elements: elements, Count: u.Count})
		}
	}
	switch {
	case s.State != "":
		return s, nil
	case len(s.Causes) > 0:
		s.State = "unknown"
		return s, nil
	}
	s.State = "missed"
	var err error
	s.Near, err = t.nearest(ctx, r)
	return s, err
}

// bound describes the variables of a violation, in the order of the rule.
func (t *telling) bound(r *check.Rule, bindings map[string]holdfast.Binding) []Element {
	var out []Element
	var of []*value.Value
	for _, b := range bindings {
		of = append(of, t.at(b.At))
	}
	t.tell(of...)
	for _, v := range r.Body.Vars {
		b, ok := bindings[v.Name]
		if !ok {
			continue
		}
		e := Element{Name: v.Name, At: t.address(b.At)}
		if x := t.at(b.At); x != nil {
			e.Text = t.describe(x)
		} else {
			e.Text = t.safe(fmt.Sprint(b.Value))
		}
		out = append(out, e)
	}
	return out
}

func (t *telling) elements(vars []*check.Var, vs []*value.Value) []Element {
	var out []Element
	t.tell(vs...)
	for i, v := range vs {
		e := Element{Name: vars[i].Name}
		switch {
		case v == nil:
			e.Text = "nothing"
		default:
			at, _ := value.Address(v)
			e.At = t.address(at)
			e.Text = t.describe(v)
		}
		out = append(out, e)
	}
	return out
}

// at returns what stands at an address, nil if that is not known.
func (t *telling) at(address string) *value.Value {
	if address == "" {
		return nil
	}
	if t.nodes == nil {
		t.nodes = map[string]*value.Value{}
		for _, e := range t.events {
			t.enter(e.Root())
		}
	}
	return t.nodes[address]
}

func (t *telling) enter(v *value.Value) {
	if v == nil {
		return
	}
	if at, ok := value.Address(v); ok && t.nodes[at] == nil {
		t.nodes[at] = v
	}
	for _, it := range v.Items() {
		t.enter(it)
	}
}

// describe says in a few words what an element is.
func (t *telling) describe(v *value.Value) string {
	switch v.Kind() {
	case value.Unknown:
		return "something that cannot be read"
	case value.ToolCall:
		return "call of " + t.callText(v)
	case value.ToolOutput:
		s := "output"
		if call := v.Link(); call != nil {
			s += " of " + t.safe(nameOf(call))
		}
		return s + t.content(v)
	case value.Message:
		role := "message"
		if r := v.Field(value.MessageRole); r != nil {
			role = t.safe(r.Text()) + " message"
		}
		return role + t.content(v)
	case value.Tool:
		if n := v.Field(value.ToolName); n != nil && n.Kind() == value.Str {
			return "tool " + t.safe(n.Text())
		}
	}
	return t.show(v)
}

func nameOf(call *value.Value) string {
	if n := call.Field(value.CallName); n != nil && n.Kind() == value.Str {
		return n.Text()
	}
	return "a tool without a name"
}

func (t *telling) callText(v *value.Value) string {
	s := t.safe(nameOf(v))
	if args := v.Field(value.CallArguments); args != nil && args.Kind() != value.Unknown {
		s += " " + t.show(args)
	}
	return s
}

func (t *telling) content(v *value.Value) string {
	text, ok := value.Concat(v)
	if src := value.TextSource(v); !ok && src != nil {
		text, ok = value.Concat(src)
	}
	if !ok || text == "" {
		return ""
	}
	return ": " + t.safe(text)
}

// maxShown is how many code points of a value of a trace are shown.
const maxShown = 100

// maxMasked is how many bytes of a text are looked at for what must not be
// shown; only the beginning of that is.
const maxMasked = 16 << 10

// show is a value of a trace as JSON, masked and cut: its texts by themselves,
// where escapes do not hide what they are, and all of it, where a key says what
// a text is.
func (t *telling) show(v *value.Value) string {
	if v.Kind() == value.Unknown {
		return "unknown"
	}
	return t.safe(t.json(v, 0))
}

func (t *telling) json(v *value.Value, depth int) string {
	if v == nil {
		return "null"
	}
	items, keys := v.Items(), v.Keys()
	switch {
	case v.Kind() == value.Str:
		return string(value.AppendQuoted(nil, t.masked(v.Text())))
	case depth > 64 || len(items) == 0:
		return t.masked(string(value.AppendJSON(nil, v)))
	}
	var b strings.Builder
	for i, it := range items {
		if b.Len() > maxMasked {
			break
		}
		if i > 0 {
			b.WriteString(", ")
		}
		if i < len(keys) {
			b.Write(value.AppendQuoted(nil, t.masked(keys[i])))
			b.WriteString(": ")
		}
		b.WriteString(t.json(it, depth+1))
	}
	if keys != nil {
		return "{" + b.String() + "}"
	}
	return "[" + b.String() + "]"
}

func (t *telling) masked(s string) string {
	if len(s) > maxMasked {
		s = strings.ToValidUTF8(s[:maxMasked], "")
	}
	return t.policy.Masked(s, t.about...).Text
}

// tell notes the events that what is shown next is about.
func (t *telling) tell(vs ...*value.Value) {
	t.about = nil
	for _, v := range vs {
		if v == nil {
			continue
		}
		if p, ok := value.PlaceOf(v); ok && p.Index < len(t.events) && !slices.Contains(t.about, t.events[p.Index]) {
			t.about = append(t.about, t.events[p.Index])
		}
	}
}

// leastKey is how many characters a key of an address has that may have to be
// hidden.
const leastKey = 6

// steps are the longer keys that every trace has.
var steps = map[string]bool{
	"content": true, "tool_calls": true, "function": true, "arguments": true, "function_call": true, "metadata": true,
	"description": true, "inputSchema": true, "parameters": true, "properties": true, "image_url": true, "required": true,
}

// address makes an address safe to show: keys of arguments are texts of the
// trace too.
func (t *telling) address(at string) string {
	for step := range strings.SplitSeq(at, ".") {
		step, _, _ = strings.Cut(step, ":")
		if len(step) >= leastKey && !steps[step] {
			return t.masked(at)
		}
	}
	return at
}

func (t *telling) addresses(all []string) []string {
	var out []string
	for _, at := range all {
		out = append(out, t.address(at))
	}
	return out
}

// safe hides what must not be shown in a text of a trace, and cuts it.
func (t *telling) safe(s string) string {
	s = strings.Join(strings.Fields(t.masked(s)), " ")
	if utf8.RuneCountInString(s) > maxShown {
		s = string([]rune(s)[:maxShown-1]) + "…"
	}
	return s
}
