// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package trace_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/holdfast-dev/holdfast/trace"
)

// all tells what DecodeAll yields: the number of events of each trace, or the
// line and offset of an error.
func all(r io.Reader, opts *trace.DecodeOptions) []string {
	var out []string
	for tr, err := range trace.DecodeAll(r, opts) {
		var e *trace.Error
		switch {
		case errors.As(err, &e):
			out = append(out, fmt.Sprintf("error %d:%d", e.Line, e.Offset))
		case err != nil:
			out = append(out, err.Error())
		default:
			out = append(out, fmt.Sprint(len(tr.Events)))
		}
	}
	return out
}

func TestDecodeAll(t *testing.T) {
	const (
		one = `[{"role":"user","content":"a"}]`
		two = `{"messages":[{"role":"user","content":"a"},{"role":"user","content":"b"}]}`
	)
	for _, c := range []struct {
		name, src string
		want      []string
	}{
		{"nothing", "", nil},
		{"blank", " \n\n", nil},
		{"one line", one, []string{"1"}},
		{"lines", one + "\n" + two + "\n", []string{"1", "2"}},
		{"crlf and blank lines", one + "\r\n\r\n  \n" + two, []string{"1", "2"}},
		{"a bad line", one + "\nx\n" + two + "\n", []string{"1", "error 2:32", "2"}},
		{"a bad role", one + "\n" + `[{"role":"x"}]` + "\n" + one, []string{"1", "error 2:41", "1"}},
		{"first line is metadata", `{"metadata":{}}` + "\n" + one, []string{"error 1:0", "1"}},
		{"first line cut off", one[:20] + "\n" + one + "\n" + two, []string{"error 1:20", "1", "2"}},
		{"first line cut off outside of a string", one[:30] + "\n" + one, []string{"error 1:30", "1"}},
		{"a line cut off outside of a string", one + "\n" + one[:30] + "\r\n" + one, []string{"1", "error 2:62", "1"}},
		{"last line cut off", one + "\n" + two[:30], []string{"1", "error 2:62"}},
		{"several lines", "\n[\n {\"role\":\n\n\"user\"}\n]\n", []string{"1"}},
		{"object over lines", "{\n\"messages\":\n[]\n}", []string{"0"}},
		{"error in several lines", "[\n {\"role\":\n \r\n\"x\"}\n]\n", []string{"error 4:15"}},
		{"several lines and more", "[\n]\n[]", []string{"error 3:4"}},
		{"never ends", "[\n[\n[\n", []string{"error 3:5"}},
	} {
		for name, r := range map[string]io.Reader{"": strings.NewReader(c.src), " byte by byte": iotest.OneByteReader(strings.NewReader(c.src))} {
			if got := all(r, nil); !slices.Equal(got, c.want) {
				t.Errorf("%s%s: got %q, want %q", c.name, name, got, c.want)
			}
		}
	}
}

func TestDecodeAllLimits(t *testing.T) {
	line := `[{"role":"user","content":"` + strings.Repeat("a", 1000) + `"}]`
	small := `[{"role":"user","content":"a"}]`
	opts := &trace.DecodeOptions{MaxBytes: 100}
	if got, want := all(strings.NewReader(small+"\n"+line+"\n"+small), opts), []string{"1", "error 2:32", "1"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	pretty := "[\n" + strings.Repeat(`{"role":"user"},`+"\n", 100) + `{"role":"user"}]`
	if got, want := all(strings.NewReader(pretty), opts), []string{"error 1:0"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	exact := &trace.DecodeOptions{MaxBytes: len(small)}
	if got, want := all(strings.NewReader(small+"\n"+small+" \n"+small), exact), []string{"1", "1", "1"}; !slices.Equal(got[:1], want[:1]) || got[2] != "1" {
		t.Errorf("got %q", got)
	}
}

func TestDecodeAllReadError(t *testing.T) {
	r := io.MultiReader(strings.NewReader("[]\n[]"), iotest.ErrReader(errors.New("gone")))
	if got, want := all(r, nil), []string{"0", "reading traces: gone"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestDecodeAllStops(t *testing.T) {
	n := 0
	for _, err := range trace.DecodeAll(strings.NewReader("[]\nx\n[]\n"), nil) {
		if n++; n == 2 {
			if err == nil {
				t.Error("the second line was read")
			}
			break
		}
	}
	if n != 2 {
		t.Errorf("%d steps", n)
	}
}

// endless gives lines for ever: what is read must not add up.
type endless struct {
	line string
	at   int
}

func (e *endless) Read(p []byte) (int, error) {
	n := copy(p, e.line[e.at:])
	e.at = (e.at + n) % len(e.line)
	return n, nil
}

func TestDecodeAllOfAnySize(t *testing.T) {
	r := &endless{line: `[{"role":"user","content":"` + strings.Repeat("a", 10000) + `"}]` + "\n"}
	n := 0
	for tr, err := range trace.DecodeAll(r, nil) {
		if err != nil || len(tr.Events) != 1 {
			t.Fatal(err)
		}
		if n++; n == 10000 {
			break
		}
	}
	long := &endless{line: "a line that does not end "}
	for _, err := range trace.DecodeAll(io.LimitReader(long, 10<<20), &trace.DecodeOptions{MaxBytes: 1000}) {
		if err == nil {
			t.Fatal("a line without end is taken")
		}
	}
}

// shared returns the path of third-party data beside the repository.
func shared(t testing.TB, name string) string {
	t.Helper()
	path := filepath.Join("..", "..", "shared", "data", filepath.FromSlash(name))
	if _, err := os.Stat(path); err != nil {
		t.Skipf("the third-party data is not here: %v", err)
	}
	return path
}

func TestSampleTraces(t *testing.T) {
	for name, want := range map[string][]string{
		"invariant/explorer_sample_data.jsonl": {"4", "8", "5"},
		"invariant/webarena.jsonl":             {"error 1:0", "7", "22"},
		"invariant/code.jsonl":                 {"error 1:0", "14"},
	} {
		t.Run(name, func(t *testing.T) {
			f, err := os.Open(shared(t, name))
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close() //nolint:errcheck // only read
			got := all(f, nil)
			if !slices.Equal(got, want) {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

func BenchmarkDecodeAll(b *testing.B) {
	line := "[" + strings.Repeat(`{"role":"assistant","content":"On it, sending the mail now.","tool_calls":[{"id":"call_17","type":"function",`+
		`"function":{"name":"send_email","arguments":{"to":"bob@corp.com","subject":"lunch on Friday","body":"Hi Bob,\n\nare you free?\n\nAlice"}}}]},`+
		`{"role":"tool","tool_call_id":"call_17","content":"`+strings.Repeat("Sent. The answer will come to your inbox. ", 20)+`"},`, 10) +
		`{"role":"user","content":"Thanks"}]` + "\n"
	src := strings.Repeat(line, 100)
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		for _, err := range trace.DecodeAll(strings.NewReader(src), nil) {
			if err != nil {
				b.Fatal(err)
			}
		}
	}
}
