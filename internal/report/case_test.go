// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package report_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"golang.org/x/tools/txtar"

	"github.com/holdfast-dev/holdfast"
	"github.com/holdfast-dev/holdfast/diag"
	"github.com/holdfast-dev/holdfast/internal/report"
	"github.com/holdfast-dev/holdfast/internal/scan"
	"github.com/holdfast-dev/holdfast/trace"
)

var update = flag.Bool("update", false, "rewrite what the cases want")

// A reportCase is policies, traces and how they are reported: an archive with
// files *.gr, files *.json and *.jsonl, which - may stand for, files
// unreadable/NAME with the reason why NAME cannot be read, and options. Its
// files want/* are what is printed.
type reportCase struct {
	archive *txtar.Archive
	options struct {
		Online      bool              `json:"online"`
		Color       bool              `json:"color"`
		FailOnWarn  bool              `json:"fail_on_warn"`
		OnUnknown   map[string]string `json:"on_unknown"` // by rule
		PolicyError string            `json:"policy_error"`
	}
	policy  *holdfast.Policy
	loadErr error
	results []report.Result
}

func readCase(t *testing.T, file string) *reportCase {
	t.Helper()
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return newCase(t, archive)
}

func newCase(t *testing.T, archive *txtar.Archive) *reportCase {
	t.Helper()
	c := &reportCase{archive: archive}
	folder := fstest.MapFS{}
	var sources []holdfast.Source
	for _, f := range archive.Files {
		folder[f.Name] = &fstest.MapFile{Data: f.Data}
		switch {
		case f.Name == "options":
			if err := json.Unmarshal(f.Data, &c.options); err != nil {
				t.Fatal(err)
			}
		case path.Ext(f.Name) == ".gr" && path.Dir(f.Name) == ".":
			sources = append(sources, holdfast.Source{Name: f.Name, Text: f.Data, Files: folder})
		}
	}
	c.policy, c.loadErr = holdfast.CompileAll(sources, nil)
	if c.options.PolicyError != "" {
		c.loadErr = errors.New(c.options.PolicyError)
	}
	if c.loadErr == nil {
		c.check(t)
	}
	return c
}

// check makes the results of the case's traces.
func (c *reportCase) check(t *testing.T) {
	t.Helper()
	for _, f := range c.archive.Files {
		switch ext := path.Ext(f.Name); {
		case strings.HasPrefix(f.Name, "unreadable/"):
			c.results = append(c.results, report.Result{
				Path: strings.TrimPrefix(f.Name, "unreadable/"), Unread: true, Err: errors.New(strings.TrimSpace(string(f.Data))),
			})
		case strings.HasPrefix(f.Name, "want/"):
		case ext == ".json" || ext == ".jsonl" || f.Name == "-":
			c.checkFile(t, f.Name, f.Data)
		}
	}
}

func (c *reportCase) checkFile(t *testing.T, name string, data []byte) {
	t.Helper()
	opts := &holdfast.MonitorOptions{OnUnknownRule: map[string]holdfast.Outcome{}}
	for rule, word := range c.options.OnUnknown {
		outcome, ok := map[string]holdfast.Outcome{"ask": holdfast.OutcomeAsk, "warn": holdfast.OutcomeWarn, "allow": holdfast.OutcomeAllow}[word]
		if !ok {
			t.Fatalf("got on_unknown %s", word)
		}
		opts.OnUnknownRule[rule] = outcome
	}
	judge := scan.Whole(c.policy, opts)
	if c.options.Online {
		judge = scan.Online(c.policy, opts)
	}
	index := 0
	for rec, err := range trace.Split(bytes.NewReader(data), nil) {
		res := report.Result{Path: name, Index: index, Record: rec, Err: err, Unread: true}
		if err == nil {
			res.Trace, res.Err = rec.Decode(nil)
		}
		if res.Err == nil {
			res.Unread = false
			res.Verdict, res.Online, res.Err = judge(context.Background(), res.Trace)
		}
		c.results = append(c.results, res)
		index++
	}
}

// line quotes the case's policies.
func (c *reportCase) line(file string, n int) string {
	for _, f := range c.archive.Files {
		if f.Name == file {
			return diag.NewFile(file, f.Data).Line(n)
		}
	}
	return ""
}

// print reports the case in a format.
func (c *reportCase) print(t *testing.T, format string) (out, errs string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	o := c.reportOptions(&stdout, &stderr)
	if c.loadErr != nil {
		if err := report.Load(format, o, c.loadErr); err != nil {
			t.Fatal(err)
		}
		return stdout.String(), stderr.String()
	}
	r, err := report.New(format, o)
	if err != nil {
		t.Fatal(err)
	}
	for _, res := range c.results {
		if err := r.Write(r.Render(res)); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.Finish(); err != nil {
		t.Fatal(err)
	}
	return stdout.String(), stderr.String()
}

func (c *reportCase) reportOptions(stdout, stderr *bytes.Buffer) *report.Options {
	o := &report.Options{
		Out: stdout, Err: stderr, Color: c.options.Color, Online: c.options.Online,
		Policy: c.policy, Line: c.line, Version: "v0.0.0", Command: "check",
	}
	if c.options.FailOnWarn {
		o.Fails = func(v holdfast.Verdict) bool { return !v.Allowed() || len(v.Counts()) > 0 }
	}
	return o
}

// TestGolden compares what is printed with the cases of testdata.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("found %d cases: %v", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			c := readCase(t, file)
			got := map[string]string{}
			for _, format := range report.Formats() {
				out, errs := c.print(t, format)
				checkFormat(t, format, out)
				if format == "text" {
					got["want/stderr"] = errs
				}
				got["want/"+format] = readable(t, format, out)
			}
			if got["want/jsonl"] != got["want/json"] {
				t.Errorf("json and jsonl differ")
			}
			c.compare(t, file, got)
		})
	}
}

// readable indents a document of one line.
func readable(t *testing.T, format, out string) string {
	t.Helper()
	if format != "sarif" {
		return out
	}
	var b bytes.Buffer
	if err := json.Indent(&b, []byte(out), "", "  "); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// compare holds what was printed to the case, or rewrites it.
func (c *reportCase) compare(t *testing.T, file string, got map[string]string) {
	t.Helper()
	for _, name := range []string{"want/text", "want/stderr", "want/json", "want/sarif", "want/github", "want/junit"} {
		i := 0
		for i < len(c.archive.Files) && c.archive.Files[i].Name != name {
			i++
		}
		if i == len(c.archive.Files) {
			c.archive.Files = append(c.archive.Files, txtar.File{Name: name})
		}
		if want := string(c.archive.Files[i].Data); want != got[name] && !*update {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got[name], want)
		}
		c.archive.Files[i].Data = []byte(got[name])
	}
	if *update {
		if err := os.WriteFile(file, txtar.Format(c.archive), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
