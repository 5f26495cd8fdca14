// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package diag

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// maxShown is how many diagnostics of a list are printed. The first mistakes
// are the ones to mend; the rest is often their echo.
const maxShown = 20

// A List is a list of diagnostics. It is an error; use Err to get nil where
// there is nothing but warnings.
type List []Diagnostic

// Error returns one line for each diagnostic, at most 20, then how many more
// there are.
func (l List) Error() string {
	shown, more := l.shown()
	lines := make([]string, 0, len(shown)+1)
	for i := range shown {
		lines = append(lines, headline(&shown[i]))
	}
	if more > 0 {
		lines = append(lines, moreLine(more))
	}
	return strings.Join(lines, "\n")
}

// Err returns the list as an error if it holds an error, else nil.
func (l List) Err() error {
	if !l.HasErrors() {
		return nil
	}
	return l
}

// HasErrors reports whether a diagnostic of the list refuses the policy.
func (l List) HasErrors() bool {
	return slices.ContainsFunc(l, func(d Diagnostic) bool { return d.Severity == Error })
}

// Sorted returns the diagnostics in order of file name and position, each one
// once. The list itself stays as it is.
func (l List) Sorted() List {
	out := slices.Clone(l)
	slices.SortStableFunc(out, compare)
	return slices.CompactFunc(out, func(a, b Diagnostic) bool {
		return a.Code == b.Code && a.Span == b.Span && a.Message == b.Message
	})
}

// compare orders diagnostics by place, and by code and message within one.
func compare(a, b Diagnostic) int {
	return cmp.Or(
		cmp.Compare(fileName(a.Span), fileName(b.Span)),
		cmp.Compare(a.Span.Start, b.Span.Start),
		cmp.Compare(a.Span.End, b.Span.End),
		cmp.Compare(a.Code, b.Code),
		cmp.Compare(a.Message, b.Message),
	)
}

// shown returns what is printed, in order, and how many are left out.
// Warnings give way first: a list cut down to its warnings would not say why
// a policy was refused.
func (l List) shown() (shown List, more int) {
	all := l.Sorted()
	if len(all) <= maxShown {
		return all, 0
	}
	room := maxShown
	keep := make([]bool, len(all))
	for _, want := range []Severity{Error, Warning} {
		for i := range all {
			if room > 0 && all[i].Severity == want {
				keep[i] = true
				room--
			}
		}
	}
	for i := range all {
		if keep[i] {
			shown = append(shown, all[i])
		}
	}
	return shown, len(all) - len(shown)
}

// headline is the first line of a diagnostic, as compilers print it.
func headline(d *Diagnostic) string {
	var b strings.Builder
	b.WriteString(place(d.Span))
	if d.Code != "" {
		b.WriteString(d.Code + ": ")
	}
	if d.Severity == Warning {
		b.WriteString("warning: ")
	}
	b.WriteString(visible(d.Message))
	return b.String()
}

// place is `file:line:col: `, or nothing for a span that is nowhere.
func place(s Span) string {
	if s.File == nil {
		return ""
	}
	line, col := s.Position()
	return fmt.Sprintf("%s:%d:%d: ", visible(s.File.Name), line, col)
}

// fileName is the name of the file a span stands in, "" if it is nowhere.
func fileName(s Span) string {
	if s.File == nil {
		return ""
	}
	return s.File.Name
}

// moreLine says how many diagnostics are not shown.
func moreLine(n int) string {
	return fmt.Sprintf("and %d more", n)
}
