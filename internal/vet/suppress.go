// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package vet

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/holdfast-dev/holdfast/diag"
	"github.com/holdfast-dev/holdfast/syntax"
)

// A suppression is a comment `# holdfast:ignore P0512 reason`. It silences the
// warnings of its codes
//
//   - on its own line, if it stands behind something,
//   - in the statement or condition below it, if it stands alone; above a rule
//     that is the whole rule.
type suppression struct {
	at         diag.Span
	codes      []string
	reason     string
	start, end int // of what it is about
	used       []bool
	own        bool
}

// word is how a suppression begins.
const word = "holdfast:ignore"

var codeList = regexp.MustCompile(`^P[0-9]{4}(?:[,\s]+P[0-9]{4})*\b`)

// Suppress takes the warnings away that comments in files suppress, and adds
// what is wrong with those comments: no code, no reason, or nothing that they
// suppress. A code that was not looked for is not called unused; nil: all were.
// Errors cannot be suppressed.
func Suppress(files []*syntax.File, list []Diagnosis, looked func(code string) bool) []Diagnosis {
	var all []*suppression
	var out []Diagnosis
	for _, f := range files {
		for _, c := range f.Comments {
			s, wrong, ok := readSuppression(f, c)
			if !ok {
				continue
			}
			if wrong != nil {
				out = append(out, Diagnosis{Diagnostic: *wrong})
				continue
			}
			all = append(all, s)
		}
	}
	for _, d := range list {
		if !suppressed(all, &d) {
			out = append(out, d)
		}
	}
	for _, s := range all {
		out = append(out, s.unused(looked)...)
	}
	return out
}

func suppressed(all []*suppression, d *Diagnosis) bool {
	if d.Severity != diag.Warning {
		return false
	}
	hit := false
	for _, s := range all {
		if s.at.File != d.Span.File || d.Span.Start < s.start || d.Span.Start >= s.end {
			continue
		}
		if i := slices.Index(s.codes, d.Code); i >= 0 {
			s.used[i], hit = true, true
		}
	}
	return hit
}

// readSuppression reads a comment; ok is false if it is none of this kind.
func readSuppression(f *syntax.File, c *syntax.Comment) (s *suppression, wrong *diag.Diagnostic, ok bool) {
	text, ok := strings.CutPrefix(strings.TrimSpace(c.Text), word)
	if !ok {
		return nil, nil, false
	}
	fail := func(message, help string) (*suppression, *diag.Diagnostic, bool) {
		return nil, &diag.Diagnostic{Code: "P0530", Severity: diag.Warning, Span: c.Span(), Message: message, Help: help}, true
	}
	const form = "# holdfast:ignore P0512 the reason why"
	text = strings.TrimSpace(text)
	codes := codeList.FindString(text)
	if codes == "" {
		return fail("this suppression names no code", "write "+form)
	}
	reason, _, _ := strings.Cut(text[len(codes):], "#") // a further comment is none
	s = &suppression{at: c.Span(), own: c.Own, reason: strings.Trim(reason, " \t:-–—")}
	s.codes = strings.FieldsFunc(codes, func(r rune) bool { return r == ',' || r == ' ' || r == '\t' })
	s.used = make([]bool, len(s.codes))
	for _, code := range s.codes {
		if _, known := diag.Lookup(code); !known {
			return fail(fmt.Sprintf("there is no diagnostic %s", code), "holdfast explain CODE explains one")
		}
	}
	if s.reason == "" {
		return fail("this suppression gives no reason", "write "+form)
	}
	s.start, s.end = target(f, c)
	return s, nil, true
}

// target is what a suppression is about: its line, or what begins in the next
// line that holds more than a comment.
func target(f *syntax.File, c *syntax.Comment) (start, end int) {
	src := f.Source.Src
	start = lineStart(src, c.Span().Start)
	if !c.Own {
		return start, c.Span().Start
	}
	next := nextLine(src, c.Span().End)
	for next < len(src) {
		line := strings.TrimSpace(string(src[next:nextLine(src, next)]))
		if line != "" && line[0] != '#' {
			break
		}
		next = nextLine(src, next)
	}
	end = nextLine(src, next)
	syntax.Walk(f, func(n syntax.Node) bool {
		span := n.Span()
		switch n.(type) {
		case syntax.Stmt, syntax.Cond:
			if span.Start >= next && lineStart(src, span.Start) == next {
				end = max(end, span.End)
				return false
			}
		}
		return true
	})
	return next, end
}

func lineStart(src []byte, at int) int {
	for at > 0 && src[at-1] != '\n' {
		at--
	}
	return at
}

func nextLine(src []byte, at int) int {
	for at < len(src) && src[at] != '\n' {
		at++
	}
	return min(at+1, len(src))
}

// unused reports the codes that a suppression did not need.
func (s *suppression) unused(looked func(string) bool) []Diagnosis {
	var idle []string
	for i, code := range s.codes {
		if !s.used[i] && (looked == nil || looked(code)) {
			idle = append(idle, code)
		}
	}
	if len(idle) == 0 {
		return nil
	}
	d := diag.Diagnostic{Code: "P0531", Severity: diag.Warning, Span: s.at, Message: "nothing here gives " + strings.Join(idle, ", "), Help: "remove what is not needed"}
	if len(idle) < len(s.codes) {
		return []Diagnosis{{Diagnostic: d}}
	}
	span := s.at
	src := span.File.Src
	if s.own {
		span.Start, span.End = lineStart(src, span.Start), nextLine(src, span.End)
	} else {
		for span.Start > 0 && (src[span.Start-1] == ' ' || src[span.Start-1] == '\t') {
			span.Start--
		}
	}
	return []Diagnosis{{d, &Fix{What: "remove the suppression", Edits: []Edit{{Span: span}}, Keeps: true}}}
}
