// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

// Package eval keeps the plans of a policy up to date with a trace that
// grows.
//
// A step adds events and says what is new. Each arriving element is handed to
// the groups that its kind and tool concern; what their guards let pass
// becomes a candidate. Then each touched rule says which matches contain a
// new candidate: from its counters, through its indexes, or, for the few
// rules whose matches may go away, by looking at everything again. The step
// is then committed or taken back; taking back costs what it added.
//
// A match is a choice of candidates. Its violation (message, evidence) is
// made only for those that are shown.
package eval

import (
	"context"
	"io/fs"
	"math"

	"github.com/holdfast-dev/holdfast/internal/builtin"
	"github.com/holdfast-dev/holdfast/internal/compile"
	"github.com/holdfast-dev/holdfast/internal/value"
	"github.com/holdfast-dev/holdfast/trace"
)

// Options are the settings of a State.
type Options struct {
	Input  map[string]*value.Value
	Limits builtin.Limits

	// Candidates bounds how many candidates one rule may look at in one step,
	// Steps how many values it may compute for one candidate or question; in
	// all it may compute five times as many. A rule that needs more is unknown
	// in that step, or its matches are counted as "at least". Zero: no bound.
	Candidates int
	Steps      int

	// Kept bounds how many candidates and waiting assignments are kept for all
	// rules. A rule that needs more is unknown from then on. Zero: no bound.
	Kept int

	// TextIndex is from how many candidates on texts are looked up in an index;
	// zero: 64.
	TextIndex int

	// Once says that no step follows the first, so that nothing has to be
	// prepared for one.
	Once bool

	// Shown is how many matches of a rule a result holds; zero: Shown.
	Shown int
}

// A State is a policy and what it keeps about one trace. It is not safe for
// concurrent use.
type State struct {
	prog *Program
	opts Options
	log  trace.Log
	env  compile.Env

	levels []*dispatch
	blocks []blockState // by compile.Block.ID
	rules  []*ruleState
	waits  []*ruleState // rules that are asked at every step

	searched []*memory // groups with texts to index
	begun    bool      // a step was committed
	kept     int       // candidates and waiting assignments
	keptMark int       // before the step under way
	found    []finding // by slot

	epoch   uint64 // of the step under way
	from    int    // events before it
	final   bool   // it is sure to be committed
	touched []undoer
	undos   []func()
	hot     []*ruleState // touched in this step
	slab    []cand
	chunk   int        // candidates in the last slab
	nothing Result     // what a step brings that no rule cares for
	payer   *ruleState // whose budget is in use
	spent   bool       // the budget of the rule being looked at is used up
	left    int        // candidates left to it
}

// blockState is what is kept for one block.
type blockState struct {
	mems    []*memory // by group
	rule    *ruleState
	forall  bool
	touched uint64 // last step that added a candidate
}

// undoer is something that can take back what the step under way added.
type undoer interface{ undo() }

// A Program is a compiled policy with its dispatch tables. It is immutable
// and shared by all states.
type Program struct {
	*compile.Program
	levels []*dispatch // by depth of block
	moves  map[*compile.Block][]move
	subs   map[*compile.Block]*compile.Sub
	within [][]int // by rule: the blocks under it

	patterns  *builtin.Patterns // compiled once for all states
	detectors *builtin.Detectors
	workspace fs.FS
}

// NewState returns the state of an empty trace.
func NewState(p *Program, opts Options) *State { return newState(p, opts, nil) }

// newState returns a state that knows only the rule only, all if it is nil.
func newState(p *Program, opts Options, only *compile.Rule) *State {
	if opts.Shown == 0 {
		opts.Shown = Shown
	}
	if opts.TextIndex == 0 {
		opts.TextIndex = few
	}
	s := &State{prog: p, opts: opts, epoch: 1, levels: p.levels, found: make([]finding, p.Slots)}
	if only != nil {
		s.levels = dispatches(p.Program, only.Blocks())
	}
	s.env = compile.Env{
		Slots:    make([]*value.Value, p.Slots),
		B:        p.Env(context.Background(), opts.Limits),
		Input:    opts.Input,
		Quant:    s,
		Texts:    compile.NewScans(p.Literals),
		Before:   ^uint64(0),
		MaxSteps: opts.Steps,
	}
	s.blocks = make([]blockState, len(p.Blocks))
	mems := newMemories(p)
	for i, b := range p.Blocks {
		s.blocks[i].mems = mems[i]
		for _, m := range s.blocks[i].mems {
			if m.searched() {
				s.searched = append(s.searched, m)
			}
		}
		s.blocks[i].forall = p.subs[b] != nil && p.subs[b].Kind == forall
	}
	for i, r := range p.Rules {
		if only != nil && r != only {
			continue
		}
		rs := newRuleState(s, i, r)
		s.rules = append(s.rules, rs)
		for _, id := range p.within[i] {
			s.blocks[id].rule = rs
		}
		if r.Plan == compile.Whole {
			s.waits = append(s.waits, rs)
		}
	}
	return s
}

// newMemories makes the memories of all blocks, by block. Where equal keys
// alone join a block, its buckets are the index.
func newMemories(p *Program) [][]*memory {
	total, keys := 0, 0
	for _, b := range p.Blocks {
		total += len(b.Groups)
		for _, g := range b.Groups {
			keys += len(g.Keys)
		}
	}
	slab, all := make([]memory, total), make([]*memory, total)
	x := indexes{eq: make([]*eqIndex, keys), text: make([]*texts, keys)}
	for i := range slab {
		all[i] = &slab[i]
	}
	out := make([][]*memory, len(p.Blocks))
	for i, b := range p.Blocks {
		out[i], all = all[:len(b.Groups):len(b.Groups)], all[len(b.Groups):]
		for k, g := range b.Groups {
			out[i][k].index(g, b.Partition == nil, &x)
		}
	}
	return out
}

// indexes are places for the indexes of all groups, made at once: a state is
// made for each trace, and most of its groups stay empty.
type indexes struct {
	eq   []*eqIndex
	text []*texts
}

// index makes the indexes of a group.
func (m *memory) index(g *compile.Group, hash bool, x *indexes) {
	n := len(g.Keys)
	m.eq, x.eq = x.eq[:n:n], x.eq[n:]
	m.text, x.text = x.text[:n:n], x.text[n:]
	for k, key := range g.Keys {
		switch {
		case key.Text:
			m.text[k] = &texts{hay: key.Hay}
		case hash:
			m.eq[k] = &eqIndex{}
		}
	}
}

// Fresh returns the state of an empty trace that knows one rule of the policy,
// has the same settings and the same memory of what functions said, and whose
// results hold every match. It must not be used while s is.
func (s *State) Fresh(only *compile.Rule) *State {
	opts := s.opts
	opts.Shown = math.MaxInt / 2
	f := newState(s.prog, opts, only)
	f.env.B.Memo = s.env.B.Memo
	return f
}

// Recall takes in events that were answered before, for good. What is new
// about them is looked at only by plans that have to remember it, and without
// a budget: it was not all asked at once.
func (s *State) Recall(ctx context.Context, events []*trace.Event) {
	s.add(ctx, events, true)
	for _, r := range s.rules {
		r.recall(s)
	}
	s.Commit()
}

// Log returns the trace so far. The caller must not change it.
func (s *State) Log() *trace.Log { return &s.log }

// Retry makes the next Step ask the detectors that failed once more.
func (s *State) Retry() { s.env.B.Memo.Retry() }

// Step adds events and returns what is new. It must be followed by Commit or
// Rollback before the next Step; with keep set, by Commit.
func (s *State) Step(ctx context.Context, events []*trace.Event, keep bool) *Result {
	s.add(ctx, events, keep)
	return s.answer(len(events) > 0)
}

// add shows events to the groups that they concern.
func (s *State) add(ctx context.Context, events []*trace.Event, keep bool) {
	s.epoch++
	s.final = keep
	s.env.B.Context = ctx
	s.touched, s.undos, s.hot = s.touched[:0], s.undos[:0], s.hot[:0]
	s.keptMark = s.kept
	from := s.log.Len()
	s.from = from
	for _, e := range events {
		s.log.Append(e)
	}
	for depth := len(s.levels) - 1; depth >= 0; depth-- {
		for i := from; i < s.log.Len(); i++ {
			s.insert(s.levels[depth], s.log.At(i))
			if depth == 0 {
				s.countEvent()
			}
		}
	}
}

// Commit keeps what the last Step added.
func (s *State) Commit() {
	s.begun = true
	for _, r := range s.hot {
		r.commit(s)
	}
	if !s.opts.Once {
		for _, m := range s.searched {
			m.indexTexts(s)
		}
	}
	clear(s.touched)
	clear(s.undos)
	s.touched, s.undos = s.touched[:0], s.undos[:0]
}

// Rollback takes back what the last Step added.
func (s *State) Rollback() {
	for i := len(s.touched) - 1; i >= 0; i-- {
		s.touched[i].undo()
	}
	for i := len(s.undos) - 1; i >= 0; i-- {
		s.undos[i]()
	}
	s.log.Truncate(s.from)
	s.kept = s.keptMark
	clear(s.found)
	clear(s.touched)
	clear(s.undos)
	s.touched, s.undos = s.touched[:0], s.undos[:0]
}

// undoing registers f to be run if the step under way is taken back.
func (s *State) undoing(f func()) {
	if !s.final {
		s.undos = append(s.undos, f)
	}
}

// answer asks every rule that the step may have changed.
func (s *State) answer(any bool) *Result {
	if !s.begun {
		for _, r := range s.rules {
			s.heat(r)
		}
	}
	if any {
		for _, r := range s.waits {
			s.heat(r)
		}
	}
	res := &s.nothing
	before := uint64(s.log.Slots()) << 32
	for _, r := range s.hot {
		rr := r.answer(s, before)
		if rr == nil {
			continue
		}
		if res == &s.nothing {
			res = &Result{}
		}
		res.Rules = append(res.Rules, rr)
	}
	res.sort()
	return res
}

// heat notes that a rule has something to say in this step.
func (s *State) heat(r *ruleState) {
	if r.epoch != s.epoch {
		r.epoch = s.epoch
		s.hot = append(s.hot, r)
	}
}
