// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package report_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/holdfast-dev/holdfast"
	"github.com/holdfast-dev/holdfast/internal/report"
	"github.com/holdfast-dev/holdfast/trace"
)

var errFull = errors.New("no space left on device")

// full is a device on which there is room for some bytes.
type full struct{ left int }

func (f *full) Write(p []byte) (int, error) {
	n := min(len(p), f.left)
	f.left -= n
	if n < len(p) {
		return n, errFull
	}
	return n, nil
}

// TestErrorsOfWritingComeBack writes on a device that is full after any number
// of bytes.
func TestErrorsOfWritingComeBack(t *testing.T) {
	for _, name := range []string{"verdicts", "unread", "load-diagnostics", "load-unread"} {
		c := readCase(t, "testdata/"+name+".txtar")
		for _, format := range report.Formats() {
			out, errs := c.print(t, format)
			for n := 0; n < len(out); n += 1 + len(out)/100 {
				if err := c.printTo(format, &full{n}, io.Discard); !errors.Is(err, errFull) {
					t.Errorf("%s, %s: after %d of %d bytes of output got %v", name, format, n, len(out), err)
				}
			}
			for n := 0; n < len(errs); n += 1 + len(errs)/100 {
				if err := c.printTo(format, io.Discard, &full{n}); !errors.Is(err, errFull) {
					t.Errorf("%s, %s: after %d of %d bytes of errors got %v", name, format, n, len(errs), err)
				}
			}
		}
	}
}

// printTo reports the case until something fails.
func (c *reportCase) printTo(format string, out, errs io.Writer) error {
	o := c.reportOptions(nil, nil)
	o.Out, o.Err = out, errs
	if c.loadErr != nil {
		return report.Load(format, o, c.loadErr)
	}
	r, err := report.New(format, o)
	if err != nil {
		return err
	}
	for _, res := range c.results {
		if err := r.Write(r.Render(res)); err != nil {
			return err
		}
	}
	return r.Finish()
}

// TestReportsStream writes a result many times: what is written comes out as it
// goes, what is held does not grow, and only Finish makes a whole of it.
func TestReportsStream(t *testing.T) {
	c := readCase(t, "testdata/verdicts.txtar")
	const times = 2000
	for _, format := range report.Formats() {
		var out bytes.Buffer
		r, err := report.New(format, c.reportOptions(&out, &bytes.Buffer{}))
		if err != nil {
			t.Fatal(err)
		}
		written := 0
		for i := range times {
			res := c.results[0]
			res.Path = "runs.jsonl"
			res.Index = i
			p := r.Render(res)
			written += len(p.Out)
			if err := r.Write(p); err != nil {
				t.Fatal(err)
			}
		}
		const most = 3 << 19 // that is held
		if held := written - out.Len(); held > most && format != "github" {
			t.Errorf("%s holds %d of %d bytes", format, held, written)
		}
		if before := out.String(); format == "sarif" && json.Valid([]byte(before)) {
			t.Error("sarif: the document is whole before its end")
		}
		if err := r.Finish(); err != nil {
			t.Fatal(err)
		}
		switch format {
		case "sarif":
			doc := checkSARIF(t, out.String())
			if got := len(doc.Runs[0].Results); got != 2*times {
				t.Errorf("got %d results, want %d", got, 2*times)
			}
		case "junit":
			doc := checkJUnit(t, out.String())
			if len(doc.Suites) < 2 || !strings.HasPrefix(doc.Suites[1].Name, "runs.jsonl, from trace ") {
				t.Errorf("got %d suites, want several of one file", len(doc.Suites))
			}
		case "github":
			checkGitHub(t, out.String())
			if want := fmt.Sprintf("holdfast: not shown: %d more errors (", 2*times-10); !strings.Contains(out.String(), want) {
				t.Errorf("got %q, want %q in it", out.String(), want)
			}
		}
	}
}

// TestNoticesAreBounded reports more traces that cannot be read than are held.
func TestNoticesAreBounded(t *testing.T) {
	c := readCase(t, "testdata/unread.txtar")
	var out bytes.Buffer
	r, err := report.New("sarif", c.reportOptions(&out, &bytes.Buffer{}))
	if err != nil {
		t.Fatal(err)
	}
	for range 1200 {
		if err := r.Write(r.Render(report.Result{Path: "a.json", Err: errors.New("gone"), Unread: true})); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.Finish(); err != nil {
		t.Fatal(err)
	}
	checkSARIF(t, out.String())
	if n := strings.Count(out.String(), `"level":"error","message"`); n != 1001 || !strings.Contains(out.String(), "200 more traces could not be checked") {
		t.Errorf("got %d notifications, want 1000 and one for the rest", n)
	}
}

// TestRenderConcurrently renders in many goroutines what is written in order.
func TestRenderConcurrently(t *testing.T) {
	c := readCase(t, "testdata/verdicts.txtar")
	for _, format := range report.Formats() {
		want, _ := c.print(t, format)
		var out bytes.Buffer
		r, err := report.New(format, c.reportOptions(&out, &bytes.Buffer{}))
		if err != nil {
			t.Fatal(err)
		}
		pieces := make([]report.Piece, len(c.results))
		var wg sync.WaitGroup
		for i := range c.results {
			wg.Go(func() { pieces[i] = r.Render(c.results[i]) })
		}
		wg.Wait()
		for _, p := range pieces {
			if err := r.Write(p); err != nil {
				t.Fatal(err)
			}
		}
		if err := r.Finish(); err != nil {
			t.Fatal(err)
		}
		if out.String() != want {
			t.Errorf("%s: got\n%s\nwant\n%s", format, out.String(), want)
		}
	}
}

// TestFingerprintsStay gives the traces of a file another order: the results
// are known again.
func TestFingerprintsStay(t *testing.T) {
	archive, err := txtar.ParseFile("testdata/verdicts.txtar")
	if err != nil {
		t.Fatal(err)
	}
	prints := func(reorder func([]string)) []string {
		for i, f := range archive.Files {
			if f.Name == "runs.jsonl" {
				lines := strings.Split(strings.TrimSpace(string(f.Data)), "\n")
				reorder(lines)
				archive.Files[i].Data = []byte(strings.Join(lines, "\n\n"))
			}
		}
		out, _ := newCase(t, archive).print(t, "sarif")
		byPrint := map[string]string{}
		for _, r := range checkSARIF(t, out).Runs[0].Results {
			byPrint[r.Fingerprints["primaryLocationLineHash"]] = r.RuleID
		}
		return slices.Sorted(maps.Keys(byPrint))
	}
	was := prints(func([]string) {})
	now := prints(slices.Reverse)
	if !slices.Equal(was, now) || len(was) != 4 {
		t.Errorf("got the fingerprints %q, then %q; want 4 that stay", was, now)
	}
}

// TestPaths shows how files are named for tools.
func TestPaths(t *testing.T) {
	dir := t.TempDir()
	c := readCase(t, "testdata/verdicts.txtar")
	for _, test := range []struct{ path, uri, file string }{
		{"a.json", "a.json", "a.json"},
		{"./runs//a b.json", "runs/a%20b.json", "runs/a b.json"},
		{"../a.json", "../a.json", "../a.json"},
		{filepath.Join(dir, "x", "ä%.json"), "x/%C3%A4%25.json", "x/ä%25.json"},
		{"a:b.json", "./a:b.json", "a%3Ab.json"},
	} {
		res := c.results[0]
		res.Path = test.path
		for format, want := range map[string]string{"sarif": `"uri":"` + test.uri + `"`, "github": "::error file=" + test.file + ",line=6,"} {
			var out bytes.Buffer
			o := c.reportOptions(&out, &bytes.Buffer{})
			o.Dir = dir
			r, err := report.New(format, o)
			if err != nil {
				t.Fatal(err)
			}
			if p := r.Render(res); !strings.Contains(string(p.Out), want) {
				t.Errorf("%s, %s: got %s, want %s in it", format, test.path, p.Out, want)
			}
		}
	}
}

// TestUnknownFormat names those there are.
func TestUnknownFormat(t *testing.T) {
	_, err := report.New("xml", &report.Options{})
	if want := "got format xml, want one of text, json, jsonl, sarif, github, junit"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	if report.Load("xml", &report.Options{}, errors.New("x")) == nil {
		t.Error("got no error of Load")
	}
}

// BenchmarkRender renders a trace that is allowed, as most are.
func BenchmarkRender(b *testing.B) {
	policy, err := holdfast.Compile("p.gr", []byte("raise \"x\" if:\n    (m: Message)\n    \"x\" in m.content\n"), nil)
	if err != nil {
		b.Fatal(err)
	}
	for _, format := range report.Formats() {
		b.Run(format, func(b *testing.B) {
			r, err := report.New(format, &report.Options{Out: io.Discard, Err: io.Discard, Policy: policy})
			if err != nil {
				b.Fatal(err)
			}
			v, err := policy.Analyze(b.Context(), &trace.Trace{}, nil)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				r.Render(report.Result{Path: "runs.jsonl", Index: 7, Verdict: v})
			}
		})
	}
}
