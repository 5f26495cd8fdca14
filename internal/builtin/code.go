// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package builtin

import (
	"github.com/holdfast-dev/holdfast/internal/python"
	"github.com/holdfast-dev/holdfast/internal/value"
)

// maxCode is how many bytes of code are read: a tree takes many times as many.
const maxCode = 1 << 20

// pythonCode is python_code and ipython_code: what Python code consists of.
// None is no code, which is valid.
func pythonCode(c *Call) *value.Value {
	code, trouble := codeIn(c.Args[0])
	if trouble != nil {
		return trouble
	}
	ipython := c.Func.Name == "ipython_code"
	if len(c.Args) > 1 {
		switch mode := c.Args[1]; mode.Kind() {
		case value.Bool:
			ipython = mode == value.TrueV
		default:
			return wrongKind("ipython_mode is True or False", mode)
		}
	}
	if len(code) > maxCode {
		return value.Trouble(value.TooLarge, nil, "more code than is read at once")
	}
	c.Env.spend(len(code))
	s := python.Summarize(code, ipython)
	exception := value.NoneV
	if s.SyntaxErrorException != "" {
		exception = value.StrOf(s.SyntaxErrorException)
	}
	return value.RecordOf(PythonResultType, namesOf(s.Imports), namesOf(s.Builtins), value.BoolOf(s.SyntaxError), exception, namesOf(s.FunctionCalls))
}

// codeIn returns the text of v, all parts of it in a row.
func codeIn(v *value.Value) (string, *value.Value) {
	src := value.TextSource(v)
	switch {
	case src == nil:
		return "", wrongKind("a text is wanted", v)
	case src.Kind() == value.Unknown:
		return "", src
	case src.Kind() == value.None:
		return "", nil
	}
	return text(src, "code")
}

func namesOf(names []string) *value.Value {
	items := make([]*value.Value, len(names))
	for i, n := range names {
		items[i] = value.StrOf(n)
	}
	return value.ListOf(items)
}
