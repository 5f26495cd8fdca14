// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package check

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path"
	"strings"
	"unicode"

	"github.com/holdfast-dev/holdfast/diag"
	"github.com/holdfast-dev/holdfast/syntax"
)

// A rule is named by its comment or, without one, by its file and message. An
// edition gives its rules their ids first, so that they do not depend on who
// imports them; then the importer sees to it that they are free.

// rules checks the rules of an edition and returns them in order, with those
// that it imports.
func (c *checker) rules(ed *edition) []*Rule {
	u := ed.main
	ids := &identity{named: map[string]diag.Span{}, given: map[string]bool{}}
	c.ids = append(c.ids, ids)
	var all []*Rule
	for _, st := range u.file.Stmts {
		switch st := syntax.Node(st).(type) {
		case *syntax.Rule:
			all = append(all, c.ownRule(st, u))
		case *syntax.RuleImport:
			imported := c.importRules(ed, st)
			ids.imported(imported, policyName(st))
			all = append(all, imported...)
		}
	}
	c.ids = c.ids[:len(c.ids)-1]
	for _, r := range all {
		ids.name(r, u.file)
	}
	return all
}

func (c *checker) ownRule(n *syntax.Rule, u *unit) *Rule {
	r := c.rule(n, u)
	c.directives(r)
	if c.loaded++; c.loaded == c.limits.Rules+1 {
		c.fail("P0320", n.VerbAt, fmt.Sprintf("more than %d rules", c.limits.Rules), "split the policy into several")
	}
	return r
}

// identity gives the rules of an edition their ids.
type identity struct {
	named map[string]diag.Span // ids that a comment gives to a rule of the file
	given map[string]bool
	from  map[*Rule]string // of imported rules: the policy
}

func (ids *identity) imported(rules []*Rule, from string) {
	if ids.from == nil {
		ids.from = map[*Rule]string{}
	}
	for _, r := range rules {
		ids.from[r] = from
	}
}

// name gives a rule its id.
func (ids *identity) name(r *Rule, file *syntax.File) {
	from, imported := ids.from[r]
	switch {
	case r.Named:
	case !imported:
		r.ID = ids.numbered(defaultID(r, file))
	case ids.taken(r.ID) && !strings.HasPrefix(r.ID, from+"/"):
		r.ID = ids.numbered(from + "/" + r.ID)
	default:
		r.ID = ids.numbered(r.ID)
	}
	ids.given[r.ID] = true
}

func (ids *identity) taken(id string) bool {
	_, named := ids.named[id]
	return named || ids.given[id]
}

// numbered returns an id, with a number behind it if it is taken.
func (ids *identity) numbered(id string) string {
	free := id
	for n := 2; ids.taken(free); n++ {
		free = fmt.Sprintf("%s-%d", id, n)
	}
	return free
}

// policyName is what an import puts before ids that are taken.
func policyName(st *syntax.RuleImport) string {
	return slug(strings.TrimSuffix(path.Base(strings.TrimPrefix(st.Path, libraryPrefix)), ".gr"), maxFileSlug)
}

const (
	maxID       = 64
	maxFileSlug = 24
)

// defaultID names a rule by its file and message; one without a plain text for
// a message by a hash.
func defaultID(r *Rule, file *syntax.File) string {
	hash := func() string { return hashID(r.Node) }
	if len(r.Message.Args) == 0 {
		return hash()
	}
	lit, ok := syntax.Unparen(r.Message.Args[0]).(*syntax.StringLit)
	if !ok || file.Source == nil {
		return hash()
	}
	name := slug(mainKey(file), maxFileSlug)
	if name == "" {
		name = "policy"
	}
	message := slug(lit.Value, maxID-len(name)-1)
	if message == "" {
		return hash()
	}
	return name + "/" + message
}

// slug makes a text part of an id: letters and digits in lower case, with one
// dash for all that stands between them, of at most so many bytes, cut between
// words if it can be.
func slug(text string, most int) string {
	var b strings.Builder
	for _, r := range strings.ToLower(text) {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
		if b.Len() > 2*most {
			break
		}
	}
	s := strings.TrimSuffix(b.String(), "-")
	if len(s) <= most {
		return s
	}
	whole := s[most] == '-'
	s = strings.ToValidUTF8(s[:most], "")
	if i := strings.LastIndexByte(s, '-'); !whole && i > most/2 {
		s = s[:i]
	}
	return strings.TrimSuffix(s, "-")
}

func (c *checker) ruleID(r *Rule, id string, doc *syntax.Comment) {
	if !validID(id) {
		c.fail("P0311", doc.Span(), fmt.Sprintf("%q cannot be an id", id),
			fmt.Sprintf("an id is 1 to %d letters, digits and . _ - /", maxID))
		return
	}
	named := c.ids[len(c.ids)-1].named
	if at, taken := named[id]; taken {
		c.report(diag.Diagnostic{
			Code: "P0312", Span: doc.Span(), Message: fmt.Sprintf("two rules have the id %q", id),
			Notes: []diag.Note{{Span: at, Text: "the first one"}},
		})
		return
	}
	named[id] = doc.Span()
	r.ID, r.Named = id, true
}

func validID(id string) bool {
	return id != "" && len(id) <= maxID && !strings.ContainsFunc(id, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("._-/", r)
	})
}

// hashID makes an id of a rule's tokens, strings by their value. Comments,
// layout and quotes do not count, so that formatting a policy keeps its ids.
func hashID(n *syntax.Rule) string {
	sum := sha256.Sum256([]byte(strings.Join(syntax.Tokens(n), "\n")))
	return hex.EncodeToString(sum[:6])
}
