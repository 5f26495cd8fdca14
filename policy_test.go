// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package holdfast_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/holdfast-dev/holdfast"
	"github.com/holdfast-dev/holdfast/diag"
	"github.com/holdfast-dev/holdfast/internal/difftest"
	"github.com/holdfast-dev/holdfast/script"
	"github.com/holdfast-dev/holdfast/trace"
)

func TestRulesOfAPolicy(t *testing.T) {
	p := compile(t, `import json

# What leaves the house.
# id: out
raise "leak" if:
    (o: ToolOutput) -> (c: ToolCall)
    c.arguments.to not in input.friends

ask f"pay {c.arguments.n}" if:
    (c: ToolCall)
    c.arguments.n > input.limit

warn PolicyViolation("late", 1) if:
    (m: UserMessage)
    not exists:
        (c: ToolCall)
`)
	rules := p.Rules()
	if len(rules) != 3 {
		t.Fatalf("got %d rules", len(rules))
	}
	type short struct {
		index, line          int
		action, message      string
		retracts, preventive bool
		class, policy        string
	}
	want := []short{
		{0, 5, "deny", "leak", false, true, "local", "policy.gr"},
		{1, 9, "ask", "", false, true, "local", "policy.gr"},
		{2, 13, "warn", "late", true, false, "global", "policy.gr"},
	}
	for i, r := range rules {
		if got := (short{r.Index, r.Line, r.Action, r.Message, r.Retracts, r.Preventive, r.Class, r.Policy}); got != want[i] {
			t.Errorf("rule %d: got %+v, want %+v", i, got, want[i])
		}
	}
	if rules[0].ID != "out" || rules[1].ID == "" || rules[1].ID == rules[2].ID {
		t.Errorf("got the ids %q, %q, %q", rules[0].ID, rules[1].ID, rules[2].ID)
	}
	if got := p.Inputs(); len(got) != 2 || got[0].Name != "friends" || got[1].Name != "limit" || got[0].Type != "any" {
		t.Errorf("got the inputs %+v", got)
	}
	if len(p.Warnings()) == 0 {
		t.Error("a rule that retracts and can only report gave no warning")
	}
	var b strings.Builder
	if err := p.Explain(&b); err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"rule 0 \"out\" (deny)", "message: leak", "flow:    (o: ToolOutput) -> (c: ToolCall) (", "plan:    whole"} {
		if !strings.Contains(b.String(), part) {
			t.Errorf("%q is not in\n%s", part, b.String())
		}
	}
	if err := p.Explain(full{}); err == nil {
		t.Error("explaining to a full disk gave no error")
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("full") }

// A policy that does not load gives all that is wrong with it, and no policy.
func TestPoliciesThatDoNotLoad(t *testing.T) {
	for name, test := range map[string]struct {
		src   string
		codes []string
	}{
		"two names":  {"raise \"x\" if:\n    (c: ToolCall)\n    a == 1\n    b == 1\n", []string{"P0201", "P0201"}},
		"one of two": {"raise \"x\" if:\n    (c: ToolCall)\n\nraise \"y\" if:\n    (c: ToolCall)\n    nope(c)\n", []string{"P0201"}},
		"syntax":     {"raise \"x\" if\n    (c: ToolCall)\n", nil},
		"binary":     {"\x00\xff\xfe", nil},
	} {
		p, err := holdfast.Compile("policy.gr", []byte(test.src), nil)
		var list diag.List
		if p != nil || !errors.As(err, &list) {
			t.Errorf("%s: got %v, %v", name, p, err)
			continue
		}
		var codes []string
		for _, d := range list {
			codes = append(codes, d.Code)
		}
		if test.codes != nil && !slices.Equal(codes, test.codes) {
			t.Errorf("%s: got %v, want %v", name, codes, test.codes)
		}
	}
}

func TestParameters(t *testing.T) {
	p := compile(t, `raise "x" if:
    (c: ToolCall)
    c.arguments.to not in input.friends
`)
	send := trace.Call("1", "send", map[string]any{"to": "eve"})
	friends := []any{"bob"}
	given := &holdfast.MonitorOptions{Input: map[string]any{"friends": friends}}
	m := start(t, p, given)
	friends[0] = "eve" // a monitor's parameters are fixed when it starts
	given.Input["friends"] = []string{"eve"}
	if v := checkWith(t, m, send); v.Decision() != holdfast.Deny {
		t.Errorf("with friends: %s", shown(v))
	}
	if v := checkWith(t, start(t, p, given), send); v.Decision() != holdfast.Allow {
		t.Errorf("with other friends: %s", shown(v))
	}
	if v := checkWith(t, start(t, p, nil), send); v.Decision() != holdfast.Unknown || v.Unknowns()[0].Reason != "parameter" {
		t.Errorf("without: %s", shown(v))
	}
	cycle := map[string]any{}
	cycle["self"] = cycle
	for name, x := range map[string]any{"channel": make(chan int), "function": func() {}, "cycle": cycle, "text": "\xff"} {
		if _, err := p.Monitor(&holdfast.MonitorOptions{Input: map[string]any{"friends": x}}); err == nil || !strings.Contains(err.Error(), "friends") {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

const importing = "from %s import p\nraise \"x\" if:\n    (c: ToolCall)\n    p(c)\n"

func load(name string, files fs.FS) (*holdfast.Policy, error) {
	return holdfast.Compile("main.gr", fmt.Appendf(nil, importing, name), &holdfast.Options{Files: files, Scripts: script.Load})
}

func TestImports(t *testing.T) {
	const lib = "p(c) := c is tool:a\n"
	file := func(src string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(src)} }
	for _, test := range []struct {
		name  string
		files fstest.MapFS
		want  string // part of the error; "" loads
	}{
		{"./lib", fstest.MapFS{"lib.gr": file(lib)}, ""},
		{"./sub/lib", fstest.MapFS{"sub/lib.gr": file(lib)}, ""},
		{"./sub/lib", fstest.MapFS{"sub/lib.gr": file("from ./other import q\np(c) := q(c)\n"), "sub/other.gr": file("q(c) := c is tool:a\n")}, ""},
		{"./sub/lib", fstest.MapFS{"sub/lib.gr": file("from ../other import q\np(c) := q(c)\n"), "other.gr": file("q(c) := c is tool:a\n")}, ""},
		{"./lib", fstest.MapFS{"lib.star": file("def p(c):\n    return c[\"function\"][\"name\"] == \"a\"\n")}, ""},
		{"./lib", fstest.MapFS{"lib.gr": file(lib), "lib.star": file("def p(c):\n    return False\n")}, ""},
		{"./lib", fstest.MapFS{"lib.gr": file("raise \"mine\" if:\n    (c: ToolCall)\n" + lib)}, ""},
		{"./lib", fstest.MapFS{}, "neither lib.gr nor lib.star"},
		{"./lib", fstest.MapFS{"lib.gr": file("q(c) := c is tool:a\n")}, `"p"`},
		{"./lib", fstest.MapFS{"lib.gr": file("p(c) := c is\n")}, "lib.gr:1"},
		{"./lib", fstest.MapFS{"lib.gr": file("p(c) := nope(c)\n")}, "lib.gr:1"},
		{"./lib", fstest.MapFS{"lib.star": file("def p(c)\n")}, "lib.star"},
		{"./lib", fstest.MapFS{"lib.star": file("def p(c):\n    return c\n\ndef not_(\n")}, "lib.star"},
		{"./lib", fstest.MapFS{"lib.gr": file("from ./lib import p\n")}, "P0208"},
		{"./a", fstest.MapFS{"a.gr": file("from ./b import p\n"), "b.gr": file("from ./a import p\n")}, "import"},
		{"./a", fstest.MapFS{"a.gr": file("from ./main import p\n"), "main.gr": file("from ./a import p\n")}, "import"},
		{"../lib", fstest.MapFS{"lib.gr": file(lib)}, "leads outside the policy's folder"},
	} {
		p, err := load(test.name, test.files)
		if test.want != "" {
			if p != nil || err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%s, %v: got %v, want %q", test.name, test.files, err, test.want)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		v := appendTo(t, start(t, p, nil), trace.Call("1", "a", nil), trace.Call("2", "b", nil))
		if len(p.Rules()) != 1 || v.Decision() != holdfast.Deny || len(v.Violations()) != 1 {
			t.Errorf("%s: %d rules, %s", test.name, len(p.Rules()), shown(v))
		}
	}
}

func TestImportsNeedAFolder(t *testing.T) {
	for _, opts := range []*holdfast.Options{nil, {}} {
		_, err := holdfast.Compile("main.gr", fmt.Appendf(nil, importing, "./lib"), opts)
		if err == nil || !strings.Contains(err.Error(), "no folder") {
			t.Errorf("got %v", err)
		}
	}
	_, err := holdfast.Compile("main.gr", fmt.Appendf(nil, importing, "./lib"), &holdfast.Options{
		Files: fstest.MapFS{"lib.star": {Data: []byte("def p(c):\n    return True\n")}},
	})
	if err == nil || !strings.Contains(err.Error(), "scripts are not enabled") {
		t.Errorf("a script without Scripts: %v", err)
	}
}

// Nothing that an import can say leads outside the policy's folder.
func TestImportsStayInside(t *testing.T) {
	outside := t.TempDir()
	inside := filepath.Join(outside, "policy")
	write := func(name string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte("p(c) := c is tool:a\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(filepath.Join(outside, "secret.gr"))
	write(filepath.Join(inside, "sub", "lib.gr"))
	for link, to := range map[string]string{"link.gr": "../secret.gr", "abs.gr": filepath.Join(outside, "secret.gr"), "up": "..", "fine.gr": "sub/lib.gr"} {
		if err := os.Symlink(to, filepath.Join(inside, link)); err != nil {
			t.Skipf("this system makes no symbolic links: %v", err)
		}
	}
	root, err := os.OpenRoot(inside)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := root.Close(); err != nil {
			t.Error(err)
		}
	})
	for _, name := range []string{"./sub/lib", "./fine", "./sub/../sub/lib"} {
		if _, err := load(name, root.FS()); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, name := range []string{
		"../secret", "./../secret", "./sub/../../secret", "./../policy/sub/lib", "./link", "./abs", "./up/secret",
		"/secret", ".//" + outside + "/secret", `./..\secret`, `.\..\secret`, "./C:/secret", "./secret\x00", "./", ".", "..", "./sub/lib.gr/..",
	} {
		p, err := load(name, root.FS())
		var list diag.List
		if p != nil || !errors.As(err, &list) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// A policy may be used by any number of goroutines at once, and so may a
// trace: under the race detector this test is about that.
func TestPolicyIsShared(t *testing.T) {
	var sources []string
	for _, x := range planned {
		sources = append(sources, x.policy)
	}
	sources = append(sources, "raise \"x\" if:\n    (m: Message)\n    match(m.role + \".*\", m.content)\n    json_loads(m.content).k == \"a\" or len(m.content) > 0\n")
	p := compile(t, strings.Join(sources, "\n"))
	var traces []*trace.Trace
	want := map[*trace.Trace]string{}
	for k := range uint64(6) {
		src := []byte(difftest.Generate(902, k).Trace())
		tr, err := trace.Decode(src, nil)
		if err != nil {
			t.Fatal(err)
		}
		traces = append(traces, tr)
		own, _ := trace.Decode(src, nil)
		v, err := p.Analyze(context.Background(), own, nil)
		if err != nil {
			t.Fatal(err)
		}
		want[tr] = shown(v)
	}
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for i := range traces {
				tr := traces[(i+g)%len(traces)]
				v, err := p.Analyze(context.Background(), tr, nil)
				if err != nil {
					t.Error(err)
					return
				}
				if got := shown(v); got != want[tr] {
					t.Errorf("got\n%swant\n%s", got, want[tr])
				}
				stepwise(t, p, tr)
			}
		})
	}
	wg.Wait()
}

func stepwise(t *testing.T, p *holdfast.Policy, tr *trace.Trace) {
	m, err := p.Monitor(nil)
	if err != nil {
		t.Error(err)
		return
	}
	for _, e := range tr.Events {
		v, err := m.Check(context.Background(), e)
		if err != nil {
			t.Error(err)
		}
		w, err := m.Append(context.Background(), e)
		if err != nil {
			t.Error(err)
		}
		if got, want := shown(v), shown(w); got != want {
			t.Errorf("checking gave\n%sappending\n%s", got, want)
		}
	}
}
