// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package trace_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/holdfast-dev/holdfast/trace"
)

// pieces tells what Split yields: each text with its place, or the place of an
// error and what it says.
func pieces(r io.Reader, opts *trace.DecodeOptions) []string {
	var out []string
	for rec, err := range trace.Split(r, opts) {
		at := fmt.Sprintf("%d:%d@%d ", rec.Line, rec.Column, rec.Offset)
		var e *trace.Error
		switch {
		case errors.As(err, &e):
			at += fmt.Sprintf("error %d@%d %s", e.Line, e.Offset, e.Msg)
		case err != nil:
			at += err.Error()
		default:
			at += rec.Text
		}
		out = append(out, at)
	}
	return out
}

func TestSplit(t *testing.T) {
	const (
		a = `{"messages":[]}`
		b = `[{"role":"user"}]`
	)
	results := &trace.DecodeOptions{Layout: &trace.Layout{Traces: []string{"results"}}}
	deep := &trace.DecodeOptions{Layout: &trace.Layout{Traces: []string{"a/b", "1"}}}
	for _, c := range []struct {
		name, src string
		opts      *trace.DecodeOptions
		want      []string
	}{
		{"a byte order mark", "\ufeff" + a + "\n" + b, nil, []string{"1:1@3 " + a, "2:1@19 " + b}},
		{"a byte order mark alone", "\ufeff", nil, nil},
		{"a byte order mark before a list", "\ufeff[" + a + "]", nil, []string{"1:2@4 " + a}},
		{"a byte order mark further on", a + "\n\ufeff" + b, nil, []string{"1:1@0 " + a, "2:1@16 \ufeff" + b}},
		{"UTF-16", "\xff\xfe[\x00]\x00\n\x00", nil, []string{"1:1@0 error 1@0 the text is UTF-16, want UTF-8"}},
		{"UTF-16, the other way", "\xfe\xff\x00[\x00]", nil, []string{"1:1@0 error 1@0 the text is UTF-16, want UTF-8"}},
		{"lines", a + "\n  " + b + "\r\n", nil, []string{"1:1@0 " + a, "2:3@18 " + b}},
		{"a list of objects", "[" + a + "," + a + "]", nil, []string{"1:2@1 " + a, "1:18@17 " + a}},
		{"a list of lists", "[" + b + " , " + b + "]\n", nil, []string{"1:2@1 " + b, "1:22@21 " + b}},
		{"a list over lines", "[\n " + a + ",\n " + a + "\n]\n", nil, []string{"2:2@3 " + a, "3:2@21 " + a}},
		{"a list that begins with a trace a line", "[\n" + a + ",\n" + b + "\n]", nil, []string{"2:1@2 " + a, "3:1@19 " + b}},
		{"a list of lists that are pretty", "[\n  [\n    {}\n  ],\n  []\n]", nil, []string{"2:3@4 [\n    {}\n  ]", "5:3@20 []"}},
		{"events", "[" + `{"role":"user"},` + `{"role":"user"}]`, nil, []string{`1:1@0 [{"role":"user"},{"role":"user"}]`}},
		{"events with messages in them", `[{"role":"user","messages":[]}]`, nil, []string{`1:1@0 [{"role":"user","messages":[]}]`}},
		{"a key behind others", `[{"id":{"messages":"\"}"}, "n" : [1], "messages":[]}]`, nil, []string{`1:2@1 {"id":{"messages":"\"}"}, "n" : [1], "messages":[]}`}},
		{"lists as lines", "[" + a + "]\n[" + b + "," + a + "]\n" + b, nil, []string{"1:2@1 " + a, "2:2@19 " + b, "2:20@37 " + a, "3:1@54 " + b}},
		{"no events", "[]", nil, []string{"1:1@0 []"}},
		{"a list of no events", "[[]]", nil, []string{"1:2@1 []"}},
		{"an element that is no trace", "[" + a + `,7 ,nul,"x]", ` + a + "]", nil, []string{"1:2@1 " + a, "1:18@17 7", "1:21@20 nul", `1:25@24 "x]"`, "1:31@30 " + a}},
		{"a comma too many", "[" + a + ",]", nil, []string{"1:2@1 " + a, "1:18@17 error 1@17 want a trace after the comma, got the end of the list"}},
		{"a comma missing", "[" + a + a + "]", nil, []string{"1:2@1 " + a, "1:17@16 error 1@16 want a comma between two traces of a list", "1:17@16 " + a}},
		{"no end", "[" + a + ",\n", nil, []string{"1:2@1 " + a, "2:1@18 error 2@18 want a comma or the end of the list that begins in line 1, got the end"}},
		{"cut off within", "[" + a + `,{"messages":[{"role":"us`, nil, []string{"1:2@1 " + a, "1:18@17 error 1@41 a string that does not end"}},
		{"behind the list", "[" + a + "] x\n" + b, nil, []string{"1:2@1 " + a, "1:19@18 error 1@18 want the end of the line after the list of traces", "2:1@20 " + b}},
		{
			"a torn element, goes on in its column", "[\n {\"messages\":[}]},\n " + a + ",\n  " + a + "\n]", nil,
			[]string{"2:2@3 error 2@16 want a value, got '}'", "3:2@22 " + a, "4:3@41 " + a},
		},
		{"a string over lines", "[\n{\"messages\":\"\n\"},\n" + a + "]", nil, []string{"2:1@2 error 2@15 a control character in a string, want \\u000a", "4:1@20 " + a}},
		{"the last element torn", "[\n " + a + ",\n {]\n]\n" + b, nil, []string{"2:2@3 " + a, "3:2@21 error 3@22 want a key in double quotes, got ']'", "5:1@26 " + b}},
		{"a torn list, goes on with a line", `[{"messages":[}, ` + a + "\n" + b, nil, []string{"1:2@1 error 1@14 want a value, got '}'", "2:1@33 " + b}},
		{
			"a list in a line does not go on in the next", b + "\n[" + a + "\n" + b, nil,
			[]string{"1:1@0 " + b, "2:2@19 " + a, "2:17@34 error 2@34 want a comma or the end of the list that begins in line 2, got the end", "3:1@35 " + b},
		},
		{"columns count characters", "[\"é\",[\"é\"],[]]", nil, []string{`1:1@0 ["é",["é"],[]]`}},
		{"columns count characters in a list", "[[\"é\"], []]", nil, []string{`1:2@1 ["é"]`, "1:9@9 []"}},

		{"at a pointer", `{"n":[{"results":[]}],"results":[` + a + "," + b + `],"m":{}}`, results, []string{"1:34@33 " + a, "1:50@49 " + b}},
		{"documents as lines", `{"results":[` + a + "]}\n\n" + `{"results":[]}` + "\n" + `{"results":[` + a + "]}", results, []string{"1:13@12 " + a, "4:13@58 " + a}},
		{"over lines", "{\n \"results\": [\n  " + a + ",\n  {]\n ]\n}\n", results, []string{"3:3@18 " + a, "4:3@37 error 4@38 want a key in double quotes, got ']'"}},
		{"at a deep pointer", `{"a\/b":[0,[` + a + `]]}`, deep, []string{"1:13@12 " + a}},
		{"nothing at the pointer", `{"result":[` + a + `]}`, results, []string{`1:1@0 error 1@0 no list of traces at "/results"`}},
		{"nothing at the deep pointer", `{"a/b":[0]}`, deep, []string{`1:1@0 error 1@0 no list of traces at "/a~1b/1"`}},
		{"no list at the pointer", `{"results":{}}`, results, []string{`1:1@0 error 1@0 no list of traces at "/results"`}},
		{"no document at all", "7\n" + `{"results":[` + a + "]}", results, []string{`1:1@0 error 1@0 no list of traces at "/results"`, "2:13@14 " + a}},
		{"twice at the pointer", `{"results":[` + a + `],"results":[]}`, results, []string{"1:13@12 " + a, `1:1@29 error 1@29 the key "results" comes twice in one object`}},
		{"wrong before the list", `{"x":tru,"results":[` + a + `]}`, results, []string{"1:21@20 " + a, "1:1@5 error 1@5 want true"}},
		{"cut off behind the list", `{"results":[` + a + `],`, results, []string{"1:13@12 " + a, "1:1@29 error 1@29 want a key in double quotes, got the end"}},
		{"torn before the list", "{\"x\":[},\n" + `{"results":[` + a + "]}", results, []string{"1:1@6 error 1@6 want a value, got '}'", "2:13@21 " + a}},
	} {
		for name, r := range map[string]io.Reader{"": strings.NewReader(c.src), " byte by byte": iotest.OneByteReader(strings.NewReader(c.src))} {
			if got := pieces(r, c.opts); !slices.Equal(got, c.want) {
				t.Errorf("%s%s:\n got %q\nwant %q", c.name, name, got, c.want)
			}
		}
	}
}

func TestSplitLimits(t *testing.T) {
	small, long := `{"messages":[]}`, `{"messages":["`+strings.Repeat("a", 1000)+`"]}`
	opts := &trace.DecodeOptions{MaxBytes: 100}
	list := "[" + small + "," + long + "," + small + "]"
	want := []string{"1:2@1 " + small, "1:18@17 error 1@17 a trace longer than 100 bytes", "1:1036@1035 " + small}
	if got := pieces(strings.NewReader(list), opts); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := pieces(iotest.HalfReader(strings.NewReader(list)), opts); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	// How much has been read does not say how far to look for what a list holds.
	list = `[{"id":"` + strings.Repeat("a", 100) + `","messages":[]}]`
	want = []string{"1:1@0 error 1@0 a trace longer than 100 bytes"}
	for name, r := range map[string]io.Reader{"": strings.NewReader(list), " byte by byte": iotest.OneByteReader(strings.NewReader(list))} {
		if got := pieces(r, opts); !slices.Equal(got, want) {
			t.Errorf("a first element that is too long%s: got %q, want %q", name, got, want)
		}
	}
	beside := &trace.DecodeOptions{MaxBytes: 100, Layout: &trace.Layout{Traces: []string{"results"}}}
	src := `{"results":[` + small + `],"x":"` + strings.Repeat("a", 1000) + "\"}\n{\"results\":[" + small + "]}"
	want = []string{"1:13@12 " + small, "1:1@0 error 1@0 longer than 100 bytes beside its traces", "2:13@1049 " + small}
	if got := pieces(strings.NewReader(src), beside); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestSplitListOfAnySize reads a list without end: what is read must not add
// up.
func TestSplitListOfAnySize(t *testing.T) {
	r := io.MultiReader(strings.NewReader("["), &endless{line: `{"messages":["` + strings.Repeat("a", 10000) + `"]},`})
	n := 0
	for rec, err := range trace.Split(r, nil) {
		if err != nil || len(rec.Text) != 10017 {
			t.Fatal(len(rec.Text), err)
		}
		if n++; n == 20000 {
			break
		}
	}
}

// TestSplitReadError makes sure that what is read last before an error is no
// record: it may be cut off.
func TestSplitReadError(t *testing.T) {
	for src, want := range map[string]int{
		"[]\n[]":                        1,
		`[[],[]`:                        2, // what ends with its bracket is whole
		`[{"messages":[]},{"messages":`: 1,
		`[{"messages":[]}, 12`:          1,
		"{\n":                           0,
		"[\n{\n":                        0,
		"[]\n[[],[":                     2,
	} {
		for name, r := range map[string]io.Reader{
			"after": io.MultiReader(strings.NewReader(src), iotest.ErrReader(errors.New("gone"))),
			"with":  &broken{src},
		} {
			got := pieces(r, nil)
			if len(got) != want+1 || !strings.HasSuffix(got[want], "reading traces: gone") {
				t.Errorf("%q, an error %s it: got %q, want %d records and an error", src, name, got, want)
			}
		}
	}
	// What is wrong before the error is said all the same.
	got := pieces(&broken{"[{\"messages\":[}]},\n {\"messages\":[]}, "}, nil)
	if len(got) != 3 || !strings.Contains(got[0], "want a value, got '}'") || got[1] != `2:2@20 {"messages":[]}` {
		t.Errorf("got %q", got)
	}
}

// broken gives all it has together with an error.
type broken struct{ src string }

func (b *broken) Read(p []byte) (int, error) {
	n := copy(p, b.src)
	b.src = b.src[n:]
	return n, errors.New("gone")
}

// chunked gives a few bytes at a time, by turns as many as sizes says.
type chunked struct {
	src   []byte
	sizes []byte
	n     int
}

func (c *chunked) Read(p []byte) (int, error) {
	if len(c.src) == 0 {
		return 0, io.EOF
	}
	size := 1
	if len(c.sizes) > 0 {
		size += int(c.sizes[c.n%len(c.sizes)])
	}
	c.n++
	n := copy(p, c.src[:min(size, len(c.src))])
	c.src = c.src[n:]
	return n, nil
}

// FuzzSplit splits any bytes: the records are the same however they are read,
// each decodes as it does alone, and each is what the input has at its place.
func FuzzSplit(f *testing.F) {
	for _, src := range []string{
		"", "\ufeff[]", "\xff\xfe", "[]", "[[]]", `{"messages":[]}` + "\n" + `[{"role":"user","content":"é"}]`, `[{"messages":[]},{"messages":[}]` + "\n[]",
		"[\n{\"role\":\n\"user\"}]", "[\n {\"messages\":[]},\n {]\n]", `{"results":[[],[{"role":"x"}]],"results":0}`, "[[\"\\\n", `[{"a":1,"messages":[`,
		`[{"a":"` + strings.Repeat("a", 200) + `","messages":[]}]`,
	} {
		f.Add([]byte(src), []byte{3}, false)
		f.Add([]byte(src), []byte{0, 7}, true)
	}
	f.Fuzz(func(t *testing.T, src, sizes []byte, pointed bool) {
		opts := &trace.DecodeOptions{MaxBytes: 200}
		if pointed {
			opts.Layout = &trace.Layout{Traces: []string{"results"}}
		}
		want := pieces(bytes.NewReader(src), opts)
		if got := pieces(&chunked{src: src, sizes: sizes}, opts); !slices.Equal(got, want) {
			t.Fatalf("in pieces %q, at once %q", got, want)
		}
		for rec, err := range trace.Split(bytes.NewReader(src), opts) {
			if err != nil {
				if rec.Text != "" {
					t.Fatalf("an error with the text %q", rec.Text)
				}
				continue
			}
			checkRecord(t, src, rec)
		}
	})
}

func checkRecord(t *testing.T, src []byte, rec trace.Record) {
	t.Helper()
	if !bytes.HasPrefix(src[rec.Offset:], []byte(rec.Text)) {
		t.Fatalf("the record %q is not at %d", rec.Text, rec.Offset)
	}
	before := src[:rec.Offset]
	if line := 1 + bytes.Count(before, []byte("\n")); line != rec.Line {
		t.Fatalf("the record %q is in line %d, not %d", rec.Text, line, rec.Line)
	}
	own, ownErr := trace.Decode([]byte(rec.Text), nil)
	got, err := rec.Decode(nil)
	if (err == nil) != (ownErr == nil) {
		t.Fatalf("the record %q: %v, alone: %v", rec.Text, err, ownErr)
	}
	if err == nil && len(got.Events) != len(own.Events) {
		t.Fatalf("the record %q has %d events, alone %d", rec.Text, len(got.Events), len(own.Events))
	}
	var e, o *trace.Error
	if errors.As(err, &e) && errors.As(ownErr, &o) {
		if e.Msg != o.Msg || e.Offset != o.Offset+rec.Offset || e.Line != o.Line+rec.Line-1 {
			t.Fatalf("the record %q: %v, alone: %v", rec.Text, err, ownErr)
		}
	}
}
