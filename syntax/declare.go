// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package syntax

// ruleImport parses an import of the rules of a policy, whose name or path
// stands next (or has been read as a module, when m holds it).
//
//	rule_import = "import" ( STRING { STRING } [ arguments ] | module arguments ) [ "as" NAME ] NEWLINE .
func (p *parser) ruleImport(start token, m *Import) Stmt {
	r := &RuleImport{}
	if m != nil {
		r.Path, r.At = m.Module, m.At
	} else {
		x := p.stringLit()
		r.At = x.Span()
		if lit, ok := x.(*StringLit); ok {
			r.Path = lit.Value
		} else {
			p.soft(r.At, codeExpected, `write the path itself: import "./lib/mail.gr"`, "a path cannot be a template")
		}
	}
	if p.tok.kind == tLParen {
		r.Args = p.args()
		for _, a := range r.Args {
			if a.Name == nil {
				p.soft(a.span, codeExpected, "write its name: name=value", "parameters are given by name")
			}
		}
	}
	r.As = p.alias()
	if p.tok.kind == tLParen && r.As != nil {
		p.fail(p.here(), codeExpected, "parameters stand before the alias: import name(…) as "+clip(r.As.Name), "got \"(\", want the end of the line")
	}
	p.endLine(start.indent)
	r.extent = p.from(int(start.start))
	return r
}

// declares reports whether the next line declares a parameter: `input` with
// another name behind it, which begins no other line, or a word and a colon.
func (p *parser) declares() bool {
	next := p.ahead(1)
	return p.is("input") && (next == tName || next.isWord() && p.ahead(2) == tColon)
}

// input parses the declaration of a parameter.
//
//	input = "input" NAME ":" NAME [ "[" NAME "]" ] [ "=" expr ] NEWLINE .
func (p *parser) input() Stmt {
	start := p.tok
	p.advance()
	if p.tok.kind != tName {
		p.soft(p.here(), codeExpected, "give the parameter another name", "got %s, a word of the language, want a name", p.got1())
	}
	in := &Input{Name: p.ident()}
	if p.tok.kind == tColon {
		p.advance()
		p.inputType(in)
	} else {
		p.fail(p.here(), codeExpected, "a parameter has a type: input "+clip(in.Name.Name)+": str", "got %s, want \":\" and a type", p.got1())
	}
	if p.tok.kind == tDefine {
		p.soft(p.here(), codeForeign, `write "="`, "got \":=\", want \"=\"")
	}
	if p.tok.kind == tDefine || p.tok.kind == tForeign && p.text(p.tok) == "=" {
		p.advance()
		in.Default = p.expr()
	}
	p.endLine(start.indent)
	in.extent = p.from(int(start.start))
	return in
}

// inputType parses the type of a parameter.
func (p *parser) inputType(in *Input) {
	if p.tok.kind != tName {
		p.unexpected("a type")
		return
	}
	in.Type = p.ident()
	if p.tok.kind != tLBrack {
		return
	}
	p.openBracket()
	if p.tok.kind == tName {
		in.Elem = p.ident()
	} else {
		p.unexpected("the type of the items")
	}
	p.closeBracket("")
}
