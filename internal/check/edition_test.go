// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package check_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/holdfast-dev/holdfast/internal/check"
	"github.com/holdfast-dev/holdfast/internal/value"
	"github.com/holdfast-dev/holdfast/syntax"
)

// bound returns what the parameters that a program reads stand for when a
// monitor gives nothing, by rule.
func bound(prog *check.Program) []string {
	var out []string
	for _, r := range prog.Rules {
		syntax.Walk(r.Node, func(n syntax.Node) bool {
			if m, ok := n.(*syntax.Member); ok {
				if known := prog.Members[m]; known != nil && known.Input != nil {
					text := "nothing"
					if v := known.Input.Value(nil); v != nil {
						text = string(value.AppendJSON(nil, v))
					}
					out = append(out, r.ID+" "+known.Input.Name+"="+text)
				}
			}
			return true
		})
	}
	return out
}

func ids(prog *check.Program) []string {
	var out []string
	for i, r := range prog.Rules {
		if r.Index != i {
			out = append(out, fmt.Sprintf("%s has index %d, want %d", r.ID, r.Index, i))
		}
		out = append(out, r.ID)
	}
	return out
}

// One policy may be imported with several values: each import has its own.
func TestEditions(t *testing.T) {
	prog := mustLoad(t, `
DOMAINS := ["a"]
input to: list[str] = ["own"]
import "./mail"(domains=DOMAINS + ["b"], limit=2)
raise "mail" if:
    (c: ToolCall)
    c.arguments.to in input.to
import "./mail"(domains=["c"]) as corp
import "./mail"(domains=input.to)
`)
	if got, want := ids(prog), []string{"mail/mail", "policy/mail", "corp/mail/mail", "mail/mail-2"}; !slices.Equal(got, want) {
		t.Errorf("ids: got %q, want %q", got, want)
	}
	want := []string{
		"mail/mail limit=2.0", `mail/mail domains=["a","b"]`,
		`policy/mail to=["own"]`,
		"corp/mail/mail limit=1.0", `corp/mail/mail domains=["c"]`,
		"mail/mail-2 limit=1.0", `mail/mail-2 to=["own"]`,
	}
	if got := bound(prog); !slices.Equal(got, want) {
		t.Errorf("parameters: got %q, want %q", got, want)
	}
	if in := prog.Inputs; len(in) != 1 || in[0].Name != "to" || in[0].TypeName() != "list[str]" {
		t.Errorf("inputs: got %+v, want to", in)
	}
}

// A value that an import gives is no monitor's to change, one that is handed on
// is.
func TestBoundParameters(t *testing.T) {
	prog := mustLoad(t, `
input to: list[str] = ["own"]
import "./mail"(domains=input.to, limit=2)
`)
	given := map[string]*value.Value{
		"to": value.StrOf("given"), "domains": value.StrOf("wrong"), "limit": value.IntOf(9),
	}
	var got []string
	for _, m := range prog.Members {
		if m.Input != nil {
			got = append(got, string(value.AppendJSON(nil, m.Input.Value(given))))
		}
	}
	slices.Sort(got)
	if want := []string{`"given"`, `"given"`, "2.0"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Ids that are taken get the policy's name, then a number.
func TestImportedIDs(t *testing.T) {
	library["named"] = "# id: same\nraise \"x\" if:\n    (c: ToolCall)\n    c.name == \"x\"\n"
	defer delete(library, "named")
	prog := mustLoad(t, `
import "./named"
# id: same
raise "own" if:
    (c: ToolCall)
    c.name == "y"
import "./named"
import "./named" as other
`)
	if got, want := ids(prog), []string{"named/same", "same", "named/same-2", "other/same"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A parameter that bounds a count is known when the policy loads.
func TestFixedInputs(t *testing.T) {
	const body = "raise \"x\" if:\n    count(min=input.n + 1):\n        (c: ToolCall)\n"
	library["fixed"] = "input n: int = 2\n" + body
	defer delete(library, "fixed")
	for src, want := range map[string]string{
		"import \"./fixed\"":                                       "",
		"import \"./fixed\"(n=4)":                                  "",
		"input m: int = 3\nimport \"./fixed\"(n=input.m)":          "P0307",
		"input n: int = 2\n" + body:                                "",
		"input n: int\n" + body:                                    "P0307",
		"input n: float = 2.0\n" + body:                            "P0307",
		"input n: int = -2\n" + body:                               "P0307",
		"input n: int = 2\nimport \"./fixed\"(n=input.n)\n" + body: "P0307",
	} {
		_, list := load("policy.gr", src+"\n", config(check.Limits{}))
		err := list.Err()
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", src, err, want)
		}
	}
	prog := mustLoad(t, "input n: int = 2\ninput k: int = 3\n"+body)
	for _, in := range prog.Inputs {
		if in.Fixed != (in.Name == "n") {
			t.Errorf("%s: fixed is %t", in.Name, in.Fixed)
		}
	}
}

// Policies that import each other's rules, and more imports than are borne.
func TestImportsEnd(t *testing.T) {
	_, list := load("policy.gr", "import \"./ring\"\n", config(check.Limits{}))
	if err := list.Err(); err == nil || !strings.Contains(err.Error(), "policies import each other: ring -> rang -> ring") {
		t.Errorf("a ring: got %v", err)
	}
	_, list = load("policy.gr", "import \"./broken\"\n", config(check.Limits{}))
	if err := list.Err(); err == nil || !strings.Contains(err.Error(), "P0110") {
		t.Errorf("a broken file: got %v", err)
	}
	for i := range 20 {
		library[fmt.Sprint("twice", i)] = fmt.Sprintf("import \"./twice%d\"\nimport \"./twice%d\"\n", i+1, i+1)
	}
	library["twice20"] = "raise \"x\" if:\n    (c: ToolCall)\n    c.name == \"x\"\n"
	_, list = load("policy.gr", "import \"./twice0\"\n", config(check.Limits{}))
	if err := list.Err(); err == nil || !strings.Contains(err.Error(), "P0320") {
		t.Errorf("a million imports: got %v", err)
	}
}

// As many imports as are borne, and as much text.
func TestManyImports(t *testing.T) {
	library["one"] = "raise \"x\" if:\n    (c: ToolCall)\n    c.name == \"x\"\n"
	library["large"] = library["one"] + strings.Repeat("# "+strings.Repeat("x", 1021)+"\n", 1000)
	library["indirect"] = "from ./large import x\n" + library["one"]
	library["large"] += "x := 1\n"
	for _, c := range []struct {
		file string
		n    int
		want string
	}{
		{"one", 1000, ""},
		{"one", 1001, "more than 1000 imported policies"},
		{"large", 8, ""},
		{"large", 9, "more than 8388608 bytes"},
		{"large", 30, "more than 8388608 bytes"},
		{"indirect", 7, ""},
		{"indirect", 40, "more than 8388608 bytes"},
	} {
		_, list := load("policy.gr", strings.Repeat("import \"./"+c.file+"\"\n", c.n), config(check.Limits{}))
		err := list.Err()
		if (err == nil) != (c.want == "") || err != nil && (len(list) != 1 || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%d times %s: got %v, want %q", c.n, c.file, err, c.want)
		}
	}
}

func TestMeta(t *testing.T) {
	prog := mustLoad(t, `
# Mail is read by others.
#
# id: mail  # short
# title: Mail: to strangers, # by name
# severity: high
# tags: mail, egress
# tags: people
# refs: https://example.com/a CWE-201
# It goes on.
raise "x" if:
    (c: ToolCall)
    c.name == "mail"
`)
	got := prog.Rules[0].Meta
	if got.Title != "Mail: to strangers, # by name" || got.Severity != "high" || got.Doc != "Mail is read by others.\n\nIt goes on." {
		t.Errorf("got %+v", got)
	}
	if want := []string{"mail", "egress", "people"}; !slices.Equal(got.Tags, want) {
		t.Errorf("tags: got %q, want %q", got.Tags, want)
	}
	if want := []string{"https://example.com/a", "CWE-201"}; !slices.Equal(got.Refs, want) {
		t.Errorf("refs: got %q, want %q", got.Refs, want)
	}
}
