// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package holdfast

import "iter"

// A Decision is what a verdict comes to. The zero Decision is Deny, so that a
// caller who drops an error still fails closed.
type Decision uint8

// The decisions, worst first.
const (
	Deny    Decision = iota // a raise rule is violated
	Unknown                 // no raise rule is violated, but one could not be decided; blocks
	Ask                     // a person has to approve
	Allow                   // no rule stands against it; warnings may ride along
)

// String returns "deny", "unknown", "ask" or "allow".
func (d Decision) String() string {
	if d > Allow {
		d = Deny
	}
	return [...]string{"deny", "unknown", "ask", "allow"}[d]
}

// A Violation is one assignment of a rule's variables to elements of the
// trace under which all its conditions hold.
type Violation struct {
	Rule     *Rule
	Message  string             // the first argument of the raise expression, as text
	Args     []string           // all its arguments, as text, truncated
	Kwargs   map[string]any     // its keyword arguments, as JSON values, truncated
	Events   []int              // input index for each variable that is a message, call, output or tool, by variable name
	Bindings map[string]Binding // every variable of the rule
	Ranges   []string           // evidence: sorted addresses and spans, `0.content:7-8`
}

// A Binding is what a variable stands for in a violation.
type Binding struct {
	At    string `json:"at"`    // address; "" for a computed element
	Index int    `json:"index"` // its place in what it was drawn from
	Value any    `json:"value"` // as a JSON value, truncated
}

// An UnknownEntry says that assignments of a rule could not be decided, and
// why. There is one for each rule and cause.
type UnknownEntry struct {
	Rule     *Rule
	Line     int                // of the expression that could not be evaluated
	Span     string             // "7:20-29" in the policy file
	Policy   string             // the file
	Address  string             // where in the trace, "" if nowhere
	Bindings map[string]Binding // of the first such assignment
	Events   []int
	Reason   string // stable word: "missing", "type", "budget", …
	Detail   string // a sentence for people
	Count    int    // assignments that have this cause
	AtLeast  bool   // Count is a lower bound
}

// A RuleCount is how often a rule is violated.
type RuleCount struct {
	Rule    *Rule
	N       uint64
	AtLeast bool // counting stopped at a budget; the rule is violated all the same
}

// A Verdict is the answer to one question. The zero Verdict denies. It stays
// right while its monitor goes on, but what it shows is made from the
// monitor's state when it is asked for, so whoever reads it in several
// goroutines, or beside the monitor, needs a lock.
type Verdict struct {
	decision Decision
	result   *result // nil in the zero Verdict
}

// Decision returns the worst of what the rules say.
func (v Verdict) Decision() Decision { return v.decision }

// Allowed reports whether the decision is Allow.
func (v Verdict) Allowed() bool { return v.decision == Allow }

// Reason returns in one line why the decision is what it is: the message of the
// first rule that decides, or what could not be decided about it. It is "" for
// Allow.
func (v Verdict) Reason() string {
	switch {
	case v.decision == Allow:
		return ""
	case v.result == nil:
		return "there is no verdict"
	}
	return v.result.reason(v.decision)
}

// Violations returns the first 100 violations of each rule, rule by rule, in
// trace order.
func (v Verdict) Violations() []Violation { return v.result.first() }

// All returns every violation of the rule with the given index, in trace
// order. It may be long; it is made as it is consumed.
func (v Verdict) All(rule int) iter.Seq[Violation] { return v.result.all(rule) }

// Counts returns the rules that are violated and how often.
func (v Verdict) Counts() []RuleCount { return v.result.counts() }

// Unknowns returns what could not be decided.
func (v Verdict) Unknowns() []UnknownEntry { return v.result.unknowns() }

// Asking returns the rules for which a person has to be asked, in the order of
// the policy. An Approval has to name all of them, by ID, and the digest of
// the pending events, trace.Digest. There are such rules under a decision
// worse than Ask, too; no approval helps there.
func (v Verdict) Asking() []*Rule { return v.result.asking() }

// Degraded returns those unknown entries that come to less than their rule's
// verb, because the policy or the operator said so: the guarantee does not
// cover them.
func (v Verdict) Degraded() []UnknownEntry { return v.result.degraded() }
