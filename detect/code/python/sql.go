// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package python

import (
	"regexp"
	"strings"

	"github.com/holdfast-dev/holdfast/internal/python"
)

// How much text is like SQL.
const (
	notBuilt  = iota
	anyText   // put together, and not like SQL
	maybeSQL  // it begins with a word of SQL
	surelySQL // it begins as a statement does
)

var (
	sqlWord      = regexp.MustCompile(`^[\s(]*(?i:select|insert|update|delete|create|drop|alter|truncate|replace|merge|with|grant|revoke|pragma|show|set|use|attach|call|exec|execute|explain|describe|lock|copy|vacuum|analyze|begin)\b`)
	sqlStatement = regexp.MustCompile(`^[\s(]*(?i:select\b[^;]*\sfrom\s|insert\s+(?:or\s+\w+\s+)?into\s|update\s+\S+\s+set\s|delete\s+from\s|` +
		`(?:create|drop|alter|truncate)\s+(?:or\s+replace\s+)?(?:temp\w*\s+|unique\s+)?(?:table|index|database|view|user|schema|trigger|role|column|sequence)\b|replace\s+into\s|merge\s+into\s|grant\s+\w+.*\son\s)`)
)

// maxBeginning is how much of a text is looked at.
const maxBeginning = 2000

// looksLikeSQL judges a text that something is put into.
func looksLikeSQL(text string) int {
	text = text[:min(len(text), maxBeginning)]
	switch {
	case sqlStatement.MatchString(text):
		return surelySQL
	case sqlWord.MatchString(text):
		return maybeSQL
	}
	return anyText
}

// builtText says whether an expression puts text together from what is not
// constant, and how much it is like SQL.
func (k *look) builtText(n *python.Node) int { return k.builtIn(n, 8) }

func (k *look) builtIn(n *python.Node, steps int) int {
	if steps == 0 {
		return notBuilt
	}
	steps--
	switch n.Kind {
	case python.Name, python.Attribute:
		if name := shortDotted(n); name != "" {
			return k.built[name]
		}
	case python.FString:
		return k.builtFString(n)
	case python.BinOp:
		switch n.Op {
		case python.Mod:
			return k.formatted(n.Kids[0], steps)
		case python.Add:
			return k.added(n, steps)
		}
	case python.Call:
		return k.builtCall(n, steps)
	case python.IfExp:
		return max(k.builtIn(n.Kids[0], steps), k.builtIn(n.Kids[len(n.Kids)-1], steps))
	case python.Await, python.NamedExpr:
		return k.builtIn(n.Kids[len(n.Kids)-1], steps)
	}
	return notBuilt
}

// shortDotted is the name of a variable, or of one in an object.
func shortDotted(n *python.Node) string {
	if n.Kind == python.Attribute && n.Kids[0].Kind != python.Name {
		return ""
	}
	return n.Dotted()
}

func (k *look) builtFString(n *python.Node) int {
	for i, part := range n.Kids {
		if part.Kind == python.Field {
			if i == 0 {
				return anyText
			}
			return looksLikeSQL(textOf(n.Kids))
		}
	}
	return notBuilt
}

// textOf is the constant text of the parts of an f-string.
func textOf(parts []*python.Node) string {
	var out strings.Builder
	for _, p := range parts {
		if p.Kind == python.String {
			out.WriteString(p.Name)
		} else {
			out.WriteString("x")
		}
		if out.Len() > maxBeginning {
			break
		}
	}
	return out.String()
}

// formatted judges text that values are put into by % or format.
func (k *look) formatted(template *python.Node, steps int) int {
	if text, ok := k.constantText(template); ok {
		return looksLikeSQL(text)
	}
	return k.builtIn(template, steps)
}

// constantText is the text of a literal or of a name that holds one.
func (k *look) constantText(n *python.Node) (string, bool) {
	switch n.Kind {
	case python.String:
		return n.Name, true
	case python.Name, python.Attribute:
		if name := shortDotted(n); name != "" {
			text, ok := k.known[name]
			return text, ok
		}
	}
	return "", false
}

func isConstantText(n *python.Node) bool { return n.Kind == python.String || n.Kind == python.Number }

// added judges operands with + between them.
func (k *look) added(n *python.Node, steps int) int {
	text, open, like := "", false, notBuilt
	for _, kid := range n.Kids[:min(len(n.Kids), 64)] {
		if own, ok := k.constantText(kid); ok {
			text += own[:min(len(own), maxBeginning)]
			continue
		}
		if kid.Kind == python.FString || kid.Kind == python.BinOp || kid.Kind == python.Call {
			like = max(like, k.builtIn(kid, steps))
		}
		if text == "" && kid.Kind == python.FString {
			text = textOf(kid.Kids)
		}
		open = true
		text += " x "
	}
	if !open || !hasText(n.Kids) && like == notBuilt {
		return notBuilt
	}
	return max(like, looksLikeSQL(text))
}

// hasText reports whether one of some operands is text.
func hasText(kids []*python.Node) bool {
	for _, kid := range kids {
		if kid.Kind == python.String || kid.Kind == python.FString {
			return true
		}
	}
	return false
}

func (k *look) builtCall(n *python.Node, steps int) int {
	callee := n.Kids[0]
	if callee.Kind == python.Attribute {
		switch callee.Name {
		case "format", "format_map":
			if like := k.formatted(callee.Kids[0], steps); like > notBuilt && len(n.Kids) > 1 {
				return like
			}
			return notBuilt
		case "strip", "encode", "replace", "rstrip", "lstrip", "lower", "upper", "decode":
			return k.builtIn(callee.Kids[0], steps)
		case "join":
			return notBuilt
		}
	}
	switch callee.Dotted() {
	case "str", "text", "sqlalchemy.text", "sa.text", "dedent", "textwrap.dedent", "TextClause", "unicode", "u", "RawSQL", "bytes":
		if args := n.Args(); len(args) > 0 {
			return k.builtIn(args[0], steps)
		}
	}
	return notBuilt
}

// text looks at text that is put together: a statement of SQL is unsafe
// wherever it goes.
func (k *look) text(n *python.Node) {
	if k.builtText(n) == surelySQL {
		k.report(k.table.byID["python-sql-text"], n.Start, n.End)
	}
}
