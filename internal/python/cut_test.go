// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package python

import "testing"

// TestCutString tells the end of a string that was cut from the beginning of
// one.
func TestCutString(t *testing.T) {
	const code = "import os\n\ndef f(path):\n    os.remove(path)\n    return path\n"
	for _, test := range []struct {
		text string
		call bool
	}{
		{`  """` + "\n" + code, true},
		{`of what it returns.` + "\n\"\"\"\n" + code, true},
		{code + "\ns = \"\"\"\nThese are some words,\nand then some more of\n", true},
		{"\"\"\"\nThese are some words of a page,\nand then some more of them, that call f(x) nothing\n", false},
	} {
		if got := len(Summarize(test.text, false).FunctionCalls) > 0; got != test.call {
			t.Errorf("a call in %q: %t", test.text, got)
		}
	}
}
