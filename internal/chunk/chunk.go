// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

// Package chunk tests diagnostics against files of mistakes. The tests of the
// parser and of the checker use it.
//
// A file holds many small inputs, split by lines of `---`. A comment on a line
// says what must be reported there, and nothing else may be:
//
//	raise "x" if:
//	    (m: Mesage) ### P0201 "unknown type" "did you mean"
//
// After the code stand regular expressions, of which the first must match the
// message and the others the help or a note. A line may hold several wants.
package chunk

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/holdfast-dev/holdfast/diag"
)

// A Reporter takes what is wrong; *testing.T is one.
type Reporter interface {
	Errorf(format string, args ...any)
}

// A want is a diagnostic that must be there.
type want struct {
	line     int
	code     string
	patterns []*regexp.Regexp
	met      bool
}

// comment finds the wants of a line, and wanted each of them.
var (
	comment = regexp.MustCompile(`###((?:\s+P\d{4}(?:\s+"[^"]*")*)+)\s*$`)
	wanted  = regexp.MustCompile(`(P\d{4})((?:\s+"[^"]*")*)`)
	quoted  = regexp.MustCompile(`"[^"]*"`)
)

// Check runs every chunk of a file and compares what is reported with what is
// wanted. It returns the codes that were wanted and met.
func Check(r Reporter, path string, run func(*diag.File) diag.List) []string {
	src, err := os.ReadFile(path)
	if err != nil {
		r.Errorf("%v", err)
		return nil
	}
	var codes []string
	line := 0
	for _, text := range split(string(src)) {
		// Empty lines above keep the numbers of the file.
		file := diag.NewFile(path, []byte(strings.Repeat("\n", line)+text))
		codes = append(codes, checkChunk(r, file, wants(r, file), run(file))...)
		line += strings.Count(text, "\n") + 1
	}
	slices.Sort(codes)
	return slices.Compact(codes)
}

// split cuts a file at its lines of `---`.
func split(src string) []string {
	if rest, ok := strings.CutPrefix(src, "---\n"); ok {
		src = rest
	}
	parts := strings.Split(src, "\n---\n")
	for i := range parts[:len(parts)-1] {
		parts[i] += "\n"
	}
	return parts
}

// wants reads the comments of a chunk.
func wants(r Reporter, file *diag.File) []*want {
	var list []*want
	for n := 1; n <= file.Lines(); n++ {
		text := file.Line(n)
		m := comment.FindStringSubmatch(text)
		if m == nil {
			if strings.Contains(text, "### P") {
				r.Errorf("%s:%d: malformed want", file.Name, n)
			}
			continue
		}
		for _, w := range wanted.FindAllStringSubmatch(m[1], -1) {
			list = append(list, &want{line: n, code: w[1], patterns: compile(r, file, n, w[2])})
		}
	}
	return list
}

// compile compiles the patterns of a want.
func compile(r Reporter, file *diag.File, line int, text string) []*regexp.Regexp {
	var list []*regexp.Regexp
	for _, q := range quoted.FindAllString(text, -1) {
		re, err := regexp.Compile(strings.Trim(q, `"`))
		if err != nil {
			r.Errorf("%s:%d: %v", file.Name, line, err)
			continue
		}
		list = append(list, re)
	}
	return list
}

// checkChunk compares the diagnostics of one chunk with its wants.
func checkChunk(r Reporter, file *diag.File, wants []*want, list diag.List) []string {
	var codes []string
	for _, d := range list {
		line, _ := d.Span.Position()
		i := slices.IndexFunc(wants, func(w *want) bool { return !w.met && w.line == line && w.matches(&d) })
		if i < 0 {
			r.Errorf("unwanted:\n%s", show(d))
			continue
		}
		wants[i].met = true
		codes = append(codes, d.Code)
	}
	for _, w := range wants {
		if !w.met {
			r.Errorf("%s:%d: missing: %s %s", file.Name, w.line, w.code, showPatterns(w.patterns))
		}
	}
	return codes
}

// matches reports whether a diagnostic is the one that is wanted.
func (w *want) matches(d *diag.Diagnostic) bool {
	if d.Code != w.code {
		return false
	}
	rest := d.Help
	for _, n := range d.Notes {
		rest += "\n" + n.Text
	}
	for i, re := range w.patterns {
		text := rest
		if i == 0 {
			text = d.Message
		}
		// A quote cannot stand in a pattern, so both sides are read with '.
		if !re.MatchString(strings.ReplaceAll(text, `"`, `'`)) {
			return false
		}
	}
	return true
}

// show renders one diagnostic.
func show(d diag.Diagnostic) string {
	var b strings.Builder
	if err := diag.Render(&b, diag.List{d}); err != nil {
		return fmt.Sprint(err)
	}
	return b.String()
}

// showPatterns writes patterns as a want does.
func showPatterns(list []*regexp.Regexp) string {
	var parts []string
	for _, re := range list {
		parts = append(parts, strconv.Quote(re.String()))
	}
	return strings.Join(parts, " ")
}
