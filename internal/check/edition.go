// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package check

import (
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/holdfast-dev/holdfast/diag"
	"github.com/holdfast-dev/holdfast/internal/builtin"
	"github.com/holdfast-dev/holdfast/internal/value"
	"github.com/holdfast-dev/holdfast/policies"
	"github.com/holdfast-dev/holdfast/syntax"
)

// An edition is a policy file, with the files whose names it imports, under one
// set of parameters. The policy itself is one, and each import of rules makes
// another: its files are parsed anew, so that the tables, which go by node, can
// say different things of the same text.
type edition struct {
	up     *edition // of whoever imports the rules; nil for the policy itself
	main   *unit
	units  map[string]*unit
	order  []*unit // the main one first
	params map[string]*param
}

// A param is a declared parameter of an edition.
type param struct {
	*Input
	unit *unit // that declares it
	decl *syntax.Input
}

func newEdition(up *edition) *edition {
	return &edition{up: up, units: map[string]*unit{}, params: map[string]*param{}}
}

// find returns the parameter that a file of the edition reads by a name: one
// that is declared, or, from a file that declares none, one of whoever imports
// it. Nil if there is none.
func (ed *edition) find(name string, declares bool) *Input {
	for ; ed != nil; ed = ed.up {
		if p := ed.params[name]; p != nil {
			return p.Input
		}
		if declares {
			return nil
		}
	}
	return nil
}

func (ed *edition) names() []string { return slices.Sorted(maps.Keys(ed.params)) }

// sorted returns the parameters by name.
func (ed *edition) sorted() []*param {
	var out []*param
	for _, name := range ed.names() {
		out = append(out, ed.params[name])
	}
	return out
}

// What imports of rules may come to, which can double at every file and read
// each anew: maxEditions policies, and maxText bytes in all their files.
const (
	maxEditions = 1000
	maxText     = 8 << 20
)

// importRules checks an import of rules and returns them, with the ids that
// they have in the file that imports them.
func (c *checker) importRules(ed *edition, st *syntax.RuleImport) []*Rule {
	c.stmt = st
	if c.editions++; c.editions > maxEditions {
		if c.editions == maxEditions+1 {
			c.fail("P0320", st.At, fmt.Sprintf("more than %d imported policies", maxEditions), "give one import a list instead, or load the policies together")
		}
		return nil
	}
	sub := newEdition(ed)
	file, at, ok := c.policyFile(ed.main, sub, st)
	if !ok {
		for _, a := range st.Args {
			c.expr(a.Value, ed.main.scope)
		}
		return nil
	}
	if c.text += len(file.Source.Src); c.text > maxText {
		if !c.texted {
			c.texted = true
			c.fail("P0320", st.At, fmt.Sprintf("the imported policies have more than %d bytes together", maxText), "give one import a list instead, or load the policies together")
		}
		return nil
	}
	c.load(sub, at, file)
	c.defaults(sub)
	c.bindParams(sub, st, ed)
	for _, u := range sub.order {
		c.definitions(u)
	}
	rules := c.rules(sub)
	if len(rules) == 0 && !c.diags.HasErrors() {
		c.warn("P0318", st.At, quote(st.Path)+" has no rules", "to import its predicates and constants write: from ./file import name")
	}
	for _, r := range rules {
		r.Named = false // another policy may import the same rules
		if st.As != nil {
			r.ID = st.As.Name + "/" + r.ID
		}
	}
	return rules
}

// A location is where a policy file stands: in the policy's folder or in the
// library, under a key.
type location struct {
	library bool
	key     string
}

// policyFile reads the file that an import of rules names.
func (c *checker) policyFile(from *unit, sub *edition, st *syntax.RuleImport) (*syntax.File, location, bool) {
	at, ok := c.policyPlace(from, st)
	if !ok || c.rulesCycle(sub, at, st) {
		return nil, at, false
	}
	file, _, err := c.read(from, at, st.Path)
	if err == nil && file == nil {
		err = errors.New("a script has no rules")
	}
	if err != nil {
		c.importError(st.At, st.Path, err)
		return nil, at, false
	}
	return file, at, true
}

// policyPlace returns the place that an import names, seen from a file.
func (c *checker) policyPlace(from *unit, st *syntax.RuleImport) (location, bool) {
	if strings.HasPrefix(st.Path, "./") || strings.HasPrefix(st.Path, "../") || path.IsAbs(st.Path) {
		key, ok := c.localKey(from, st.At, st.Path)
		return location{from.library, key}, ok
	}
	name := strings.TrimPrefix(st.Path, libraryPrefix)
	if full, ok := policies.Find(name); ok {
		return location{true, full + "/" + full}, true
	}
	c.unknownPolicy(st)
	return location{}, false
}

// libraryPrefix begins the full names of the library's policies.
const libraryPrefix = "holdfast.policies."

func (c *checker) unknownPolicy(st *syntax.RuleImport) {
	name := strings.TrimPrefix(st.Path, libraryPrefix)
	help := ""
	switch near := diag.Nearest(name, policies.Names()); {
	case strings.HasSuffix(name, ".gr") || strings.Contains(name, "/"):
		help = "the path of a file begins with ./: import " + quote("./"+name)
	case near != "":
		help = "did you mean " + quote(libraryPrefix+near) + "?"
	case moduleExists(st.Path):
		help = "it is a module: import " + st.Path
	default:
		help = "the library has " + strings.Join(policies.Names(), ", ") + "; a file is imported by its path, \"./mail.gr\""
	}
	c.fail("P0230", st.At, "there is no policy "+quote(st.Path), help)
}

// rulesCycle reports a policy that imports its own rules.
func (c *checker) rulesCycle(sub *edition, at location, st *syntax.RuleImport) bool {
	names := []string{at.key}
	for ed := sub.up; ed != nil; ed = ed.up {
		names = append(names, ed.main.key)
		if ed.main.location != at {
			continue
		}
		slices.Reverse(names)
		message := "policies import each other: " + strings.Join(names, " -> ")
		if len(names) == 2 {
			message = quote(st.Path) + " is this policy itself"
		}
		c.fail("P0208", st.At, message, "its rules are here already")
		return true
	}
	return false
}

// read reads a file: of the library here, of the policy's folder by what the
// configuration says. What it returns was not returned before.
func (c *checker) read(from *unit, at location, written string) (*syntax.File, map[string]*builtin.Func, error) {
	if at.library {
		return c.readLibrary(at.key)
	}
	if c.cfg.Import == nil {
		return nil, nil, errors.New("this policy has no folder to import from")
	}
	file, funcs, err := c.cfg.Import(from.file, strings.TrimSuffix(written, ".gr"))
	if err != nil || file == nil {
		return nil, funcs, err
	}
	if c.parsed[file] {
		file, _ = syntax.Parse(file.Source)
	}
	c.parsed[file] = true
	return file, funcs, nil
}

func (c *checker) readLibrary(key string) (*syntax.File, map[string]*builtin.Func, error) {
	if c.library[key] == nil {
		text, err := policies.Read(key + ".gr")
		if err != nil {
			return nil, nil, errors.New("the library has no such file")
		}
		// One file for all parses: what is wrong with it is said once.
		c.library[key] = diag.NewFile(libraryPrefix+path.Base(key), text)
	}
	file, list := syntax.Parse(c.library[key])
	return file, nil, list.Err()
}

// bindParams gives the parameters of an edition the values that an import names.
func (c *checker) bindParams(sub *edition, st *syntax.RuleImport, ed *edition) {
	c.stmt = st
	given := map[string]bool{}
	for _, a := range st.Args {
		if a.Name == nil {
			c.broken = true // reported when it was parsed
			continue
		}
		name := a.Name.Name
		if given[name] {
			c.fail("P0216", a.Name.Span(), fmt.Sprintf("argument %q is given twice", name), "")
		}
		given[name] = true
		p := sub.params[name]
		if p == nil {
			c.unknownParam(sub, st, a.Name)
			c.expr(a.Value, ed.main.scope)
			continue
		}
		c.bindParam(p, a, ed)
	}
	c.unboundParams(sub, st, given)
}

func (c *checker) unknownParam(sub *edition, st *syntax.RuleImport, id *syntax.Ident) {
	help := didYouMean(id.Name, sub.names())
	switch {
	case help != "":
	case len(sub.params) == 0:
		help = "it declares none; a policy declares one by: input " + id.Name + ": str"
	default:
		help = "it has " + strings.Join(sub.names(), ", ")
	}
	c.fail("P0232", id.Span(), fmt.Sprintf("%s has no parameter %q", quote(st.Path), id.Name), help)
}

// bindParam gives a parameter its value: a constant, or a parameter of the
// importer, which may itself be bound.
func (c *checker) bindParam(p *param, a *syntax.Arg, ed *edition) {
	note := []diag.Note{{Span: p.At, Text: "declared here"}}
	if m, ok := bare(a.Value).(*syntax.Member); ok {
		errs := len(c.diags)
		c.expr(a.Value, ed.main.scope)
		if c.diags[errs:].HasErrors() {
			p.give(value.NoneV)
			return
		}
		if known := c.prog.Members[m]; known != nil && known.Input != nil {
			c.handOn(p, known.Input, a, note)
			return
		}
	}
	v, ok := c.constantValue(a.Value, ed.main.scope, "a value of a parameter")
	if ok {
		v = c.accepted(p.Input, v, a.Value.Span(), note)
	}
	if v == nil {
		v = value.NoneV // refused
	}
	p.give(v)
}

// give binds a parameter to a value. Nothing has read the parameter yet but,
// it may be, a default.
func (p *param) give(v *value.Value) { p.Default, p.bound = v, true }

// handOn binds a parameter to one of the importer's.
func (c *checker) handOn(p *param, outer *Input, a *syntax.Arg, note []diag.Note) {
	switch {
	case !outer.Declared:
		c.fail("P0234", a.Value.Span(), fmt.Sprintf("input.%s has no type that is known when the policy loads", outer.Name),
			fmt.Sprintf("declare it: input %s: %s", outer.Name, p.TypeName()))
	case !p.takes(outer):
		c.report(diag.Diagnostic{
			Code: "P0233", Span: a.Value.Span(), Notes: note,
			Message: fmt.Sprintf("parameter %q is %s, got input.%s, %s", p.Name, aType(&value.Type{Name: p.TypeName()}), outer.Name, aType(&value.Type{Name: outer.TypeName()})),
		})
	}
	own := *outer
	own.Type, own.Elem, own.lent = p.Type, p.Elem, !outer.bound
	if own.Default != nil {
		own.Default, _ = converted(own.Default, own.Type)
	}
	p.Input = &own
}

// unboundParams reports parameters without a value.
func (c *checker) unboundParams(sub *edition, st *syntax.RuleImport, given map[string]bool) {
	for _, p := range sub.sorted() {
		switch {
		case given[p.Name] || given[p.decl.Name.Name]:
		case p.Default != nil:
			p.bound = true
		default:
			c.report(diag.Diagnostic{
				Code: "P0231", Span: st.At, Message: fmt.Sprintf("%s needs a value for %q, %s", quote(st.Path), p.Name, aType(&value.Type{Name: p.TypeName()})),
				Help:  fmt.Sprintf("write: import %s(%s=…)", written(st), p.Name),
				Notes: []diag.Note{{Span: p.At, Text: "declared here, without a default"}},
			})
			p.give(value.NoneV)
		}
	}
}

// written is the policy of an import as its author wrote it.
func written(st *syntax.RuleImport) string { return st.At.Text() }
