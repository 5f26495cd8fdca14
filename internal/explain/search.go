// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package explain

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/holdfast-dev/holdfast"
	"github.com/holdfast-dev/holdfast/internal/check"
	"github.com/holdfast-dev/holdfast/internal/value"
	"github.com/holdfast-dev/holdfast/trace"
)

// The bounds of a search: how many changes at one, two and three places are
// tried, and how many of one place take part in those of several.
var (
	maxTries   = [...]int{1200, 1200, 600}
	maxOfPlace = [...]int{0, 24, 8}
)

// maxPlaces bounds the places of the arguments that are changed.
const maxPlaces = 40

// A change puts a value at a place, or leaves it out.
type change struct {
	path []string
	to   *tree // nil: left out
	cost int
	kept int    // characters at the beginning that stay
	good bool   // with it fewer rules stand against the event
	key  string // tells changes apart
}

// A search looks for the smallest change of the arguments of an event with
// which it passes: at the fewest places, then of the fewest characters. It
// tries what the rules compare with, from the smallest change on, and asks the
// engine about each. Of changes of one size those come first that leave more of
// the beginning as it was.
type search struct {
	t       *telling
	ctx     context.Context
	monitor *holdfast.Monitor // before the event
	base    *tree
	roots   [][]string // paths of arguments
	marked  map[string][][2]int
	pool    *pool
	words   []string // of what users said
	rules   int      // that stand against the event
	tried   int

	changes []*change
}

func (t *telling) newSearch(ctx context.Context, m *holdfast.Monitor, i int, v holdfast.Verdict, rules []*check.Rule) (*search, error) {
	e := t.events[i]
	src, err := e.MarshalJSON()
	if err != nil {
		return nil, err
	}
	s := &search{t: t, ctx: ctx, monitor: m, rules: len(rules), marked: map[string][][2]int{}}
	if s.base, err = readTree(src); err != nil {
		return nil, err
	}
	for _, call := range e.Calls() {
		if args := call.Field(value.CallArguments); args != nil {
			s.roots = append(s.roots, strings.Split(value.PathFrom(e.Root(), args), "."))
		}
	}
	_, _, input, err := t.policy.Inside(ctx, t.opts)
	if err != nil {
		return nil, err
	}
	all := slices.Clone(rules)
	for _, r := range t.prog.Rules {
		if !slices.Contains(all, r) {
			all = append(all, r)
		}
	}
	s.pool = newPool(t.prog, all, input)
	s.userWords(i)
	at, _ := value.Address(e.Root())
	for _, x := range v.Violations() {
		for _, r := range x.Ranges {
			s.mark(strings.TrimPrefix(r, at+"."))
		}
	}
	s.collect()
	return s, nil
}

// mark notes a span of a text of the event.
func (s *search) mark(r string) {
	i := strings.LastIndexByte(r, ':')
	if i < 0 {
		return
	}
	var from, to int
	if n, err := fmt.Sscanf(r[i+1:], "%d-%d", &from, &to); n == 2 && err == nil && len(s.marked[r[:i]]) < 20 {
		s.marked[r[:i]] = append(s.marked[r[:i]], [2]int{from, to})
	}
}

// maxWords is how many words of users are tried.
const maxWords = 100

// userWords collects words that users said before event i, the last first:
// rules ask whether a value is theirs.
func (s *search) userWords(i int) {
	for i--; i >= 0; i-- {
		root := s.t.events[i].Root()
		if root.Kind() != value.Message || root.Field(value.MessageRole) == nil || root.Field(value.MessageRole).Text() != "user" {
			continue
		}
		for _, p := range value.Texts(root) {
			for _, w := range strings.Fields(p.Text) {
				w = strings.Trim(w, `.,;:!?()[]{}"'<>`)
				if len(s.words) >= maxWords {
					return
				}
				if w != "" && len(w) < 200 && !slices.Contains(s.words, w) {
					s.words = append(s.words, w)
				}
			}
		}
	}
}

// run returns the smallest changes that pass, nil if none was found: at one
// place, else at two, else at three. Of several places first those changes are
// tried that take a rule away each, then smaller ones than what was found.
func (s *search) run() []*change {
	for _, c := range s.changes[:min(len(s.changes), maxTries[0])] {
		if s.passes([]*change{c}) {
			return []*change{c}
		}
	}
	var good []*change
	for _, c := range s.changes {
		if c.good {
			good = append(good, c)
		}
	}
	for n := 2; n <= len(maxTries); n++ {
		found := s.first(s.choices(good, n), -1)
		most := -1
		if found != nil {
			most = total(found)
		}
		if smaller := s.first(s.choices(s.few(n), n), most); smaller != nil {
			found = smaller
		}
		if found != nil {
			return found
		}
	}
	return nil
}

// first returns the first changes that pass; with most >= 0 smaller ones than
// that.
func (s *search) first(choices [][]*change, most int) []*change {
	for _, changes := range choices {
		if most >= 0 && total(changes) >= most || s.ctx.Err() != nil {
			return nil
		}
		if s.passes(changes) {
			return changes
		}
	}
	return nil
}

// few lists the changes that take part in those of n places: of each place the
// good ones first, then the smallest.
func (s *search) few(n int) []*change {
	var out []*change
	count := map[string]int{}
	take := func(good bool) {
		for _, c := range s.changes {
			if at := strings.Join(c.path, "\x00"); c.good == good && count[at] < maxOfPlace[n-1] {
				count[at]++
				out = append(out, c)
			}
		}
	}
	take(true)
	take(false)
	slices.SortStableFunc(out, func(a, b *change) int { return a.cost - b.cost })
	return out
}

func (s *search) passes(changes []*change) bool {
	s.tried++
	e, err := trace.DecodeEvent(s.changed(changes), nil)
	if err != nil {
		return false
	}
	v, err := s.monitor.Check(s.ctx, e)
	if err == nil && len(changes) == 1 {
		changes[0].good = len(s.t.against(v)) < s.rules
	}
	return err == nil && v.Allowed()
}

// changed is the event with changes.
func (s *search) changed(changes []*change) []byte {
	t := s.base
	for _, c := range changes {
		t = t.with(c.path, c.to)
	}
	return t.compact().append(nil)
}

// choices lists changes at n places, the smallest first.
func (s *search) choices(few []*change, n int) [][]*change {
	var out [][]*change
	// Of a list that is sorted by cost the cheapest choices are at its
	// beginning: as much of it as gives enough.
	limit := len(few)
	for limit > n && choose(limit-1, n) > 20*maxTries[n-1] {
		limit--
	}
	var pick func(from int, chosen []*change)
	pick = func(from int, chosen []*change) {
		if len(chosen) == n {
			out = append(out, slices.Clone(chosen))
			return
		}
		for i := from; i < limit; i++ {
			if apart(few[i], chosen) {
				pick(i+1, append(chosen, few[i]))
			}
		}
	}
	pick(0, nil)
	slices.SortStableFunc(out, func(a, b []*change) int { return total(a) - total(b) })
	return out[:min(len(out), maxTries[n-1])]
}

func choose(n, k int) int {
	out := 1
	for i := range k {
		out = out * (n - i) / (i + 1)
	}
	return out
}

func total(changes []*change) int {
	n := 0
	for _, c := range changes {
		n += c.cost
	}
	return n
}

// apart reports whether a change is at another place than others, and not
// inside of one or around it.
func apart(c *change, others []*change) bool {
	for _, o := range others {
		n := min(len(c.path), len(o.path))
		if slices.Equal(c.path[:n], o.path[:n]) {
			return false
		}
	}
	return true
}

// add notes a change; cost is that of its characters.
func (s *search) add(path []string, old, to *tree) {
	c := &change{path: slices.Clone(path), to: to}
	switch {
	case to == nil:
		c.cost = length(old.String()) + s.keyCost(path)
	case old == nil:
		c.cost = length(to.String()) + s.keyCost(path)
	case old.kind == '"' && to.kind == '"':
		c.cost, c.kept = distance(old.text, to.text), common(old.text, to.text)
	default:
		c.cost, c.kept = distance(old.String(), to.String()), common(old.String(), to.String())
	}
	c.key = strings.Join(path, "\x00") + "\x00\x00"
	if to != nil {
		c.key += to.String()
	}
	s.changes = append(s.changes, c)
}

// common is how many bytes at their beginning two texts have in common.
func common(a, b string) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

// keyCost is what a key costs that comes or goes with its value.
func (s *search) keyCost(path []string) int {
	if t := s.base.at(path[:len(path)-1]); t != nil && t.kind == '[' {
		return 0
	}
	return length(path[len(path)-1]) + 2
}

// collect lists all changes at one place, the smallest first, each once.
func (s *search) collect() {
	places := 0
	var walk func(path []string, t *tree)
	walk = func(path []string, t *tree) {
		if places++; places > maxPlaces {
			return
		}
		s.values(path, t)
		for i, it := range t.items {
			step := fmt.Sprint(i)
			if t.kind == '{' {
				step = t.keys[i]
			}
			at := append(slices.Clone(path), step)
			s.add(at, it, nil)
			walk(at, it)
		}
	}
	for _, root := range s.roots {
		if t := s.base.at(root); t != nil {
			walk(root, t)
		}
	}
	slices.SortStableFunc(s.changes, func(a, b *change) int { return cmp.Or(a.cost-b.cost, b.kept-a.kept, strings.Compare(a.key, b.key)) })
	s.changes = slices.CompactFunc(s.changes, func(a, b *change) bool { return a.key == b.key && (a.to == nil) == (b.to == nil) })
	s.changes = slices.DeleteFunc(s.changes, func(c *change) bool { return c.cost == 0 })
}
