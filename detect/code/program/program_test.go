// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package program

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/holdfast-dev/holdfast/detect"
)

// TestMain lets the test be the program: it is one when it is called as one.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == "scan" && os.Args[2] == "--json" {
		os.Exit(fake(os.Args[2:]))
	}
	os.Exit(m.Run())
}

// fake behaves as the rules that it is given say.
func fake(args []string) int {
	file := args[len(args)-1]
	text, err := os.ReadFile(file)
	if err != nil {
		return 3
	}
	switch how := args[slices.Index(args, "--config")+1]; how {
	case "find", "exit 1":
		fmt.Print(`{"version": "1", "errors": [{"level": "warn", "type": "Timeout"}], "results": [`)
		for i, at := 0, strings.Index(string(text), "eval"); at >= 0; i++ {
			if i > 0 {
				fmt.Print(",")
			}
			line := 1 + strings.Count(string(text[:at]), "\n")
			fmt.Printf(`{"check_id": "no-eval%s", "path": "x", "start": {"line": %d, "col": 1, "offset": %d}, "end": {"line": %d, "col": 5, "offset": %d}, "extra": {"message": "do not", "severity": "ERROR"}}`,
				filepath.Ext(file), line, at, line, at+4)
			next := strings.Index(string(text[at+4:]), "eval")
			if next < 0 {
				break
			}
			at += 4 + next
		}
		fmt.Print("]}")
		if how == "exit 1" {
			return 1
		}
	case "private":
		info, err := os.Stat(filepath.Dir(file))
		if err != nil || info.Mode().Perm()&0o077 != 0 || os.Getenv("HOME") != filepath.Dir(file) || os.Getenv("SECRET") != "" {
			return 4
		}
		fmt.Print(`{"results": []}`)
	case "hang":
		time.Sleep(time.Hour)
	case "child":
		c := exec.Command(os.Args[0], "scan", "--json", "--config", "hang", file)
		c.Stdout = os.Stdout
		_ = c.Start()
		time.Sleep(time.Hour)
	case "flood":
		for {
			if _, err := io.WriteString(os.Stdout, strings.Repeat("x", 1<<16)); err != nil {
				return 0
			}
		}
	case "fail":
		return 2
	default:
		fmt.Print(how)
	}
	return 0
}

func ask(t *testing.T, o *Options, r detect.Request) detect.Result {
	t.Helper()
	var err error
	if o.Program, err = os.Executable(); err != nil {
		t.Fatal(err)
	}
	d, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	out, err := d.Detect(t.Context(), []detect.Request{r})
	if err != nil {
		t.Fatal(err)
	}
	return out[0]
}

func TestFindings(t *testing.T) {
	t.Setenv("SECRET", "x")
	for _, test := range []struct {
		how, text, params string
		want              string
	}{
		{"find", "eval(x)\neval(y)\n", `{"lang":"python"}`, "no-eval.py 0-4 error do not; no-eval.py 8-12 error do not; "},
		{"exit 1", "eval x", `{"lang":"bash"}`, "no-eval.sh 0-4 error do not; "},
		{"find", "# é\nx = eval(y)\n", `{"lang":"py"}`, "no-eval.py 4-16 error do not; "},
		{"find", "text\n```js\neval(x)\n```\n", "", "no-eval.js 11-15 error do not; "},
		{"find", "nothing", `{"lang":"sql"}`, ""},
		{"private", "x = 1", `{"lang":"python"}`, ""},
	} {
		got := ""
		r := ask(t, &Options{Config: []string{test.how}}, detect.Request{Text: test.text, Params: test.params})
		for _, f := range r.Findings {
			got += fmt.Sprintf("%s %d-%d %s %s; ", f.Kind, f.Start, f.End, f.Severity, f.Text)
		}
		if got != test.want || r.Err != nil {
			t.Errorf("%s in %q: got %q %v, want %q", test.how, test.text, got, r.Err, test.want)
		}
	}
}

// TestTrouble: a program that cannot be relied on is an error, soon.
func TestTrouble(t *testing.T) {
	for _, test := range []struct{ how, want string }{
		{"hang", "stopped"},
		{"child", "stopped"},
		{"flood", "says more than"},
		{"fail", "failed"},
		{"", "reading"},
		{"no JSON", "reading"},
		{`{"results": 3}`, "reading"},
		{`{"results": null}`, "no results"},
		{`{}`, "no results"},
		{`{"results": [{}]}`, "names no rule"},
		{`{"results": [{"check_id": "a", "start": {"offset": 5}, "end": {"offset": 4}}]}`, "not there"},
		{`{"results": [{"check_id": "a", "start": {"offset": 0}, "end": {"offset": 4000}}]}`, "not there"},
		{`{"results": [], "errors": [{"level": "error"}]}`, "error of its own"},
	} {
		o := &Options{Config: []string{test.how}, Timeout: 30 * time.Second}
		if test.want == "stopped" {
			o.Timeout = 300 * time.Millisecond
		}
		r := ask(t, o, detect.Request{Text: "eval(x) # a little more", Params: `{"lang":"python"}`})
		if r.Err == nil || !strings.Contains(r.Err.Error(), test.want) || len(r.Findings) > 0 {
			t.Errorf("%q: got %v, want an error with %q", test.how, r, test.want)
		}
	}
	small := &Options{Config: []string{"find"}, MaxBytes: 3}
	if r := ask(t, small, detect.Request{Text: "eval(x)", Params: `{"lang":"python"}`}); r.Err == nil {
		t.Error("a text that is too long is looked at")
	}
	for _, r := range []detect.Request{
		{Text: "x", Params: `{"lang":"cobol"}`},
		{Text: "x", Params: `[]`},
		{Text: strings.Repeat("```js\neval(x)\n```\n", maxParts+1)},
	} {
		if got := ask(t, &Options{Config: []string{"find"}}, r); got.Err == nil {
			t.Errorf("%v: no error", r)
		}
	}
	if r := ask(t, &Options{Config: []string{`{"results": [{"check_id": "a", "start": {"line": 9}, "end": {"line": 9}}]}`}}, detect.Request{Text: "é", Params: `{"lang":"js"}`}); r.Err == nil {
		t.Error("a line that is not there")
	}
}

func TestStopped(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	d, err := New(&Options{Program: self, Config: []string{"hang"}})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := d.Detect(ctx, []detect.Request{{Text: "x", Params: `{"lang":"python"}`}}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestNew(t *testing.T) {
	for _, o := range []*Options{nil, {}, {Program: "no-such-program-anywhere", Config: []string{"x"}}, {Program: os.Args[0]}, {Program: os.Args[0], Config: []string{"--autofix"}}} {
		if _, err := New(o); err == nil {
			t.Errorf("%v is taken", o)
		}
	}
}

func TestSeverity(t *testing.T) {
	for in, want := range map[string]string{"ERROR": "error", "WARNING": "warning", "INFO": "info", "HIGH": "error", "LOW": "info", "": "warning"} {
		if got := severity(in); got != want {
			t.Errorf("%q is %q, want %q", in, got, want)
		}
	}
}
