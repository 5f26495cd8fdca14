// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package builtin

import (
	"strings"
	"testing"

	"github.com/holdfast-dev/holdfast/internal/value"
)

func TestPythonCode(t *testing.T) {
	at := placed(t, `[
		{"role": "user", "content": [{"type": "text", "text": "import os, sys\n"}, {"type": "text", "text": "print(eval(x))"}]},
		{"role": "tool", "tool_call_id": "1", "content": "*[f\"cabinet {i}\"] for i in range(1,10)]"}
	]`)
	code := LookupModule("invariant.detectors").Funcs["python_code"]
	ipython := LookupModule("invariant.detectors.code").Funcs["ipython_code"]
	const magic = `["get_ipython","get_ipython().run_line_magic","print"]` // what IPython makes of %run
	for _, test := range []struct {
		name                      string
		got                       *value.Value
		imports, builtins, called string
		invalid                   bool
	}{
		{"in parts", call(t, code, at("0")), `["os","sys"]`, `["print","eval"]`, `["print","eval"]`, false},
		{"text", call(t, code, str("from a.b import c\nc.d()")), `["a.b"]`, `[]`, `["c.d"]`, false},
		{"none", call(t, code, value.NoneV), `[]`, `[]`, `[]`, false},
		{"magic in Python", call(t, code, str("%run x\nprint()")), `[]`, `["print"]`, `["print"]`, true},
		{"magic in IPython", call(t, code, str("%run x\nprint()"), value.TrueV), `[]`, `["print"]`, magic, false},
		{"magic by name", call(t, ipython, str("%run x\nprint()")), `[]`, `["print"]`, magic, false},
	} {
		field := func(name string) *value.Value { return test.got.Field(PythonResultType.Field(name)) }
		for name, want := range map[string]string{"imports": test.imports, "builtins": test.builtins, "function_calls": test.called} {
			if got := string(value.AppendJSON(nil, field(name))); got != want {
				t.Errorf("%s: %s is %s, want %s", test.name, name, got, want)
			}
		}
		if got := field("syntax_error") == value.TrueV; got != test.invalid {
			t.Errorf("%s: syntax_error is %t", test.name, got)
		}
		if got := field("syntax_error_exception").Kind() == value.Str; got != test.invalid {
			t.Errorf("%s: syntax_error_exception is %s", test.name, show(field("syntax_error_exception")))
		}
	}
	if got := call(t, code, at("1")); got.Field(PythonResultType.Field("syntax_error")) != value.TrueV {
		t.Errorf("what begins with a bracket that closes nothing is valid: %s", show(got))
	}
	check(t, "large", call(t, code, str(strings.Repeat("[", maxCode+1))), unknown(value.TooLarge))
	check(t, "number", call(t, code, num(1)), unknown(value.TypeError))
	check(t, "mode", call(t, code, str("x"), num(1)), unknown(value.TypeError))
}
