// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package explain

import (
	"math/big"
	"regexp"
	"slices"
	"strconv"

	"github.com/holdfast-dev/holdfast/internal/automata"
	"github.com/holdfast-dev/holdfast/internal/check"
	"github.com/holdfast-dev/holdfast/internal/regex"
	"github.com/holdfast-dev/holdfast/internal/value"
	"github.com/holdfast-dev/holdfast/syntax"
)

// A pool holds what rules compare with, from which changes are made.
type pool struct {
	sets    []*automata.Set
	lengths []*automata.Set // of at least so many characters
	texts   []string
	numbers []string
	keys    []string
	glue    []string
	fold    bool // texts are compared in one case

	seen map[string]bool
}

// The bounds of a pool.
const (
	maxSets    = 48
	maxTexts   = 100
	maxNumbers = 60
	maxKeys    = 30
)

// newPool collects what the conditions of rules compare with; the first rules
// count first.
func newPool(prog *check.Program, rules []*check.Rule, input map[string]*value.Value) *pool {
	p := &pool{seen: map[string]bool{}}
	for _, r := range rules {
		reach(prog, r.Body.Conds, func(n syntax.Node) {
			if c, ok := n.(*syntax.Call); ok && prog.Calls[c].Method != nil {
				name := prog.Calls[c].Method.Name
				p.fold = p.fold || name == "lower" || name == "upper"
			}
		})
	}
	for _, r := range rules {
		reach(prog, r.Body.Conds, func(n syntax.Node) {
			switch n := n.(type) {
			case *syntax.Binary:
				p.binary(prog, n)
			case *syntax.Call:
				p.call(prog, n)
			case *syntax.ToolPattern:
				if n.Args != nil {
					p.pattern(n.Args)
				}
			case *syntax.Member:
				p.member(prog, n, input)
			case *syntax.Index:
				if lit, ok := syntax.Unparen(n.I).(*syntax.StringLit); ok {
					p.key(lit.Value)
				}
			case *syntax.StringLit:
				p.text(n.Value)
			case *syntax.IntLit:
				p.number(n.Value.String())
			case *syntax.FloatLit:
				p.number(n.Text)
			}
		})
	}
	p.loose()
	return p
}

// new reports whether something is seen for the first time.
func (p *pool) new(key string) bool {
	if p.seen[key] {
		return false
	}
	p.seen[key] = true
	return true
}

func (p *pool) text(s string) {
	if len(p.texts) < maxTexts && p.new("text "+s) {
		p.texts = append(p.texts, s)
	}
}

func (p *pool) key(s string) {
	if len(p.keys) < maxKeys && p.new("key "+s) {
		p.keys = append(p.keys, s)
	}
}

func (p *pool) number(s string) {
	if len(p.numbers) >= maxNumbers || !p.new("number "+s) {
		return
	}
	p.numbers = append(p.numbers, s)
	if n, err := strconv.Atoi(s); err == nil && n >= 0 && n < automata.MaxLength {
		p.lengths = append(p.lengths, automata.AtLeast(n), automata.AtLeast(n+1))
	}
}

func (p *pool) set(key string, s *automata.Set) {
	if len(p.sets) < maxSets && p.new(key) {
		p.sets = append(p.sets, s)
	}
}

// plain enters a text that is compared in one of four ways; also in any case, if
// rules do so.
func (p *pool) plain(form, s string) {
	if s == "" {
		return
	}
	p.text(s)
	of := map[string]func(string) *automata.Set{"is": automata.Text, "begins": automata.Prefix, "ends": automata.Suffix, "holds": automata.Containing}[form]
	p.set(form+" "+s, of(s))
	if !p.fold {
		return
	}
	pattern, o := `(?i)`+regexp.QuoteMeta(s), automata.Options{}
	switch form {
	case "is":
		pattern += `\z`
	case "ends":
		pattern, o.Anywhere = pattern+`\z`, true
	case "holds":
		o.Anywhere = true
	}
	if set, err := automata.Compile(pattern, o); err == nil {
		p.set("folded "+form+" "+s, set)
	}
}

// regexp enters a pattern as it is asked: at the start, anywhere, of the whole.
func (p *pool) regexp(pattern, form string) {
	re, err := regex.Compile(pattern)
	if err != nil {
		return
	}
	src := re.Source(form == "whole")
	set, err := automata.Compile(src.Body, automata.Options{Anywhere: form == "find", ASCII: src.ASCII})
	if err == nil {
		p.set(form+" "+pattern, set)
	}
	for _, not := range src.Nots {
		if set, err := automata.Compile(not, automata.Options{ASCII: src.ASCII}); err == nil {
			p.set("not "+not, set)
		}
	}
}

// literal is a text that an expression is, a constant's too.
func literal(prog *check.Program, x syntax.Expr) (string, bool) {
	switch x := syntax.Unparen(x).(type) { //nolint:gochecksumtype // the others are no texts
	case *syntax.StringLit:
		return x.Value, true
	case *syntax.Ident:
		if b, ok := prog.Uses[x].(*check.Binding); ok && b.Const {
			if lit, ok := syntax.Unparen(b.Value).(*syntax.StringLit); ok {
				return lit.Value, true
			}
		}
	}
	return "", false
}

func (p *pool) binary(prog *check.Program, n *syntax.Binary) {
	left, lok := literal(prog, n.X)
	right, rok := literal(prog, n.Y)
	switch n.Op {
	case syntax.Eq, syntax.Ne, syntax.Is, syntax.IsNot:
		if lok {
			p.plain("is", left)
		}
		if rok {
			p.plain("is", right)
		}
	case syntax.In, syntax.NotIn:
		if lok {
			p.plain("holds", left)
			p.key(left)
		}
		if list, ok := syntax.Unparen(n.Y).(*syntax.ListLit); ok {
			for _, it := range list.Items {
				if s, ok := literal(prog, it); ok {
					p.plain("is", s)
				}
			}
		}
	case syntax.Add:
		for _, s := range []string{left, right} {
			if s != "" && len(p.glue) < 4 && p.new("glue "+s) {
				p.glue = append(p.glue, s)
			}
		}
	}
}

func (p *pool) call(prog *check.Program, n *syntax.Call) {
	c := prog.Calls[n]
	first := func() (string, bool) {
		if len(c.Args) == 0 || c.Args[0] == nil {
			return "", false
		}
		return literal(prog, c.Args[0])
	}
	switch {
	case c.Method != nil:
		s, ok := first()
		switch c.Method.Name {
		case "startswith":
			if ok {
				p.plain("begins", s)
			}
		case "endswith":
			if ok {
				p.plain("ends", s)
			}
		case "get":
			if ok {
				p.key(s)
			}
		}
	case c.Func != nil && (c.Func.Name == "match" || c.Func.Name == "find"):
		if s, ok := first(); ok {
			p.regexp(s, c.Func.Name)
		}
	}
}

func (p *pool) pattern(d *syntax.DictLit) {
	for i, k := range d.Keys {
		if lit, ok := syntax.Unparen(k).(*syntax.StringLit); ok {
			p.key(lit.Value)
		}
		p.wanted(d.Values[i])
	}
}

func (p *pool) wanted(v syntax.Expr) {
	switch v := syntax.Unparen(v).(type) { //nolint:gochecksumtype // the others are found by themselves
	case *syntax.StringLit:
		p.regexp(v.Value, "whole")
	case *syntax.DictLit:
		p.pattern(v)
	case *syntax.ListLit:
		for _, it := range v.Items {
			p.wanted(it)
		}
	}
}

func (p *pool) member(prog *check.Program, n *syntax.Member, input map[string]*value.Value) {
	m := prog.Members[n]
	switch {
	case m != nil && m.Input != nil:
		if v := m.Input.Value(input); v != nil {
			p.given(v, 0)
		}
	case m == nil || m.Field < 0:
		p.key(n.Name.Name)
	}
}

// given enters the value of a parameter.
func (p *pool) given(v *value.Value, depth int) {
	switch v.Kind() {
	case value.Str:
		p.text(v.Text())
	case value.Int, value.Float:
		p.number(string(value.AppendJSON(nil, v)))
	case value.List, value.Tuple, value.Dict:
		for _, it := range v.Items() {
			if depth < 4 {
				p.given(it, depth+1)
			}
		}
	}
}

// maxLoose is how many texts are tried in every way: it is not known how those
// of lists and parameters are compared.
const maxLoose = 8

func (p *pool) loose() {
	n := 0
	for _, s := range slices.Clone(p.texts) {
		if p.seen["is "+s] || p.seen["begins "+s] || p.seen["ends "+s] || p.seen["holds "+s] || s == "" || p.seen["match "+s] || p.seen["find "+s] || p.seen["whole "+s] {
			continue
		}
		if n++; n > maxLoose {
			return
		}
		for _, g := range p.glue {
			p.plain("ends", g+s)
		}
		p.plain("holds", s)
		p.plain("ends", s)
		p.plain("begins", s)
	}
}

// around returns the numbers at and beside a bound, as JSON.
func around(s string) []string {
	out := []string{s}
	if n, ok := new(big.Int).SetString(s, 10); ok {
		one := big.NewInt(1)
		return append(out, new(big.Int).Sub(n, one).String(), new(big.Int).Add(n, one).String())
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return nil
	}
	for _, d := range []float64{-1, 1, -0.01, 0.01} {
		out = append(out, strconv.FormatFloat(f+d, 'f', -1, 64))
	}
	return out
}
