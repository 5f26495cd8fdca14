// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package diag_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/holdfast-dev/holdfast/diag"
)

// at returns the span of the first occurrence of text in a source.
func at(t *testing.T, file *diag.File, text string) diag.Span {
	t.Helper()
	i := strings.Index(string(file.Src), text)
	if i < 0 {
		t.Fatalf("%q is not in the source", text)
	}
	return diag.Span{File: file, Start: i, End: i + len(text)}
}

// render returns what a person would read.
func render(t *testing.T, l diag.List) string {
	t.Helper()
	var b strings.Builder
	if err := diag.Render(&b, l); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

const mail = "raise \"x\" if:\n" +
	"    (call2: ToolCall)\n\n\n\n\n" +
	"    call2.function.argumnets.to == \"x\"\n"

func TestRender(t *testing.T) {
	file := diag.NewFile("mail.gr", []byte(mail))
	long := diag.NewFile("long.gr", []byte("X := ["+strings.Repeat("1, ", 200)+"bad"+strings.Repeat(", 1", 200)+"]"))
	tenth := diag.NewFile("ten.gr", []byte(strings.Repeat("# line\n", 9)+"bad"))
	for _, test := range []struct {
		name string
		d    diag.Diagnostic
		want string
	}{
		{
			"help",
			diag.Diagnostic{
				Code: "P0203", Span: at(t, file, "argumnets"),
				Message: `type Function has no field "argumnets"`, Help: `did you mean "arguments"?`,
			},
			`mail.gr:7:20: P0203: type Function has no field "argumnets"
7 |     call2.function.argumnets.to == "x"
  |                    ^~~~~~~~~
  help: did you mean "arguments"?
`,
		},
		{
			"note",
			diag.Diagnostic{
				Code: "P0112", Span: at(t, file, ")"), Message: "m", Help: "h",
				Notes: []diag.Note{{Span: at(t, file, "raise"), Text: "a"}, {Text: "nowhere"}},
			},
			`mail.gr:2:21: P0112: m
2 |     (call2: ToolCall)
  |                     ^
  note: mail.gr:1:1: a
1 | raise "x" if:
  | ^~~~~
  note: nowhere
  help: h
`,
		},
		{
			"warning without a place",
			diag.Diagnostic{Code: "P0301", Severity: diag.Warning, Message: "m"},
			"P0301: warning: m\n",
		},
		{
			"several lines",
			diag.Diagnostic{Code: "P0001", Span: diag.Span{File: file, Start: 6, End: 30}, Message: "m"},
			"mail.gr:1:7: P0001: m\n1 | raise \"x\" if:\n  |       ^~~~~~~\n",
		},
		{
			"end of the file",
			diag.Diagnostic{Code: "P0001", Span: diag.Span{File: file, Start: len(mail), End: len(mail)}, Message: "m"},
			"mail.gr:8:1: P0001: m\n8 | \n  | ^\n",
		},
		{
			"two digits",
			diag.Diagnostic{Code: "P0001", Span: at(t, tenth, "bad"), Message: "m", Notes: []diag.Note{{Span: at(t, tenth, "line"), Text: "n"}}, Help: "h"},
			"ten.gr:10:1: P0001: m\n10 | bad\n   | ^~~\n   note: ten.gr:1:3: n\n 1 | # line\n   |   ^~~~\n   help: h\n",
		},
		{
			"long line",
			diag.Diagnostic{Code: "P0001", Span: at(t, long, "bad"), Message: "m"},
			"long.gr:1:607: P0001: m\n1 | …" + strings.Repeat("1, ", 20) + "bad" + strings.Repeat(", 1", 45) + ", …\n" +
				"  |  " + strings.Repeat(" ", 60) + "^~~\n",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := render(t, diag.List{test.d}); got != test.want {
				t.Errorf("got:\n%s\nwant:\n%s", got, test.want)
			}
		})
	}
}

// TestRenderTabs checks that the caret stands under its place at any width of
// a tab.
func TestRenderTabs(t *testing.T) {
	file := diag.NewFile("x.gr", []byte("\t\tm.a\t== \tüb.bad"))
	lines := strings.Split(render(t, diag.List{{Code: "P0001", Span: at(t, file, "bad"), Message: "m"}}), "\n")
	for _, width := range []int{1, 4, 8} {
		source, caret := expand(lines[1], width), expand(lines[2], width)
		got, want := caretColumn(caret), strings.Index(source, "bad")
		want = utf8.RuneCountInString(source[:want])
		if got != want {
			t.Errorf("tabs of %d: got the caret in column %d, want %d:\n%s\n%s", width, got, want, source, caret)
		}
	}
}

// caretColumn is the column of the caret in a line of blanks.
func caretColumn(line string) int { return strings.Index(line, "^") }

// expand replaces tabs as a terminal does.
func expand(line string, width int) string {
	var b strings.Builder
	col := 0
	for _, r := range line {
		n := 1
		if r == '\t' {
			n = width - col%width
			r = ' '
		}
		b.WriteString(strings.Repeat(string(r), n))
		col += n
	}
	return b.String()
}

// TestRenderControls checks that nothing of a source acts on a terminal.
func TestRenderControls(t *testing.T) {
	var all strings.Builder
	for r := range rune(0xA0) {
		if r != '\n' {
			all.WriteRune(r)
		}
	}
	all.WriteString("\u061C\u200B\u202A\u202E\u2028\u2029\u2066\uFEFF\xff\U000E0041 bad")
	file := diag.NewFile("na\x1bme.gr", []byte(all.String()))
	list := diag.List{{
		Code: "P0001", Span: at(t, file, "bad"), Message: "m\x1b[31m\n", Help: "h\u202E",
		Notes: []diag.Note{{Span: at(t, file, "bad"), Text: "n\x07"}},
	}}
	got := render(t, list) + list.Error()
	for _, r := range got {
		if r != '\n' && r != '\t' && (unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == '\u2028' || r == '\u2029') {
			t.Errorf("got %U in the output", r)
		}
	}
	if !utf8.ValidString(got) {
		t.Error("got output that is not UTF-8")
	}
	if !strings.Contains(got, `m\x1b[31m\n`) || !strings.Contains(got, `na\x1bme.gr`) {
		t.Errorf("got no escapes in:\n%s", got)
	}
	lines := strings.Split(got, "\n")
	if a, b := strings.Index(lines[1], "bad"), caretColumn(lines[2]); utf8.RuneCountInString(lines[1][:a]) != utf8.RuneCountInString(lines[2][:b]) {
		t.Errorf("the caret is not under its place:\n%s\n%s", lines[1], lines[2])
	}
}

func TestListOrderAndCut(t *testing.T) {
	file := diag.NewFile("x.gr", []byte(strings.Repeat("x\n", 40)))
	var list diag.List
	for i := 39; i >= 0; i-- {
		d := diag.Diagnostic{Code: "P0001", Message: fmt.Sprintf("line %d", i+1), Span: diag.Span{File: file, Start: 2 * i, End: 2*i + 1}}
		if i < 30 {
			d.Severity = diag.Warning
		}
		list = append(list, d, d)
	}
	lines := strings.Split(list.Error(), "\n")
	if len(lines) != 21 || lines[20] != "and 20 more" {
		t.Fatalf("got %d lines, want 20 and a count:\n%s", len(lines), list.Error())
	}
	// All ten errors, and the first ten warnings.
	if lines[0] != "x.gr:1:1: P0001: warning: line 1" || lines[10] != "x.gr:31:1: P0001: line 31" || lines[19] != "x.gr:40:1: P0001: line 40" {
		t.Errorf("got:\n%s", list.Error())
	}
	if got := render(t, list); !strings.HasSuffix(got, "\nand 20 more\n") || strings.Count(got, "P0001") != 20 {
		t.Errorf("got:\n%s", got)
	}
	if list[0].Message != "line 40" {
		t.Error("the list itself was sorted")
	}
}

func TestListErr(t *testing.T) {
	warning, mistake := diag.Diagnostic{Severity: diag.Warning}, diag.Diagnostic{}
	for _, test := range []struct {
		list diag.List
		want bool
	}{{nil, false}, {diag.List{warning}, false}, {diag.List{warning, mistake}, true}} {
		if got := test.list.Err() != nil; got != test.want {
			t.Errorf("%v: got an error %t, want %t", test.list, got, test.want)
		}
	}
	var list diag.List
	if err := fmt.Errorf("loading policy x.gr: %w", diag.List{mistake}.Err()); !errors.As(err, &list) || len(list) != 1 {
		t.Errorf("got %v from %v", list, err)
	}
}

// broken is a writer that fails.
type broken struct{}

var errBroken = errors.New("broken")

func (broken) Write([]byte) (int, error) { return 0, errBroken }

func TestRenderFails(t *testing.T) {
	if err := diag.Render(broken{}, diag.List{{}}); !errors.Is(err, errBroken) {
		t.Errorf("got %v, want %v", err, errBroken)
	}
}
