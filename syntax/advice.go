// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package syntax

import "strings"

// What people write who have another language in their fingers, and what it is
// here.

// aMessage is the help for a rule that says nothing.
const aMessage = `a rule says what is wrong: raise "…" if:`

// advice is the help for common mistakes that only the token tells.
func (p *parser) advice(want string) string {
	switch want {
	case anExpr:
		return p.adviceForExpr()
	case lineEnd:
		return p.adviceForLineEnd()
	case ifColon:
		return p.adviceForIf()
	}
	return ""
}

func (p *parser) adviceForExpr() string {
	switch t := p.tok; {
	case t.kind == tNot:
		return `put "not …" in parentheses`
	case t.kind == tSlashSlash, t.kind == tSlash && p.peek(1).kind == tStar:
		return `comments begin with "#"`
	case t.kind == tColon && p.verbLine:
		return aMessage
	case p.leadingOperator() && t.first:
		return `a line goes on if it ends in an operator, or if the next one begins with "and" or "or"`
	}
	return ""
}

func (p *parser) adviceForLineEnd() string {
	const separate = "write each condition on a line of its own"
	switch p.tok.kind {
	case tColon:
		return "only rules, predicates and quantifiers open a block, each on a line of its own"
	case tIf:
		return `a choice is written "a if c else b"`
	case tComma:
		return separate
	case tLParen:
		if p.ahead(1) == tName && p.ahead(2) == tColon {
			return separate
		}
	case tString:
		if p.i > 0 && p.toks[p.i-1].kind == tName {
			return "functions are called with parentheses: " + p.text(p.toks[p.i-1]) + "(…)"
		}
	case tNot:
		if p.ahead(1) == tName {
			return infixWords[strings.ToLower(p.text(p.peek(1)))]
		}
	case tName:
		if p.i > 0 && p.toks[p.i-1].kind == tName && p.text(p.toks[p.i-1]) == "input" {
			return "parameters are declared outside of rules, at the top level"
		}
		return infixWords[strings.ToLower(p.text(p.tok))]
	}
	return ""
}

func (p *parser) adviceForIf() string {
	const form = `write: raise "…" if:`
	if p.tok.kind == tString && p.i > 0 && p.toks[p.i-1].kind == tName {
		return "write " + p.text(p.toks[p.i-1]) + "(" + clip(p.text(p.tok)) + ")"
	}
	return form
}

// infixWords are words that stand between two operands in other languages, in
// lower case.
var infixWords = map[string]string{
	"and":        `write "and" in lower case`,
	"or":         `write "or" in lower case`,
	"not":        `write "not" in lower case`,
	"in":         `write "in" in lower case`,
	"is":         `write "is" in lower case`,
	"eq":         `write "=="`,
	"equals":     `write "=="`,
	"contains":   `write it the other way round: "word" in text`,
	"includes":   `write it the other way round: "word" in text`,
	"has":        `write it the other way round: "word" in text`,
	"like":       `write match("pattern", text)`,
	"match":      `write match("pattern", text)`,
	"matches":    `write match("pattern", text)`,
	"startswith": `write text.startswith("prefix")`,
	"endswith":   `write text.endswith("suffix")`,
	"then":       `what a block says must hold together; there is no "then"`,
	"where":      "write each condition on a line of its own",
	"with":       "write each condition on a line of its own",
}

// foreignWords are words that begin lines in other languages.
var foreignWords = map[string]string{
	"def":    "a predicate is written: name(x: T) := condition",
	"else":   "a rule has no other branch; write a second rule",
	"elif":   "a rule has no other branch; write a second rule",
	"if":     "write the condition alone; all lines of a block must hold",
	"unless": `write "not" before the condition`,
	"while":  "the language has no loops; typed variables range over the trace",
	"for":    "the language has no loops; typed variables range over the trace",
	"return": "a predicate is its conditions; write them alone",
	"let":    "a binding is written: name := expression",
	"var":    "a binding is written: name := expression",
	"const":  "a constant is written: NAME := expression",
	"class":  "types are built in",
	"assert": "write the condition alone",
	"lambda": "a predicate is written: name(x: T) := condition",
	"pass":   "a block needs a condition",
	"deny":   `rules begin with "raise", "ask" or "warn"`,
	"block":  `rules begin with "raise", "ask" or "warn"`,
	"allow":  `what no rule forbids is allowed; rules begin with "raise", "ask" or "warn"`,
}

// foreignLine reports a line that begins with a word of another language. The
// word must not be used as a name: it is followed by something a name is not
// followed by.
func (p *parser) foreignLine() bool {
	if !p.tok.kind.isWord() {
		return false
	}
	help, ok := foreignWords[p.text(p.tok)]
	if !ok || p.tok.kind == tName && !p.wordAlone() {
		return false
	}
	p.fail(p.here(), codeStmt, help, "%q begins no line of the language", p.text(p.tok))
	return true
}

// wordAlone reports whether the next token, a name, is followed by what cannot
// follow a name in an expression.
func (p *parser) wordAlone() bool {
	switch k := p.ahead(1); k {
	case tName, tString, tColon, tInt, tFloat, tTrue, tFalse, tNone:
		return true
	case tNewline:
		return p.text(p.tok) == "pass"
	default:
		return false
	}
}
