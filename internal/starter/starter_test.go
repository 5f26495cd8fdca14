// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package starter_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/holdfast-dev/holdfast"
	"github.com/holdfast-dev/holdfast/detect/local"
	"github.com/holdfast-dev/holdfast/diag"
	"github.com/holdfast-dev/holdfast/internal/starter"
	"github.com/holdfast-dev/holdfast/internal/toolset"
	"github.com/holdfast-dev/holdfast/internal/vet"
	"github.com/holdfast-dev/holdfast/policytest"
	"github.com/holdfast-dev/holdfast/syntax"
)

// sets are lists of tools of our own, by what is odd about them.
var sets = map[string]string{
	"one":         `[{"name": "get_time"}]`,
	"only sinks":  `[{"name": "send_email"}]`,
	"only reads":  `[{"name": "read_email"}]`,
	"flow":        `[{"name": "read_email"}, {"name": "send_email"}]`,
	"invited":     `[{"name": "read_email"}, {"name": "invite_user"}]`,
	"both":        `[{"name": "http_request", "inputSchema": {"properties": {"url": {}, "body": {}}, "required": ["url", "nothing"]}}]`,
	"unknown":     `[{"name": "frobnicate"}, {"name": "wibble"}]`,
	"odd names":   `[{"name": "send \"it\" \\ now"}, {"name": "delete all"}, {"name": "läs_mejl"}, {"name": "a b#c"}, {"name": "*"}, {"name": "{call.name}"}]`,
	"twice":       `[{"name": "run_command", "inputSchema": {"properties": {"command": {"enum": ["ls"]}}, "required": ["command"]}}, {"name": "run_command", "description": "x"}]`,
	"reserved":    `[{"name": "a_tool_that_is_in_no_list"}, {"name": "in"}, {"name": "None"}]`,
	"with hints":  `[{"name": "frobnicate", "annotations": {"destructiveHint": true}}, {"name": "delete_all", "annotations": {"readOnlyHint": true}}, {"name": "zonk", "annotations": {"readOnlyHint": true, "openWorldHint": true}}]`,
	"odd schemas": `[{"name": "send_it", "inputSchema": {"properties": {"a": {"type": ["string", "null"]}}, "required": ["a"]}}, {"name": "pay", "inputSchema": {"properties": {"n": {"type": "integer"}, "b": {"type": "boolean"}, "l": {"type": "array"}, "o": {"type": "object"}, "e": {"enum": [3]}, "x": true}, "required": ["n", "b", "l", "o", "e", "x"]}}]`,
}

func TestDrafts(t *testing.T) {
	for name, src := range sets {
		t.Run(name, func(t *testing.T) {
			tools, err := toolset.Read([]byte(src))
			if err != nil {
				t.Fatal(err)
			}
			draft(t, tools, []byte(src))
		})
	}
	t.Run("none", func(t *testing.T) {
		if _, err := starter.New(nil); err == nil {
			t.Error("got a policy for no tools")
		}
	})
	t.Run("unseen", func(t *testing.T) {
		for _, name := range []string{"delete\nall", "a\u200bb", "a\xff"} {
			if _, err := starter.New([]toolset.Tool{{Name: name}}); err == nil {
				t.Errorf("got a policy for the tool %q", name)
			}
		}
	})
}

// TestPublishedSets drafts policies for whole published sets of tools.
func TestPublishedSets(t *testing.T) {
	for set, path := range published {
		t.Run(set, func(t *testing.T) {
			tools := readShared(t, set)
			if tools == nil {
				t.Skipf("%s is not here", path)
			}
			src, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			d := draft(t, tools, src)
			t.Logf("%d tools: %d sources, %d sinks, %d destructive, %d to approve, %d marked", d.Tools, d.Sources, d.Sinks, d.Destructive, d.Approval, d.Unsure)
		})
	}
}

// draft drafts a policy and holds it to what is promised: it loads, is in its
// canonical form, vet has nothing to say, and its cases pass.
func draft(t *testing.T, tools []toolset.Tool, src []byte) *starter.Draft {
	t.Helper()
	d, err := starter.New(tools)
	if err != nil {
		t.Fatal(err)
	}
	again, err := starter.New(tools)
	if err != nil || !bytes.Equal(again.Policy, d.Policy) || !bytes.Equal(again.Tests, d.Tests) {
		t.Error("the second draft differs from the first")
	}
	formatted, err := syntax.Format(diag.NewFile(starter.PolicyName, d.Policy))
	if err != nil || !bytes.Equal(formatted, d.Policy) {
		t.Errorf("it is not in its canonical form (%v):\n%s", err, d.Policy)
	}
	opts := &holdfast.Options{Detectors: local.Detectors()}
	policy, err := holdfast.Compile(starter.PolicyName, d.Policy, opts)
	if err != nil {
		t.Fatalf("it does not load: %v\n%s", err, d.Policy)
	}
	vetted(t, policy, src)
	dir := t.TempDir()
	for name, text := range map[string][]byte{starter.PolicyName: d.Policy, starter.TestsName: d.Tests} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	policytest.Run(t, filepath.Join(dir, starter.TestsName), &policytest.Options{Compile: opts})
	if t.Failed() {
		t.Logf("%s\n%s", d.Policy, d.Tests)
	}
	return d
}

// vetted reports what vet says of the policy beside its tools.
func vetted(t *testing.T, policy *holdfast.Policy, src []byte) {
	t.Helper()
	prog, _, _, _ := policy.Inside(context.Background(), nil)
	known, err := vet.ReadTools("tools.json", src)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range vet.Vet(prog, &vet.Options{Tools: known, Only: func(name string) bool { return name == starter.PolicyName }}) {
		t.Errorf("vet: %s: %s", d.Code, d.Message)
	}
}
