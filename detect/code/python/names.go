// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package python

import (
	"slices"
	"strings"

	"github.com/holdfast-dev/holdfast/internal/python"
)

// Bounds of what is known of names.
const (
	maxMeanings = 64 // of one name that rules are about: of whatever has more there is enough to report
	maxDots     = 8  // of a dotted name
)

// bind notes what names stand for. Where in the file a name is bound does not
// count, save that only a binding at the top level takes a name away from what
// it means without one: code that does not run must hide nothing.
func (k *look) bind(root *python.Node) {
	k.names, k.own, k.modules = map[string][]string{}, map[string]bool{}, map[string]bool{}
	k.built, k.known = map[string]int{}, map[string]string{}
	for _, n := range root.Kids {
		k.bindTop(n)
	}
	root.Walk(func(n *python.Node) bool {
		switch n.Kind {
		case python.Import:
			k.bindImport(n)
		case python.ImportFrom:
			k.bindFrom(n)
		case python.Assign, python.AnnAssign, python.NamedExpr, python.AugAssign:
			k.bindValue(n)
		}
		return true
	})
}

// bindTop notes the names that a statement of the top level takes.
func (k *look) bindTop(n *python.Node) {
	switch n.Kind {
	case python.ImportFrom:
		for _, a := range n.Kids {
			k.own[boundBy(a)] = true
		}
	case python.FunctionDef, python.ClassDef:
		if n.Name != "eval" && n.Name != "exec" {
			k.own[n.Name] = true
		}
	case python.Try, python.If:
		for _, b := range n.Kids {
			if b.Kind == python.Block && n.Kind == python.Try {
				for _, s := range b.Kids {
					k.bindTop(s)
				}
			}
		}
	}
}

// boundBy is the name that an alias binds.
func boundBy(alias *python.Node) string {
	if len(alias.Kids) > 0 {
		return alias.Kids[0].Name
	}
	return alias.Name
}

func (k *look) mean(name, what string) {
	if have := k.names[name]; name != "" && k.table.known[what] && what != "" && name != what && len(have) < maxMeanings && !slices.Contains(have, what) {
		k.names[name] = append(have, what)
	}
}

func (k *look) bindImport(n *python.Node) {
	for _, a := range n.Kids {
		k.modules[boundBy(a)] = true
		if len(a.Kids) > 0 {
			k.mean(boundBy(a), module(a.Name))
		} else if first, _, dotted := strings.Cut(a.Name, "."); !dotted {
			k.mean(first, module(first))
		}
	}
}

func (k *look) bindFrom(n *python.Node) {
	from := module(n.Name)
	for _, a := range n.Kids {
		if a.Name == "*" {
			for _, name := range k.table.within[from] {
				k.mean(name, from+"."+name)
			}
			continue
		}
		k.modules[boundBy(a)] = true
		k.mean(boundBy(a), module(from+"."+a.Name))
	}
}

// module returns the name by which the rules know a module.
func module(name string) string {
	name = strings.TrimPrefix(name, "six.moves.")
	if first, rest, dotted := strings.Cut(name, "."); renamed[first] != "" {
		if !dotted {
			return renamed[first]
		}
		return renamed[first] + "." + rest
	}
	if strings.HasPrefix(name, "builtins.") || strings.HasPrefix(name, "__builtins__.") || strings.HasPrefix(name, "__builtin__.") {
		_, name, _ = strings.Cut(name, ".")
	}
	return name
}

// renamed are modules with several names.
var renamed = map[string]string{
	"cPickle": "pickle", "_pickle": "pickle", "pickle5": "pickle", "cloudpickle": "pickle", "dill": "dill", "__builtin__": "builtins",
	"__builtins__": "builtins", "Cryptodome": "Crypto", "sha": "sha", "posix": "os", "nt": "os", "subprocess32": "subprocess", "_random": "random",
}

// usual are the names that modules are given by custom, where the import was
// cut off.
var usual = map[string]string{"np": "numpy", "pd": "pandas", "ET": "xml.etree.ElementTree", "cElementTree": "xml.etree.ElementTree", "etree": "lxml.etree"}

// bindValue notes what a name is assigned: another name, or text.
func (k *look) bindValue(n *python.Node) {
	if len(n.Kids) < 2 {
		return
	}
	value := n.Kids[len(n.Kids)-1]
	how, meanings := k.builtText(value), k.namesOf(value)
	for _, target := range n.Kids[:len(n.Kids)-1] {
		name := target.Dotted()
		if name == "" || strings.Count(name, ".") > 1 {
			continue
		}
		if how > notBuilt {
			k.built[name] = max(k.built[name], how)
		}
		if n.Kind == python.AugAssign {
			if !isConstantText(value) && k.known[name] != "" && looksLikeSQL(k.known[name]) > 0 {
				k.built[name] = max(k.built[name], looksLikeSQL(k.known[name]))
			}
			continue
		}
		if value.Kind == python.String && len(value.Name) < maxSpent {
			k.known[name] = value.Name
			continue
		}
		if target.Kind == python.Name {
			for _, what := range meanings {
				k.mean(name, what)
			}
		}
	}
}

// interesting reports whether some rule is about what a name or its last part
// may be.
func (k *look) interesting(n *python.Node) bool {
	return k.table.last[n.Name] || n.Name == "__call__" || n.Kind == python.Name && k.names[n.Name] != nil
}

// namesOf returns the full names that an expression may stand for; none if it
// is nothing that rules name.
func (k *look) namesOf(n *python.Node) []string {
	if (n.Kind == python.Name || n.Kind == python.Attribute) && !k.interesting(n) {
		return nil
	}
	return k.meanings(n, maxDots)
}

func (k *look) meanings(n *python.Node, dots int) []string {
	if dots == 0 {
		return nil
	}
	switch n.Kind {
	case python.Name:
		return k.meaningsOfName(n.Name)
	case python.Attribute:
		if n.Name == "__call__" { // which is what is called
			return k.meanings(n.Kids[0], dots-1)
		}
		return k.within(k.meanings(n.Kids[0], dots-1), n.Name)
	case python.Call:
		return k.meaningsOfCall(n, dots)
	case python.Subscript: // globals()["eval"], os.__dict__["system"], sys.modules["os"]
		if len(n.Kids) != 2 {
			return nil
		}
		key, ok := k.constant(n.Kids[1])
		if !ok {
			return nil
		}
		of := n.Kids[0]
		if of.Kind == python.Call && len(of.Kids) == 1 {
			if f := of.Kids[0].Dotted(); f == "globals" || f == "locals" || f == "vars" {
				return k.meaningsOfName(key)
			}
		}
		if args := of.Args(); of.Kind == python.Call && len(args) == 1 && of.Kids[0].Dotted() == "vars" { // vars(os)["system"]
			if args[0].Dotted() == "__builtins__" {
				return []string{key}
			}
			return k.within(k.meanings(args[0], dots-1), key)
		}
		if of.Kind == python.Attribute && of.Name == "__dict__" {
			return k.within(k.meanings(of.Kids[0], dots-1), key)
		}
		if of.Dotted() == "sys.modules" {
			return []string{module(key)}
		}
		if of.Dotted() == "__builtins__" {
			return []string{key}
		}
	case python.NamedExpr:
		return k.meanings(n.Kids[len(n.Kids)-1], dots-1)
	}
	return nil
}

// meaningsOfName are what a bare name stands for.
func (k *look) meaningsOfName(name string) []string {
	out := k.names[name]
	if k.own[name] {
		return out
	}
	own := module(name)
	if len(out) == 0 && !k.modules[name] {
		if full, ok := k.table.bare[name]; ok {
			return []string{own, full}
		}
		if full, ok := usual[name]; ok {
			own = full
		}
	}
	return append(slices.Clip(out), own)
}

// within puts a name behind each of several.
func (k *look) within(of []string, name string) []string {
	out := make([]string, 0, len(of))
	for _, first := range of {
		if first == "six.moves" {
			out = append(out, module(name))
			continue
		}
		out = append(out, module(first+"."+name))
	}
	return out
}

// meaningsOfCall knows the calls that give a module or what is in one.
func (k *look) meaningsOfCall(n *python.Node, dots int) []string {
	args := n.Args()
	if len(args) == 0 {
		return nil
	}
	switch callee := n.Kids[0].Dotted(); callee {
	case "getattr":
		if len(args) >= 2 {
			if name, ok := k.constant(args[1]); ok {
				return k.within(k.meanings(args[0], dots-1), name)
			}
		}
	case "__import__", "import_module", "importlib.import_module", "importlib.__import__":
		if name, ok := k.constant(args[0]); ok {
			return []string{module(name)}
		}
	}
	return nil
}
