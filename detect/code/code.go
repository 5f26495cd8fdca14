// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

// Package code finds unsafe constructs in code: Python, shell, JavaScript with
// TypeScript, and SQL, each by the package of its name below this one. It
// stands behind the function semgrep of the policy language.
//
// Which views of a text leave code meaningful is for the languages to say, and
// they look through what their own interpreters look through: a Python name in
// full-width letters, text decoded for exec. The other disguises of package
// view leave no code that runs, so that the detector is one of the raw text:
// detect.Plain(code.Version, code.Scan).
package code

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/holdfast-dev/holdfast/detect"
	"github.com/holdfast-dev/holdfast/detect/code/javascript"
	"github.com/holdfast-dev/holdfast/detect/code/python"
	"github.com/holdfast-dev/holdfast/detect/code/shell"
	"github.com/holdfast-dev/holdfast/detect/code/sql"
)

// Version changes with the findings.
const Version = "code.1+python." + python.Version + "+shell." + shell.Version + "+javascript." + javascript.Version + "+sql." + sql.Version

// A language is one that there are rules for.
type language struct {
	name  string
	also  []string // what else it is called, in fences too
	find  func(string) ([]detect.Span, error)
	looks func(*line) bool // whether a line has its shape; much else may look so
}

var languages = [...]language{
	{"python", []string{"py", "python3", "python2", "py3", "py2", "ipython", "pycon", "gyp", "sage"}, python.Find, looksPython},
	{"bash", []string{"sh", "shell", "zsh", "ksh", "dash", "console", "terminal", "shellscript", "shell-session", "sh-session", "shellsession"}, shell.Find, looksShell},
	{
		"javascript",
		[]string{"js", "jsx", "mjs", "cjs", "node", "nodejs", "ecmascript", "typescript", "ts", "tsx", "mts", "cts"},
		javascript.Find, looksJavaScript,
	},
	{"sql", []string{"mysql", "postgresql", "postgres", "psql", "pgsql", "plpgsql", "sqlite", "sqlite3", "tsql", "plsql", "mariadb"}, sql.Find, looksSQL},
}

// Languages returns the names of the languages.
func Languages() []string {
	out := make([]string, len(languages))
	for i := range languages {
		out[i] = languages[i].name
	}
	return out
}

// named returns the language of a name, in any case; nil if it is none.
func named(name string) *language {
	name = strings.ToLower(name)
	for i := range languages {
		if l := &languages[i]; l.name == name || slices.Contains(l.also, name) {
			return l
		}
	}
	return nil
}

// A Part is a part of a text, from Start to End in bytes, that is to be read
// as code in a language.
type Part struct {
	Language   string
	Start, End int
}

// Parts says what of a text is to be read in which language; parts may
// overlap. Without a language ("") blocks of Markdown are read in the language
// they are said to be in, and the rest in every language that it has the shape
// of.
//
// A text in a language that is named is read as a whole, and its blocks of
// Markdown that are in this language, or do not say in which, once more by
// themselves: it may be a program or a message with one.
func Parts(text, language string) ([]Part, error) {
	if language == "" {
		return guess(text), nil
	}
	l := named(language)
	if l == nil {
		return nil, fmt.Errorf("there are no rules for code in %q, want one of %q", language, Languages())
	}
	out := []Part{{l.name, 0, len(text)}}
	for _, s := range segments(text) {
		if s.fenced && (s.language == l || s.language == nil) {
			out = append(out, Part{l.name, s.start, s.end})
		}
	}
	return out, nil
}

func guess(text string) []Part {
	var out []Part
	for _, s := range segments(text) {
		which := []*language{s.language}
		if s.language == nil {
			which = shapes(text[s.start:s.end])
		}
		for _, l := range which {
			out = append(out, Part{l.name, s.start, s.end})
		}
	}
	return out
}

// Language reads the parameters of the function semgrep: {"lang": NAME}, or
// none or null for one that is not known, which is "".
func Language(params string) (string, error) {
	var given struct{ Lang *string }
	if params == "" {
		return "", nil
	}
	if err := json.Unmarshal([]byte(params), &given); err != nil {
		return "", fmt.Errorf("reading the parameters of semgrep: %w", err)
	}
	switch {
	case given.Lang == nil:
		return "", nil
	case *given.Lang == "":
		return "", fmt.Errorf("a language without a name, want one of %q", Languages())
	}
	return *given.Lang, nil
}

// Scan is a detect.Scanner: it reads every part of a text, see Parts. The
// parameter lang names the language.
func Scan(ctx context.Context, text, params string) ([]detect.Span, error) {
	language, err := Language(params)
	if err != nil {
		return nil, err
	}
	parts, err := Parts(text, language)
	if err != nil {
		return nil, err
	}
	var all collected
	var problem error
	for _, p := range parts {
		err := all.add(ctx, named(p.Language), text[p.Start:p.End], p.Start)
		if ctx.Err() != nil {
			return nil, err
		}
		problem = cmp.Or(problem, err)
	}
	return all.spans(), problem
}

// collected are the spans of several looks at a text.
type collected struct{ found []detect.Span }

// add finds what is unsafe in a part of the text.
func (c *collected) add(ctx context.Context, l *language, part string, at int) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	found, err := l.read(part)
	for _, s := range found {
		s.Start, s.End = s.Start+at, s.End+at
		c.found = append(c.found, s)
	}
	if err != nil {
		return fmt.Errorf("reading %s: %w", l.name, err)
	}
	return nil
}

// read finds what is unsafe. Parsers that are not of this house read hostile
// texts here; one that panics over a text could not tell about it.
func (l *language) read(text string) (found []detect.Span, err error) {
	defer func() {
		if r := recover(); r != nil {
			found, err = nil, errors.New("the parser gave up on the text")
		}
	}()
	return l.find(text)
}

// spans returns what was found in the order of the text, each once.
func (c *collected) spans() []detect.Span {
	slices.SortStableFunc(c.found, func(a, b detect.Span) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End), cmp.Compare(a.Kind, b.Kind))
	})
	return slices.CompactFunc(c.found, func(a, b detect.Span) bool {
		return a.Start == b.Start && a.End == b.End && a.Kind == b.Kind
	})
}
