// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package configured_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/goccy/go-yaml"

	"github.com/holdfast-dev/holdfast"
	"github.com/holdfast-dev/holdfast/detect"
	"github.com/holdfast-dev/holdfast/detect/configured"
	"github.com/holdfast-dev/holdfast/detect/local"
	"github.com/holdfast-dev/holdfast/internal/builtin"
	"github.com/holdfast-dev/holdfast/trace"
)

const everything = `
timeout: 4s
allow: [127.0.0.1, "models.internal:8080", 10.1.0.0/16, "fd00::/8"]
remote:
  secrets:
    url: https://detectors.example/ask
    token_env: TOKEN
    version: "7"
    timeout: 500ms
    max_texts: 10
    max_bytes: 100000
  of-my-own: {url: "http://127.0.0.1:8000/ask"}
models:
  url: https://models.example/v1
  key_env: KEY
  model: big
  models: {openai/gpt-4.1: other}
  moderation: {model: judge}
  embedding: {url: "http://models.internal:8080/v1", model: near}
  injection: {}
programs: {}
scorer: true
`

// environment looks names up in a map.
func environment(vars map[string]string) func(string) (string, bool) {
	return func(name string) (string, bool) {
		v, ok := vars[name]
		return v, ok
	}
}

func TestRead(t *testing.T) {
	s, err := configured.Read([]byte(everything))
	if err != nil {
		t.Fatal(err)
	}
	if s.Remote["secrets"].MaxTexts != 10 || s.Models.URL != "https://models.example/v1" || s.Models.Model.Model != "big" || s.Models.Moderation.Model != "judge" || !s.Scorer {
		t.Errorf("got %+v", s)
	}
	// As JSON and as YAML again it is the same.
	asJSON, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	asYAML, err := yaml.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range [][]byte{asJSON, asYAML} {
		again, err := configured.Read(text)
		if err != nil || !reflect.DeepEqual(s, again) {
			t.Errorf("%s\n%v\ngot  %+v\nwant %+v", text, err, again, s)
		}
	}
	for _, nothing := range []string{"", "{}", "# nothing\n"} {
		if s, err := configured.Read([]byte(nothing)); err != nil || !reflect.DeepEqual(s, &configured.Settings{}) {
			t.Errorf("%q: got %v, %v", nothing, s, err)
		}
	}
}

func TestReadRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"remot: {}":                          `remot`,
		"remote: {a: {address: b}}":          `address`,
		"remote: [a]":                        `remote`,
		"timeout: 5":                         `time`,
		"timeout: soon":                      `time`,
		"timeout: -5s":                       `time`,
		"models: {moderation: {key: sk-1}}":  `key`,
		"remote: {a: {url: b}, a: {url: c}}": `a`,
		"scorer: maybe":                      `scorer`,
		"\x00":                               ``,
		"{":                                  ``,
	} {
		if s, err := configured.Read([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, %v", text, s, err)
		}
	}
}

func TestDetectors(t *testing.T) {
	s, err := configured.Read([]byte(everything))
	if err != nil {
		t.Fatal(err)
	}
	base := local.Detectors()
	before := len(base)
	got, err := configured.Detectors(base, s, environment(map[string]string{"TOKEN": "t", "KEY": "k"}))
	if err != nil {
		t.Fatal(err)
	}
	want := slices.Sorted(maps.Keys(base))
	want = append(want, "of-my-own", "moderated", builtin.Embeddings, "llm", "llm_confirm", "topic", "image_policy_violations")
	slices.Sort(want)
	if names := slices.Sorted(maps.Keys(got)); !slices.Equal(names, slices.Compact(want)) || len(base) != before {
		t.Errorf("got %v, want %v", names, want)
	}
	known := builtin.DetectorNames()
	for name := range got {
		if name != "of-my-own" && !slices.Contains(known, name) {
			t.Errorf("no function asks %s", name)
		}
	}
	for name, want := range map[string]string{
		"moderated": "https://models.example/v1 judge", builtin.Embeddings: "http://models.internal:8080/v1 near", "llm": "https://models.example/v1 big",
		"secrets": "https://detectors.example/ask",
	} {
		if v := got[name].Version(); !strings.Contains(v, want) {
			t.Errorf("%s is %s, want %s", name, v, want)
		}
	}
	if v := got["prompt_injection"].Version(); !strings.Contains(v, "https://models.example/v1 big") || !strings.Contains(v, fmt.Sprintf("%q", base["prompt_injection"].Version())) {
		t.Errorf("prompt_injection is %s", v)
	}
}

// Without settings nothing is added, and nothing that is asked over a network
// is there.
func TestNothingByItself(t *testing.T) {
	for _, s := range []*configured.Settings{nil, {}} {
		got, err := configured.Detectors(local.Detectors(), s, nil)
		if err != nil || !slices.Equal(slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(local.Detectors()))) {
			t.Errorf("got %v, %v", got, err)
		}
	}
	if got, err := configured.Detectors(nil, &configured.Settings{Scorer: true}, nil); err != nil || got["moderated"] == nil {
		t.Errorf("got %v, %v", got, err)
	}
}

// Programs take the place of what this machine does by itself; any that can be
// run does here.
func TestPrograms(t *testing.T) {
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	base := local.Detectors()
	s := &configured.Settings{Programs: configured.Programs{Semgrep: program, SemgrepConfig: []string{"rules.yaml"}, Tesseract: program, Languages: []string{"eng"}}}
	got, err := configured.Detectors(base, s, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"semgrep", "ocr"} {
		if d := got[name]; d == nil || !strings.Contains(d.Version(), program) {
			t.Errorf("%s is not answered by the program", name)
		}
	}
	if base["semgrep"].Version() == got["semgrep"].Version() {
		t.Error("what was given has changed")
	}
}

func TestDetectorsRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"remote: {moderatd: {url: 'https://a.example'}}":                        "remote.moderatd: no function asks a detector of this name; did you mean moderated?",
		"remote: {'a b': {url: 'https://a.example'}}":                           "remote.a b: want the name",
		"remote: {secrets: {}}":                                                 "remote.secrets.url: ",
		"remote: {secrets: {url: 'http://a.example'}}":                          "plain http",
		"remote: {secrets: {url: 'https://127.0.0.1:1'}}":                       "loopback",
		"remote: {secrets: {url: 'https://user:pw@a.example'}}":                 "has a user in it",
		"remote: {secrets: {url: 'https://a.example', token_env: NO}}":          "remote.secrets.token_env: the environment variable NO is not set",
		"remote: {secrets: {url: 'https://a.example', token_env: EMPTY}}":       "EMPTY is not set",
		"remote: {secrets: {url: 'https://a.example', token_env: BROKEN}}":      "the token has other signs",
		"remote: {secrets: {url: 'https://a.example', max_texts: -1}}":          "below 0",
		"models: {key_env: KEY}":                                                "models: got a key",
		"models: {chat: {model: m}}":                                            "models.chat: got no url",
		"models: {injection: {}}":                                               "models.injection: got no url",
		"models: {url: 'http://10.0.0.1/v1'}":                                   "models.url: ",
		"models: {url: 'https://a.example/v1', key_env: NO}":                    "models.key_env: ",
		"allow: [10.0.0.0/99]":                                                  "allow: got",
		"{allow: ['*.example'], remote: {secrets: {url: 'https://a.example'}}}": "allowed host",
		"programs: {semgrep: ./no-such-program}":                                "programs.semgrep: ",
		"programs: {tesseract: ./no-such-program}":                              "programs.tesseract: ",
		"programs: {semgrep_config: [a]}":                                       "no semgrep",
		"programs: {languages: [eng]}":                                          "no tesseract",
	} {
		s, err := configured.Read([]byte(text))
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		_, err = configured.Detectors(nil, s, environment(map[string]string{"KEY": "k", "EMPTY": "", "BROKEN": "a\nb"}))
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "pw") {
			t.Errorf("%s: got %v, want %s", text, err, want)
		}
	}
	// All of it is said at once.
	s := &configured.Settings{Remote: map[string]configured.Remote{"a": {}, "b": {}}, Programs: configured.Programs{Languages: []string{"eng"}}}
	if _, err := configured.Detectors(nil, s, nil); err == nil || strings.Count(err.Error(), "\n") != 2 {
		t.Errorf("got %v", err)
	}
}

// A key goes where it was given for, and nowhere else.
func TestKeysStayApart(t *testing.T) {
	var mu sync.Mutex
	seen := map[string]string{}
	serve := func(name string) *httptest.Server {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			mu.Lock()
			defer mu.Unlock()
			seen[name+r.URL.Path] = r.Header.Get("Authorization")
			w.WriteHeader(http.StatusTeapot)
		}))
		t.Cleanup(s.Close)
		return s
	}
	one, two, three := serve("one"), serve("two"), serve("three")
	s := &configured.Settings{
		Allow:  []string{"127.0.0.1"},
		Remote: map[string]configured.Remote{"pii": {URL: three.URL, TokenEnv: "TOKEN"}, "secrets": {URL: three.URL + "/secrets"}},
		Models: configured.Models{
			Model:      configured.Model{URL: one.URL, KeyEnv: "KEY"},
			Moderation: &configured.Model{URL: two.URL},
			Embedding:  &configured.Model{URL: two.URL, KeyEnv: "OTHER"},
			Chat:       &configured.Model{Model: "m"},
		},
	}
	got, err := configured.Detectors(nil, s, environment(map[string]string{"KEY": "key", "OTHER": "other", "TOKEN": "token"}))
	if err != nil {
		t.Fatal(err)
	}
	for name, params := range map[string]string{"pii": "", "secrets": "", "moderated": "", "llm": "", builtin.Embeddings: `{"target":["a"]}`} {
		if r, err := got[name].Detect(t.Context(), []detect.Request{{Text: "x", Params: params}}); err != nil || r[0].Err == nil {
			t.Errorf("%s: got %v, %v", name, r, err)
		}
	}
	want := map[string]string{
		"one/chat/completions": "Bearer key", "two/moderations": "", "two/embeddings": "Bearer other", "three/": "Bearer token", "three/secrets": "",
	}
	if !maps.Equal(seen, want) {
		t.Errorf("got %v, want %v", seen, want)
	}
}

// From settings to verdicts: servers answer rules, and one that is down makes
// them unknown.
func TestPolicies(t *testing.T) {
	models := httptest.NewServer(http.HandlerFunc(modelServer))
	defer models.Close()
	down := httptest.NewServer(http.NotFoundHandler())
	down.Close()
	const policy = `
from invariant.detectors import moderated, is_similar, topic, prompt_injection, detect
from invariant.llm import llm, llm_confirm
raise "violent" if:
    (m: Message)
    moderated(m.content, cat_thresholds={"violence": 0.3})
raise "about cats" if:
    (m: Message)
    is_similar(m.content, "cats", threshold="very_similar")
raise "birds" if:
    (m: Message)
    "birds" in topic(m.content, ["birds"])
raise "injected" if:
    (m: Message)
    prompt_injection(m.content)
raise "confirmed" if:
    (m: Message)
    llm_confirm("Is this bad? " + m.content)
raise "said" if:
    (m: Message)
    "BAD" in llm(m.content)
raise "own" if:
    (m: Message)
    len(detect(m.content, "of-my-own")) > 0
`
	for _, test := range []struct {
		name, url string
		want      holdfast.Decision
		rules     int
	}{
		{"up", models.URL, holdfast.Deny, 7},
		{"down", down.URL, holdfast.Unknown, 7},
	} {
		s := &configured.Settings{
			Allow:  []string{"127.0.0.1"},
			Remote: map[string]configured.Remote{"of-my-own": {URL: test.url + "/own"}},
			Models: configured.Models{Model: configured.Model{URL: test.url + "/v1"}, Injection: &configured.Model{}},
		}
		detectors, err := configured.Detectors(local.Detectors(), s, nil)
		if err != nil {
			t.Fatal(err)
		}
		p, err := holdfast.Compile("p.gr", []byte(policy), &holdfast.Options{Detectors: detectors})
		if err != nil {
			t.Fatal(err)
		}
		tr, err := trace.Decode([]byte(`[{"role":"user","content":"a hostile text about cats"}]`), nil)
		if err != nil {
			t.Fatal(err)
		}
		v, err := p.Analyze(context.Background(), tr, nil)
		if err != nil {
			t.Fatal(err)
		}
		if n := len(v.Violations()) + len(v.Unknowns()); v.Decision() != test.want || n != test.rules {
			t.Errorf("%s: got %v, %d violations, %d unknown: %s", test.name, v.Decision(), len(v.Violations()), len(v.Unknowns()), v.Reason())
		}
		for _, u := range v.Unknowns() {
			if strings.Contains(u.Detail, "cats") {
				t.Errorf("%s: says %s", test.name, u.Detail)
			}
		}
	}
}

// modelServer answers everything so that each rule holds.
func modelServer(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	say := func(text string) string {
		quoted, err := json.Marshal(text)
		if err != nil {
			return ""
		}
		return `{"choices":[{"finish_reason":"stop","message":{"content":` + string(quoted) + `}}]}`
	}
	asked := string(body)
	switch {
	case r.URL.Path == "/own":
		_, _ = io.WriteString(w, `{"version":"1","results":[{"findings":[{"kind":"own","start":0,"end":1}]}]}`)
	case r.URL.Path == "/v1/moderations":
		_, _ = io.WriteString(w, `{"results":[{"category_scores":{"violence":0.4}}]}`)
	case r.URL.Path == "/v1/embeddings":
		_, _ = io.WriteString(w, `{"data":[{"index":0,"embedding":[1,0]},{"index":1,"embedding":[1,0.1]}]}`)
	case strings.Contains(asked, `\"topics\"`):
		_, _ = io.WriteString(w, say(`{"scores":[0.9]}`))
	case strings.Contains(asked, "whether a statement holds"):
		_, _ = io.WriteString(w, say("yes"))
	case strings.Contains(asked, "instructions of its own"):
		_, _ = io.WriteString(w, say(`{"score":0.9}`))
	default:
		_, _ = io.WriteString(w, say("THIS IS BAD"))
	}
}
