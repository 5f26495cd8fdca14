// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package builtin

import (
	"maps"

	"github.com/holdfast-dev/holdfast/internal/value"
)

// detectorModules are `invariant.detectors` and its parts; the whole has all
// that the parts have.
func detectorModules() []*Module {
	none := value.NoneV
	parts := []*Module{
		module("invariant.detectors.pii", nil,
			viewing("pii", value.ListType, kinds, param("data"), optional("entities", none))),
		module("invariant.detectors.secrets", nil,
			viewing("secrets", value.ListType, kinds, param("data"))),
		module("invariant.detectors.prompt_injection", nil,
			judging(viewing("prompt_injection", value.BoolType, whether, param("data"), optional("model", none), optional("threshold", none),
				optional("default_threshold", none), optional("cat_thresholds", none))),
			asking("unicode", value.ListType, distinctKinds, param("data"), optional("categories", none))),
		module("invariant.detectors.moderation", nil,
			judging(viewing("moderated", value.BoolType, whether, param("data"), optional("model", none), optional("default_threshold", none),
				optional("cat_thresholds", none), optional("threshold", none)))),
		module("invariant.detectors.topic", nil,
			judging(asking("topic", value.ListType, kinds, param("data"), listOf("topics"), optional("threshold", none)))),
		module("invariant.detectors.copyright", nil,
			viewing("copyright", value.ListType, licences, param("data"), optional("threshold", none))),
		module("invariant.detectors.fuzzy_matching", nil, fuzzyContains()),
		module("invariant.detectors.sentence_similarity", nil, similarityFunctions()...),
		codeModule(),
		module("invariant.detectors.image", []*value.Type{ImagePolicyType}, imagePolicyViolations()),
	}
	all := module("invariant.detectors", []*value.Type{FindingType},
		&Func{
			Name: "detect", Result: value.ListType, Kind: Detector, Impl: detected, Names: 1,
			Params: []Param{param("data"), own(param("detector")), own(optional("threshold", none)), optional(ViewsParam, none)},
		})
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

func fuzzyContains() *Func {
	return &Func{
		Name: "fuzzy_contains", Result: value.BoolType, Kind: Detector, Impl: containsFuzzily,
		Params: []Param{
			param("search_text"), as(param("query"), "target"), own(optional("query_similarity_threshold", value.FloatOf(0.8))),
			own(optional("use_semantic", value.TrueV)),
		},
	}
}

func similarityFunctions() []*Func {
	of := func(name string, result *value.Type, impl func(*Call) *value.Value, last Param) *Func {
		f := judging(asking(name, result, impl, param("data"), listOf("target"), own(last)))
		f.Asks = Embeddings
		return f
	}
	return []*Func{
		of("is_similar", value.BoolType, similar, optional("threshold", value.StrOf("might_resemble"))),
		of(Embeddings, value.FloatType, similarity, optional("mode", value.StrOf("max"))),
	}
}

// Embeddings is the detector that says how alike texts are.
const Embeddings = "embedding_similarity"

func codeModule() *Module {
	return module("invariant.detectors.code", []*value.Type{CodeIssueType, PythonResultType},
		&Func{
			Name: "python_code", Result: PythonResultType, Kind: Detector, Impl: pythonCode,
			Params: []Param{param("data"), optional("ipython_mode", value.FalseV)},
		},
		&Func{Name: "ipython_code", Result: PythonResultType, Kind: Detector, Impl: pythonCode, Params: []Param{param("data")}},
		asking("semgrep", value.ListType, issues, param("data"), optional("lang", value.NoneV)))
}

func imagePolicyViolations() *Func {
	none := value.NoneV
	f := judging(asking("image_policy_violations", ImagePolicyType, imagePolicy, param("data"), param("policy"),
		optional("click_coordinates", none), own(optional("api_key", none)), optional("model_name", none)))
	f.Kind, f.images = Effect, true
	return f
}

// parserModules are `invariant.parsers` and its parts.
func parserModules() []*Module {
	html := module("invariant.parsers.html", []*value.Type{HiddenHTMLType},
		asking("html_code", HiddenHTMLType, hiddenHTML, param("data")),
		asking("links", value.ListType, foundTexts, param("data")))
	read := asking("ocr", value.ListType, imageTexts, param("image_data"), optional("config", value.NoneV))
	read.images = true
	ocr := module("invariant.parsers.ocr", nil, read)
	parsers := module("invariant.parsers", nil,
		asking("images", value.ListType, foundTexts, param("data")))
	for _, m := range []*Module{html, ocr} {
		maps.Copy(parsers.Funcs, m.Funcs)
		maps.Copy(parsers.Types, m.Types)
	}
	html.Funcs["images"] = parsers.Funcs["images"]
	for _, f := range parsers.Funcs {
		f.Module = parsers.Path
	}
	return []*Module{html, ocr, parsers}
}

// otherModules are files and access control.
func otherModules() []*Module {
	access := module("invariant.access_control", nil,
		fn("should_allow_rbac", value.BoolType, shouldAllowRBAC,
			param("data"), param("scope"), param("user"), param("user_roles"), param("role_grants")))
	access.Words = words("AccessControlViolation")
	return append(parserModules(), fileModule(), access)
}

// llmModule is `invariant.llm`, whose functions `invariant` has too.
func llmModule() *Module {
	ask := func(name string, result *value.Type, impl func(*Call) *value.Value, prompt string) *Func {
		f := judging(asking(name, result, impl, param(prompt), optional("system_prompt", value.StrOf("You are a helpful assistant.")),
			optional("model", value.NoneV), optional("temperature", value.FloatOf(0.2)), optional("max_tokens", value.IntOf(500))))
		f.Kind, f.whole = Effect, true
		return f
	}
	return module("invariant.llm", nil,
		ask("llm", value.StrType, modelAnswer, "prompt"),
		ask("llm_confirm", value.BoolType, whether, "property_description"))
}

// The record types of the standard library.
var (
	// CodeIssueType is one issue that a code checker reports.
	CodeIssueType = record("CodeIssue", "description", value.StrType, "severity", value.StrType, "rule", value.StrType, "line", value.IntType)

	// PythonResultType is what Python code consists of.
	PythonResultType = record("PythonDetectorResult", "imports", value.ListType, "builtins", value.ListType,
		"syntax_error", value.BoolType, "syntax_error_exception", value.AnyType, "function_calls", value.ListType)

	// HiddenHTMLType is what HTML shows to machines only.
	HiddenHTMLType = record("HiddenHTMLData", "alt_texts", value.ListType, "links", value.ListType)

	// ImagePolicyType is the verdict on an image.
	ImagePolicyType = record("ImagePolicyResult", "allowed", value.BoolType, "reason", value.StrType)

	// FindingType is what a detector sees in a text; entity and kind are the
	// same.
	FindingType = record("DetectorResult", "entity", value.StrType, "start", value.IntType, "end", value.IntType, "score", value.FloatType,
		"kind", value.StrType, "text", value.StrType)

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
