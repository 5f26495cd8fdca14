// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package syntax

import (
	"strings"

	"github.com/holdfast-dev/holdfast/diag"
)

// form is what a line at the top level begins.
type form uint8

const (
	noForm form = iota
	importForm
	fromForm
	inputForm
	ruleForm
	constForm
	predicateForm
)

// stmts parses a whole file.
//
//	file = { statement } .
func (p *parser) stmts() []Stmt {
	var list []Stmt
	for p.tok.kind != tEOF {
		if p.got(tNewline) {
			continue
		}
		list = append(list, p.stmt())
	}
	return list
}

// stmt parses one statement.
//
//	statement = import | rule_import | from_import | input | constant | predicate | rule .
func (p *parser) stmt() Stmt {
	p.line = p.i
	switch p.form() {
	case importForm:
		return p.importStmt()
	case fromForm:
		return p.fromImport()
	case inputForm:
		return p.input()
	case ruleForm:
		return p.rule()
	case constForm:
		return p.constant()
	case predicateForm:
		return p.predicate()
	case noForm:
	}
	return p.stray()
}

// form tells which statement the next line begins.
func (p *parser) form() form {
	switch p.tok.kind {
	case tImport:
		return importForm
	case tFrom:
		return fromForm
	case tRaise:
		return ruleForm
	case tName:
		return p.nameForm()
	default:
		return noForm
	}
}

// nameForm tells which statement a line that begins with a name begins. `ask`
// and `warn` are verbs unless they are being defined.
func (p *parser) nameForm() form {
	switch k := p.ahead(1); {
	case k == tDefine || k == tForeign && p.text(p.peek(1)) == "=":
		return constForm
	case k == tLParen && p.definesAfter(p.i+1):
		return predicateForm
	case k == tNewline || k == tEOF:
		return noForm
	case p.declares():
		return inputForm
	case p.is("ask") || p.is("warn") || p.misspeltVerb():
		return ruleForm
	default:
		return noForm
	}
}

// definesAfter reports whether what follows the bracket at token i makes it a
// parameter list. A colon or an equals sign is a mistake for `:=`.
func (p *parser) definesAfter(i int) bool {
	end := p.matched(i)
	if end < 0 || p.toks[end].first {
		return false
	}
	t := p.toks[end]
	return t.kind == tDefine || t.kind == tColon || t.kind == tForeign && p.text(t) == "="
}

// misspeltVerb reports whether a line looks like `rasie "…" if:`.
func (p *parser) misspeltVerb() bool {
	if p.ahead(1) != tString {
		return false
	}
	for i := p.i + 2; i < len(p.toks) && !p.toks[i].first; i++ {
		if p.toks[i].kind == tIf && p.toks[min(i+1, len(p.toks)-1)].kind == tColon {
			return true
		}
	}
	return false
}

// stray reports a line that begins no statement and skips it, with the lines
// below it that begin none either: they are one mistake.
func (p *parser) stray() Stmt {
	start, at := p.tok, p.tok.indent
	switch {
	case p.foreignLine():
	case p.tok.first && p.indented():
		p.fail(p.here(), codeIndent, "nothing above it opens a block; end its line with := or if: to do so", "unexpected indent")
	case p.tok.kind == tBad:
		p.breakLine()
	default:
		help := `conditions stand in the block of a rule: raise "…" if:`
		if p.tok.kind == tName && p.ahead(1) == tEq {
			help = "a constant is written: " + clip(p.text(p.tok)) + " := …"
		} else if p.tok.kind == tName {
			if near := nearWord(p.text(p.tok), "raise", "ask", "warn", "import", "from", "input"); near != "" {
				help = near
			}
		}
		p.fail(p.here(), codeStmt, help, "got %s, want a statement", p.got1())
	}
	p.sync(at)
	for p.tok.kind != tEOF && !p.tok.blank && p.form() == noForm {
		p.line = p.i
		p.sync(at)
	}
	return &BadStmt{p.from(int(start.start))}
}

// indented reports whether the next line is indented deeper than the line of
// the token before it, in which case it was meant as part of it.
func (p *parser) indented() bool {
	for i := p.i - 1; i >= 0; i-- {
		if p.toks[i].first {
			return p.tok.indent.deeper(p.toks[i].indent)
		}
	}
	return false
}

// importStmt parses an import of a module.
//
//	import = "import" module [ "as" NAME ] NEWLINE .
func (p *parser) importStmt() Stmt {
	start := p.tok
	p.advance()
	if p.tok.kind == tString {
		return p.ruleImport(start, nil)
	}
	if p.tok.kind == tDot || p.tok.kind == tSlash {
		p.fail(p.here(), codeExpected, quotePath, "got %s, want the name of a module", p.got1())
	}
	m := &Import{}
	m.Module, m.At = p.module()
	if p.tok.kind == tLParen {
		return p.ruleImport(start, m)
	}
	m.As = p.alias()
	switch p.tok.kind {
	case tLParen:
		p.fail(p.here(), codeExpected, "parameters stand before the alias: import name(…) as name", "got \"(\", want the end of the line")
	case tPath, tDot, tSlash:
		p.fail(p.here(), codeExpected, quotePath, "got %s, want the end of the line", p.got1())
	case tComma:
		p.fail(p.here(), codeExpected, "write each import on a line of its own", "got \",\", want the end of the line")
	case tFrom:
		p.fail(p.here(), codeExpected, "write: from module import "+clip(m.Module), "got \"from\", want the end of the line")
	}
	p.endLine(start.indent)
	m.extent = p.from(int(start.start))
	return m
}

// quotePath is the help for a path without quotes.
const quotePath = `write a path in quotes: import "./lib/mail.gr"`

// alias parses the name that an import gives to what it brings; nil if it
// gives none.
func (p *parser) alias() *Ident {
	if !p.is("as") {
		return nil
	}
	p.advance()
	if p.tok.kind != tName {
		p.unexpected("a name")
		return nil
	}
	return p.ident()
}

// module parses a dotted name.
//
//	module = NAME { "." WORD } .
func (p *parser) module() (string, diag.Span) {
	start := int(p.tok.start)
	if p.tok.kind != tName {
		p.unexpected("the name of a module")
		return "", p.span(p.prevEnd, p.prevEnd)
	}
	parts := []string{p.text(p.tok)}
	p.advance()
	for p.got(tDot) {
		if !p.tok.kind.isWord() {
			p.unexpected("a name")
			break
		}
		parts = append(parts, p.text(p.tok))
		p.advance()
	}
	return strings.Join(parts, "."), p.span(start, p.prevEnd)
}

// fromImport parses an import of names from a module or a policy file.
//
//	from_import = "from" ( module | PATH ) "import" ( names | "(" names ")" ) NEWLINE .
func (p *parser) fromImport() Stmt {
	start := p.tok
	p.advance()
	f := &FromImport{}
	if p.tok.kind == tPath {
		f.Module, f.Local, f.At = p.text(p.tok), true, p.tok.span(p)
		p.checkPath(f)
		p.advance()
	} else {
		if p.tok.kind == tString {
			p.fail(p.here(), codeExpected, "write a path without quotes: from ./lib import name", "got a string, want the name of a module")
		}
		f.Module, f.At = p.module()
	}
	if p.got(tImport) {
		f.Names = p.importNames()
		p.quantAliases(f)
	} else {
		p.unexpected(`"import"`)
	}
	p.endLine(start.indent)
	f.extent = p.from(int(start.start))
	return f
}

// quantAliases notes the names that f gives to quantifiers, whose blocks only
// their name tells from other lines.
func (p *parser) quantAliases(f *FromImport) {
	for _, n := range f.Names {
		if kind, ok := quants[n.Name.Name]; ok && n.As != n.Name && !f.Local {
			if p.aliases == nil {
				p.aliases = map[string]Quant{}
			}
			p.aliases[n.As.Name] = kind
		}
	}
}

// checkPath reports a path that names no file in a way the language has.
func (p *parser) checkPath(f *FromImport) {
	if !strings.HasPrefix(f.Module, "./") && !strings.HasPrefix(f.Module, "../") && !strings.HasPrefix(f.Module, "/") {
		p.soft(f.At, codeExpected, `write "./`+strings.TrimLeft(f.Module, ".")+`"`, "got path %q, want one that begins with \"./\"", clip(f.Module))
	}
}

// importNames parses the names of an import, in parentheses or not.
//
//	names = name { "," name } [ "," ] .
func (p *parser) importNames() []*ImportName {
	bracketed := p.tok.kind == tLParen
	if bracketed {
		p.openBracket()
	}
	var names []*ImportName
	for p.tok.kind == tName {
		names = append(names, p.importName())
		if !p.got(tComma) {
			break
		}
	}
	switch {
	case len(names) == 0 && p.tok.kind == tStar:
		p.fail(p.here(), codeExpected, "name what is needed", "names cannot be imported all at once")
	case len(names) == 0:
		p.unexpected("a name to import")
	}
	if bracketed {
		p.closeBracket(`","`)
	}
	return names
}

// importName parses one name of an import.
//
//	name = NAME [ "as" NAME ] .
func (p *parser) importName() *ImportName {
	name := p.ident()
	n := &ImportName{Name: name, As: name}
	if as := p.alias(); as != nil {
		n.As = as
	}
	n.extent = p.from(name.span.Start)
	return n
}

// ident consumes a name.
func (p *parser) ident() *Ident {
	t := p.tok
	p.advance()
	return &Ident{extent: p.leaf(t), Name: p.text(t)}
}

// constant parses a constant. Its value may stand on the next line.
//
//	constant = NAME ":=" value .
func (p *parser) constant() Stmt {
	at := p.tok.indent
	name := p.ident()
	p.define()
	below := p.tok.kind == tNewline
	value := p.value(at, name.Name)
	p.endLine(at)
	if below && p.deeperBlock(at) && p.form() == noForm {
		p.fail(p.here(), codeIndent, "a predicate without parameters is written: "+name.Name+"() :=", "a constant has one value")
		p.sync(at)
	}
	return &Const{extent: p.from(name.span.Start), Name: name, Value: value}
}

// define consumes `:=` or what was written for it.
func (p *parser) define() {
	if p.tok.kind != tDefine {
		p.soft(p.here(), codeForeign, `write ":="`, "got %s, want \":=\"", p.got1())
	}
	p.advance()
}

// value parses what a name is bound to: on the same line or on the next one,
// deeper.
//
//	value = expr NEWLINE | NEWLINE INDENT expr NEWLINE DEDENT .
func (p *parser) value(at indent, name string) Expr {
	if p.tok.kind == tNewline {
		if !p.deeperBlock(at) {
			p.fail(p.here(), codeEmpty, "", "%q needs a value", clip(name))
			return p.badExpr()
		}
		p.advance()
		p.checkTabs(at)
	}
	return p.expr()
}

// predicate parses a predicate, on one line or with a block.
//
//	predicate = NAME "(" [ param { "," param } [ "," ] ] ")" ":=" ( expr NEWLINE | block ) .
func (p *parser) predicate() Stmt {
	start := p.tok
	pred := &Predicate{Name: p.ident()}
	pred.Params = p.params()
	switch {
	case p.broken:
		p.skipLine()
		pred.Body = p.block(start, "predicate")
	default:
		p.define()
		if p.tok.kind == tNewline || p.tok.kind == tEOF {
			pred.Body = p.block(start, "predicate")
			break
		}
		x := p.expr()
		pred.Body = []Cond{&ExprCond{extent: extent{span: x.Span()}, X: x}}
		p.endLine(start.indent)
	}
	pred.extent = p.from(int(start.start))
	return pred
}

// params parses a predicate's parameters.
func (p *parser) params() []*Param {
	p.openBracket()
	var params []*Param
	for p.tok.kind == tName {
		params = append(params, p.param())
		if !p.got(tComma) {
			break
		}
	}
	p.closeBracket(`","`)
	return params
}

// param parses one parameter.
//
//	param = NAME [ ":" NAME ] .
func (p *parser) param() *Param {
	param := &Param{Name: p.ident()}
	if p.got(tColon) {
		if p.tok.kind == tName {
			param.Type = p.ident()
		} else {
			p.unexpected("a type")
		}
	}
	param.extent = p.from(param.Name.span.Start)
	return param
}

// rule parses a rule. `if` belongs to the rule unless an `else` follows it.
//
//	rule = ( "raise" | "ask" | "warn" ) expr "if" ":" block .
func (p *parser) rule() Stmt {
	start := p.tok
	r := &Rule{VerbAt: start.span(p), Verb: p.verb()}
	p.advance()
	p.verbLine = true
	if p.tok.kind == tIf {
		p.soft(p.here(), codeExpected, aMessage, "got \"if\", want a message")
		r.Message = p.badExpr()
	} else {
		r.Message = p.expr()
	}
	p.verbLine = false
	inline := p.ruleHead()
	r.Body = append(inline, p.block(start, "rule")...)
	r.extent = p.from(int(start.start))
	return r
}

// verb reads the verb that stands next, which may be misspelt.
func (p *parser) verb() Verb {
	switch word := p.text(p.tok); word {
	case "raise":
		return Raise
	case "ask":
		return Ask
	case "warn":
		return Warn
	default:
		help := nearWord(word, "raise", "ask", "warn")
		if help == "" {
			help = `rules begin with "raise", "ask" or "warn"`
		}
		p.soft(p.here(), codeStmt, help, "%q is no verb of a rule", clip(word))
		return Raise
	}
}

// ruleHead parses the end of a rule's first line, `if:`.
func (p *parser) ruleHead() []Cond {
	if !p.broken && !p.got(tIf) {
		switch p.tok.kind {
		case tNewline, tEOF, tColon:
			p.soft(p.here(), codeHeader, `write: raise "…" if:`, `rule wants "if:" after its message`)
			p.got(tColon)
			return nil
		default:
			p.unexpected(ifColon)
		}
	}
	return p.blockHead()
}
