// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// A detectorServer answers a batch of one text, and moderation, and says who
// asked.
type detectorServer struct {
	*httptest.Server
	mu   sync.Mutex
	seen []string // path, authorization, body
}

func serveDetector(t *testing.T) *detectorServer {
	t.Helper()
	s := &detectorServer{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		s.mu.Lock()
		s.seen = append(s.seen, r.URL.Path+" "+r.Header.Get("Authorization")+" "+string(body))
		s.mu.Unlock()
		finding := ""
		if strings.Contains(string(body), "violent") {
			finding = `{"kind":"violence","start":0,"end":7}`
		}
		switch r.URL.Path {
		case "/detect":
			fmt.Fprintf(w, `{"version":"1","results":[{"findings":[%s]}]}`, finding)
		case "/v1/moderations":
			fmt.Fprintf(w, `{"results":[{"category_scores":{"violence":%d}}]}`, len(finding)/len(`{"kind":"violence","start":0,"end":7}`))
		default:
			w.WriteHeader(http.StatusNotFound)
		}
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *detectorServer) asked() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.seen...)
}

// said runs the command and returns its exit code and all that it prints.
func said(args ...string) (int, string) {
	var stdout, stderr strings.Builder
	code := run(args, strings.NewReader(""), &stdout, &stderr)
	return code, stdout.String() + stderr.String()
}

// moderation writes a policy that asks for moderation, a trace with a violent
// text and a case for test.
func moderation(t *testing.T) (dir, policy, runs string) {
	t.Helper()
	dir = t.TempDir()
	files := map[string]string{
		"p.gr":         "from invariant.detectors import moderated\nraise \"violent words\" if:\n    (m: Message)\n    moderated(m.content)\n",
		"t.json":       `[{"role":"user","content":"violent words"}]`,
		"p_test.txtar": "-- policy p.gr --\n-- trace --\n[{\"role\":\"user\",\"content\":\"violent words\"}]\n-- want --\ndeny at 0: violent words (m=0)\n",
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir, filepath.Join(dir, "p.gr"), filepath.Join(dir, "t.json")
}

func TestDetectorFlags(t *testing.T) {
	s := serveDetector(t)
	dir, policy, runs := moderation(t)
	t.Setenv(modelKeyEnv, "model-key")
	t.Setenv(detectorTokenEnv, "detector-token")
	settings := filepath.Join(dir, "detectors.yaml")
	text := "allow: [127.0.0.1]\nremote:\n  moderated: {url: " + s.URL + "/detect}\n"
	if err := os.WriteFile(settings, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	const allow = "--allow-host=127.0.0.1"
	for _, test := range []struct {
		args []string
		code int
		auth string // by which the server was asked; "not": it was not
	}{
		{[]string{"check", policy, runs}, exitDenied, "not"}, // unknown
		{[]string{"check", policy, runs, "--fail-on", "deny"}, exitClean, "not"},
		{[]string{"check", policy, runs, "--fail-on", "deny", allow, "--detector", "moderated=" + s.URL + "/detect"}, exitDenied, "Bearer detector-token"},
		{[]string{"scan", policy, runs, "--fail-on", "deny", allow, "--detector", "moderated=" + s.URL + "/detect"}, exitDenied, "Bearer detector-token"},
		{[]string{"check", policy, runs, "--fail-on", "deny", allow, "--model-endpoint", s.URL + "/v1"}, exitDenied, "Bearer model-key"},
		{[]string{"check", policy, runs, "--fail-on", "deny", allow, "--model-endpoint", s.URL + "/v2"}, exitClean, "Bearer model-key"}, // unknown
		{[]string{"check", policy, runs, "--fail-on", "deny", "--detectors", settings}, exitDenied, ""},
		{[]string{"test", dir}, exitFailure, "not"},
		{[]string{"test", dir, "--detectors", settings}, exitClean, ""},
	} {
		before := len(s.asked())
		code, out := said(test.args...)
		if code != test.code || strings.Contains(out, "model-key") || strings.Contains(out, "detector-token") {
			t.Errorf("%v: got exit code %d, want %d:\n%s", test.args, code, test.code, out)
		}
		asked := s.asked()[before:]
		if (len(asked) > 0) != (test.auth != "not") {
			t.Errorf("%v: asked %v", test.args, asked)
		}
		for _, a := range asked {
			if _, rest, _ := strings.Cut(a, " "); !strings.HasPrefix(rest, test.auth+" ") {
				t.Errorf("%v: asked %s", test.args, a)
			}
		}
	}
}

func TestDetectorFlagsRefused(t *testing.T) {
	_, policy, runs := moderation(t)
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{"--detector", "moderated"}, "want name=URL"},
		{[]string{"--detector", "=https://a.example"}, "want name=URL"},
		{[]string{"--detector", "moderated=https://a.example", "--detector", "moderated=https://b.example"}, "twice"},
		{[]string{"--detector", "moderatd=https://a.example"}, "did you mean moderated?"},
		{[]string{"--detector", "moderated=http://a.example"}, "--allow-host"},
		{[]string{"--detector", "moderated=https://127.0.0.1:1"}, "127.0.0.1 is loopback (--allow-host"},
		{[]string{"--model-endpoint", "https://169.254.169.254/v1", "--allow-host", "169.254.169.254"}, "metadata"},
		{[]string{"--model-endpoint", "models.example"}, "scheme"},
		{[]string{"--detectors", "no-such-file"}, "reading --detectors"},
		{[]string{"--detectors", policy}, "reading settings of detectors"},
		{[]string{"--allow-host", "10.0.0.0/99"}, "prefix"},
	} {
		code, out := said(append([]string{"check", policy, runs}, test.args...)...)
		if code != exitUsage || !strings.Contains(out, test.want) {
			t.Errorf("%v: got exit code %d:\n%s", test.args, code, out)
		}
	}
	if _, err := os.Stat("/dev/zero"); err == nil {
		if code, out := said("check", policy, runs, "--detectors", "/dev/zero"); code != exitUsage || !strings.Contains(out, "is longer than") {
			t.Errorf("got exit code %d:\n%s", code, out)
		}
	}
}

func TestDetectConform(t *testing.T) {
	s := serveDetector(t)
	for _, test := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{s.URL + "/detect", "--name", "moderated", "--allow-host", "127.0.0.1"}, exitFailure, "ok      answers one text\nFAILED  answers an empty batch: got 1 results, want 0\n"},
		{[]string{s.URL + "/detect", "--name", "moderated", "--allow-host", "127.0.0.1/32"}, exitFailure, "ok      answers one text"},
		{[]string{s.URL + "/detect", "--name", "moderated"}, exitUsage, "loopback"},
		{[]string{s.URL + "/detect"}, exitUsage, "got no --name"},
		{[]string{s.URL + "/detect", "--name", "moderated", "--params", "{"}, exitUsage, "no JSON"},
		{nil, exitUsage, ""},
	} {
		if code, out := said(append([]string{"detect", "conform"}, test.args...)...); code != test.code || !strings.Contains(out, test.want) {
			t.Errorf("%v: got exit code %d:\n%s", test.args, code, out)
		}
	}
}
