// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package layout

import (
	"fmt"

	"github.com/holdfast-dev/holdfast/internal/value"
)

// pairing links outputs to calls where ids do not.
type pairing struct {
	count   map[string]int // how many calls have an id
	waiting []waiting
	calls   int               // so far
	last    map[string]string // the new id of the call that was answered last, by its old one
}

// waiting is a call that no output has answered yet.
type waiting struct{ was, id string }

// pair gives ids to the calls of a trace that have none or share one, c0, c1, …
// by their number in the trace, and to outputs the id of the call they answer:
// without an id the call that has waited longest, with a shared one the longest
// waiting of those. An id that only one call has stays and is trusted. An
// output that no call waits for stays without.
func pair(list *value.Value) {
	p := pairing{count: make(map[string]int), last: make(map[string]string)}
	if !p.needed(list) {
		return
	}
	for _, it := range list.Items() {
		if isOutput(it) {
			p.output(it)
		}
		for _, c := range callsOf(it) {
			p.call(c)
		}
	}
}

// needed counts the ids of calls and reports whether anything is wrong with
// those of calls or outputs.
func (p *pairing) needed(list *value.Value) bool {
	wrong := false
	for _, it := range list.Items() {
		if isOutput(it) {
			id, ok := idOf(it, "tool_call_id")
			wrong = wrong || ok && id == ""
		}
		for _, c := range callsOf(it) {
			id, ok := idOf(c, "id")
			if !ok {
				continue
			}
			p.count[id]++
			wrong = wrong || id == "" || p.count[id] > 1
		}
	}
	return wrong
}

// call notes a call, under a new id if its own says too little.
func (p *pairing) call(c *value.Value) {
	was, ok := idOf(c, "id")
	w := waiting{was, was}
	if ok && was == "" || p.count[w.was] > 1 {
		w.id = p.fresh()
		set(c, "id", w.id)
	}
	p.calls++
	p.waiting = append(p.waiting, w)
}

// fresh returns an id that no call has.
func (p *pairing) fresh() string {
	id := fmt.Sprintf("c%d", p.calls)
	for p.count[id] > 0 {
		id += "_"
	}
	return id
}

// output gives an output the id of its call.
func (p *pairing) output(out *value.Value) {
	was, ok := idOf(out, "tool_call_id")
	if !ok {
		return
	}
	for i, w := range p.waiting {
		if was == "" || was == w.was {
			p.waiting = append(p.waiting[:i:i], p.waiting[i+1:]...)
			p.last[w.was] = w.id
			answer(out, was, w.id)
			return
		}
	}
	if id, ok := p.last[was]; ok && was != "" {
		answer(out, was, id)
	}
}

func answer(out *value.Value, was, id string) {
	if was != id {
		set(out, "tool_call_id", id)
	}
}

// set gives an object a text under a key.
func set(v *value.Value, key, text string) {
	s := value.StrOf(text)
	if was := v.Get(key); was != nil {
		value.Graft(v, was.Index(), s)
		return
	}
	keys := append([]string{key}, v.Keys()...)
	value.Rearrange(v, keys, append([]*value.Value{s}, v.Items()...))
}

// idOf returns the id that v has under key, "" if it has none; false if it is
// something else than a text.
func idOf(v *value.Value, key string) (string, bool) {
	id := v.Get(key)
	return textOf(id), id == nil || id.Kind() == value.None || id.Kind() == value.Str
}

// textOf returns the text of v, "" if there is none.
func textOf(v *value.Value) string {
	if v == nil {
		return ""
	}
	return v.Text()
}

// isOutput reports whether an entry is the output of a tool.
func isOutput(v *value.Value) bool {
	role := textOf(v.Get("role"))
	return role == "tool" || role == "function"
}

// callsOf returns the calls of an entry, whatever they are, in our shape.
func callsOf(v *value.Value) []*value.Value {
	if v.Kind() != value.Dict {
		return nil
	}
	if calls := v.Get("tool_calls"); calls != nil && calls.Kind() == value.List {
		return calls.Items()
	}
	if v.Get("role") == nil && v.Get("function") != nil {
		return []*value.Value{v}
	}
	return nil
}
