// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package compile

// A Fault is a mistake that the evaluation makes on purpose: tests put one in,
// to see that the random cases of package difftest find it. Only a build with
// the tag "faults" has any; in others Faulty is false at compile time and
// nothing of them is left.
type Fault uint8

// The faults. Most are mistakes that were once made, here or elsewhere.
const (
	NoFault             Fault = iota
	FaultDelta                // new candidates of later groups are not new enough
	FaultKeyKind              // equal text makes equal keys: 1, "1" and True
	FaultErrorFalse           // unknown is false
	FaultDrawnDropped         // only the first element that a variable is drawn from
	FaultMessageOnce          // one violation of a rule is enough
	FaultStaleLink            // an output belongs to the last call, whatever its id says
	FaultStaleScan            // what was found in one text is said of another
	FaultSiblings             // the calls of a message have no order
	FaultLooseStrict          // "not after" is "before"
	FaultLateExplain          // an explanation sees what came after the match
	FaultCrossing             // the first of those that crossed is not reported
	FaultWild                 // a key that is not known equals nothing
	FaultUndoCounter          // taking back forgets the counters
	FaultUndoCandidates       // taking back forgets the candidates of an index
	FaultUndoWaiter           // taking back forgets the waiting assignments
	FaultMarks                // what is denied is evidence
	FaultUnsureCounted        // a candidate that is unknown counts as true
	FaultCountReplaced        // a count is replaced, not added to
	FaultBottom               // forall takes an element that may not exist for one
	FaultOrStrict             // an unknown operand hides a true one
	FaultFirstCause           // of several causes only the first is told
	FaultNoLink               // an output without a call is shown to nobody
	FaultAnchor               // a quantifier that looks back counts later elements
	FaultFoundKind            // what was found in a value is said of all types
	FaultWaitingTwice         // what waited is reported at each step
)

var faultNames = [...]string{
	FaultDelta: "delta", FaultKeyKind: "key-kind", FaultErrorFalse: "error-false", FaultDrawnDropped: "drawn-dropped",
	FaultMessageOnce: "message-once", FaultStaleLink: "stale-link", FaultStaleScan: "stale-scan", FaultSiblings: "siblings",
	FaultLooseStrict: "loose-strict", FaultLateExplain: "late-explain", FaultCrossing: "crossing", FaultWild: "wild",
	FaultUndoCounter: "undo-counter", FaultUndoCandidates: "undo-candidates", FaultUndoWaiter: "undo-waiter", FaultMarks: "marks",
	FaultUnsureCounted: "unsure-counted", FaultCountReplaced: "count-replaced", FaultBottom: "bottom", FaultOrStrict: "or-strict",
	FaultFirstCause: "first-cause", FaultNoLink: "no-link", FaultAnchor: "anchor", FaultFoundKind: "found-kind",
	FaultWaitingTwice: "waiting-twice",
}

// String returns the name by which HOLDFAST_FAULT chooses the fault.
func (f Fault) String() string { return faultNames[f] }
