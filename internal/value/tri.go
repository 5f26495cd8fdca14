// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package value

// Tri is a truth value of Kleene's three-valued logic. The constants are
// ordered, so that "and" is the minimum and "or" the maximum.
type Tri uint8

// The three truth values.
const (
	False Tri = iota
	Unsure
	True
)

// Not returns the negation of t.
func (t Tri) Not() Tri { return True - t }

// TriOf returns True or False.
func TriOf(b bool) Tri {
	if b {
		return True
	}
	return False
}

// String returns "false", "unknown" or "true".
func (t Tri) String() string { return [...]string{"false", "unknown", "true"}[t] }

// A Reason says why something is unknown. It is stable: outputs print it.
type Reason string

// The reasons.
const (
	Missing      Reason = "missing"      // a member, key or index that is not there
	TypeError    Reason = "type"         // an operation on a kind that does not have it
	Ordering     Reason = "ordering"     // kinds that have no order between them
	NoParameter  Reason = "parameter"    // input.x that the caller did not give
	NoLink       Reason = "link"         // an output whose call is not known
	NoServer     Reason = "server"       // a server name that is not known
	BadText      Reason = "text"         // text that is no JSON, lone surrogates
	BadArguments Reason = "arguments"    // a call's arguments that do not parse or are no object
	TooLarge     Reason = "too large"    // beyond a limit on a value
	Arithmetic   Reason = "arithmetic"   // overflow, NaN, a zero divisor
	BadPattern   Reason = "pattern"      // a computed pattern that is none
	NotProvided  Reason = "not provided" // a function that has no implementation here
	Failed       Reason = "failed"       // a detector or effectful function that failed
	Timeout      Reason = "timeout"      // a detector that ran out of time
	Budget       Reason = "budget"       // an evaluation budget used up
)

// A Cause is one reason why a value is unknown.
type Cause struct {
	Reason Reason
	Detail string // for people: `no key "amount"`; may quote policy text, never trace text
	At     *Value // the value it arose at, or nil
	Src    any    // the syntax node that was evaluated; set by the evaluator
}

// Trouble returns an Unknown value with one cause. The evaluator that
// receives it adds the place in the policy with WithSrc.
func Trouble(r Reason, at *Value, detail string) *Value {
	return UnknownOf([]Cause{{Reason: r, Detail: detail, At: at}})
}

// UnknownOf returns an Unknown value with the causes given.
func UnknownOf(causes []Cause) *Value {
	return &Value{kind: Unknown, index: -1, body: &body{more: &more{causes: causes}}}
}

// Causes returns why v is unknown, nil if it is not.
func (v *Value) Causes() []Cause {
	if v.kind != Unknown {
		return nil
	}
	return v.body.more.causes
}

// WithSrc returns v with src set on every cause that has none. It returns v
// itself when there is nothing to set.
func (v *Value) WithSrc(src any) *Value {
	causes := v.Causes()
	for i, c := range causes {
		if c.Src == nil {
			out := append([]Cause(nil), causes...)
			for j := i; j < len(out); j++ {
				if out[j].Src == nil {
					out[j].Src = src
				}
			}
			return UnknownOf(out)
		}
	}
	return v
}

// WithSrcInPlace is WithSrc for an element of a trace that cannot be read: what
// it returns stands where v does, so that a flow can tell the order.
func (v *Value) WithSrcInPlace(src any) *Value {
	out := v.WithSrc(src)
	if out == v {
		return v
	}
	c := *v
	c.body = out.body
	return &c
}

// MergeCauses appends to dst those causes of more that dst does not have yet.
// Two causes are the same when node and reason are.
func MergeCauses(dst, more []Cause) []Cause {
next:
	for _, c := range more {
		for _, d := range dst {
			if d.Src == c.Src && d.Reason == c.Reason {
				continue next
			}
		}
		dst = append(dst, c)
	}
	return dst
}
