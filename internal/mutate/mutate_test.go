// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package mutate_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/holdfast-dev/holdfast"
	"github.com/holdfast-dev/holdfast/diag"
	"github.com/holdfast-dev/holdfast/internal/mutate"
)

// mutants prints those of a policy, each with its line.
func mutants(t *testing.T, policy string) []string {
	t.Helper()
	all, err := mutate.Mutants(diag.NewFile("p.gr", []byte(policy)))
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, m := range all {
		text := fmt.Sprintf("%d %s", m.Line, m.String())
		if _, err := holdfast.Compile("p.gr", m.Text, nil); err != nil {
			text += " (does not load)"
		}
		if m.Equivalent != "" {
			text += " = " + m.Equivalent
		}
		out = append(out, text)
	}
	return out
}

// rule is a rule with a condition about a call, and its mutants but for those
// that every such rule has.
func about(t *testing.T, condition string) []string {
	t.Helper()
	return slices.DeleteFunc(mutants(t, "raise \"x\" if:\n    (c: ToolCall)\n    "+condition+"\n"), func(m string) bool {
		return m == "1 verb: `raise` becomes `warn`"
	})
}

func TestMutants(t *testing.T) {
	for condition, want := range map[string][]string{
		"c.name == \"a\"": {
			"3 drop: without `c.name == \"a\"`", "3 negate: `c.name == \"a\"` becomes `not (c.name == \"a\")`",
			"3 equal: `c.name == \"a\"` becomes `c.name != \"a\"`",
		},
		"c.arguments.n >= 10": {
			"3 drop: without `c.arguments.n >= 10`", "3 negate: `c.arguments.n >= 10` becomes `not (c.arguments.n >= 10)`",
			"3 equal: `c.arguments.n >= 10` becomes `c.arguments.n > 10`", "3 bound: `10` becomes `11`", "3 bound: `10` becomes `9`",
		},
		"not c is tool:a": {
			"3 drop: without `not c is tool:a`", "3 negate: `not c is tool:a` becomes `(c is tool:a)`",
			"3 equal: `c is tool:a` becomes `c is not tool:a`",
		},
		"\"a\" not in c.arguments.x": {
			"3 drop: without `\"a\" not in c.arguments.x`", "3 negate: `\"a\" not in c.arguments.x` becomes `not (\"a\" not in c.arguments.x)`",
			"3 equal: `\"a\" not in c.arguments.x` becomes `\"a\" in c.arguments.x`",
		},
		"c is tool:a({x: \"b.*\", y: 1})": {
			"3 drop: without `c is tool:a({x: \"b.*\", y: 1})`", "3 negate: `c is tool:a({x: \"b.*\", y: 1})` becomes `not (c is tool:a({x: \"b.*\", y: 1}))`",
			"3 equal: `c is tool:a({x: \"b.*\", y: 1})` becomes `c is not tool:a({x: \"b.*\", y: 1})`",
			"3 tool: `tool:a({x: \"b.*\", y: 1})` becomes `tool:a`", "3 tool: `tool:a({x: \"b.*\", y: 1})` becomes `tool:a({y: 1})`",
			"3 anchor: `\"b.*\"` becomes `\".*b.*\"`", "3 tool: `tool:a({x: \"b.*\", y: 1})` becomes `tool:a({x: \"b.*\"})`",
			"3 bound: `1` becomes `2`", "3 bound: `1` becomes `0`",
		},
		"match(r\"^https://corp\\.com/$\", c.arguments.url)": {
			"3 drop: without `match(r\"^https://corp\\.com/$\", c.arguments.url)`",
			"3 negate: `match(r\"^https://corp\\.com/$\", c.arguments.url)` becomes `not (match(r\"^https://corp\\.com/$\", c.arguments.url))`",
			"3 anchor: `r\"^https://corp\\.com/$\"` becomes `r\".*https://corp\\.com/$\"`",
			"3 anchor: `r\"^https://corp\\.com/$\"` becomes `r\"^https://corp.com/$\"`",
			"3 anchor: `r\"^https://corp\\.com/$\"` becomes `r\"^https://corp\\.com/\"`",
		},
		"c is tool:a or (c is tool:b and len(c.name) < 2)": nil,
		"True": {"3 negate: `True` becomes `not (True)`"},
		"true": {"3 negate: `true` becomes `not (true)`"},
		"match(\"(?i)\\\\.a[.\\\\.]\\\\\\\\.\\.\", c.name)": {
			"3 drop: without `match(\"(?i)\\\\.a[.\\\\.]\\\\\\\\.\\.\", c.name)`",
			"3 negate: `match(\"(?i)\\\\.a[.\\\\.]\\\\\\\\.\\.\", c.name)` becomes `not (match(\"(?i)\\\\.a[.\\\\.]\\\\\\\\.\\.\", c.name))`",
			"3 anchor: `\"(?i)\\\\.a[.\\\\.]\\\\\\\\.\\.\"` becomes `\"(?i).*\\\\.a[.\\\\.]\\\\\\\\.\\.\"`",
			"3 anchor: `\"(?i)\\\\.a[.\\\\.]\\\\\\\\.\\.\"` becomes `\"(?i).a[.\\\\.]\\\\\\\\.\\.\"`",
			"3 anchor: `\"(?i)\\\\.a[.\\\\.]\\\\\\\\.\\.\"` becomes `\"(?i)\\\\.a[.\\\\.]\\\\\\\\..\"`",
		},
	} {
		got := about(t, condition)
		if want != nil && !slices.Equal(got, want) {
			t.Errorf("%s:\n got %q\nwant %q", condition, got, want)
		}
		for _, m := range got {
			if strings.HasSuffix(m, "(does not load)") {
				t.Errorf("%s: %s", condition, m)
			}
		}
	}
	for condition, want := range map[string][]string{
		"a or b": {"drop: `A or B` becomes `B`", "drop: `A or B` becomes `A`", "negate: `A` becomes `not (A)`", "negate: `B` becomes `not (B)`"},
	} {
		got := about(t, strings.NewReplacer("a", "len(c.name) == len(c.id)", "b", "c is tool:b").Replace("a or ")+"c is tool:b")
		for _, w := range want {
			w = "3 " + strings.NewReplacer("A", "len(c.name) == len(c.id)", "B", "c is tool:b").Replace(w)
			if !slices.Contains(got, w) {
				t.Errorf("%s: %q is missing in %q", condition, w, got)
			}
		}
	}
}

func TestMutantsOfBlocks(t *testing.T) {
	got := mutants(t, `bad(c: ToolCall) :=
    c is tool:a
ask "x" if:
    (o: ToolOutput) -> (c: ToolCall)
    bad(c)
    count(min=2):
        (d: ToolCall)
        d ~> c
    (p: str) in c.arguments
`)
	want := []string{
		"2 drop: without `c is tool:a`", "2 negate: `c is tool:a` becomes `not (c is tool:a)`", "2 equal: `c is tool:a` becomes `c is not tool:a`",
		"3 verb: `ask` becomes `warn`",
		"4 drop: `(o: ToolOutput) -> (c: ToolCall)` becomes `(o: ToolOutput), (c: ToolCall)`",
		"4 swap: `(o: ToolOutput) -> (c: ToolCall)` becomes `(c: ToolCall) -> (o: ToolOutput)`",
		"4 equal: `(o: ToolOutput) -> (c: ToolCall)` becomes `(o: ToolOutput) ~> (c: ToolCall)`",
		"5 drop: without `bad(c)`", "5 negate: `bad(c)` becomes `not (bad(c))`",
		"6 drop: without `count(min=2):`", "6 negate: `count(min=2):` becomes `not count(min=2):`",
		"6 bound: `2` becomes `3`", "6 bound: `2` becomes `1`",
		"8 drop: without `d ~> c`", "8 negate: `d ~> c` becomes `not (d ~> c)`", "8 swap: `d ~> c` becomes `c ~> d`", "8 equal: `d ~> c` becomes `d -> c`",
		"9 drop: `(p: str) in c.arguments` becomes `(p: str)`",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %s\nwant %s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// What a condition names is changed where it stands.
func TestMutantsOfConstants(t *testing.T) {
	got := mutants(t, `LIMIT := 3
HOST := r"corp\.com"
NOTE := r"a.*"
warn NOTE if:
    (c: ToolCall)
    match(HOST, c.name) or match(HOST, c.id)
`)
	for _, want := range []string{
		"1 bound: `3` becomes `4`", "1 bound: `3` becomes `2`",
		"2 anchor: `r\"corp\\.com\"` becomes `r\".*corp\\.com\"`", "2 anchor: `r\"corp\\.com\"` becomes `r\"corp.com\"`",
	} {
		if len(got) == 0 || got[0] != want {
			t.Errorf("got %q, want %q", got, want)
		}
		got = got[min(1, len(got)):]
	}
	if len(got) == 0 || !strings.HasPrefix(got[0], "6 ") {
		t.Errorf("got %q", got)
	}
}

func TestMarks(t *testing.T) {
	got := mutants(t, `# equivalent: verb nobody reads the verdict
# id: x
raise "x" if:
    (c: ToolCall)
    # equivalent: drop it never is
    # Names are texts.
    # equivalent: bound half a call is none
    len(c.name) > 0
`)
	want := []string{
		"3 verb: `raise` becomes `warn` = nobody reads the verdict", "8 drop: without `len(c.name) > 0` = it never is",
		"8 negate: `len(c.name) > 0` becomes `not (len(c.name) > 0)`", "8 equal: `len(c.name) > 0` becomes `len(c.name) >= 0`",
		"8 bound: `0` becomes `1` = half a call is none",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
	for comment, want := range map[string]string{
		"# equivalent: shrink it":  `p.gr:3: reading a comment: got the operator "shrink", want one of drop, negate`,
		"# equivalent: drop":       `want a reason behind "equivalent: drop"`,
		"# equivalent: swap a b":   `there is no mutant "swap" in the line that it is about`,
		"# equivalent: anchor a b": `no mutant "anchor"`,
	} {
		_, err := mutate.Mutants(diag.NewFile("p.gr", []byte("raise \"x\" if:\n    (c: ToolCall)\n    "+comment+"\n    c is tool:a\n")))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", comment, err, want)
		}
	}
}

// A policy with an error has no mutants.
func TestMutantsOfNothing(t *testing.T) {
	if _, err := mutate.Mutants(diag.NewFile("p.gr", []byte("raise \"x if:\n"))); err == nil {
		t.Error("a policy that cannot be read has mutants")
	}
}
