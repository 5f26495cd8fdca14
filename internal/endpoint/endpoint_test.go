// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package endpoint

import (
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/holdfast-dev/holdfast/internal/egress"
)

// A step is what a server does when it is asked.
type step struct {
	status int
	after  string        // Retry-After
	err    error         // of the connection
	takes  time.Duration // on the clock of the test
}

// A script answers step by step, and with the last from then on. It remembers
// when it was asked.
type script struct {
	steps []step
	begin time.Time
	asked []time.Duration
}

func (s *script) post(ctx context.Context, _ string, _ http.Header, body []byte) (*egress.Answer, error) {
	s.asked = append(s.asked, time.Since(s.begin))
	now := s.steps[min(len(s.asked), len(s.steps))-1]
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-time.After(now.takes):
	}
	if now.err != nil {
		return nil, now.err
	}
	return &egress.Answer{Status: now.status, Header: http.Header{"Retry-After": {now.after}}, Body: body}, nil
}

// scripted runs f with an endpoint of scripted answers, on a clock of its own.
func scripted(t *testing.T, steps []step, f func(*testing.T, *script, *Endpoint)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s := &script{steps: steps, begin: time.Now()}
		f(t, s, over(Options{URL: "https://detector.example"}, s.post))
	})
}

var errReset = errors.New("connection reset")

func TestTries(t *testing.T) {
	for _, test := range []struct {
		name  string
		steps []step
		tries int
		ok    bool
		least time.Duration // until the last try
		most  time.Duration
	}{
		{"answered", []step{{status: 200}}, 1, true, 0, 0},
		{"busy, then answered", []step{{status: 503}, {status: 200}}, 2, true, 50 * time.Millisecond, 150 * time.Millisecond},
		{"too many, then answered", []step{{status: 429, after: "1"}, {status: 200}}, 2, true, time.Second, time.Second},
		{"comes again late", []step{{status: 429, after: "3600"}, {status: 200}}, 2, true, maxRetryAfter, maxRetryAfter},
		{"comes again at a date", []step{{status: 503, after: "Sat, 01 Jan 2000 00:00:02 GMT"}, {status: 200}}, 2, true, 2 * time.Second, 2 * time.Second},
		{"says nonsense", []step{{status: 503, after: "soon"}, {status: 200}}, 2, true, 50 * time.Millisecond, 150 * time.Millisecond},
		{"would like us in the past", []step{{status: 503, after: "-5"}, {status: 200}}, 2, true, 50 * time.Millisecond, 150 * time.Millisecond},
		{"reset, then answered", []step{{err: errReset}, {status: 200}}, 2, true, 50 * time.Millisecond, 150 * time.Millisecond},
		{"cut, then answered", []step{{err: io.ErrUnexpectedEOF}, {status: 200}}, 2, true, 50 * time.Millisecond, 150 * time.Millisecond},
		{"always busy", []step{{status: 503}}, 3, false, 0, time.Second},
		{"always reset", []step{{err: errReset}}, 3, false, 0, time.Second},
		{"broken", []step{{status: 500}}, 1, false, 0, 0},
		{"moved", []step{{status: 307}}, 1, false, 0, 0},
		{"nothing to say", []step{{status: 204}}, 1, false, 0, 0},
		{"not let in", []step{{status: 401}}, 1, false, 0, 0},
		{"refused", []step{{err: egress.ErrRefused}}, 1, false, 0, 0},
		{"floods", []step{{err: egress.ErrTooLong}}, 1, false, 0, 0},
		{"too slow", []step{{err: context.DeadlineExceeded}}, 1, false, 0, 0},
	} {
		scripted(t, test.steps, func(t *testing.T, s *script, e *Endpoint) {
			got, err := e.Post(t.Context(), "/x", []byte("hello"))
			if (err == nil) != test.ok || test.ok && string(got) != "hello" || len(s.asked) != test.tries {
				t.Fatalf("%s: got %q, %v after %d tries", test.name, got, err, len(s.asked))
			}
			if last := s.asked[len(s.asked)-1]; last < test.least || last > test.most {
				t.Errorf("%s: the last try was after %v", test.name, last)
			}
			if !test.ok && test.steps[0].err != nil && !errors.Is(err, test.steps[0].err) {
				t.Errorf("%s: got %v", test.name, err)
			}
		})
	}
}

// Where the time does not reach for another try, the answer comes at once, and
// says what was wrong with the last.
func TestDeadlineBeforeTheNextTry(t *testing.T) {
	scripted(t, []step{{status: 429, after: "4"}}, func(t *testing.T, s *script, e *Endpoint) {
		ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
		defer cancel()
		_, err := e.Post(ctx, "", nil)
		if err == nil || !strings.Contains(err.Error(), "429") || time.Since(s.begin) != 0 {
			t.Errorf("got %v after %v", err, time.Since(s.begin))
		}
	})
	scripted(t, []step{{status: 200, takes: time.Minute}}, func(t *testing.T, s *script, e *Endpoint) {
		ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
		defer cancel()
		if _, err := e.Post(ctx, "", nil); !errors.Is(err, context.DeadlineExceeded) || len(s.asked) != 1 {
			t.Errorf("got %v after %d tries", err, len(s.asked))
		}
	})
}

// A server that keeps failing is left alone, tried once, and taken back.
func TestBreaker(t *testing.T) {
	steps := slices.Repeat([]step{{status: 500}}, tripAfter+1)
	scripted(t, append(steps, step{status: 200}), func(t *testing.T, s *script, e *Endpoint) {
		ask := func() error {
			_, err := e.Post(t.Context(), "", nil)
			return err
		}
		for range tripAfter {
			if ask() == nil {
				t.Fatal("a failure is an answer")
			}
		}
		for range 10 {
			if ask() == nil {
				t.Fatal("a failure is an answer")
			}
		}
		if len(s.asked) != tripAfter {
			t.Errorf("asked %d times, want %d", len(s.asked), tripAfter)
		}
		time.Sleep(restFor + time.Second)
		if ask() == nil || len(s.asked) != tripAfter+1 {
			t.Errorf("asked %d times after the rest", len(s.asked))
		}
		if ask() == nil || len(s.asked) != tripAfter+1 {
			t.Errorf("asked again although the try failed")
		}
		time.Sleep(restFor + time.Second)
		for range 3 {
			if err := ask(); err != nil {
				t.Error("after it came back:", err)
			}
		}
	})
}

// What says nothing of the server does not count against it.
func TestBreakerCountsTheServerOnly(t *testing.T) {
	for _, harmless := range []step{{status: 400}, {status: 413}, {err: egress.ErrRefused}, {err: context.Canceled}} {
		steps := slices.Repeat([]step{harmless}, 3*tripAfter)
		scripted(t, append(steps, step{status: 200}), func(t *testing.T, s *script, e *Endpoint) {
			for range 3 * tripAfter {
				_, err := e.Post(t.Context(), "", nil)
				for err == nil {
					t.Fatal("a failure is an answer")
				}
				if len(s.asked) >= 3*tripAfter {
					break
				}
			}
			if _, err := e.Post(t.Context(), "", nil); err != nil {
				t.Errorf("%v: %v", harmless, err)
			}
		})
	}
}

func TestHeaders(t *testing.T) {
	var seen http.Header
	var address string
	e := over(Options{URL: "https://detector.example/v1/", Token: "abc"}, func(_ context.Context, to string, h http.Header, _ []byte) (*egress.Answer, error) {
		seen, address = h, to
		return &egress.Answer{Status: 200}, nil
	})
	if _, err := e.Post(t.Context(), "/moderations", nil); err != nil {
		t.Fatal(err)
	}
	if seen.Get("Authorization") != "Bearer abc" || seen.Get("Content-Type") != "application/json" || address != "https://detector.example/v1/moderations" {
		t.Errorf("got %v to %s", seen, address)
	}
}

func TestAddresses(t *testing.T) {
	for _, test := range []struct{ url, path, want string }{
		{"https://a.example", "", "https://a.example"},
		{"https://a.example/v1/", "/chat", "https://a.example/v1/chat"},
		{"https://a.example/v1?version=2&x=/", "/chat", "https://a.example/v1/chat?version=2&x=/"},
		{"https://a.example/ask?version=2", "", "https://a.example/ask?version=2"},
	} {
		var address string
		e := over(Options{URL: test.url}, func(_ context.Context, to string, _ http.Header, _ []byte) (*egress.Answer, error) {
			address = to
			return &egress.Answer{Status: 200}, nil
		})
		if _, err := e.Post(t.Context(), test.path, nil); err != nil || address != test.want {
			t.Errorf("asked %s, want %s", address, test.want)
		}
	}
}

func TestNewRefuses(t *testing.T) {
	for _, o := range []Options{
		{},
		{URL: "http://detector.example"},
		{URL: "https://10.0.0.1"},
		{URL: "https://detector.example", Token: "a b"},
		{URL: "https://detector.example", Token: "a\r\nX: y"},
		{URL: "https://detector.example", Hosts: []string{"*"}},
	} {
		if _, err := New(o); err == nil {
			t.Errorf("%v is taken", o)
		}
	}
	if _, err := New(Options{URL: "https://detector.example/detect", Token: "sk-1_2.3"}); err != nil {
		t.Error(err)
	}
}
