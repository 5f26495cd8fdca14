// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package builtin

import (
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

// detectorModules are `invariant.detectors` and its parts; the whole has all
// that the parts have.
func detectorModules() []*Module {
	none := value.NoneV
	parts := []*Module{
		module("invariant.detectors.pii", nil,
			asking("pii", "pii", value.ListType, kinds, param("data"), optional("entities", none))),
		module("invariant.detectors.secrets", nil,
			asking("secrets", "secrets", value.ListType, kinds, param("data"))),
		module("invariant.detectors.prompt_injection", nil,
			detector("prompt_injection", value.BoolType, param("data"), optional("model", none), optional("threshold", none),
				optional("default_threshold", none), optional("cat_thresholds", none)),
			detector("unicode", value.ListType, param("data"), optional("categories", none))),
		module("invariant.detectors.moderation", nil,
			detector("moderated", value.BoolType, param("data"), optional("model", none), optional("default_threshold", none),
				optional("cat_thresholds", none), optional("threshold", none))),
		module("invariant.detectors.copyright", nil,
			detector("copyright", value.ListType, param("data"), optional("threshold", none))),
		module("invariant.detectors.fuzzy_matching", nil,
			detector("fuzzy_contains", value.BoolType, param("search_text"), param("query"),
				optional("query_similarity_threshold", value.FloatOf(0.8)), optional("use_semantic", value.TrueV))),
		module("invariant.detectors.sentence_similarity", nil,
			detector("is_similar", value.BoolType, param("data"), param("target"), optional("threshold", value.StrOf("might_resemble"))),
			detector("embedding_similarity", value.FloatType, param("data"), param("target"), optional("mode", value.StrOf("max")))),
		module("invariant.detectors.code", []*value.Type{CodeIssueType, PythonResultType},
			&Func{Name: "python_code", Result: PythonResultType, Kind: Detector, Impl: pythonCode, Params: []Param{param("data"), optional("ipython_mode", value.FalseV)}},
			&Func{Name: "ipython_code", Result: PythonResultType, Kind: Detector, Impl: pythonCode, Params: []Param{param("data")}},
			detector("semgrep", value.ListType, param("data"), optional("lang", none))),
		module("invariant.detectors.image", []*value.Type{ImagePolicyType},
			effect("image_policy_violations", ImagePolicyType, param("data"), param("policy"), optional("click_coordinates", none),
				optional("api_key", none), optional("model_name", none))),
	}
	all := module("invariant.detectors", []*value.Type{FindingType},
		detector("detect", value.ListType, param("data"), param("detector"), optional("threshold", none)))
	for _, m := range parts {
		maps.Copy(all.Funcs, m.Funcs)
		maps.Copy(all.Types, m.Types)
	}
	// A function says where it is from by the path that policies use.
	for _, f := range all.Funcs {
		f.Module = all.Path
	}
	return append(parts, all)
}

// otherModules are the parsers, files, access control and language models.
func otherModules() []*Module {
	none := value.NoneV
	html := module("invariant.parsers.html", []*value.Type{HiddenHTMLType},
		detector("html_code", HiddenHTMLType, param("data")),
		detector("links", value.ListType, param("data")))
	ocr := module("invariant.parsers.ocr", nil,
		detector("ocr", value.ListType, param("image_data")))
	parsers := module("invariant.parsers", nil,
		detector("images", value.ListType, param("data")))
	for _, m := range []*Module{html, ocr} {
		maps.Copy(parsers.Funcs, m.Funcs)
		maps.Copy(parsers.Types, m.Types)
	}
	html.Funcs["images"] = parsers.Funcs["images"]
	for _, f := range parsers.Funcs {
		f.Module = parsers.Path
	}

	path, tree := optional("path", value.StrOf(".")), optional("tree", value.TrueV)
	files := module("invariant.files", []*value.Type{value.FileType},
		effect("get_files", value.ListType, param("workspace_path"), path, optional("pattern", none)),
		effect("get_tree_files", value.ListType, param("workspace_path"), path, optional("pattern", none)),
		effect("get_file_content", value.FileType, param("workspace_path"), param("file_path")),
		effect("get_file_contents", value.ListType, param("workspace_path"), path, optional("pattern", none), tree),
		effect("is_dir", value.BoolType, param("path")),
		effect("is_sensitive", value.BoolType, param("file"), function("func")),
		effect("is_sensitive_dir", value.BoolType, param("workspace_path"), function("funcs"), path, optional("pattern", none), tree))

	access := module("invariant.access_control", nil,
		fn("should_allow_rbac", value.BoolType, shouldAllowRBAC,
			param("data"), param("scope"), param("user"), param("user_roles"), param("role_grants")))
	access.Words = words("AccessControlViolation")
	return []*Module{html, ocr, parsers, files, access}
}

// llmModule is `invariant.llm`, whose functions `invariant` has too.
func llmModule() *Module {
	system := value.StrOf("You are a helpful assistant.")
	ask := func(name string, result *value.Type, prompt string) *Func {
		return effect(name, result, param(prompt), optional("system_prompt", system), optional("model", value.StrOf("openai/gpt-4o")),
			optional("temperature", value.FloatOf(0.2)), optional("max_tokens", value.IntOf(500)))
	}
	return module("invariant.llm", nil,
		ask("llm", value.StrType, "prompt"),
		ask("llm_confirm", value.BoolType, "property_description"))
}

// The record types of the standard library.
var (
	// CodeIssueType is one issue that a code checker reports.
	CodeIssueType = record("CodeIssue", "description", value.StrType, "severity", value.StrType)

	// PythonResultType is what Python code consists of.
	PythonResultType = record("PythonDetectorResult", "imports", value.ListType, "builtins", value.ListType,
		"syntax_error", value.BoolType, "syntax_error_exception", value.AnyType, "function_calls", value.ListType)

	// HiddenHTMLType is what HTML shows to machines only.
	HiddenHTMLType = record("HiddenHTMLData", "alt_texts", value.ListType, "links", value.ListType)

	// ImagePolicyType is the verdict on an image.
	ImagePolicyType = record("ImagePolicyResult", "allowed", value.BoolType, "reason", value.StrType)

	// FindingType is what a detector sees in a text.
	FindingType = record("DetectorResult", "entity", value.StrType, "start", value.IntType, "end", value.IntType, "score", value.AnyType)

	// LLMType names a language model.
	LLMType = record("LLM", "vendor", value.StrType, "model", value.StrType)
)

// record makes a record type of names and types in turn.
func record(name string, fields ...any) *value.Type {
	t := &value.Type{Name: name, Kind: value.Record}
	for i := 0; i < len(fields); i += 2 {
		t.Fields = append(t.Fields, value.Field{Name: fields[i].(string), Type: fields[i+1].(*value.Type)})
	}
	return t
}
