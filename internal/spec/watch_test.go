// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package spec_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/holdfast-dev/holdfast/internal/builtin"
	"github.com/holdfast-dev/holdfast/internal/spec"
	"github.com/holdfast-dev/holdfast/internal/value"
	"github.com/holdfast-dev/holdfast/syntax"
)

// TestWatch: a watcher is told of each assignment and of the truth of each line
// and operand under it, whatever the others come to.
func TestWatch(t *testing.T) {
	prog := mustLoad(t, `
raise "x" if:
    (c: ToolCall)
    c is tool:send or c is tool:mail
    c.arguments.n > 1
    exists:
        (p: str) in c.arguments
        p == "x"
`)
	var told []string
	env := &builtin.Env{Context: context.Background(), Memo: builtin.NewMemo(), Watch: func(node any, vs ...*value.Value) {
		if _, ok := node.(*syntax.Rule); ok {
			told = append(told, fmt.Sprintf("assignment of %d", len(vs)))
			return
		}
		line, _, _ := strings.Cut(node.(syntax.Node).Span().Text(), "\n")
		told = append(told, fmt.Sprintf("%s is %v", line, [...]string{value.False: "false", value.Unsure: "unknown", value.True: "true"}[value.Truth(vs[0])]))
	}}
	spec.Evaluate(prog, place(t, `[{"role": "assistant", "content": null, "tool_calls": [
		{"id": "1", "type": "function", "function": {"name": "mail", "arguments": {"a": "x", "b": "y"}}}]}]`), &spec.Options{Env: env})
	want := []string{
		"assignment of 1",
		"(c: ToolCall) is true",
		"c is tool:send is false", "c is tool:mail is true", "c is tool:send or c is tool:mail is true",
		"c.arguments.n > 1 is unknown",
		"(p: str) in c.arguments is true", `p == "x" is true`, "(p: str) in c.arguments is true", `p == "x" is false`, "exists: is true",
	}
	if !slices.Equal(told, want) {
		t.Errorf("got %q\nwant %q", told, want)
	}
}
