// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package project

import (
	"encoding/json"
	"errors"
	"math/big"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/goccy/go-yaml"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

const whole = `
policies: [policies, holdfast.policies.exfiltration]
tools: tools.json
inputs:
  domains: [corp.example]
  limit: 3
  large: 18446744073709551615
  share: 0.5
  nested: {a: [true, null]}
workspace: .
select: [P05, P0301]
ignore: [P0523]
severities:
  P0508: error
  P0512: "off"
detectors:
  timeout: 3s
  scorer: true
  allow: [detectors.internal]
  remote:
    pii: {url: "https://pii.example", token_env: HOLDFAST_PII, max_texts: 3}
  models:
    url: https://models.example/v1
    key_env: HOLDFAST_KEY
    chat: {model: m, models: {large: x}}
  programs: {semgrep: semgrep, semgrep_config: [rules/own.yml]}
`

func TestRead(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	f, err := Read(filepath.Join(dir, Name), []byte(whole), false)
	if err != nil {
		t.Fatal(err)
	}
	large, _ := new(big.Int).SetString("18446744073709551615", 10)
	want := map[string]any{"domains": []any{"corp.example"}, "limit": int64(3), "large": large, "share": 0.5, "nested": map[string]any{"a": []any{true, nil}}}
	if !reflect.DeepEqual(f.Inputs, want) {
		t.Errorf("got the inputs %#v", f.Inputs)
	}
	if got := f.Roots(); !slices.Equal(got, []string{"policies", "holdfast.policies.exfiltration"}) {
		t.Errorf("got the roots %q", got)
	}
	s := f.Settings()
	if time.Duration(s.Timeout) != 3*time.Second || s.Models.URL != "https://models.example/v1" || s.Programs.SemgrepConfig[0] != filepath.Join("rules", "own.yml") {
		t.Errorf("got the detectors %+v", s)
	}
	s.Remote["x"] = s.Remote["pii"]
	if len(f.Detectors.Remote) != 1 || f.Detectors.Programs.SemgrepConfig[0] != "rules/own.yml" {
		t.Error("what is done to the settings changes the file")
	}
	if line, column := f.Place("detectors.models.chat.model"); line != 25 || column != 19 {
		t.Errorf("got the place %d:%d", line, column)
	}
	for _, src := range []string{"", "# nothing\n", "---\n", "inputs:\n"} {
		if _, err := Read(Name, []byte(src), false); err != nil {
			t.Errorf("%q: %v", src, err)
		}
	}
}

func TestWrong(t *testing.T) {
	for _, tt := range []struct{ src, want string }{
		{"policys: []", `f:1:1: there is no key "policys"; did you mean "policies"?`},
		{"x: 1", `f:1:1: there is no key "x"; there are detectors, ignore, inputs, policies, select, severities, tools, workspace`},
		{"tools: a\ndetectors:\n  modles: {}", `f:3:3: there is no key "modles" in detectors; did you mean "models"?`},
		{"detectors: {remote: {pii: {ulr: x}}}", `f:1:28: there is no key "ulr" in detectors.remote.pii; did you mean "url"?`},
		{"policies: a", "f:1:11: policies: want a list"},
		{"policies: [[a]]", "f:1:12: policies[0]: want a text"},
		{"policies: ['']", "f:1:12: policies: want a path"},
		{"tools: 3", "f:1:8: tools: want a text"},
		{"inputs: [a]", "f:1:9: inputs: want a mapping"},
		{"- a", "f:1:1: the file: want a mapping"},
		{"detectors: {scorer: 'yes'}", "f:1:21: detectors.scorer: want true or false"},
		{"detectors: {timeout: soon}", "got the time"},
		{"detectors: {remote: {x: {max_texts: a}}}", "f:1:37: detectors.remote.x.max_texts: want a whole number"},
		{"a: 1\na: 2", `f:2:1: mapping key "a" already defined`},
		{"tools: [", "f:1:8: "},
		{"tools: a\n---\ntools: b", "want one document"},
		{"select: [P0599]", "f:1:10: select: there is no diagnostic P0599"},
		{"ignore: [vet]", "f:1:10: ignore: there is no diagnostic vet"},
		{"severities: {P05: off}", "f:1:19: severities: there is no diagnostic P05"},
		{"severities: {P0512: of}", `f:1:21: severities.P0512: there is no severity "of"; want error, warning, off`},
		{"detectors: {models: {key_env: AWS_SECRET_KEY}}", "cannot have AWS_SECRET_KEY sent to a server"},
		{"detectors: {models: {chat: {key_env: K}}}", "f:1:38: detectors.models.chat.key_env: "},
		{"detectors: {remote: {pii: {token_env: K}}}", "detectors.remote.pii.token_env: "},
		{"detectors: {programs: {semgrep: ./evil}}", "which program of a folder is run"},
	} {
		_, err := Read("f", []byte(tt.src), false)
		var wrong *Error
		if !errors.As(err, &wrong) || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got %v, want %s", tt.src, err, tt.want)
		}
	}
	if _, err := Read("f", []byte("detectors: {models: {key_env: K}, programs: {semgrep: ./own}}"), true); err != nil {
		t.Errorf("a file that somebody named: %v", err)
	}
}

func TestFind(t *testing.T) {
	dir := t.TempDir()
	deep := filepath.Join(dir, "outer", "repo", "a", "b")
	for _, d := range []string{deep, filepath.Join(dir, "outer", "repo", ".git"), filepath.Join(dir, "outer", "repo", "a", Name)} {
		if err := os.MkdirAll(d, 0o750); err != nil {
			t.Fatal(err)
		}
	}
	write := func(path string) {
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	find := func(want string) {
		t.Helper()
		if got, err := Find(deep); err != nil || got != want {
			t.Errorf("got %q (%v), want %q", got, err, want)
		}
	}
	write(filepath.Join(dir, "outer", Name))
	find("") // it is outside of the repository
	own := filepath.Join(dir, "outer", "repo", Name)
	write(own)
	find(own) // the folder of that name does not count
	near := filepath.Join(deep, Name)
	write(near)
	find(near)
	if runtime.GOOS == "windows" {
		return
	}
	if err := os.Chmod(deep, 0o777); err != nil { //nolint:gosec // that is what is tried
		t.Fatal(err)
	}
	if _, err := Find(deep); err == nil || !strings.Contains(err.Error(), "anybody can write") {
		t.Errorf("got %v of a folder that is everybody's", err)
	}
}

// TestSchema compares docs/holdfast.schema.json with what is read.
func TestSchema(t *testing.T) {
	const path = "../../docs/holdfast.schema.json"
	compiled, err := jsonschema.NewCompiler().Compile(path)
	if err != nil {
		t.Fatal(err)
	}
	for src, ok := range map[string]bool{whole: true, "": true, "policys: []": false, "detectors: {modles: {}}": false, "severities: {P0508: of}": false, "detectors: {timeout: soon}": false} {
		text, err := yaml.YAMLToJSON([]byte(src))
		if err != nil {
			t.Fatal(err)
		}
		if src == "" {
			text = []byte("null")
		}
		value, err := jsonschema.UnmarshalJSON(strings.NewReader(string(text)))
		if err != nil {
			t.Fatal(err)
		}
		if err := compiled.Validate(value); (err == nil) != ok {
			t.Errorf("%s: the schema says %v", src, err)
		}
	}
	src, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var schema object
	if err := json.Unmarshal(src, &schema); err != nil {
		t.Fatal(err)
	}
	sameKeys(t, "", &schema, &schema, reflect.TypeFor[File]())
}

// object is a schema, as far as it says which keys there are.
type object struct {
	Ref        string            `json:"$ref"`
	Properties map[string]object `json:"properties"`
	Additional json.RawMessage   `json:"additionalProperties"`
	Defs       map[string]object `json:"$defs"`
}

func sameKeys(t *testing.T, path string, root, o *object, typ reflect.Type) {
	t.Helper()
	if name, ok := strings.CutPrefix(o.Ref, "#/$defs/"); ok && root.Defs[name].Properties != nil {
		def := root.Defs[name]
		o = &def
	}
	for typ.Kind() == reflect.Pointer {
		typ = typ.Elem()
	}
	switch {
	case typ.Kind() == reflect.Map && typ.Elem().Kind() == reflect.Struct:
		var each object
		if err := json.Unmarshal(o.Additional, &each); err != nil {
			t.Errorf("%s: %v", path, err)
		}
		sameKeys(t, path+".*", root, &each, typ.Elem())
	case typ.Kind() == reflect.Struct && !reflect.PointerTo(typ).Implements(textType):
		known := map[string]reflect.Type{}
		fields(typ, known)
		for key, field := range known {
			p, ok := o.Properties[key]
			if !ok {
				t.Errorf("the schema has no %s.%s", path, key)
				continue
			}
			sameKeys(t, path+"."+key, root, &p, field)
		}
		if len(o.Properties) != len(known) || string(o.Additional) != "false" {
			t.Errorf("%s: the schema has %d keys, want %d and no others", path, len(o.Properties), len(known))
		}
	}
}
