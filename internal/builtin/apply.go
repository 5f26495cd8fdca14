// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package builtin

import (
	"crypto/sha256"
	"encoding/binary"
	"math"
	"slices"

	"github.com/holdfast-dev/holdfast/internal/value"
)

// Apply calls f with one argument for each of its parameters, defaults filled
// in and those of a Rest parameter as a List. No argument is Unknown. The
// results of detectors are remembered by what they looked at, those of
// effectful functions for the life of env.Memo, so that asking again gives the
// same answer.
func Apply(f *Func, args []*value.Value, env *Env) *value.Value {
	if f.Impl == nil {
		return value.Trouble(value.NotProvided, nil, "the function "+f.Name+" has no implementation in this version")
	}
	if f.Kind == Pure || env == nil || env.Memo == nil {
		return f.limit(f.Impl(&Call{Func: f, Args: args, Env: env}), env)
	}
	memo := env.Memo.results(f.Kind)
	key := sha256.Sum256(appendKey(nil, f, args))
	r, ok := memo[key]
	switch {
	case ok:
	case f.Kind == Effect && env.Memo.full():
		return value.Trouble(value.Budget, nil, "effectful functions were called too often to remember what they said")
	default:
		r = f.run(args, env)
		memo[key] = r
		if f.Kind == Effect {
			env.Memo.held += sizeOf(r.value)
		}
		if r.failed() && (f.Kind == Detector || f.Asks != "") {
			env.Memo.failed = append(env.Memo.failed, key)
		}
	}
	r.mark(f, args, env.marks())
	return r.value
}

// Retry forgets the detectors' failures, so that they are asked again. Within
// one step they are not: all that the step says of a text is the same, and a
// detector that hangs is waited for once.
func (m *Memo) Retry() {
	for _, key := range m.failed {
		delete(m.detected, key)
		delete(m.effects, key)
	}
	m.failed = m.failed[:0]
}

// full reports whether there is no place for one more result of an effectful
// function. Such results are never forgotten: the world may say something else
// the second time, and what was allowed would not be what was checked.
func (m *Memo) full() bool {
	return len(m.effects) >= maxEffects || m.held >= maxHeld
}

// sizeOf is about how many bytes a result takes.
func sizeOf(v *value.Value) int {
	n := 128 + len(v.Text())
	for _, k := range v.Keys() {
		n += len(k)
	}
	for _, it := range v.Items() {
		n += sizeOf(it)
	}
	return n
}

// limit turns a result that is too large into an Unknown value.
func (f *Func) limit(v *value.Value, env *Env) *value.Value {
	lim := env.limits()
	switch {
	case v == nil:
		return value.Trouble(value.Failed, nil, "the function "+f.Name+" gave no result")
	case v.Kind() == value.Str && len(v.Text()) > lim.value():
		return tooLarge()
	case !value.Placed(v) && len(v.Items()) > lim.items():
		return tooLarge()
	}
	return v
}

// A result is what a detector or effectful function answered, with its
// evidence in terms of the texts of its arguments: another call with equal
// arguments has its evidence elsewhere.
type result struct {
	value *value.Value
	marks []mark
}

// failed reports whether the function might have answered at another time.
func (r *result) failed() bool {
	v := r.value
	if more := unfinished(v); more != nil {
		v = more
	}
	return slices.ContainsFunc(v.Causes(), func(c value.Cause) bool { return c.Reason == value.Failed || c.Reason == value.Timeout })
}

// A callKey is the hash of a function and its arguments: those may be large,
// and what was only checked must not stay in memory.
type callKey [sha256.Size]byte

// mark is a span of text number text of argument number arg.
type mark struct{ arg, text, start, end int }

// run calls f with marks of its own.
func (f *Func) run(args []*value.Value, env *Env) *result {
	own := *env
	own.Marks, own.Work = &Marks{}, 0
	r := &result{value: f.limit(f.Impl(&Call{Func: f, Args: args, Env: &own}), env)}
	env.spend(own.Work)
	if len(own.Marks.Spans()) == 0 {
		return r
	}
	at := places(f, args)
	for _, s := range own.Marks.Spans() {
		if m, ok := at[s.At]; ok {
			m.start, m.end = s.Start, s.End
			r.marks = append(r.marks, m)
		}
	}
	return r
}

// places returns where the texts are that spans can be in.
func places(f *Func, args []*value.Value) map[*value.Value]mark {
	at := map[*value.Value]mark{}
	for i, a := range args {
		for j, p := range lookedAt(f, a) {
			if _, ok := at[p.At]; !ok {
				at[p.At] = mark{arg: i, text: j}
			}
		}
	}
	return at
}

// lookedAt returns the texts in an argument that evidence can be in.
func lookedAt(f *Func, v *value.Value) []part {
	if v.Kind() == value.None {
		return nil
	}
	parts, trouble := f.parts(v)
	if trouble != nil {
		return nil
	}
	return parts
}

// mark records the evidence at the place of args.
func (r *result) mark(f *Func, args []*value.Value, to *Marks) {
	if !to.on() || len(r.marks) == 0 {
		return
	}
	texts := make([][]part, len(args))
	for i, a := range args {
		texts[i] = lookedAt(f, a)
	}
	for _, m := range r.marks {
		if m.text < len(texts[m.arg]) {
			to.Mark(texts[m.arg][m.text].At, m.start, m.end)
		}
	}
}

// results returns the table for a kind of function.
func (m *Memo) results(kind FuncKind) map[callKey]*result {
	if kind == Effect {
		if m.effects == nil {
			m.effects = make(map[callKey]*result)
		}
		return m.effects
	}
	if m.detected == nil || len(m.detected) >= maxDetected {
		m.detected = make(map[callKey]*result)
	}
	return m.detected
}

// appendKey appends a key for a call that no other call has: every piece with
// its kind and its length.
func appendKey(dst []byte, f *Func, args []*value.Value) []byte {
	dst = appendPiece(dst, 'f', f.Module)
	dst = appendPiece(dst, 'f', f.Name)
	for _, g := range f.given {
		dst = appendKey(dst, g, nil)
	}
	for _, a := range args {
		dst = appendValueKey(dst, a)
	}
	return dst
}

func appendPiece(dst []byte, kind byte, s string) []byte {
	dst = append(dst, kind)
	dst = binary.AppendUvarint(dst, uint64(len(s)))
	return append(dst, s...)
}

func appendValueKey(dst []byte, v *value.Value) []byte {
	k := v.Kind()
	switch {
	case k == value.Float:
		return binary.BigEndian.AppendUint64(append(dst, byte(k)), math.Float64bits(v.Float()))
	case k == value.Str:
		return appendPiece(dst, byte(k), v.Text())
	case k == value.List || k == value.Tuple || k == value.Content:
		dst = binary.AppendUvarint(append(dst, byte(k)), uint64(len(v.Items())))
		for _, it := range v.Items() {
			dst = appendValueKey(dst, it)
		}
		return dst
	case k == value.Dict:
		dst = binary.AppendUvarint(append(dst, byte(k)), uint64(len(v.Items())))
		for i, it := range v.Items() {
			dst = appendPiece(dst, byte(value.Str), v.Keys()[i])
			dst = appendValueKey(dst, it)
		}
		return dst
	}
	return appendPiece(dst, byte(k), string(value.AppendJSON(nil, v)))
}
