// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package classify

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/holdfast-dev/holdfast/detect"
)

// A modelServer is a server as OpenAI's, on loopback, whose models are a few
// lines each. What answer is set says is said instead.
type modelServer struct {
	*httptest.Server
	mu     sync.Mutex
	seen   []map[string]any // the questions
	paths  []string
	keys   []string
	answer func(w http.ResponseWriter, r *http.Request, question map[string]any)
	said   string // what chat says
}

func serveModels(t *testing.T) *modelServer {
	t.Helper()
	s := &modelServer{}
	s.Server = httptest.NewServer(http.HandlerFunc(s.handle))
	t.Cleanup(s.Close)
	return s
}

func (s *modelServer) handle(w http.ResponseWriter, r *http.Request) {
	var question map[string]any
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	if json.Unmarshal(body, &question) != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	s.mu.Lock()
	s.seen, s.paths, s.keys = append(s.seen, question), append(s.paths, r.URL.Path), append(s.keys, r.Header.Get("Authorization"))
	answer, said := s.answer, s.said
	s.mu.Unlock()
	switch {
	case answer != nil:
		answer(w, r, question)
	case r.URL.Path == "/v1/moderations":
		write(w, moderations(inputs(question)))
	case r.URL.Path == "/v1/embeddings":
		write(w, embeddings(inputs(question)))
	case r.URL.Path == "/v1/chat/completions":
		write(w, chat(said))
	default:
		w.WriteHeader(http.StatusNotFound)
	}
}

// last is the question that came last.
func (s *modelServer) last(t *testing.T) map[string]any {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.seen) == 0 {
		t.Fatal("nothing was asked")
	}
	return s.seen[len(s.seen)-1]
}

func (s *modelServer) asked() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.seen)
}

func (s *modelServer) options() *Options {
	return &Options{URL: s.URL + "/v1", Hosts: []string{"127.0.0.1"}, Key: "a-key", Timeout: 5 * time.Second}
}

func write(w io.Writer, v any) { _ = json.NewEncoder(w).Encode(v) }

func inputs(question map[string]any) []string {
	var out []string
	for _, x := range question["input"].([]any) {
		out = append(out, x.(string))
	}
	return out
}

func moderations(inputs []string) any {
	var results []any
	for _, in := range inputs {
		scores := map[string]float64{"hate": 0.01, "hate/threatening": 0.01, "self-harm": 0.02, "violence": 0.05}
		if strings.Contains(in, "attack") {
			scores["violence"], scores["hate/threatening"] = 0.8, 0.2
		}
		results = append(results, map[string]any{"flagged": scores["violence"] > 0.5, "category_scores": scores, "categories": map[string]bool{}})
	}
	return map[string]any{"id": "modr-1", "model": "m", "results": results}
}

// embeddings makes vectors of words: texts are as near as they have words in
// common. They come in the order that is furthest from that of the texts.
func embeddings(inputs []string) any {
	var items []any
	for i, in := range inputs {
		vector := make([]float64, 1021)
		for word := range strings.FieldsSeq(strings.ToLower(in)) {
			h := fnv.New32()
			_, _ = h.Write([]byte(word))
			vector[h.Sum32()%1021]++
		}
		items = append(items, map[string]any{"object": "embedding", "index": i, "embedding": vector})
	}
	slices.Reverse(items)
	return map[string]any{"data": items}
}

func chat(said string) any {
	return map[string]any{"choices": []any{map[string]any{"index": 0, "finish_reason": "stop", "message": map[string]any{"role": "assistant", "content": said}}}}
}

// detectorCases are the detectors with a request that a sound server answers.
var detectorCases = []struct {
	name    string
	make    func(*Options) (detect.Detector, error)
	request detect.Request
	said    string // by the model, where it is one that talks
}{
	{"moderated", Moderation, detect.Request{Text: "canary attack"}, ""},
	{"similarity", Similarity, detect.Request{Text: "canary", Params: `{"target":["a cat"]}`}, ""},
	{"llm", Answer, detect.Request{Text: "canary"}, "fine"},
	{"llm_confirm", Confirm, detect.Request{Text: "canary"}, "yes"},
	{"topic", Topic, detect.Request{Text: "canary", Params: `{"topics":["birds"]}`}, `{"scores":[0.9]}`},
	{"prompt_injection", Injection, detect.Request{Text: "canary"}, `{"score":0.9}`},
	{"images", Images, detect.Request{Text: "iVBORw0KGgo=", Params: `{"policy":"No birds."}`}, `{"allowed":false,"reason":"a bird"}`},
}

// one asks about one text.
func one(t *testing.T, d detect.Detector, r detect.Request) detect.Result {
	t.Helper()
	got, err := d.Detect(t.Context(), []detect.Request{r})
	if err != nil || len(got) != 1 {
		t.Fatal(got, err)
	}
	return got[0]
}

func made(t *testing.T, make func(*Options) (detect.Detector, error), o *Options) detect.Detector {
	t.Helper()
	d, err := make(o)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// Whatever a server does that is no answer is an error, in every detector.
func TestBadServers(t *testing.T) {
	release := make(chan struct{})
	t.Cleanup(func() { close(release) })
	bad := map[string]func(w http.ResponseWriter, r *http.Request, question map[string]any){
		"hangs": func(_ http.ResponseWriter, r *http.Request, _ map[string]any) {
			select {
			case <-r.Context().Done():
			case <-release:
			}
		},
		"floods": func(w http.ResponseWriter, _ *http.Request, _ map[string]any) {
			_, _ = io.WriteString(w, `{"more":"`+strings.Repeat("x", 10<<20)+`"}`)
		},
		"speaks garbage": func(w http.ResponseWriter, _ *http.Request, _ map[string]any) { _, _ = io.WriteString(w, "<html>\xff") },
		"says nothing":   func(http.ResponseWriter, *http.Request, map[string]any) {},
		"says null":      func(w http.ResponseWriter, _ *http.Request, _ map[string]any) { _, _ = io.WriteString(w, "null") },
		"says {}":        func(w http.ResponseWriter, _ *http.Request, _ map[string]any) { _, _ = io.WriteString(w, "{}") },
		"says none": func(w http.ResponseWriter, _ *http.Request, _ map[string]any) {
			_, _ = io.WriteString(w, `{"results":[],"data":[],"choices":[]}`)
		},
		"says empty ones": func(w http.ResponseWriter, _ *http.Request, _ map[string]any) {
			_, _ = io.WriteString(w, `{"results":[{}],"data":[{},{}],"choices":[{}]}`)
		},
		"says too many": func(w http.ResponseWriter, _ *http.Request, _ map[string]any) {
			_, _ = io.WriteString(w, `{"results":[{"category_scores":{"a":0}},{"category_scores":{"a":0}}],"data":[{"embedding":[1]},{"embedding":[1]},{"embedding":[1]}],
				"choices":[{"message":{"content":"yes"}},{"message":{"content":"no"}}]}`)
		},
		"says what is out of range": func(w http.ResponseWriter, _ *http.Request, _ map[string]any) {
			_, _ = io.WriteString(w, `{"results":[{"category_scores":{"a":2}}],"data":[{"embedding":[0,0]},{"embedding":[1,0]}],"choices":[{"finish_reason":"content_filter","message":{"content":"yes"}}]}`)
		},
		"says what has another form": func(w http.ResponseWriter, _ *http.Request, _ map[string]any) {
			_, _ = io.WriteString(w, `{"results":[{"category_scores":{"a":null}}],"data":[{"embedding":[1,0]},{"embedding":[1]}],"choices":[{"message":{"content":["yes"]}}]}`)
		},
		"refuses": func(w http.ResponseWriter, _ *http.Request, _ map[string]any) {
			_, _ = io.WriteString(w, `{"results":"no","data":"no","choices":[{"message":{"content":null,"refusal":"no"}}]}`)
		},
		"calls a tool": func(w http.ResponseWriter, _ *http.Request, _ map[string]any) {
			_, _ = io.WriteString(w, `{"results":{},"data":{},"choices":[{"finish_reason":"tool_calls","message":{"content":"yes","tool_calls":[{}]}}]}`)
		},
		"is broken": func(w http.ResponseWriter, _ *http.Request, _ map[string]any) {
			w.WriteHeader(http.StatusInternalServerError)
		},
		"is busy": func(w http.ResponseWriter, _ *http.Request, _ map[string]any) {
			w.WriteHeader(http.StatusTooManyRequests)
		},
		"is elsewhere": func(w http.ResponseWriter, r *http.Request, _ map[string]any) {
			http.Redirect(w, r, "/elsewhere", http.StatusTemporaryRedirect)
		},
		"is cut": func(w http.ResponseWriter, _ *http.Request, _ map[string]any) {
			w.Header().Set("Content-Length", "100000")
			write(w, chat("yes"))
		},
		"hangs up": func(http.ResponseWriter, *http.Request, map[string]any) { panic(http.ErrAbortHandler) },
	}
	for name, answer := range bad {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, c := range detectorCases {
				s := serveModels(t)
				s.answer = answer
				o := s.options()
				o.Timeout, o.Tries = 500*time.Millisecond, 2
				if got := one(t, made(t, c.make, o), c.request); got.Err == nil || len(got.Findings) > 0 {
					t.Errorf("%s: got %v", c.name, got)
				} else if text := got.Err.Error(); strings.Contains(text, "canary") || strings.Contains(text, "a-key") || len(text) > 400 {
					t.Errorf("%s: the error says %s", c.name, text)
				}
			}
		})
	}
}

func TestGoodServers(t *testing.T) {
	for _, c := range detectorCases {
		s := serveModels(t)
		s.said = c.said
		d := made(t, c.make, s.options())
		got := one(t, d, c.request)
		if got.Err != nil || len(got.Findings) != 1 {
			t.Errorf("%s: got %v", c.name, got)
			continue
		}
		f := got.Findings[0]
		if err := f.Check(len([]rune(c.request.Text))); err != nil || f.View != detect.Raw || f.Kind == "" {
			t.Errorf("%s: %v %v", c.name, f, err)
		}
		if s.keys[0] != "Bearer a-key" || !strings.HasPrefix(s.paths[0], "/v1/") {
			t.Errorf("%s: asked %s with %s", c.name, s.paths[0], s.keys[0])
		}
		if v := d.Version(); !strings.Contains(v, s.URL) || strings.Contains(v, "a-key") {
			t.Errorf("%s: the version is %s", c.name, v)
		}
	}
}

// A parameter that a detector does not know, or of another type, is an error.
func TestParameters(t *testing.T) {
	for _, c := range detectorCases {
		s := serveModels(t)
		s.said = c.said
		d := made(t, c.make, s.options())
		for _, params := range []string{`{"no such":1}`, `[]`, `{`, `{} {}`, `{"model":1,"model_name":1}`, `{"threshold":2,"temperature":3,"click_coordinates":[1]}`} {
			if got := one(t, d, detect.Request{Text: c.request.Text, Params: params}); got.Err == nil {
				t.Errorf("%s with %s: got %v", c.name, params, got)
			}
		}
		if n := s.asked(); n > 0 {
			t.Errorf("%s: asked %d times all the same", c.name, n)
		}
	}
}

func TestLongTexts(t *testing.T) {
	for _, c := range detectorCases {
		s := serveModels(t)
		s.said = c.said
		c.request.Text = strings.Repeat("canary ", 1<<20)
		if got := one(t, made(t, c.make, s.options()), c.request); got.Err == nil || s.asked() > 0 {
			t.Errorf("%s: got %v, asked %d times", c.name, len(got.Findings), s.asked())
		}
	}
}

func TestModelNames(t *testing.T) {
	for _, test := range []struct{ model, param, want string }{
		{"", ``, "gpt-4o"},
		{"", `"model":"openai/gpt-4o"`, "gpt-4o"},
		{"", `"model":"openai/gpt-4.1"`, "gpt-4.1"},
		{"", `"model":"meta/llama"`, "meta/llama"},
		{"", `"model":"big"`, "llama3:70b"},
		{"llama3:8b", ``, "llama3:8b"},
		{"llama3:8b", `"model":"openai/gpt-4o"`, "llama3:8b"},
		{"llama3:8b", `"model":"openai/gpt-4.1"`, "gpt-4.1"},
	} {
		s := serveModels(t)
		s.said = "no"
		o := s.options()
		o.Model, o.Models = test.model, map[string]string{"big": "llama3:70b"}
		if got := one(t, made(t, Confirm, o), detect.Request{Text: "a", Params: "{" + test.param + "}"}); got.Err != nil {
			t.Fatal(got.Err)
		}
		if got := s.last(t)["model"]; got != test.want {
			t.Errorf("%s with the model %q: asked %v, want %s", test.param, test.model, got, test.want)
		}
	}
}

// Requests are answered in their order, some at the same time, and what goes
// wrong with one is its own.
func TestManyRequests(t *testing.T) {
	s := serveModels(t)
	var mu sync.Mutex
	var now, most int
	s.answer = func(w http.ResponseWriter, _ *http.Request, question map[string]any) {
		mu.Lock()
		now++
		most = max(most, now)
		mu.Unlock()
		time.Sleep(time.Millisecond)
		mu.Lock()
		now--
		mu.Unlock()
		prompt := question["messages"].([]any)[0].(map[string]any)["content"].(string)
		if prompt == "7" {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		write(w, chat("said "+prompt))
	}
	var requests []detect.Request
	for i := range 20 {
		requests = append(requests, detect.Request{Text: fmt.Sprint(i)})
	}
	got, err := made(t, Answer, s.options()).Detect(t.Context(), requests)
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range got {
		if (r.Err != nil) != (i == 7) || i != 7 && r.Findings[0].Text != fmt.Sprint("said ", i) {
			t.Errorf("%d: got %v", i, r)
		}
	}
	if most > maxAtOnce {
		t.Errorf("%d at the same time", most)
	}
}

func TestOptionsRefused(t *testing.T) {
	for _, c := range detectorCases {
		for _, o := range []*Options{nil, {URL: "http://models.example"}, {URL: "https://10.0.0.1/v1"}, {URL: "https://models.example", Key: "a b"}} {
			if _, err := c.make(o); err == nil {
				t.Errorf("%s: %v is taken", c.name, o)
			}
		}
		if _, err := c.make(&Options{URL: "https://models.example/v1"}); err != nil {
			t.Error(err)
		}
	}
}

// answering says one thing.
func answering(what any) func(http.ResponseWriter, *http.Request, map[string]any) {
	return func(w http.ResponseWriter, _ *http.Request, _ map[string]any) { write(w, what) }
}
