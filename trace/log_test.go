// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package trace

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/holdfast-dev/holdfast/internal/value"
)

// randomEvent draws from few ids, so that they repeat, are missing and match.
func randomEvent(r *rand.Rand) *Event {
	id := []string{"", "a", "b", "c"}[r.IntN(4)]
	switch r.IntN(5) {
	case 0:
		return UserText("hi")
	case 1:
		return Call(id, "f", nil)
	case 2:
		return Calls("", CallSpec{ID: id, Name: "g"}, CallSpec{ID: []string{"", "a", "d"}[r.IntN(3)], Name: "h"})
	case 3:
		e, _ := ListTools("", ToolSpec{Name: "x"}, ToolSpec{Name: "y"})
		return e
	}
	return Output(id, "out")
}

// naiveLinks says for each output of the log which call it answers, by looking
// back through the log.
func naiveLinks(l *Log) []*value.Value {
	var calls, links []*value.Value
	answered := map[*value.Value]bool{}
	for i := range l.Len() {
		e := l.At(i)
		if e.Kind() == value.ToolOutput {
			link := naiveLink(calls, answered, e.Root())
			if link != nil {
				answered[link] = true
			}
			links = append(links, link)
		}
		calls = append(calls, e.Calls()...)
	}
	return links
}

func naiveLink(calls []*value.Value, answered map[*value.Value]bool, out *value.Value) *value.Value {
	if id := out.Field(value.OutputCallID); id != nil {
		for _, c := range slices.Backward(calls) {
			if cid := c.Field(value.CallID); cid != nil && cid.Text() == id.Text() {
				return c
			}
		}
		return nil
	}
	var open []*value.Value
	for _, c := range calls {
		if !answered[c] {
			open = append(open, c)
		}
	}
	if len(open) == 1 {
		return open[0]
	}
	return nil
}

func links(l *Log) []*value.Value {
	var out []*value.Value
	for i := range l.Len() {
		if e := l.At(i); e.Kind() == value.ToolOutput {
			out = append(out, e.Root().Link())
		}
	}
	return out
}

func TestLogLinks(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		var l Log
		for range 30 {
			switch r.IntN(4) {
			case 0:
				l.Truncate(max(0, l.Len()-r.IntN(4)))
			default:
				l.Append(randomEvent(r))
			}
			if !slices.Equal(links(&l), naiveLinks(&l)) {
				t.Fatal("links differ from those of a look back")
			}
		}
		checkSlots(t, &l)
		l.Truncate(0)
		if l.slots != 0 || len(l.calls) != 0 || len(l.byID) != 0 || l.open != 0 || l.openSum != 0 {
			t.Fatalf("an empty log holds %+v", l)
		}
	}
}

func checkSlots(t *testing.T, l *Log) {
	t.Helper()
	next := uint64(0)
	for i := range l.Len() {
		if at, ok := value.PlaceOf(l.At(i).Root()); !ok || at.Index != i || uint64(at.Slot) != next {
			t.Fatalf("event %d is placed at %+v, want slot %d", i, at, next)
		}
		for _, typ := range []*value.Type{value.MessageType, value.ToolOutputType, value.ToolCallType, value.ToolType} {
			Elements(l.At(i), typ, func(v *value.Value) bool {
				if p, ok := value.Position(v); !ok || p != next<<32 || !value.IsSlot(v) {
					t.Errorf("%s is at %x, want slot %d", v.Kind(), p, next)
				}
				next++
				return true
			})
		}
	}
	if uint64(l.Slots()) != next {
		t.Errorf("%d slots, want %d", l.Slots(), next)
	}
}

func TestLogTruncateIsUndo(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		var l Log
		for range r.IntN(20) {
			l.Append(randomEvent(r))
		}
		before := fmt.Sprintf("%+v %v", struct {
			A, B any
			C, D int
		}{l.calls, l.byID, l.open, l.openSum}, l.slots)
		n := l.Len()
		for range 5 {
			l.Append(randomEvent(r))
		}
		l.Truncate(n)
		after := fmt.Sprintf("%+v %v", struct {
			A, B any
			C, D int
		}{l.calls, l.byID, l.open, l.openSum}, l.slots)
		if before != after || l.Len() != n {
			t.Fatalf("before %s\nafter %s", before, after)
		}
	}
}

func TestLogCopies(t *testing.T) {
	var a, b Log
	e := Calls("x", CallSpec{ID: "1", Name: "f", Arguments: `{"k":[1,{"z":"s"}]}`}, CallSpec{Name: "g", Arguments: "{"})
	if a.Append(e) != e {
		t.Fatal("the first log copied the event")
	}
	twice := a.Append(e)
	if twice == e {
		t.Fatal("an event stands in a log twice")
	}
	a.Truncate(0)
	if a.Append(UserText("first")); a.Append(e) != e {
		t.Error("an event was copied when it came again")
	}
	other := b.Append(e)
	if other == e || other.Root() == e.Root() {
		t.Fatal("an event stands in two logs")
	}
	x, _ := e.MarshalJSON()
	y, _ := other.MarshalJSON()
	if string(x) != string(y) || len(other.Problems()) != 1 || len(other.Calls()) != 2 {
		t.Errorf("the copy is %s with %v, want %s", y, other.Problems(), x)
	}
	checkTree(t, other.Root())
	for _, want := range []string{"0.tool_calls.0.function.arguments.k.1.z", "1.tool_calls.0.function.arguments.k.1.z"} {
		ev := other
		if want[0] == '1' {
			ev = e
		}
		z := ev.Calls()[0].Field(value.CallArguments).Get("k").Items()[1].Get("z")
		if at, _ := value.Address(z); at != want {
			t.Errorf("got %s, want %s", at, want)
		}
	}
}

// checkTree checks that every part knows its parent.
func checkTree(t *testing.T, v *value.Value) {
	t.Helper()
	for i, it := range v.Items() {
		if it.Parent() != v || it.Index() != i {
			t.Errorf("%s is not part %d of its parent", value.Path(it), i)
		}
		checkTree(t, it)
	}
}

func TestCopyHasNoLink(t *testing.T) {
	var a, b Log
	a.Append(Call("1", "f", nil))
	out := a.Append(Output("1", "x"))
	if out.Root().Link() != a.At(0).Root() {
		t.Fatal("no link")
	}
	if c := b.Append(out); c.Root().Link() != nil {
		t.Error("a copy has the link of its original")
	}
}

// TestLogsShareEvents runs logs side by side over the same events; the race
// detector watches.
func TestLogsShareEvents(t *testing.T) {
	events := []*Event{Call("1", "f", map[string]any{"a": 1}), Output("1", "x"), UserText("hi")}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			var l Log
			for range 50 {
				for _, e := range events {
					l.Append(e)
				}
				if l.At(1).Root().Link() != l.At(0).Root() {
					t.Error("wrong link")
				}
				l.Truncate(0)
			}
		})
	}
	wg.Wait()
}

func TestAppendAllocates(t *testing.T) {
	var l Log
	events := []*Event{Call("1", "f", nil), Output("1", "x"), UserText("hi"), Calls("", CallSpec{ID: "1", Name: "g"})}
	run := func() {
		for _, e := range events {
			l.Append(e)
		}
		l.Truncate(0)
	}
	run()
	if n := testing.AllocsPerRun(100, run); n != 0 {
		t.Errorf("Append and Truncate allocate %v times", n)
	}
}

func BenchmarkLog(b *testing.B) {
	var l Log
	for i := range 10000 {
		l.Append(Call(fmt.Sprint(i), "f", nil))
		l.Append(Output(fmt.Sprint(i), "x"))
	}
	pending := []*Event{Call("x", "f", nil), Output("x", "y")}
	b.ReportAllocs()
	for b.Loop() {
		n := l.Len()
		for _, e := range pending {
			l.Append(e)
		}
		l.Truncate(n)
	}
}
