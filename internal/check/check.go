// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package check

import (
	"cmp"
	"math/big"
	"slices"
	"strings"

	"github.com/holdfast-dev/holdfast/diag"
	"github.com/holdfast-dev/holdfast/internal/builtin"
	"github.com/holdfast-dev/holdfast/internal/value"
	"github.com/holdfast-dev/holdfast/syntax"
)

// A check goes in four steps, the first two over the files of one edition (the
// policy, then each import of rules), the others over all: load (imports, and the
// names of constants and predicates), check (every body, rules included),
// settle (what only the whole program shows: which parameters have the type
// they claim), judge (classes). Definitions are checked when they are first
// used, so their order is free and a cycle is one that meets itself half
// done. An expression with a mistake has type Any, which silences what would
// only follow from it.

// A Config says what a policy may reach. The zero Config reaches the standard
// library and no other file.
type Config struct {
	// Import reads what `from ./path import …` or `import "./path"` names, path
	// as written but for an ending .gr, as seen from the file that says so. It
	// returns the parsed policy file, or the functions of a script. A diag.List as the error is reported as it is.
	// Nil: such imports are errors.
	Import func(from *syntax.File, path string) (*syntax.File, map[string]*builtin.Func, error)

	Funcs     map[string]*builtin.Func // the embedder's, visible in every file
	Detectors []string                 // the names of those that are set up
	Workspace bool                     // whether there are files to read
	Limits    Limits

	// Input are values of declared parameters of the policy that are known
	// already; they take the place of defaults. Those of another type do not.
	Input map[string]*value.Value
}

// Limits bound the size of a policy. Zero fields stand for the defaults.
type Limits struct {
	Rules     int // of the policy: 10,000
	Variables int // of a rule with its quantifiers, or of a predicate: 32
	Nesting   int // of quantifiers: 8
}

func (l Limits) withDefaults() Limits {
	return Limits{
		Rules:     cmp.Or(l.Rules, 10_000),
		Variables: cmp.Or(l.Variables, 32),
		Nesting:   cmp.Or(l.Nesting, 8),
	}
}

type checker struct {
	cfg    Config
	limits Limits
	prog   *Program
	diags  diag.List
	seen   map[reported]bool

	top   *scope
	order []*unit // the policy first, then as they were loaded
	trail []*unit // those being loaded, for cycles

	funcs   map[*builtin.Func]*FuncObj
	foreign map[*builtin.Func]bool // not ours: their results are not what they claim for sure
	binds   map[*Binding]*binding
	preds   map[*Predicate]*predicate
	consts  map[*syntax.Const]*Binding
	predOf  map[*syntax.Predicate]*Predicate
	bindOf  map[*syntax.BindCond]*Binding
	stack   []meaning // definitions being checked, for cycles

	answers map[question]bool
	strayAt sourceLine            // of the last stray tool pattern
	wholes  map[*Binding]*big.Int // what bindings of whole numbers come to; nil for others
	texts   map[*Binding]constText
	locals  map[*Local]*value.Type
	used    map[*Var]bool          // something mentions it
	bad     map[*syntax.Ident]bool // it stands for something that could not be imported
	bare    map[*Var]bool          // its declaration is a condition of its own
	unbound map[unboundKey]int
	stmt    syntax.Stmt // the statement under check
	passes  []pass
	fields  []fieldUse
	flows   []*syntax.FlowChain
	broken  bool // the tree has parts that could not be read
	depth   int  // of quantifiers
	vars    int  // declared so far by the statement under check

	ids      []*identity // of the editions under check
	editions int         // made so far
	text     int         // bytes of files that were read for them
	texted   bool        // they are too many, and that is said
	loaded   int         // rules, so far
	parsed   map[*syntax.File]bool
	library  map[string]*diag.File
}

// reported is what makes two diagnostics the same.
type reported struct {
	code string
	at   diag.Span
}

// Check resolves, types and judges a parsed policy and what it imports. The
// Program is nil if the list holds an error; a list without errors holds the
// warnings, which are in the Program too. The list is sorted by position, the
// policy's own file first. A file with syntax errors may be checked for its
// other mistakes: what could not be read is passed over in silence, and there
// is no Program if that left a hole. Whoever parsed the file must refuse it in
// any case.
//
// The result shares the trees; it may be read from several goroutines.
func Check(file *syntax.File, cfg *Config) (*Program, diag.List) {
	c := newChecker(cfg)
	policy := newEdition(nil)
	c.load(policy, location{key: mainKey(file)}, file)
	c.defaults(policy)
	for _, u := range policy.order {
		c.definitions(u)
	}
	c.prog.Rules = c.rules(policy)
	for i, r := range c.prog.Rules {
		r.Index = i
	}
	c.inputs(policy)
	c.placed()
	c.sortDiags()
	if c.broken || c.diags.HasErrors() {
		return nil, c.diags
	}
	c.settle()
	c.judge()
	c.sortDiags()
	c.prog.Warnings = c.diags
	return c.prog, c.diags
}

func newChecker(cfg *Config) *checker {
	c := &checker{
		prog:    newProgram(),
		seen:    map[reported]bool{},
		funcs:   map[*builtin.Func]*FuncObj{},
		foreign: map[*builtin.Func]bool{},
		binds:   map[*Binding]*binding{},
		preds:   map[*Predicate]*predicate{},
		consts:  map[*syntax.Const]*Binding{},
		predOf:  map[*syntax.Predicate]*Predicate{},
		bindOf:  map[*syntax.BindCond]*Binding{},
		answers: map[question]bool{},
		wholes:  map[*Binding]*big.Int{},
		texts:   map[*Binding]constText{},
		locals:  map[*Local]*value.Type{},
		used:    map[*Var]bool{},
		bare:    map[*Var]bool{},
		bad:     map[*syntax.Ident]bool{},
		unbound: map[unboundKey]int{},
		parsed:  map[*syntax.File]bool{},
		library: map[string]*diag.File{},
	}
	if cfg != nil {
		c.cfg = *cfg
	}
	c.limits = c.cfg.Limits.withDefaults()
	c.top = c.universe()
	return c
}

// report adds a diagnostic, unless the same one stands there already (a
// constant that is used twice is one mistake).
func (c *checker) report(d diag.Diagnostic) {
	key := reported{d.Code, d.Span}
	if c.seen[key] {
		return
	}
	c.seen[key] = true
	d.Message, d.Help = clipped(d.Message), clipped(d.Help)
	c.diags = append(c.diags, d)
}

// clipped cuts a text that repeats a name of any length.
func clipped(s string) string {
	const most = 400
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}

// fail reports an error; help may be "".
func (c *checker) fail(code string, at diag.Span, message, help string) {
	c.report(diag.Diagnostic{Code: code, Span: at, Message: message, Help: help})
}

// warn reports a warning; help may be "".
func (c *checker) warn(code string, at diag.Span, message, help string) {
	c.report(diag.Diagnostic{Code: code, Severity: diag.Warning, Span: at, Message: message, Help: help})
}

func (c *checker) sortDiags() {
	rank := map[*diag.File]int{}
	for i, u := range c.order {
		rank[u.file.Source] = i
	}
	slices.SortStableFunc(c.diags, func(a, b diag.Diagnostic) int {
		return cmp.Or(
			cmp.Compare(rank[a.Span.File], rank[b.Span.File]),
			cmp.Compare(a.Span.Start, b.Span.Start),
			cmp.Compare(a.Code, b.Code),
		)
	})
}

// didYouMean returns a help line naming the candidate nearest to name, or "".
func didYouMean(name string, candidates []string) string {
	if near := diag.Nearest(name, candidates); near != "" {
		return "did you mean " + quote(near) + "?"
	}
	return ""
}

func quote(s string) string { return `"` + s + `"` }
