// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package docs_test

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/holdfast-dev/holdfast"
	"github.com/holdfast-dev/holdfast/diag"
)

var update = flag.Bool("update", false, "rewrite errors.md")

const errorsPage = "errors.md"

// TestErrorsPage holds errors.md to the table of codes it is made of.
func TestErrorsPage(t *testing.T) {
	want := renderCodes()
	if *update {
		if err := os.WriteFile(errorsPage, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(errorsPage)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("%s is not what the table of codes says; go test ./docs -update rewrites it", errorsPage)
	}
}

// families are the hundreds of codes, in order.
var families = []struct{ prefix, title string }{
	{"P01", "Reading"},
	{"P02", "Names and types"},
	{"P03", "Rules"},
	{"P04", "Running"},
	{"P05", "Vetting"},
}

func renderCodes() string {
	var b strings.Builder
	b.WriteString("# Diagnostics\n\nWhat the compiler says about a policy, by code. `holdfast explain P0203` prints one of these pages. " +
		"This file is\nmade from the table in package `diag`; `go test ./docs -update` rewrites it.\n")
	codes := diag.Codes()
	for _, f := range families {
		var of []diag.CodeDoc
		for _, d := range codes {
			if strings.HasPrefix(d.Code, f.prefix) {
				of = append(of, d)
			}
		}
		if len(of) == 0 {
			continue
		}
		fmt.Fprintf(&b, "\n## %s\n\n", f.title)
		for _, d := range of {
			fmt.Fprintf(&b, "- [%s](#%s) %s\n", d.Code, strings.ToLower(d.Code), d.Title)
		}
		for _, d := range of {
			fmt.Fprintf(&b, "\n### %s\n\n**%s** (since %s)\n\n%s\n", d.Code, d.Title, d.Since, strings.TrimSpace(d.Explanation))
		}
	}
	return b.String()
}

// unrun are the pages whose examples are not policies: the wrong one cannot be
// written in a few lines, or is more than one file.
var unrun = map[string]string{
	"P0101": "bytes that are no text",
	"P0102": "a mebibyte of source",
	"P0107": "tabs, which the page writes as words",
	"P0118": "200 brackets",
	"P0206": "files beside the policy",
	"P0207": "files beside the policy",
	"P0208": "files beside the policy",
	"P0230": "files beside the policy",
	"P0231": "files beside the policy",
	"P0318": "files beside the policy",
	"P0320": "10,000 rules",
	"P0321": "33 variables",
	"P0322": "9 blocks",
	"P0350": "40 predicates",
}

var pageExample = regexp.MustCompile(`(?m)^(Wrong|Right)[^\n]*:\n\n((?:(?: {4}[^\n]*)?\n)+)`)

// TestErrorExamples holds every page to its examples: the wrong one gets the
// page's code, the right one does not, and loads.
func TestErrorExamples(t *testing.T) {
	for _, d := range diag.Codes() {
		if strings.HasPrefix(d.Code, "P05") {
			continue // package vet holds these pages to their examples
		}
		t.Run(d.Code, func(t *testing.T) {
			found := pageExample.FindAllStringSubmatch(strings.TrimSpace(d.Explanation)+"\n", -1)
			if _, skip := unrun[d.Code]; skip {
				return
			}
			if len(found) != 2 || found[0][1] != "Wrong" || found[1][1] != "Right" {
				t.Fatalf("got %d examples, want a wrong and a right one", len(found))
			}
			if codes, src := diagnose(t, found[0][2]); !slices.Contains(codes, d.Code) {
				t.Errorf("the wrong example gets %v\n%s", codes, src)
			}
			codes, src := diagnose(t, found[1][2])
			if slices.Contains(codes, d.Code) || slices.ContainsFunc(codes, isError) {
				t.Errorf("the right example gets %v\n%s", codes, src)
			}
		})
	}
}

// isError reports whether a code is that of an error.
func isError(code string) bool {
	return !slices.Contains([]string{"P0226", "P0227", "P0229", "P0302", "P0308", "P0309", "P0310", "P0314", "P0315", "P0316", "P0317", "P0318", "P0319"}, code)
}

// diagnose compiles an example, which is a policy or, without a statement, the
// conditions of a rule.
func diagnose(t *testing.T, text string) (codes []string, src string) {
	t.Helper()
	src = completed(text)
	policy, err := holdfast.Compile("example.gr", []byte(src), nil)
	list := diag.List{}
	if err != nil && !errors.As(err, &list) {
		t.Fatal(err)
	}
	if err == nil {
		list = policy.Warnings()
	}
	for _, d := range list {
		codes = append(codes, d.Code)
	}
	return codes, src
}

var (
	statement = regexp.MustCompile(`(?m)^ {4}(raise|ask|warn|rasie|import|from|input|def|# [a-z_]+:|\w+\([^)]*\) *:=|[A-Z]\w* *:?= )`)
	rule      = regexp.MustCompile(`(?m)^(raise|ask|warn|rasie) `)
)

// completed makes a whole policy of an example.
func completed(text string) string {
	src := regexp.MustCompile(`(?m)^ {4}`).ReplaceAllString(text, "")
	if statement.MatchString(text) {
		if !rule.MatchString(src) {
			src += "raise \"x\" if:\n    (m: Message)\n"
		}
		return src
	}
	head := ""
	for _, f := range []string{"pii", "secrets", "unicode"} {
		if strings.Contains(src, f+"(") {
			head += "from invariant.detectors import " + f + "\n"
		}
	}
	head += "raise \"x\" if:\n"
	for _, v := range []struct{ name, typ string }{
		{"msg", "Message"}, {"m", "Message"}, {"call", "ToolCall"}, {"call2", "ToolCall"}, {"c", "ToolCall"}, {"out", "ToolOutput"}, {"o", "ToolOutput"},
	} {
		used := regexp.MustCompile(`\b` + v.name + `\b`).MatchString(src)
		declared := strings.Contains(src, "("+v.name+":")
		if used && !declared {
			head += "    (" + v.name + ": " + v.typ + ")\n"
		}
	}
	return head + regexp.MustCompile(`(?m)^(.)`).ReplaceAllString(src, "    $1")
}
