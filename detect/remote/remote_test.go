// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package remote

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
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

// A server is one on loopback that says what it is told to.
type server struct {
	*httptest.Server
	mu     sync.Mutex
	bodies []string
}

// serve starts a server. The answer to a batch is what answer says.
func serve(t *testing.T, answer func(w http.ResponseWriter, r *http.Request, body string)) *server {
	t.Helper()
	s := &server{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		s.mu.Lock()
		s.bodies = append(s.bodies, string(body))
		s.mu.Unlock()
		answer(w, r, string(body))
	}))
	t.Cleanup(s.Close)
	return s
}

// asked are the batches that came.
func (s *server) asked() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.bodies)
}

// says answers with a text.
func says(text string) func(http.ResponseWriter, *http.Request, string) {
	return func(w http.ResponseWriter, _ *http.Request, _ string) { _, _ = io.WriteString(w, text) }
}

func client(t *testing.T, s *server, o Options) *Client {
	t.Helper()
	o.Hosts = []string{"127.0.0.1"}
	c, err := New("moderated", s.URL, &o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestDetect(t *testing.T) {
	s := serve(t, says(`{"version": "7", "of": "tomorrow", "results": [
		{"findings": [{"kind": "b", "start": 1, "end": 2, "score": 0.25, "view": "stripped", "text": "x", "severity": "info", "more": 1}, {"kind": "a", "start": 0, "end": 2}]},
		{"error": "too tired"},
		{"findings": []}
	]}`))
	c := client(t, s, Options{Token: "abc"})
	before := c.Version()
	got, err := c.Detect(t.Context(), []detect.Request{{Text: "é😀"}, {Text: "b", Params: `{"a":1}`}, {Text: "c<&>\xff", Views: []string{"raw", "nfkc"}}})
	if err != nil {
		t.Fatal(err)
	}
	want := []detect.Finding{
		{Kind: "a", Start: 0, End: 2, Score: 1, View: "raw"},
		{Kind: "b", Start: 1, End: 2, Score: 0.25, View: "stripped", Text: "x", Severity: "info"},
	}
	if !slices.Equal(got[0].Findings, want) || got[1].Err == nil || got[2].Err != nil || len(got[2].Findings) != 0 {
		t.Errorf("got %v", got)
	}
	const body = `{"detector":"moderated","requests":[{"text":"é😀"},{"text":"b","params":{"a":1}},{"text":"c<&>\ufffd","views":["raw","nfkc"]}]}`
	if asked := s.asked(); len(asked) != 1 || asked[0] != body {
		t.Errorf("asked %s", asked)
	}
	if after := c.Version(); before == after || !strings.HasSuffix(after, " 7") || strings.Contains(after, "abc") {
		t.Errorf("the version was %q, then %q", before, after)
	}
	if got, err := c.Detect(t.Context(), nil); err != nil || len(got) != 0 || len(s.asked()) != 1 {
		t.Errorf("no requests: %v, %v", got, err)
	}
}

// answerCases are answers to a request for "é😀", as it stands, and whether
// they are taken.
var answerCases = []struct {
	answer string
	ok     bool
}{
	{`{"version":"1","results":[{"findings":[]}]}`, true},
	{`{"version":"1","results":[{"findings":[{"kind":"a","start":2,"end":2}]}]}`, true},
	{`{"version":"1","results":[{"findings":[{"kind":"a","start":0,"end":1,"score":0}]}]}`, true},
	{`{"version":"1","results":[{"findings":[{"kind":"a","start":0,"end":1,"score":null,"view":""}]}]}`, true},
	{`{"version":"1","results":[{"findings":[],"error":null}]}`, true},

	// Not the length that was asked for.
	{`{"version":"1","results":[]}`, false},
	{`{"version":"1","results":[{"findings":[]},{"findings":[]}]}`, false},
	{`{"version":"1","results":null}`, false},
	{`{"version":"1"}`, false},

	// Neither findings nor an error, or both.
	{`{"version":"1","results":[{}]}`, false},
	{`{"version":"1","results":[null]}`, false},
	{`{"version":"1","results":[{"findings":null}]}`, false},
	{`{"version":"1","results":[{"error":""}]}`, false},
	{`{"version":"1","results":[{"findings":[],"error":"x"}]}`, false},
	{`{"version":"1","results":[{"finding":[]}]}`, false},

	// Places outside the text, which has two code points, and six bytes.
	{`{"version":"1","results":[{"findings":[{"kind":"a","start":0,"end":3}]}]}`, false},
	{`{"version":"1","results":[{"findings":[{"kind":"a","start":-1,"end":1}]}]}`, false},
	{`{"version":"1","results":[{"findings":[{"kind":"a","start":2,"end":1}]}]}`, false},
	{`{"version":"1","results":[{"findings":[{"kind":"a","start":0.5,"end":1}]}]}`, false},
	{`{"version":"1","results":[{"findings":[{"kind":"a","start":0,"end":99999999999999999999}]}]}`, false},

	// Parts that are missing or out of range.
	{`{"version":"1","results":[{"findings":[{"start":0,"end":1}]}]}`, false},
	{`{"version":"1","results":[{"findings":[{"kind":"","start":0,"end":1}]}]}`, false},
	{`{"version":"1","results":[{"findings":[{"kind":"a","start":0}]}]}`, false},
	{`{"version":"1","results":[{"findings":[{"kind":"a","end":1}]}]}`, false},
	{`{"version":"1","results":[{"findings":[{"kind":"a","start":0,"end":1,"score":1.5}]}]}`, false},
	{`{"version":"1","results":[{"findings":[{"kind":"a","start":0,"end":1,"score":-0.5}]}]}`, false},
	{`{"version":"1","results":[{"findings":[{"kind":"a","start":0,"end":1,"score":"1"}]}]}`, false},
	{`{"version":"1","results":[{"findings":[{"kind":"a","start":0,"end":1,"severity":"bad"}]}]}`, false},
	{`{"version":"1","results":[{"findings":[{"kind":"a","start":0,"end":1,"view":"decoded"}]}]}`, false},
	{`{"version":"","results":[{"findings":[]}]}`, false},
	{`{"version":1,"results":[{"findings":[]}]}`, false},
	{`{"results":[{"findings":[]}]}`, false},

	// Not JSON, not all of it, or more than one thing.
	{``, false},
	{`OK`, false},
	{`null`, false},
	{`[]`, false},
	{`<html>busy</html>`, false},
	{`{"version":"1","results":[{"findings":[]}]`, false},
	{`{"version":"1","results":[{"findings":[]}]}{}`, false},
	{`{"version":"1","results":[{"findings":[]}],"results":[{"findings":[]}]}`, false},
	{`{"version":"1","results":[{"findings":[{"kind":"a","start":0,"end":1}],"Findings":[]}]}`, false},
	{"{\"version\":\"1\",\"results\":[{\"findings\":[{\"kind\":\"\xff\",\"start\":0,\"end\":1}]}]}", false},
}

func TestAnswers(t *testing.T) {
	for _, test := range answerCases {
		c := client(t, serve(t, says(test.answer)), Options{})
		got, err := c.Detect(t.Context(), []detect.Request{{Text: "é😀", Views: []string{detect.Raw}}})
		if err != nil || len(got) != 1 {
			t.Fatal(got, err)
		}
		if (got[0].Err == nil) != test.ok {
			t.Errorf("%s: got %v", test.answer, got[0])
		}
		if got[0].Err != nil && len(got[0].Findings) > 0 {
			t.Errorf("%s: findings beside an error", test.answer)
		}
	}
}

const fine = `{"version":"1","results":[{"findings":[]}]}`

// Whatever a server does that is no answer is an error, in time that is bound.
func TestBadServers(t *testing.T) {
	release := make(chan struct{})
	servers := map[string]func(w http.ResponseWriter, r *http.Request, body string){
		"hangs": func(_ http.ResponseWriter, r *http.Request, _ string) { wait(r, release) },
		"stops": func(w http.ResponseWriter, r *http.Request, _ string) {
			_, _ = io.WriteString(w, fine[:10])
			_ = http.NewResponseController(w).Flush()
			wait(r, release)
		},
		"floods": func(w http.ResponseWriter, _ *http.Request, _ string) {
			_, _ = io.WriteString(w, `{"version":"1","results":[{"findings":[]}],"more":"`+strings.Repeat("x", 10<<20)+`"}`)
		},
		"is cut": func(w http.ResponseWriter, _ *http.Request, _ string) {
			w.Header().Set("Content-Length", "1000")
			_, _ = io.WriteString(w, fine)
		},
		"hangs up": func(http.ResponseWriter, *http.Request, string) { panic(http.ErrAbortHandler) },
		"is broken": func(w http.ResponseWriter, _ *http.Request, _ string) {
			w.WriteHeader(http.StatusInternalServerError)
			_, _ = io.WriteString(w, fine)
		},
		"is busy": func(w http.ResponseWriter, _ *http.Request, _ string) {
			w.WriteHeader(http.StatusServiceUnavailable)
			_, _ = io.WriteString(w, fine)
		},
		"is elsewhere": func(w http.ResponseWriter, r *http.Request, _ string) {
			http.Redirect(w, r, "/elsewhere", http.StatusPermanentRedirect)
		},
		"has nothing": func(w http.ResponseWriter, _ *http.Request, _ string) { w.WriteHeader(http.StatusNoContent) },
		"has nobody":  func(w http.ResponseWriter, _ *http.Request, _ string) { w.WriteHeader(http.StatusUnauthorized) },
	}
	for name, answer := range servers {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := serve(t, answer)
			s.Config.ErrorLog = nil
			c := client(t, s, Options{Timeout: time.Second, Token: "hidden"})
			got, err := c.Detect(t.Context(), []detect.Request{{Text: "canary"}, {Text: "canary"}})
			if err != nil || len(got) != 2 || got[0].Err == nil || got[1].Err == nil {
				t.Fatalf("got %v, %v", got, err)
			}
			if said := got[0].Err.Error(); strings.Contains(said, "canary") || strings.Contains(said, "hidden") || len(said) > 300 {
				t.Errorf("the error says %s", said)
			}
		})
	}
	t.Cleanup(func() { close(release) })
}

// wait waits until the client or the test is gone.
func wait(r *http.Request, release chan struct{}) {
	select {
	case <-r.Context().Done():
	case <-release:
	}
}

// A server that is busy once and answers then has answered.
func TestBusyOnce(t *testing.T) {
	var s *server
	s = serve(t, func(w http.ResponseWriter, _ *http.Request, _ string) {
		if len(s.asked()) == 1 {
			w.Header().Set("Retry-After", "0")
			w.WriteHeader(http.StatusTooManyRequests)
			return
		}
		_, _ = io.WriteString(w, fine)
	})
	got, err := client(t, s, Options{}).Detect(t.Context(), []detect.Request{{Text: "a"}})
	if err != nil || got[0].Err != nil || len(s.asked()) != 2 {
		t.Errorf("got %v, %v after %d tries", got, err, len(s.asked()))
	}
}

// each answers a batch with a finding for each text whose kind is the text.
func each(w http.ResponseWriter, _ *http.Request, body string) {
	var asked struct{ Requests []struct{ Text string } }
	if json.Unmarshal([]byte(body), &asked) != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	var results []string
	for _, r := range asked.Requests {
		if strings.Contains(r.Text, "bad") {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		results = append(results, fmt.Sprintf(`{"findings":[{"kind":"k%d %.3s","start":0,"end":%d}]}`, len(r.Text), r.Text, len(r.Text)))
	}
	_, _ = io.WriteString(w, `{"version":"1","results":[`+strings.Join(results, ",")+`]}`)
}

func TestBatches(t *testing.T) {
	requests := []detect.Request{
		{Text: "a"},
		{Text: "b"},
		{Text: "c"},
		{Text: "d"},
		{Text: strings.Repeat("e", 60)},
		{Text: strings.Repeat("f", 60)},
		{Text: strings.Repeat("g", 200)},
		{Text: "bad"},
		{Text: "h", Params: "[]"},
		{Text: "i", Params: "{"},
		{Text: strings.Repeat("j", 85)},
		{Text: "k"},
	}
	s := serve(t, each)
	got, err := client(t, s, Options{MaxTexts: 3, MaxBytes: 100, Version: "1"}).Detect(t.Context(), requests)
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range got {
		text := requests[i].Text
		failed := slices.Contains([]int{5, 6, 7, 8, 9}, i) // 5 is in a batch with 7
		if (r.Err != nil) != failed || !failed && r.Findings[0].Kind != fmt.Sprintf("k%d %.3s", len(text), text) {
			t.Errorf("%d: got %v", i, r)
		}
	}
	for _, body := range s.asked() {
		if strings.Count(body, `"text"`) > 3 || len(body) > 100+len(`{"detector":"moderated","version":"1","requests":[,,]}`) {
			t.Errorf("a batch was %s", body)
		}
	}
}

// What is wrong with a batch is that of its texts alone, and of all of them.
func TestVersionThatIsWanted(t *testing.T) {
	s := serve(t, says(fine))
	for version, ok := range map[string]bool{"": true, "1": true, "2": false} {
		got, err := client(t, s, Options{Version: version}).Detect(t.Context(), []detect.Request{{Text: "a"}})
		if err != nil || (got[0].Err == nil) != ok {
			t.Errorf("version %q: got %v, %v", version, got, err)
		}
	}
}

func TestCancelled(t *testing.T) {
	release := make(chan struct{})
	defer close(release)
	ctx, cancel := context.WithCancel(t.Context())
	s := serve(t, func(_ http.ResponseWriter, r *http.Request, _ string) {
		cancel()
		wait(r, release)
	})
	c := client(t, s, Options{MaxTexts: 1, Timeout: time.Minute})
	if _, err := c.Detect(ctx, []detect.Request{{Text: "a"}, {Text: "b"}}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if n := len(s.asked()); n != 1 {
		t.Errorf("asked %d times", n)
	}
}

// A client is used by many at once.
func TestConcurrentUse(t *testing.T) {
	c := client(t, serve(t, each), Options{})
	var all sync.WaitGroup
	for i := range 16 {
		all.Go(func() {
			text := fmt.Sprint("t", i)
			got, err := c.Detect(t.Context(), []detect.Request{{Text: text}})
			if err != nil || got[0].Err != nil || !strings.HasSuffix(got[0].Findings[0].Kind, text[:2]) && len(text) == 2 {
				t.Errorf("%s: got %v, %v", text, got, err)
			}
			_ = c.Version()
		})
	}
	all.Wait()
}

func TestNewRefuses(t *testing.T) {
	for _, test := range []struct {
		name, address string
		o             *Options
	}{
		{"", "https://detector.example", nil},
		{"moderated", "detector.example", nil},
		{"moderated", "http://detector.example", nil},
		{"moderated", "https://192.168.1.1/detect", nil},
		{"moderated", "https://me:secret@detector.example", nil},
		{"moderated", "https://detector.example", &Options{Token: "a\nb"}},
	} {
		if _, err := New(test.name, test.address, test.o); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%v: got %v", test, err)
		}
	}
}
