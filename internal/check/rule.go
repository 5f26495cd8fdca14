// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package check

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/holdfast-dev/holdfast/diag"
	"github.com/holdfast-dev/holdfast/internal/value"
	"github.com/holdfast-dev/holdfast/syntax"
)

// rules checks the rules of the policy itself. Those of imported files are
// not loaded.
func (c *checker) rules(u *unit) {
	hashed := map[string]int{}
	for _, st := range u.file.Stmts {
		n, ok := st.(*syntax.Rule)
		if !ok {
			continue
		}
		r := c.rule(n, u)
		r.Index = len(c.prog.Rules)
		c.directives(r)
		if r.ID == "" {
			r.ID = hashID(n, u.file)
			if hashed[r.ID]++; hashed[r.ID] > 1 {
				r.ID = fmt.Sprintf("%s-%d", r.ID, hashed[r.ID])
			}
		}
		c.prog.Rules = append(c.prog.Rules, r)
		if r.Index == c.limits.Rules {
			c.fail("P0320", n.VerbAt, fmt.Sprintf("more than %d rules", c.limits.Rules), "split the policy into several")
		}
	}
}

func (c *checker) rule(n *syntax.Rule, u *unit) *Rule {
	c.stmt, c.depth, c.vars = n, 0, 0
	s := c.open(n.Body, u.scope)
	r := &Rule{Node: n, Body: s.block, Message: c.message(n.Message, s)}
	c.close(s, n.Body, n.VerbAt, "this rule")
	c.unused(s.block)
	return r
}

// message checks the raise expression, which sees the rule's variables and
// bindings.
func (c *checker) message(e syntax.Expr, s *scope) *Message {
	if e == nil {
		return &Message{}
	}
	c.noVariables(e, "the raise expression")
	if call, ok := syntax.Unparen(e).(*syntax.Call); ok {
		if id, ok := syntax.Unparen(call.Fun).(*syntax.Ident); ok {
			switch s.lookup(id.Name).(type) {
			case *violationObj:
				return c.violation(call, s)
			case nil:
				c.unboundName(id, s, isRaisable)
				return c.violation(call, s)
			}
		}
	}
	t := c.expr(e, s)
	if t != value.AnyType && t != value.StrType {
		c.fail("P0225", e.Span(), fmt.Sprintf("a rule needs a text to raise, got %s", aType(t)),
			"raise \"message\" if:, or raise PolicyViolation(\"message\", key=value) if:")
	}
	return &Message{Args: []syntax.Expr{e}}
}

// violation checks `PolicyViolation("text", x, key=value)`.
func (c *checker) violation(call *syntax.Call, s *scope) *Message {
	m := &Message{}
	names := map[string]bool{}
	for _, a := range call.Args {
		c.expr(a.Value, s)
		if a.Name == nil {
			m.Args = append(m.Args, a.Value)
			continue
		}
		if names[a.Name.Name] {
			c.fail("P0216", a.Name.Span(), fmt.Sprintf("argument %q is given twice", a.Name.Name), "")
		}
		names[a.Name.Name] = true
		m.Kwargs = append(m.Kwargs, a)
	}
	return m
}

// onUnknowns are the words of `# on_unknown:`.
var onUnknowns = []string{"allow", "ask", "deny", "warn"}

// directives reads what the comment above a rule says to us: `# id: name` and
// `# on_unknown: word`, up to a further `#`. Other lines are for people.
func (c *checker) directives(r *Rule) {
	for _, doc := range r.Node.Doc {
		key, val, ok := strings.Cut(doc.Text, ":")
		if !ok {
			continue
		}
		val, _, _ = strings.Cut(val, "#")
		val = strings.TrimSpace(val)
		switch strings.TrimSpace(key) {
		case "id":
			c.ruleID(r, val, doc)
		case "on_unknown":
			c.onUnknown(r, val, doc)
		}
	}
}

func (c *checker) onUnknown(r *Rule, word string, doc *syntax.Comment) {
	if !slices.Contains(onUnknowns, word) {
		help := didYouMean(word, onUnknowns)
		if help == "" {
			help = "write allow, ask, deny or warn"
		}
		c.fail("P0313", doc.Span(), fmt.Sprintf("on_unknown cannot be %q", word), help)
		return
	}
	r.OnUnknown = word
}

// maxID bounds the length of an id.
const maxID = 64

func (c *checker) ruleID(r *Rule, id string, doc *syntax.Comment) {
	if !validID(id) {
		c.fail("P0311", doc.Span(), fmt.Sprintf("%q cannot be an id", id),
			fmt.Sprintf("an id is 1 to %d letters, digits and . _ - /", maxID))
		return
	}
	if at, taken := c.ids[id]; taken {
		c.report(diag.Diagnostic{
			Code: "P0312", Span: doc.Span(), Message: fmt.Sprintf("two rules have the id %q", id),
			Notes: []diag.Note{{Span: at, Text: "the first one"}},
		})
		return
	}
	c.ids[id] = doc.Span()
	r.ID, r.Named = id, true
}

func validID(id string) bool {
	return id != "" && len(id) <= maxID && !strings.ContainsFunc(id, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("._-/", r)
	})
}

// hashID makes an id of a rule's text. Comments and spaces do not count, so
// that formatting a policy keeps its ids.
func hashID(n *syntax.Rule, file *syntax.File) string {
	at := n.Span()
	text := []byte(at.Text())
	for _, doc := range file.Comments {
		if c := doc.Span(); c.Start >= at.Start && c.End <= at.End {
			for i := c.Start; i < c.End; i++ {
				text[i-at.Start] = ' '
			}
		}
	}
	sum := sha256.Sum256([]byte(strings.Join(strings.Fields(string(text)), "")))
	return hex.EncodeToString(sum[:6])
}
