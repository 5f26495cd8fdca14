// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package report_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/holdfast-dev/holdfast/internal/report"
	"github.com/holdfast-dev/holdfast/trace"
)

// hostile are pieces of text that some reader of a report acts on.
var hostile = []string{
	"\x00", "\x07", "\b", "\t", "\n", "\v", "\r", "\r\n", "\x1b[2J", "\x1b]0;title\a", "\x1b]8;;https://evil.example\x1b\\", "\x7f",
	"\u0085", "\u009b31m", "\u00ad", "\u061c", "\u200b", "\u200e", "\u202a", "\u202e", "\u2028", "\u2029", "\u2066", "\u2069", "\ufeff", "\ufff9",
	"\U000e0041", "\ufffd", "\ufffe", "\uffff", "\U0010ffff", "\xff", "\xc3", "\xed\xa0\x80", "\xf4\x90\x80\x80",
	"\n::error::x", "\n##[error]x", "###[a]", "##vso[a]", "##", "[", "\n::stop-commands::y\n", "%0A", "%", "::", ",", ":", "]]>", "<!--", "&amp;", "<b>", `"`, `'`, `\`, "`",
	"[a](https://evil.example)", "{0}", "{{", "日本", "e\u0301", "🤖", "../", "//", "?q#f", " ", "word",
}

// hostileText makes a text of up to n pieces.
func hostileText(r *rand.Rand, n int) string {
	var b strings.Builder
	for range r.IntN(n + 1) {
		b.WriteString(hostile[r.IntN(len(hostile))])
	}
	return b.String()
}

// quoted writes a text as JSON, bytes that are no UTF-8 as they are.
func quoted(t *testing.T, s string) string {
	t.Helper()
	text, err := json.Marshal(strings.ToValidUTF8(s, "\ufffd"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// hostileArchive is a case in which everything is hostile that somebody else
// may write: names of files, rules, texts, tools, keys, errors.
func hostileArchive(t *testing.T, r *rand.Rand) *txtar.Archive {
	t.Helper()
	text := func() string { return hostileText(r, 6) }
	id := "a"
	if r.IntN(4) == 0 {
		id += oneLine(text()) // which few ids may be
	}
	policy := fmt.Sprintf(`
# id: %s
raise Violation("m" + m.content, to=m.content) if:
    (m: Message)
    "x" in m.content

# id: b
warn %s if:
    (c: ToolCall)
    c.arguments.nothing == %s
`, id, oneLine(quoted(t, text())), oneLine(quoted(t, text())))
	calls := fmt.Sprintf(`[{"id": %s, "type": "function", "function": {"name": %s, "arguments": {%s: %s}}}]`,
		quoted(t, text()), quoted(t, "f"+text()), quoted(t, text()), quoted(t, text()))
	good := fmt.Sprintf(`[{"role": "user", "content": %s}, {"role": "assistant", "content": %s, "tool_calls": %s}]`,
		quoted(t, "x"+text()), quoted(t, text()+"x"+text()), calls)
	bad := fmt.Sprintf(`[{"role": %s, %s: 1}]`, quoted(t, text()), quoted(t, text()))
	return &txtar.Archive{Files: []txtar.File{
		{Name: "p" + strings.ReplaceAll(text(), "/", "|") + ".gr", Data: []byte(policy)},
		{Name: text() + ".jsonl", Data: []byte(good + "\n" + bad + "\n" + `[{"role": "` + strings.ReplaceAll(text(), "\n", " ") + "\"}]\n")},
		{Name: "unreadable/" + text(), Data: []byte("open " + text())},
	}}
}

// oneLine keeps a text on one line of a policy.
func oneLine(s string) string {
	return strings.NewReplacer("\n", " ", "\r", " ", "\x00", " ", "\ufeff", " ").Replace(s)
}

// TestNothingHostileComesOutRaw reports cases full of hostile text in every
// format: what comes out is what the format wants, and safe.
func TestNothingHostileComesOutRaw(t *testing.T) {
	loaded, refused := 0, 0
	seeds := uint64(300)
	if testing.Short() {
		seeds = 30
	}
	for seed := range seeds {
		r := rand.New(rand.NewPCG(seed, 1))
		c := newCase(t, hostileArchive(t, r))
		if c.loadErr == nil {
			loaded++
		} else {
			refused++
		}
		c.results = append(c.results, report.Result{
			Path: hostileText(r, 5) + "x", Index: 3, Record: trace.Record{Line: 3}, Err: errors.New(hostileText(r, 8) + "x"),
		})
		for _, format := range report.Formats() {
			out, errs := c.print(t, format)
			checkFormat(t, format, out)
			checkSafe(t, "stderr of "+format, errs)
			lines := errs
			if format == "text" {
				lines += out
			}
			for line := range strings.Lines(lines) {
				if strings.HasPrefix(strings.TrimSpace(line), "::") {
					t.Errorf("%s: got %q, which GitHub Actions acts on", format, line)
				}
			}
		}
		if t.Failed() {
			t.Fatalf("the seed was %d", seed)
		}
	}
	t.Logf("%d policies loaded, %d did not", loaded, refused)
	if loaded == 0 || refused == 0 {
		t.Errorf("got %d policies that load and %d that do not, want some of both", loaded, refused)
	}
}

// TestJSONSaysWhatWasThere shows that escaping changes no value.
func TestJSONSaysWhatWasThere(t *testing.T) {
	content := "x\x1b[2J\u202e\u2028\U000e0041\r\n"
	c := newCase(t, &txtar.Archive{Files: []txtar.File{
		{Name: "p.gr", Data: []byte("raise m.content if:\n    (m: Message)\n")},
		{Name: "t.json", Data: []byte(`[{"role": "user", "content": ` + quoted(t, content) + `}]`)},
	}})
	out, _ := c.print(t, "json")
	var got struct{ Violations []struct{ Message string } }
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		t.Fatal(err)
	}
	if got.Violations[0].Message != content {
		t.Errorf("got %q, want %q", got.Violations[0].Message, content)
	}
}
