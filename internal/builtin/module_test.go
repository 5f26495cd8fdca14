// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package builtin

import (
	"slices"
	"testing"

	"github.com/holdfast-dev/holdfast/internal/value"
)

// TestModules holds the standard library to what public policies import.
func TestModules(t *testing.T) {
	want := map[string][]string{
		"invariant": {
			"Message", "UserMessage", "AgentMessage", "SystemMessage", "ToolCall", "ToolOutput", "Tool", "ToolParameter", "Event", "Function", "Image",
			"TextChunk", "LLM", "PolicyViolation", "Violation", "count", "forall", "exists", "match", "find", "any", "len", "text", "image", "tool_call", "server",
		},
		"invariant.builtins": {"any", "empty", "match", "find", "len", "min", "max", "sum", "print", "tuple", "json_loads", "tool_call"},
		"invariant.nodes":    {"Message", "ToolCall", "text", "image"},
		"invariant.errors":   {"PolicyViolation"},
		"invariant.detectors": {
			"pii", "secrets", "prompt_injection", "unicode", "moderated", "copyright", "fuzzy_contains", "is_similar", "embedding_similarity",
			"python_code", "ipython_code", "semgrep", "CodeIssue", "PythonDetectorResult", "detect", "image_policy_violations",
		},
		"invariant.detectors.code":                {"python_code", "ipython_code", "semgrep", "CodeIssue"},
		"invariant.detectors.secrets":             {"secrets"},
		"invariant.detectors.pii":                 {"pii"},
		"invariant.detectors.prompt_injection":    {"prompt_injection", "unicode"},
		"invariant.detectors.moderation":          {"moderated"},
		"invariant.detectors.copyright":           {"copyright"},
		"invariant.detectors.fuzzy_matching":      {"fuzzy_contains"},
		"invariant.detectors.sentence_similarity": {"is_similar"},
		"invariant.parsers":                       {"html_code", "links", "images", "ocr", "HiddenHTMLData"},
		"invariant.parsers.html":                  {"html_code", "links", "images"},
		"invariant.parsers.ocr":                   {"ocr"},
		"invariant.files":                         {"get_files", "get_tree_files", "get_file_content", "get_file_contents", "is_sensitive", "is_sensitive_dir", "is_dir", "File"},
		"invariant.access_control":                {"should_allow_rbac"},
		"invariant.llm":                           {"llm"},
	}
	for path, names := range want {
		for _, p := range []string{path, "holdfast" + path[len("invariant"):]} {
			m := LookupModule(p)
			if m == nil {
				t.Errorf("no module %s", p)
				continue
			}
			if !slices.Contains(ModulePaths(), p) {
				t.Errorf("ModulePaths lacks %s", p)
			}
			for _, name := range names {
				if !m.Has(name) || !slices.Contains(m.Names(), name) {
					t.Errorf("module %s has no %s", p, name)
				}
			}
		}
	}
	for _, name := range []string{"loads", "dumps"} {
		if !LookupModule("json").Has(name) {
			t.Errorf("module json has no %s", name)
		}
	}
	for _, path := range []string{"os", "invariantx", "holdfast.nope", "holdfastdetectors", ""} {
		if LookupModule(path) != nil {
			t.Errorf("there is a module %q", path)
		}
	}
	if LookupModule("invariant.detectors").Has("nope") {
		t.Error("there is a detector called nope")
	}
}

// TestSignatures holds every function to what the checker relies on.
func TestSignatures(t *testing.T) {
	seen := map[*Func]bool{}
	funcs := func(fs map[string]*Func) {
		for name, f := range fs {
			if seen[f] {
				continue
			}
			seen[f] = true
			if f.Name != name || f.Result == nil {
				t.Errorf("%s: Name %q, Result %v", name, f.Name, f.Result)
			}
			checkParams(t, name, f.Params)
			if f.Kind == Pure && f.Impl == nil {
				t.Errorf("%s is pure and has no implementation", name)
			}
		}
	}
	funcs(Universe())
	for _, path := range ModulePaths() {
		m := LookupModule(path)
		funcs(m.Funcs)
		for name, f := range m.Funcs {
			if f.Module == "" && Universe()[name] != f {
				t.Errorf("%s.%s does not say where it is from", path, name)
			}
			if f.Module != "" && LookupModule(f.Module).Funcs[name] != f {
				t.Errorf("%s.%s says it is from %s", path, name, f.Module)
			}
		}
		for name, typ := range m.Types {
			if typ.Name != name && name != "LLM" || typ.Kind == value.Record && len(typ.Fields) == 0 {
				t.Errorf("%s.%s is type %s with %d fields", path, name, typ.Name, len(typ.Fields))
			}
		}
	}
	for _, name := range MethodNames() {
		checkParams(t, name, LookupMethod(name).Params)
	}
}

// checkParams: names differ, optional ones come last, a Rest is the last one.
func checkParams(t *testing.T, name string, params []Param) {
	t.Helper()
	names := map[string]bool{}
	optional := false
	for i, p := range params {
		if p.Name == "" || p.Type == nil || names[p.Name] {
			t.Errorf("%s: bad parameter %d: %+v", name, i, p)
		}
		names[p.Name] = true
		if p.Default == nil && !p.Rest && optional {
			t.Errorf("%s: required parameter %s behind an optional one", name, p.Name)
		}
		if p.Rest && i != len(params)-1 {
			t.Errorf("%s: parameters behind %s", name, p.Name)
		}
		optional = optional || p.Default != nil
	}
}
