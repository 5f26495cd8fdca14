// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package check

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/holdfast-dev/holdfast/diag"
	"github.com/holdfast-dev/holdfast/internal/builtin"
	"github.com/holdfast-dev/holdfast/internal/value"
	"github.com/holdfast-dev/holdfast/policies"
	"github.com/holdfast-dev/holdfast/syntax"
)

// Loading gives each file its scope: what it imports and what it defines. A
// file is loaded once in an edition, however many others import names from it;
// its key is its path below the policy's folder, so two spellings of one path
// are one file.

// mainKey is the key of the policy itself, which stands in the folder that
// all keys are relative to.
func mainKey(file *syntax.File) string {
	if file.Source == nil {
		return "policy"
	}
	return strings.TrimSuffix(path.Base(strings.ReplaceAll(file.Source.Name, `\`, "/")), ".gr")
}

// load enters the names of a file of an edition and, before it, of what it
// imports names from.
func (c *checker) load(ed *edition, at location, file *syntax.File) *unit {
	u := &unit{location: at, edition: ed, file: file, types: map[string]*value.Type{}, exports: map[string]meaning{}, phase: active}
	u.scope = newScope(c.top, u, nil)
	if ed.main == nil {
		ed.main = u
	}
	ed.units[at.key] = u
	ed.order = append(ed.order, u)
	c.order = append(c.order, u)
	c.prog.Files = append(c.prog.Files, file)
	c.trail = append(c.trail, u)
	for _, st := range file.Stmts {
		c.enter(u, st)
	}
	c.trail = c.trail[:len(c.trail)-1]
	u.phase = done
	return u
}

// enter enters the names that one statement gives.
func (c *checker) enter(u *unit, st syntax.Stmt) {
	switch st := st.(type) {
	case *syntax.Import:
		c.importModule(u, st)
	case *syntax.FromImport:
		if st.Local {
			c.importLocal(u, st)
		} else {
			c.importNames(u, st)
		}
	case *syntax.Const:
		b := &Binding{Name: st.Name.Name, Value: st.Value, Const: true}
		c.binds[b] = &binding{scope: u.scope, name: st.Name, stmt: st}
		c.consts[st] = b
		c.export(u, st.Name, b)
	case *syntax.Predicate:
		p := &Predicate{Name: st.Name.Name, Node: st}
		c.preds[p] = &predicate{unit: u}
		c.predOf[st] = p
		c.signature(u, p)
		c.export(u, st.Name, p)
	case *syntax.BadStmt:
		c.broken = true
	case *syntax.Input:
		c.declareParam(u, st)
	case *syntax.Rule, *syntax.RuleImport: // see rules
	}
}

func (c *checker) export(u *unit, id *syntax.Ident, obj meaning) {
	if c.define(u, id.Name, id.Span(), obj) {
		u.exports[id.Name] = obj
	}
}

// define enters a name of a file. Giving the same thing the same name again,
// as two imports may, is fine.
func (c *checker) define(u *unit, name string, at diag.Span, obj meaning) bool {
	old, ok := u.scope.names[name]
	if !ok {
		u.scope.put(name, at, obj)
		return true
	}
	if sameObject(old, obj) {
		return true
	}
	c.report(diag.Diagnostic{
		Code: "P0209", Span: at, Message: quote(name) + " is defined twice",
		Help:  "give one of the two another name",
		Notes: []diag.Note{{Span: u.scope.at[name], Text: "the first definition"}},
	})
	return false
}

func sameObject(a, b meaning) bool {
	switch a := a.(type) {
	case *ModuleObj:
		b, ok := b.(*ModuleObj)
		return ok && a.Path == b.Path
	case *typeObj:
		b, ok := b.(*typeObj)
		return ok && a.typ == b.typ
	case *violationObj:
		b, ok := b.(*violationObj)
		return ok && a.name == b.name
	case *quantObj:
		b, ok := b.(*quantObj)
		return ok && a.name == b.name
	case *badObj:
		return true
	}
	return a == b
}

// importModule enters `import a.b`, which gives the name a, as in Python, and
// `import a.b as c`, which gives the name c to a.b.
func (c *checker) importModule(u *unit, st *syntax.Import) {
	name, _, _ := strings.Cut(st.Module, ".")
	at, path := st.At, name
	if st.As != nil {
		name, at, path = st.As.Name, st.As.Span(), st.Module
	}
	var obj meaning = &ModuleObj{Path: path}
	if !moduleExists(st.Module) {
		c.unknownModule(st.Module, st.At)
		obj = &badObj{}
	}
	c.define(u, name, at, obj)
}

// importNames enters `from m import a, b as c`.
func (c *checker) importNames(u *unit, st *syntax.FromImport) {
	if !moduleExists(st.Module) {
		c.unknownModule(st.Module, st.At)
		c.allBad(u, st.Names)
		return
	}
	for _, n := range st.Names {
		obj := c.moduleName(st.Module, n.Name.Name)
		if obj == nil {
			c.unknownImport(st.Module, n.Name)
			obj = &badObj{}
		}
		if t, ok := obj.(*typeObj); ok {
			u.types[n.As.Name] = t.typ
		}
		c.define(u, n.As.Name, n.As.Span(), obj)
	}
}

func (c *checker) allBad(u *unit, names []*syntax.ImportName) {
	for _, n := range names {
		c.define(u, n.As.Name, n.As.Span(), &badObj{})
	}
}

// moduleName returns what a module calls name, nil if nothing.
func (c *checker) moduleName(module, name string) meaning {
	if m := builtin.LookupModule(module); m != nil {
		if f := m.Funcs[name]; f != nil {
			return c.function(f)
		}
		if t := m.Types[name]; t != nil {
			return &typeObj{t}
		}
		switch word := c.top.names[name]; {
		case m.Words[name] && word == nil:
			return &violationObj{name}
		case m.Words[name]:
			return word
		}
	}
	if moduleExists(module + "." + name) {
		return &ModuleObj{Path: module + "." + name}
	}
	return nil
}

// moduleExists also knows packages that hold nothing but modules.
func moduleExists(module string) bool {
	if builtin.LookupModule(module) != nil {
		return true
	}
	return slices.ContainsFunc(builtin.ModulePaths(), func(p string) bool { return strings.HasPrefix(p, module+".") })
}

// moduleNames returns what can be imported from a module.
func moduleNames(module string) []string {
	var out []string
	if m := builtin.LookupModule(module); m != nil {
		out = m.Names()
	}
	for _, p := range builtin.ModulePaths() {
		if rest, ok := strings.CutPrefix(p, module+"."); ok {
			first, _, _ := strings.Cut(rest, ".")
			out = append(out, first)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func (c *checker) unknownModule(module string, at diag.Span) {
	if _, ok := policies.Find(strings.TrimPrefix(module, libraryPrefix)); ok {
		c.fail("P0204", at, quote(module)+" is a policy of the library, and no module", "its rules are imported by: import "+quote(module))
		return
	}
	help := didYouMean(module, builtin.ModulePaths())
	if help == "" {
		help = "policies can import the standard library (invariant…, holdfast…, json) and files beside them (from ./lib import name)"
	}
	c.fail("P0204", at, "unknown module "+quote(module), help)
}

func (c *checker) unknownImport(module string, id *syntax.Ident) {
	help := didYouMean(id.Name, moduleNames(module))
	if home := homeOf(id.Name); home != "" {
		help = "it is in " + home + ": from " + home + " import " + id.Name
	}
	c.fail("P0205", id.Span(), fmt.Sprintf("module %s has no %q", module, id.Name), help)
}

// typeHome is homeOf for types alone.
func typeHome(name string) string {
	home := homeOf(name)
	if home == "" || builtin.LookupModule(home).Types[name] == nil {
		return ""
	}
	return home
}

// homeOf returns the module of the standard library that has a name, "" if
// none has. Where several have it the shortest path wins.
func homeOf(name string) string {
	best := ""
	for _, p := range builtin.ModulePaths() {
		m := builtin.LookupModule(p)
		if strings.HasPrefix(p, "holdfast") || m.Funcs[name] == nil && m.Types[name] == nil {
			continue
		}
		if best == "" || len(p) < len(best) || len(p) == len(best) && p < best {
			best = p
		}
	}
	return best
}

// importLocal enters `from ./lib import p`: predicates, constants and, when
// lib is a script, functions.
func (c *checker) importLocal(u *unit, st *syntax.FromImport) {
	key, ok := c.localKey(u, st.At, st.Module)
	if !ok {
		c.allBad(u, st.Names)
		return
	}
	names, ok := c.localNames(u, st, key)
	if !ok {
		c.allBad(u, st.Names)
		return
	}
	for _, n := range st.Names {
		obj := names[n.Name.Name]
		if obj == nil {
			c.fail("P0205", n.Name.Span(), fmt.Sprintf("%s has no predicate or constant %q", st.Module, n.Name.Name),
				didYouMean(n.Name.Name, sortedKeys(names)))
			obj = &badObj{}
		}
		c.define(u, n.As.Name, n.As.Span(), obj)
	}
}

// localKey returns the key of the file that a path names, seen from another
// file.
func (c *checker) localKey(from *unit, at diag.Span, written string) (string, bool) {
	key := strings.TrimSuffix(path.Join(path.Dir(from.key), written), ".gr")
	if key == ".." || strings.HasPrefix(key, "../") || path.IsAbs(written) {
		c.fail("P0207", at, quote(written)+" leads outside the policy's folder",
			"move the file into the policy's folder or one below it")
		return "", false
	}
	return key, true
}

// localNames returns what a local file gives to those that import it.
func (c *checker) localNames(u *unit, st *syntax.FromImport, key string) (map[string]meaning, bool) {
	if other := u.edition.units[key]; other != nil {
		if other.phase == active {
			c.importCycle(other, st)
			return nil, false
		}
		return other.exports, true
	}
	at := location{u.library, key}
	file, funcs, err := c.read(u, at, st.Module)
	if err != nil {
		c.importError(st.At, st.Module, err)
		return nil, false
	}
	names := map[string]meaning{}
	if file != nil {
		if u.edition.up != nil {
			c.text += len(file.Source.Src)
		}
		names = c.load(u.edition, at, file).exports
	}
	for name, f := range funcs {
		c.foreign[f] = true
		names[name] = c.function(f)
	}
	return names, true
}

func (c *checker) importError(at diag.Span, path string, err error) {
	var list diag.List
	if errors.As(err, &list) {
		for _, d := range list {
			c.report(d)
		}
		return
	}
	c.fail("P0206", at, fmt.Sprintf("%q cannot be read: %v", path, err), "")
}

func (c *checker) importCycle(other *unit, st *syntax.FromImport) {
	if other.file.Source == st.Span().File {
		c.fail("P0208", st.At, quote(st.Module)+" is this file itself", "its names are here already")
		return
	}
	var names []string
	for _, u := range c.trail[slices.Index(c.trail, other):] {
		names = append(names, u.key)
	}
	names = append(names, other.key)
	c.fail("P0208", st.At, "files import each other: "+strings.Join(names, " -> "),
		"move what both need into a third file")
}
