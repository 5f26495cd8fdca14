// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package conformance_test

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/holdfast-dev/holdfast/detect"
	"github.com/holdfast-dev/holdfast/detect/remote"
	"github.com/holdfast-dev/holdfast/detect/remote/conformance"
)

// With -url the test tries a server of yours:
//
//	go test ./detect/remote/conformance -run Yours -url http://127.0.0.1:8000/detect -name moderated -example "you idiot"
var (
	yours   = flag.String("url", "", "the address of a server to try, on loopback")
	name    = flag.String("name", "moderated", "the detector that it is asked for")
	example = flag.String("example", "", "a text in which it finds something")
)

const token = "a-token-of-the-test"

// onLoopback are the options for a server of this machine.
func onLoopback() *remote.Options {
	return &remote.Options{Token: token, Hosts: []string{"127.0.0.1", "localhost"}}
}

func TestYours(t *testing.T) {
	if *yours == "" {
		t.Skip("no server is named: -url")
	}
	try(t, conformance.Target{URL: *yours, Detector: *name, Example: *example, Options: &remote.Options{Hosts: []string{"127.0.0.1", "localhost"}}})
}

// try runs the suite, holds what goes back and forth to the schemas, and
// reports what the server does not do.
func try(t *testing.T, target conformance.Target) {
	t.Helper()
	asked, answered := schema(t, "request"), schema(t, "response")
	n := 0
	target.Observe = func(request, answer []byte) {
		n++
		hold(t, asked, request)
		hold(t, answered, answer)
	}
	results, err := conformance.Run(t.Context(), target)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range results {
		if r.Err != nil {
			t.Errorf("%s: %v", r.Name, r.Err)
		}
	}
	if n == 0 {
		t.Error("no answer was seen")
	}
}

// schema compiles one of the schemas of the contract.
func schema(t *testing.T, of string) *jsonschema.Schema {
	t.Helper()
	s, err := jsonschema.NewCompiler().Compile(filepath.FromSlash("../../../docs/remote-" + of + ".schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func hold(t *testing.T, s *jsonschema.Schema, text []byte) {
	t.Helper()
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(string(text)))
	if err == nil {
		err = s.Validate(value)
	}
	if err != nil {
		t.Errorf("%.200s: %v", text, err)
	}
}

// An exampleServer is one that the documentation shows.
type exampleServer struct {
	name, program string
	args          []string
}

// exampleServers builds what has to be built.
func exampleServers(t *testing.T) []exampleServer {
	t.Helper()
	root := filepath.FromSlash("../../../examples/")
	binary := filepath.Join(t.TempDir(), "detector")
	if runtime.GOOS == "windows" {
		binary += ".exe"
	}
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", binary, root+"detector-go").CombinedOutput(); err != nil {
		t.Fatalf("building the example: %v\n%s", err, out)
	}
	servers := []exampleServer{{"go", binary, []string{"-listen", "127.0.0.1:0"}}}
	python, err := exec.LookPath("python3")
	if err != nil {
		if python, err = exec.LookPath("python"); err != nil {
			t.Error("there is no Python on this machine to try its example with")
			return servers
		}
	}
	return append(servers, exampleServer{"python", python, []string{filepath.Join(root, "detector-python", "detector.py"), "127.0.0.1:0"}})
}

// start starts a server and returns its address, which it prints first.
func (s exampleServer) start(t *testing.T) string {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	cmd := exec.CommandContext(ctx, s.program, s.args...)
	cmd.Env = append(os.Environ(), "DETECTOR_TOKEN="+token)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cancel()
		_ = cmd.Wait() // it was killed
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("reading the address: %v", err)
	}
	_, address, _ := strings.Cut(strings.TrimSpace(line), "listening on ")
	return address
}

func TestExampleServers(t *testing.T) {
	var answers []string
	servers := exampleServers(t)
	for _, s := range servers {
		t.Run(s.name, func(t *testing.T) {
			address := s.start(t)
			try(t, conformance.Target{URL: address, Detector: "moderated", Options: onLoopback(), Example: "you idiot", Params: `{"threshold":0.3}`})
			try(t, conformance.Target{URL: address, Detector: "moderated", Options: onLoopback(), Example: "ATTACK!"})
			client, err := remote.New("moderated", address, onLoopback())
			if err != nil {
				t.Fatal(err)
			}
			results, err := client.Detect(t.Context(), []detect.Request{
				{Text: "é😀 idiot, fool; idiots stabé STAB"},
				{Text: "fool", Params: `{"threshold":0.3}`},
				{Text: "fool", Params: `{"threshold":"low"}`},
				{Text: "fool", Params: `{"other":1}`},
				{Text: ""},
			})
			if err != nil {
				t.Fatal(err)
			}
			said, err := json.Marshal(results)
			if err != nil {
				t.Fatal(err)
			}
			answers = append(answers, string(said))
			if results[2].Err == nil || results[3].Err == nil || len(results[0].Findings) != 3 || len(results[1].Findings) != 1 {
				t.Errorf("got %v", results)
			}
		})
	}
	if len(slices.Compact(answers)) != 1 {
		t.Errorf("the servers answer differently:\n%s", strings.Join(answers, "\n"))
	}
}

// A server that does one thing wrongly is told so.
func TestWrongServers(t *testing.T) {
	for _, test := range []struct {
		name, want string
		answer     func(w http.ResponseWriter, body string)
	}{
		{"counts bytes", "counts places in code points", func(w http.ResponseWriter, body string) {
			_, _ = io.WriteString(w, findingsBy(body, func(before string) int { return len(before) }))
		}},
		{"counts UTF-16", "counts places in code points", func(w http.ResponseWriter, body string) {
			_, _ = io.WriteString(w, findingsBy(body, func(before string) int {
				n := 0
				for _, r := range before {
					if n++; r > 0xffff {
						n++
					}
				}
				return n
			}))
		}},
		{"says null", "answers one text", func(w http.ResponseWriter, _ string) {
			_, _ = io.WriteString(w, `{"version":"1","results":[{"findings":null}]}`)
		}},
		{"says everything is well", "refuses what is no batch", func(w http.ResponseWriter, _ string) {
			_, _ = io.WriteString(w, `{"version":"1","results":[]}`)
		}},
		{"knows every detector", "refuses a detector that it does not have", func(w http.ResponseWriter, _ string) {
			_, _ = io.WriteString(w, `{"version":"1","results":[{"findings":[]}]}`)
		}},
		{"knows everybody", "refuses who has no token", func(w http.ResponseWriter, _ string) {
			_, _ = io.WriteString(w, `{"version":"1","results":[{"findings":[]}]}`)
		}},
		{"is broken", "answers one text", func(w http.ResponseWriter, _ string) { w.WriteHeader(http.StatusInternalServerError) }},
	} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, err := io.ReadAll(r.Body)
			if err != nil {
				return
			}
			test.answer(w, string(body))
		}))
		results, err := conformance.Run(t.Context(), conformance.Target{URL: s.URL, Detector: "moderated", Options: onLoopback(), Example: "idiot"})
		s.Close()
		if err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(results, func(r conformance.Result) bool { return r.Name == test.want && r.Err != nil }) {
			t.Errorf("a server that %s: got %v", test.name, results)
		}
	}
	if _, err := conformance.Run(t.Context(), conformance.Target{URL: "http://10.0.0.1"}); err == nil {
		t.Error("an address that may not be reached is tried")
	}
}

// findingsBy answers a batch with the place of "idiot" in each text, counted
// in a way of the caller's.
func findingsBy(body string, count func(before string) int) string {
	var asked struct{ Requests []struct{ Text string } }
	if json.Unmarshal([]byte(body), &asked) != nil {
		return ""
	}
	var results []string
	for _, r := range asked.Requests {
		found := ""
		if before, _, ok := strings.Cut(r.Text, "idiot"); ok {
			at, err := json.Marshal(map[string]any{"kind": "insult", "start": count(before), "end": count(before) + 5})
			if err != nil {
				return ""
			}
			found = string(at)
		}
		results = append(results, `{"findings":[`+found+`]}`)
	}
	return `{"version":"1","results":[` + strings.Join(results, ",") + `]}`
}
