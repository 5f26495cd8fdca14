// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package holdfast

import (
	"fmt"
	"io/fs"
	"time"

	"github.com/holdfast-dev/holdfast/detect"
)

// Options say how a policy is compiled. Nil is fine.
type Options struct {
	// Files is where `from ./lib import p` and `import "./lib"` find lib.gr: the
	// folder of the policy. Nil: such an import does not load. For a folder on disk take
	// (*os.Root).FS, which no symbolic link leads out of; os.DirFS follows
	// them.
	Files fs.FS

	// Functions are the embedder's own, visible in every file.
	Functions []Function

	// Detectors answer the detector functions of the language, by name: "pii",
	// "secrets"; those by other names are asked by detect(…). A function without
	// its detector is unknown when it is called. They are used by several
	// goroutines at once.
	Detectors map[string]detect.Detector

	// Workspace is the folder that the functions of invariant.files read. Nil:
	// calling them is unknown. For a folder on disk take (*os.Root).FS, which no
	// symbolic link leads out of.
	Workspace fs.FS

	// Reveal shows credentials and personal data in messages and bindings. Without
	// it, what the detectors "secrets" and "pii" find there, except days and
	// addresses of the web, is replaced by its kind. Addresses of evidence, and what
	// they point to, are as they are either way.
	Reveal bool

	// Input holds values of parameters that are known when the policy loads, as
	// JSON-like Go values: they take the place of defaults. Those that bound a
	// count can be given here and by an import alone, see Input.Fixed; for others
	// MonitorOptions.Input will do. Names that the policy does not declare, and
	// values of another type, are left to the monitor to refuse.
	Input map[string]any

	// Scripts loads lib.star when lib.gr is not there. See package script.
	Scripts func(name string, src []byte) ([]Function, error)
}

// MonitorOptions say how a policy is applied to a trace. Nil is fine.
type MonitorOptions struct {
	// Input holds the policy's parameters, input.x, as JSON-like Go values.
	// They are fixed for the life of a monitor. One that the policy declares must
	// have its type, and be there if it has no default; if the policy declares
	// all that it reads, others are refused.
	Input map[string]any

	// OnUnknown says what an unknown rule comes to, where the policy does not
	// say it; the zero Outcome is the rule's own verb. OnUnknownRule says it
	// for single rules, by id, and overrides the policy.
	OnUnknown     Outcome
	OnUnknownRule map[string]Outcome

	Limits Limits

	// Now is the clock by which approvals expire. Nil: time.Now.
	Now func() time.Time
}

// An Outcome says what an unknown rule comes to.
type Outcome uint8

// The outcomes. OutcomeAllow weakens the guarantee: verdicts say so, see
// Verdict.Degraded.
const (
	OutcomeVerb  Outcome = iota // what its verb does: raise denies, ask asks, warn warns
	OutcomeDeny                 // blocks, the decision is Unknown
	OutcomeAsk                  // a person has to approve
	OutcomeWarn                 // is reported
	OutcomeAllow                // does not stand in the way
)

// OutcomeOf returns the outcome with a name: "deny", "ask", "warn", "allow",
// or "" for the rule's verb.
func OutcomeOf(name string) (Outcome, bool) {
	for o, n := range outcomeNames {
		if n == name {
			return Outcome(o), true
		}
	}
	return OutcomeVerb, false
}

var outcomeNames = [...]string{"", "deny", "ask", "warn", "allow"}

func (o Outcome) valid() bool { return int(o) < len(outcomeNames) }

// String returns the outcome's name.
func (o Outcome) String() string {
	if !o.valid() {
		return fmt.Sprintf("Outcome(%d)", uint8(o))
	}
	return outcomeNames[o]
}

// Limits bound what a monitor accepts and spends. A zero field takes the
// default beside it.
type Limits struct {
	Events     int // in one trace: 1,000,000
	Bytes      int // of all events of a trace, as they were read: 1 GiB
	Value      int // of one computed value, in bytes: 1 MiB
	Candidates int // that one rule looks at in one step: 2,000,000
	Steps      int // values that one rule computes for one candidate or question: 20,000,000; five times that in one step
	Kept       int // candidates and waiting assignments that all rules keep: 10,000,000
}

func (l Limits) withDefaults() Limits {
	def := func(p *int, n int) {
		if *p <= 0 {
			*p = n
		}
	}
	def(&l.Events, 1_000_000)
	def(&l.Bytes, 1<<30)
	def(&l.Value, 1<<20)
	def(&l.Candidates, 2_000_000)
	def(&l.Steps, 20_000_000)
	def(&l.Kept, 10_000_000)
	return l
}
