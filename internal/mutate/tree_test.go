// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package mutate_test

import (
	"flag"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/holdfast-dev/holdfast/diag"
	"github.com/holdfast-dev/holdfast/internal/difftest"
	"github.com/holdfast-dev/holdfast/internal/mutate"
	"github.com/holdfast-dev/holdfast/syntax"
)

var (
	random = flag.Uint64("policies", 150, "how many random policies are mutated")
	seed   = flag.Uint64("seed", 1, "seed of the random policies")
)

// A tree is a policy's as syntax.Sexpr writes it, taken apart, without what
// parentheses of the source add: a word or a list.
type tree struct {
	word string
	list []*tree
}

func treeOf(text []byte) (*tree, error) {
	file, list := syntax.Parse(diag.NewFile("p.gr", text))
	if err := list.Err(); err != nil {
		return nil, err
	}
	words := wordsOf(syntax.Sexpr(file))
	out := &tree{}
	for len(words) > 0 {
		var next *tree
		next, words = readTree(words)
		out.list = append(out.list, next)
	}
	return out, nil
}

func readTree(words []string) (*tree, []string) {
	if words[0] != "(" {
		return &tree{word: words[0]}, words[1:]
	}
	out := &tree{}
	for words = words[1:]; words[0] != ")"; {
		var next *tree
		next, words = readTree(words)
		out.list = append(out.list, next)
	}
	if len(out.list) == 2 && out.list[0].word == "paren" {
		out = out.list[1]
	}
	return out, words[1:]
}

// wordsOf takes a tree's text apart, strings whole.
func wordsOf(s string) (out []string) {
	for i := 0; i < len(s); {
		j := i + 1
		switch {
		case s[i] == ' ' || s[i] == '\n':
			i++
			continue
		case s[i] == '(' || s[i] == ')':
		case s[i] == '"':
			for ; s[j] != '"'; j++ {
				if s[j] == '\\' {
					j++
				}
			}
			j++
		default:
			for j < len(s) && !strings.ContainsRune(" \n()\"", rune(s[j])) {
				j++
			}
		}
		out = append(out, s[i:j])
		i = j
	}
	return out
}

func (t *tree) String() string {
	if t.list == nil {
		return t.word
	}
	return fmt.Sprint(t.list)
}

func (t *tree) is(head string) bool { return len(t.list) > 0 && t.list[0].word == head }

func same(a, b *tree) bool {
	return a.word == b.word && slices.EqualFunc(a.list, b.list, same)
}

// apart returns the smallest parts in which two trees differ, nil if they do not.
func apart(a, b *tree) (was, is *tree) {
	if same(a, b) {
		return nil, nil
	}
	if len(a.list) != len(b.list) || len(a.list) == 0 {
		return a, b
	}
	at := -1
	for i := range a.list {
		if !same(a.list[i], b.list[i]) {
			if at >= 0 {
				return a, b
			}
			at = i
		}
	}
	return apart(a.list[at], b.list[at])
}

// says reports whether a change is what its operator is for.
func says(m *mutate.Mutant, was, is *tree) bool {
	words := was.list == nil && is.list == nil
	switch m.Operator {
	case mutate.Verb:
		return words && is.word == "warn" && (was.word == "raise" || was.word == "ask")
	case mutate.Equal:
		return words && !strings.HasPrefix(was.word, `"`)
	case mutate.Anchor:
		return words && strings.HasPrefix(was.word, `"`)
	case mutate.Bound:
		a, ok := new(big.Int).SetString(was.word, 10)
		b, also := new(big.Int).SetString(is.word, 10)
		return ok && also && a.Sub(a, b).CmpAbs(big.NewInt(1)) == 0
	case mutate.Negate:
		return is.is("not") && same(is.list[1], was) || was.is("not") && same(was.list[1], is)
	case mutate.Swap:
		return len(was.list) == len(is.list)
	case mutate.Tool:
		return len(is.list) < len(was.list)
	}
	return dropped(was, is)
}

// dropped reports whether something is left out: a condition becomes True or what
// it declares, a chain one of its sides.
func dropped(was, is *tree) bool {
	declares := func(x *tree) bool { return x.is("var") }
	if is.word == "True" || declares(is) || is.is("and") && !slices.ContainsFunc(is.list[1:], func(x *tree) bool { return !declares(x) }) {
		return true
	}
	if was.is("and") || was.is("or") {
		return same(was.list[1], is) || same(was.list[2], is)
	}
	return len(is.list) > len(was.list) && strings.Contains(was.String(), "var") // several declarations
}

// odd is laid out as random policies are not.
const odd = `import json
p(c: ToolCall) := (o: ToolOutput) -> (d: ToolCall) and c -> d
raise f"{c.arguments.n > 3} {'a' == c.name}" if:
    (c: ToolCall)
    p(c)
    x := c.arguments.n == 1 or (
        c.arguments.n # two (
        == 2
    )
    x
    f"{c.arguments.n + 1:d}" == "3"
    c.arguments.n in [1, 0x10, 1_000, 1e3, -5]
    match("""^a\.b$""", c.name) or match('^x', c.name) or match("a" "\\.b$", c.name)
    not not (c.arguments.n < 3)
    1 < 2 if c.arguments.n < 3 else 2 > 1
    c is tool:t({x: {y: "a.*", z: [1, 2]}, w: <EMAIL_ADDRESS>}) or c is not tool:u
    (c.arguments.n < 3)
        and (c.arguments.m < 3) or # one of
        (c.arguments.n is None)
    not exists: # a ( word
        (e: ToolCall) ->
            c
        forall:
            e.name != c.name and True
`

// TestTrees holds each mutant against the policy: it differs in what it says
// and in nothing else, however the policy is laid out.
func TestTrees(t *testing.T) {
	mutants := 0
	for i := range *random {
		policy := difftest.Generate(*seed, i).Policy
		mutants += testTrees(t, fmt.Sprintf("random policy %d", i), policy)
		mutants += testTrees(t, fmt.Sprintf("random policy %d with other line ends", i), "\ufeff"+strings.ReplaceAll(policy, "\n", "\r\n"))
		mutants += testTrees(t, fmt.Sprintf("random policy %d with tabs", i), strings.ReplaceAll(policy, "    ", "\t"))
		mutants += testTrees(t, fmt.Sprintf("random policy %d with comments", i), commented(policy))
	}
	if n := testTrees(t, "an odd policy", odd); n < 50 {
		t.Errorf("an odd policy has %d mutants", n)
	}
	mutants += testTrees(t, "an odd policy with other line ends", strings.ReplaceAll(odd, "\n", "\r\n"))
	for _, pattern := range []string{"../../policies/*/*.gr", "../../testdata/vet/*.gr", "../../testdata/lint/*.gr"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			src, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			mutants += testTrees(t, file, string(src))
		}
	}
	if mutants < 1000 {
		t.Errorf("got %d mutants, want many", mutants)
	}
}

// commented puts a comment behind and below each line.
func commented(policy string) string {
	var b strings.Builder
	for line := range strings.Lines(policy) {
		line = strings.TrimSuffix(line, "\n")
		b.WriteString(line)
		if strings.TrimSpace(line) != "" && !strings.Contains(line, `"""`) {
			b.WriteString("  # not a ( word")
		}
		b.WriteString("\n        # nor this\n\n")
	}
	return b.String()
}

func testTrees(t *testing.T, name, policy string) int {
	t.Helper()
	before, err := treeOf([]byte(policy))
	if err != nil {
		return 0
	}
	all, err := mutate.Mutants(diag.NewFile("p.gr", []byte(policy)))
	if err != nil {
		t.Errorf("%s: %v", name, err)
	}
	for i := range all {
		m := &all[i]
		after, err := treeOf(m.Text)
		if err != nil {
			t.Errorf("%s:%d: %s: %v\n%s", name, m.Line, m, err, m.Text)
			continue
		}
		was, is := apart(before, after)
		if was == nil || !says(m, was, is) {
			t.Errorf("%s:%d: %s:\ngot  %v\nfrom %v", name, m.Line, m, is, was)
		}
	}
	return len(all)
}
