// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package vet_test

import (
	"strings"
	"testing"

	"github.com/holdfast-dev/holdfast/diag"
	"github.com/holdfast-dev/holdfast/internal/vet"
)

const rest = "raise \"x\" if:\n    (m: AgentMessage)\n    any(pii(m))\n"

func TestMend(t *testing.T) {
	tests := []struct {
		name, before, after string
		keeps               bool
	}{
		{"a module", "import json\nfrom invariant.detectors import pii\n\n" + rest, "from invariant.detectors import pii\n\n" + rest, true},
		{"the last name", "from invariant.detectors import pii, secrets\n\n" + rest, "from invariant.detectors import pii\n\n" + rest, true},
		{"the first name", "from invariant.detectors import secrets, pii\n\n" + rest, "from invariant.detectors import pii\n\n" + rest, true},
		{"two of three", "from invariant.detectors import secrets, pii, moderated\n\n" + rest, "from invariant.detectors import pii\n\n" + rest, true},
		{"two at the end", "from invariant.detectors import pii, secrets, moderated\n\n" + rest, "from invariant.detectors import pii\n\n" + rest, true},
		{"in brackets", "from invariant.detectors import (\n    secrets,\n    pii,\n)\n\n" + rest, "from invariant.detectors import (pii,)\n\n" + rest, true},
		{"all names", "from invariant.detectors import pii\nfrom invariant.detectors import secrets as s, moderated\n\n" + rest, "from invariant.detectors import pii\n\n" + rest, true},
		{"a comment stays", "# Why.\nimport json # for later\nfrom invariant.detectors import pii\n\n" + rest, "# Why.\n# for later\nfrom invariant.detectors import pii\n\n" + rest, true},
		{
			"dots", "raise \"x\" if:\n    (c: ToolCall)\n    c is tool:fetch\n    match(\"https://www.evil.example/\", c.arguments.url)\n",
			"raise \"x\" if:\n    (c: ToolCall)\n    c is tool:fetch\n    match(\"https://www\\.evil\\.example/\", c.arguments.url)\n", false,
		},
		{
			"a suppression", "raise \"x\" if:\n    (c: ToolCall)\n    # holdfast:ignore P0511 once\n    c is tool:fetch # holdfast:ignore P0512 twice\n",
			"raise \"x\" if:\n    (c: ToolCall)\n    c is tool:fetch\n", true,
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			src := test.before
			for range 5 {
				found := look(t, diag.NewFile("policy.gr", []byte(src)), nil)
				mended, err := vet.Mend(found)
				if err != nil {
					t.Fatal(err)
				}
				if len(mended) == 0 {
					break
				}
				for _, fix := range mended[0].Fixes {
					if fix.Keeps != test.keeps {
						t.Errorf("%s: keeps verdicts: %v, want %v", fix.What, fix.Keeps, test.keeps)
					}
				}
				src = string(mended[0].Text)
			}
			if src != test.after {
				t.Errorf("got\n%s\nwant\n%s", src, test.after)
			}
		})
	}
}

func TestDotsThatCannotBeReachedStay(t *testing.T) {
	for _, lit := range []string{`"https://evil.example/\x41"`, `"https://evil" ".example/"`} {
		src := "raise \"x\" if:\n    (c: ToolCall)\n    c is tool:fetch\n    match(" + lit + ", c.arguments.url)\n"
		found := look(t, diag.NewFile("policy.gr", []byte(src)), nil)
		if len(found) != 1 || found[0].Code != "P0512" || found[0].Fix != nil {
			t.Errorf("%s: got %+v, want P0512 without a fix", lit, found)
		}
	}
}

func TestSuppressIsAboutItsFile(t *testing.T) {
	src := "raise \"x\" if:\n    (c: ToolCall)\n    c is tool:a\n    c is tool:b\n"
	found := look(t, diag.NewFile("policy.gr", []byte("# holdfast:ignore P0501 on purpose\n"+src)), nil)
	if len(found) != 0 {
		t.Errorf("got %v", vet.List(found))
	}
	found = look(t, diag.NewFile("policy.gr", []byte(src)), &vet.Options{Only: func(name string) bool { return strings.HasSuffix(name, "other.gr") }})
	if len(found) != 0 {
		t.Errorf("got %v of a file that was not asked about", vet.List(found))
	}
}

func TestToolsOfOtherShapes(t *testing.T) {
	for _, src := range []string{
		`{"tools":[{"name":"a"}]}`, `{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"a"}]}}`, `[{"name":"a","input_schema":{}}]`,
		`[{"type":"function","function":{"name":"a","parameters":{}}}]`, `{"tools":[{"type":"function","function":{"name":"a"}}]}`, ` [ {"name" : "a"} ]`,
	} {
		tools, err := vet.ReadTools("tools.json", []byte(src))
		if err != nil {
			t.Errorf("%s: %v", src, err)
			continue
		}
		policy := "raise \"x\" if:\n    (c: ToolCall)\n    c is tool:b\n"
		found := look(t, diag.NewFile("policy.gr", []byte(policy)), &vet.Options{Tools: tools})
		if len(found) != 2 || found[0].Code != "P0520" && found[1].Code != "P0520" {
			t.Errorf("%s: got %v", src, vet.List(found))
		}
	}
	for _, src := range []string{``, `{}`, `[1]`, `[{}]`, `{"tools": {}}`, `[{"name":"a"}`} {
		if _, err := vet.ReadTools("tools.json", []byte(src)); err == nil {
			t.Errorf("%q is read as tools", src)
		}
	}
}
