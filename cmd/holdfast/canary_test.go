// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const (
	canarySecret = "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"
	canaryDatum  = "eve.canary@example.org"

	canaryPolicy = `from holdfast.detectors import pii, secrets
raise "a secret leaves" if:
    (o: ToolOutput) -> (c: ToolCall)
    any(secrets(o))
    c is tool:send
raise "personal data leaves" if:
    (c: ToolCall)
    (p: str) in c.arguments
    any(pii(p))
raise "not told" if:
    (m: Message)
    any(secrets(m, views=["sideways"]))
raise f"{m.content} was said" if:
    (m: UserMessage)
raise PolicyViolation("more", first=m.content[5:15], words=m.content.split("_"), of=m) if:
    (m: UserMessage)
    print(m.content)
warn "an argument nobody has" if:
    (c: ToolCall)
    c.arguments.to.nobody == m.content
    (m: UserMessage)
`
	canaryTrace = `[{"role": "user", "content": "` + canarySecret + `"},
{"role": "assistant", "content": null, "tool_calls": [{"id": "1", "type": "function", "function": {"name": "read", "arguments": {}}}]},
{"role": "tool", "tool_call_id": "1", "content": "key: ` + canarySecret + `"},
{"role": "assistant", "content": null, "tool_calls": [{"id": "2", "type": "function", "function": {"name": "send", "arguments": {"to": "` + canaryDatum + `"}}}]}]
`
)

// TestCanary walks what the command writes about a trace with a secret and a
// personal datum in it: no byte of either, unless it is asked to reveal them.
func TestCanary(t *testing.T) {
	dir := t.TempDir()
	policy, runs := filepath.Join(dir, "p.gr"), filepath.Join(dir, "t.json")
	for name, text := range map[string]string{policy: canaryPolicy, runs: canaryTrace} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct {
		args   string
		quotes bool
		code   int
	}{
		{"check --format text", false, exitDenied},
		{"check --format text --online", false, exitDenied},
		{"check --format text --reveal", true, exitDenied},
		{"check --format json", false, exitDenied},
		{"check --format json --reveal", true, exitDenied},
		{"check --format jsonl", false, exitDenied},
		{"check --format github", false, exitDenied},
		{"check --format junit", false, exitDenied},
		{"check --format sarif", false, exitDenied},
		{"scan --format text", false, exitDenied},
		{"scan --format json", false, exitDenied},
		{"scan --format jsonl", false, exitDenied},
		{"scan --format jsonl --reveal", true, exitDenied},
		{"scan --format github", false, exitDenied},
		{"scan --format junit", false, exitDenied},
		{"scan --format sarif", false, exitDenied},
		{"explain", false, exitClean},
		{"doc", false, exitClean},
		{"vet", false, exitDenied},
		{"eval", false, exitClean},
		{"eval --format json", false, exitClean},
		{"eval --format github", false, exitClean},
		{"eval --reveal", true, exitClean},
		{"detect", false, exitClean},
		{"detect --reveal", true, exitClean},
		{"detect --view sideways", false, exitFailure},
	} {
		args := strings.Fields(test.args)
		switch args[0] {
		case "explain", "doc", "vet":
			args = append(args, policy)
		case "eval":
			args = append(args, `[(m: Message), m.content, m.content.upper()]`, runs)
		case "detect":
			args = append(args, runs)
		default:
			args = append(args, policy, runs)
		}
		var stdout, stderr strings.Builder
		if code := run(args, strings.NewReader(""), &stdout, &stderr); code != test.code {
			t.Errorf("%s: got exit code %d and %s", test.args, code, &stderr)
		}
		if holdsCanary(stderr.String()) {
			t.Errorf("%s shows a canary on standard error: %s", test.args, &stderr)
		}
		if got := holdsCanary(stdout.String()); got != test.quotes {
			t.Errorf("%s shows a canary: %t, want %t\n%s", test.args, got, test.quotes, &stdout)
		}
	}
}

func holdsCanary(text string) bool {
	return strings.Contains(text, canarySecret[:12]) || strings.Contains(text, "eve.canary")
}
