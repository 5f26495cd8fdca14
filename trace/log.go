// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package trace

import "github.com/holdfast-dev/holdfast/internal/value"

// A Log is the events of one run in the order in which they happened, with the
// links between outputs and the calls they answer. The zero Log is empty and
// ready to use. It is not safe for concurrent use.
//
// Everything that Append notes can be taken back by Truncate at the cost of
// what is removed, so a Log can look at pending events and forget them.
type Log struct {
	entries []entry
	slots   uint32 // taken so far
	calls   []call // all calls, in order
	byID    map[string]int32

	// The open calls, those without an output: how many, and the sum of their
	// places in calls. When there is one, the sum is its place.
	open    int
	openSum int
}

// entry is an event with what Truncate needs to take it back.
type entry struct {
	event    *Event
	calls    int32 // in Log.calls before it
	answered int32 // the call that it answers, or none
}

const none = -1

// call is a tool call of the log.
type call struct {
	node    *value.Value
	id      string // "" if it has none
	before  int32  // the earlier call with the same id, or none
	outputs int32  // that answer it
}

// Len returns the number of events.
func (l *Log) Len() int { return len(l.entries) }

// At returns event i.
func (l *Log) At(i int) *Event { return l.entries[i].event }

// Slots returns how many slots, see value.Position, the events take up.
func (l *Log) Slots() uint32 { return l.slots }

// Append puts e at the end and returns the event that stands there now: e
// itself, or a copy if e belongs to another log or stands in this one already.
// An event that Truncate has removed from this log is not copied.
func (l *Log) Append(e *Event) *Event {
	if !e.owner.CompareAndSwap(nil, l) && (e.owner.Load() != l || e.standing) {
		e = e.copy()
		e.owner.Store(l)
	}
	e.standing = true
	value.SetPlace(e.root, value.Place{Index: len(l.entries), Slot: l.slots})
	n := entry{event: e, calls: int32(len(l.calls)), answered: none}
	if e.Kind() == value.ToolOutput {
		n.answered = l.answer(e.root)
		value.SetLink(e.root, l.node(n.answered))
	}
	for _, c := range e.Calls() {
		l.addCall(c)
	}
	l.slots += e.slots()
	l.entries = append(l.entries, n)
	return e
}

// answer notes that the output out answers a call and returns that call's
// place, or none.
func (l *Log) answer(out *value.Value) int32 {
	at := l.callOf(out)
	if at == none {
		return none
	}
	c := &l.calls[at]
	if c.outputs++; c.outputs == 1 {
		l.open--
		l.openSum -= int(at)
	}
	return at
}

// node returns the call at a place, nil for none.
func (l *Log) node(at int32) *value.Value {
	if at == none {
		return nil
	}
	return l.calls[at].node
}

// callOf returns the place of the call that out answers: the nearest earlier
// one with its id or, without an id, the only open one.
func (l *Log) callOf(out *value.Value) int32 {
	id, known := idOf(out.Field(value.OutputCallID))
	switch {
	case !known:
	case id != "":
		if at, ok := l.byID[id]; ok {
			return at
		}
	case l.open == 1:
		return int32(l.openSum)
	}
	return none
}

// idOf returns the id in v, "" if there is none; false if it cannot be read.
func idOf(v *value.Value) (id string, known bool) {
	switch {
	case v == nil:
		return "", true
	case v.Kind() == value.Unknown:
		return "", false
	}
	return v.Text(), true
}

func (l *Log) addCall(node *value.Value) {
	at := int32(len(l.calls))
	c := call{node: node, before: none}
	c.id, _ = idOf(node.Field(value.CallID))
	if c.id != "" {
		if l.byID == nil {
			l.byID = make(map[string]int32)
		}
		if b, ok := l.byID[c.id]; ok {
			c.before = b
		}
		l.byID[c.id] = at
	}
	l.calls = append(l.calls, c)
	l.open++
	l.openSum += int(at)
}

// Truncate removes all events from number n on. The log is as it was before
// they were appended; the events keep the place they had until they are
// appended again.
func (l *Log) Truncate(n int) {
	for i := len(l.entries) - 1; i >= n; i-- {
		l.remove(l.entries[i])
		l.entries[i] = entry{}
		l.entries = l.entries[:i]
	}
}

func (l *Log) remove(n entry) {
	for at := len(l.calls) - 1; at >= int(n.calls); at-- {
		l.removeCall(at)
	}
	if n.answered != none {
		c := &l.calls[n.answered]
		if c.outputs--; c.outputs == 0 {
			l.open++
			l.openSum += int(n.answered)
		}
	}
	l.slots -= n.event.slots()
	n.event.standing = false
}

// removeCall removes the last call. No output answers it any more: outputs come
// after their call and have been removed before it.
func (l *Log) removeCall(at int) {
	c := l.calls[at]
	switch {
	case c.id == "":
	case c.before == none:
		delete(l.byID, c.id)
	default:
		l.byID[c.id] = c.before
	}
	l.open--
	l.openSum -= at
	l.calls[at] = call{}
	l.calls = l.calls[:at]
}
