// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package difftest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/holdfast-dev/holdfast/diag"
	"github.com/holdfast-dev/holdfast/syntax"
)

// TestCanonicalForm: random policies say the same when they are formatted, and
// their rules have the same ids.
func TestCanonicalForm(t *testing.T) {
	const n = 600
	loaded, violated := 0, 0
	for i := range uint64(n) {
		c := Generate(*seed, i)
		c.Policy = disorder(c.Policy)
		formatted, err := syntax.Format(diag.NewFile("policy", []byte(c.Policy)))
		if err != nil {
			t.Errorf("case %d: %v\n%s", i, err, c.Policy)
			continue
		}
		again, err := syntax.Format(diag.NewFile("policy", formatted))
		if err != nil || string(again) != string(formatted) {
			t.Errorf("case %d: formatted twice: %v\n%s", i, err, again)
		}
		other := c.clone()
		other.Policy = string(formatted)
		want, got := answers(t, c), answers(t, other)
		if got != want {
			t.Errorf("case %d: got\n%s\nwant\n%s\nof\n%s\nfrom\n%s", i, got, want, formatted, c.Policy)
		}
		if want != "" {
			loaded++
		}
		if strings.Contains(want, "True:") {
			violated++
		}
	}
	if loaded < n/2 || violated < n/8 {
		t.Errorf("of %d policies %d load and %d are violated: want more", n, loaded, violated)
	}
}

// disorder gives a policy other quotes, and its imports backwards.
func disorder(policy string) string {
	lines := strings.SplitAfter(strings.NewReplacer(`"`, `'`, `'`, `"`).Replace(policy), "\n")
	for i, j := 0, 0; j <= len(lines); j++ {
		if j < len(lines) && (strings.HasPrefix(lines[j], "from ") || strings.HasPrefix(lines[j], "import ")) {
			continue
		}
		for a, b := i, j-1; a < b; a, b = a+1, b-1 {
			lines[a], lines[b] = lines[b], lines[a]
		}
		i = j + 1
	}
	return strings.Join(lines, "")
}

// answers says what the written semantics answers, by rule; nothing if the
// policy does not load.
func answers(t *testing.T, c *Case) string {
	t.Helper()
	l, err := c.load()
	if err != nil {
		return ""
	}
	r, err := newRunner(c, l)
	if err != nil {
		t.Fatal(err)
	}
	if !r.ask() {
		return "too large"
	}
	var b strings.Builder
	for _, w := range r.prefix[len(r.events)].Rules {
		fmt.Fprintf(&b, "%s %d\n", w.Rule.ID, w.Rule.Index)
		for _, m := range w.True {
			fmt.Fprintf(&b, "True: %s %s\n", assignment(w.Rule.Body, m.Vars, m.Draw), specEvidence(m))
		}
		for _, m := range w.Unknown {
			fmt.Fprintf(&b, "Unknown: %s %s", assignment(w.Rule.Body, m.Vars, m.Draw), specEvidence(m))
			for _, c := range m.Causes {
				fmt.Fprintf(&b, " %s", c.Reason)
			}
			b.WriteByte('\n')
		}
	}
	return b.String()
}
