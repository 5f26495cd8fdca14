// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package report

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestEscape(t *testing.T) {
	tests := []struct{ in, line, text string }{
		{"plain ünïcode 日本", "plain ünïcode 日本", "plain ünïcode 日本"},
		{"a\nb\tc\rd", `a\nb\tc\rd`, "a\nb\tc\\rd"},
		{"\x1b[31m", `\u001b[31m`, `\u001b[31m`},
		{"\u009b2J\u007f", `\u009b2J\u007f`, `\u009b2J\u007f`},
		{"\u202eabc\u2066", `\u202eabc\u2066`, `\u202eabc\u2066`},
		{"\U000e0041", `\U000e0041`, `\U000e0041`},
		{"a\xffb", `a\ufffdb`, `a\ufffdb`},
		{"zero\u200bwidth\u2028", `zero\u200bwidth\u2028`, `zero\u200bwidth\u2028`},
	}
	for _, tt := range tests {
		if got := EscapeLine(tt.in); got != tt.line {
			t.Errorf("EscapeLine(%q): got %q, want %q", tt.in, got, tt.line)
		}
		if got := EscapeText(tt.in); got != tt.text {
			t.Errorf("EscapeText(%q): got %q, want %q", tt.in, got, tt.text)
		}
	}
}

func TestEscapedJSONMeansTheSame(t *testing.T) {
	for _, s := range []string{"plain", "\x1b[2J \u009b \u202e \U000e0041 \u2028 <&>", "\\\u200b\""} {
		src, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		line := escapeJSON(append(src, '\n'))
		if strings.ContainsFunc(strings.TrimSuffix(string(line), "\n"), hostile) {
			t.Errorf("%q: got %q, with characters that a terminal acts on", s, line)
		}
		var got string
		if err := json.Unmarshal(line, &got); err != nil || got != s {
			t.Errorf("got %q, %v; want %q", got, err, s)
		}
	}
}

func TestMarkedLines(t *testing.T) {
	long := strings.Repeat("x", 200) + "KEY" + strings.Repeat("y", 200)
	tests := []struct {
		name, text string
		ranges     []string
		want       []markedLine
		more       int
	}{
		{"one", "a KEY b", []string{"0.c:2-5"}, []markedLine{{"a KEY b", "  ^^^"}}, 0},
		{"two on a line", "KEY KEY", []string{"0.c:4-7", "0.c:0-3"}, []markedLine{{"KEY KEY", "^^^ ^^^"}}, 0},
		{"second line", "a\nb KEY", []string{"0.c:4-7"}, []markedLine{{"b KEY", "  ^^^"}}, 0},
		{"over a line end", "a KEY\nb", []string{"0.c:2-7"}, []markedLine{{"a KEY", "  ^^^"}}, 0},
		{"escaped before", "\x1b KEY", []string{"0.c:2-5"}, []markedLine{{`\u001b KEY`, "       ^^^"}}, 0},
		{"wide before", "日 KEY", []string{"0.c:2-5"}, []markedLine{{"日 KEY", "   ^^^"}}, 0},
		{"empty span", "ab", []string{"0.c:1-1"}, []markedLine{{"ab", " ^"}}, 0},
		{"empty span at the end", "ab\ncd", []string{"0.c:2-2"}, []markedLine{{"ab", "  ^"}}, 0},
		{"long", long, []string{"0.c:200-203"}, []markedLine{{
			"…" + strings.Repeat("x", 30) + "KEY" + strings.Repeat("y", 67) + "…", strings.Repeat(" ", 31) + "^^^",
		}}, 0},
		{"many lines", "K\nK\nK\nK\nK", []string{"0.c:0-1", "0.c:2-3", "0.c:4-5", "0.c:6-7", "0.c:8-9"}, []markedLine{{"K", "^"}, {"K", "^"}, {"K", "^"}}, 2},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			marks := marksOf(append(tt.ranges, "0", "0.c"))
			if len(marks) != 1 {
				t.Fatalf("got %d marks, want 1", len(marks))
			}
			lines, more := marks[0].lines(tt.text)
			if more != tt.more || len(lines) != len(tt.want) {
				t.Fatalf("got %q and %d more, want %q and %d", lines, more, tt.want, tt.more)
			}
			for i := range lines {
				if lines[i] != tt.want[i] {
					t.Errorf("got\n%q\nwant\n%q", lines[i], tt.want[i])
				}
			}
		})
	}
}
