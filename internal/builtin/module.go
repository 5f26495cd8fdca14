// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package builtin

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/holdfast-dev/holdfast/internal/value"
)

// A Module is what an import names. Its maps must not be changed.
type Module struct {
	Path  string
	Funcs map[string]*Func
	Types map[string]*value.Type

	// Words are names that are neither: those that mean the same without an
	// import (count, forall, PolicyViolation), and further names of a violation.
	Words map[string]bool
}

// Has reports whether name may be imported from m.
func (m *Module) Has(name string) bool {
	return m.Funcs[name] != nil || m.Types[name] != nil || m.Words[name]
}

// Names returns all names that may be imported from m, sorted.
func (m *Module) Names() []string {
	names := slices.Collect(maps.Keys(m.Funcs))
	names = slices.AppendSeq(names, maps.Keys(m.Types))
	names = slices.AppendSeq(names, maps.Keys(m.Words))
	slices.Sort(names)
	return slices.Compact(names)
}

// LookupModule returns the module with the path given, nil if there is none.
// The tree under "holdfast" is that under "invariant".
func LookupModule(path string) *Module {
	if path == "holdfast" || strings.HasPrefix(path, "holdfast.") {
		path = "invariant" + strings.TrimPrefix(path, "holdfast")
	}
	return modules[path]
}

// ModulePaths returns the paths of all modules, sorted.
func ModulePaths() []string {
	var paths []string
	for path := range modules {
		paths = append(paths, path)
		if rest, ok := strings.CutPrefix(path, "invariant"); ok {
			paths = append(paths, "holdfast"+rest)
		}
	}
	slices.Sort(paths)
	return paths
}

var modules = buildModules()

// DetectorNames returns the names of the detectors that functions ask, sorted.
func DetectorNames() []string {
	names := map[string]bool{}
	for _, f := range universe {
		names[f.Asks] = true
	}
	for _, m := range modules {
		for _, f := range m.Funcs {
			names[f.Asks] = true
		}
	}
	delete(names, "")
	return slices.Sorted(maps.Keys(names))
}

// Functions returns all functions that a policy can call, each once: those that
// are always there, then those of modules, by name.
func Functions() []*Func {
	all := slices.Collect(maps.Values(universe))
	seen := map[*Func]bool{}
	for _, f := range all {
		seen[f] = true
	}
	for _, path := range slices.Sorted(maps.Keys(modules)) {
		for _, f := range modules[path].Funcs {
			if !seen[f] {
				seen[f] = true
				all = append(all, f)
			}
		}
	}
	slices.SortFunc(all, func(a, b *Func) int {
		return cmp.Or(cmp.Compare(a.Module, b.Module), cmp.Compare(a.Name, b.Name))
	})
	return all
}

func buildModules() map[string]*Module {
	out := map[string]*Module{}
	for _, m := range slices.Concat(coreModules(), detectorModules(), otherModules()) {
		for _, f := range m.Funcs {
			if f.Module == "" && universe[f.Name] != f {
				f.Module = m.Path
			}
		}
		out[m.Path] = m
	}
	return out
}

func module(path string, types []*value.Type, fs ...*Func) *Module {
	m := &Module{Path: path, Funcs: byName(fs...), Types: map[string]*value.Type{}}
	for _, t := range types {
		m.Types[t.Name] = t
	}
	return m
}

// coreModules are `invariant` itself and what re-exports it.
func coreModules() []*Module {
	core := module("invariant", value.NamedTypes())
	core.Types["LLM"] = LLMType
	maps.Copy(core.Funcs, universe)
	core.Words = words("count", "forall", "exists", "PolicyViolation", "Violation")
	llm := llmModule()
	maps.Copy(core.Funcs, llm.Funcs)

	nodes := module("invariant.nodes", value.NamedTypes())
	nodes.Types["LLM"] = LLMType
	for _, name := range []string{"text", "image"} {
		nodes.Funcs[name] = universe[name]
	}
	builtins := module("invariant.builtins", nil)
	maps.Copy(builtins.Funcs, universe)

	errors := module("invariant.errors", nil)
	errors.Words = words("PolicyViolation", "Violation")
	quantifiers := module("invariant.quantifiers", nil)
	quantifiers.Words = words("count", "forall", "exists")

	json := module("json", nil,
		fn("loads", value.AnyType, jsonLoads, param("s")),
		fn("dumps", value.StrType, jsonDumps, param("obj")))
	return []*Module{core, nodes, builtins, errors, quantifiers, json, llm}
}

func words(names ...string) map[string]bool {
	out := make(map[string]bool, len(names))
	for _, name := range names {
		out[name] = true
	}
	return out
}
