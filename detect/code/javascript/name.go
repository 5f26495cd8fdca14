// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package javascript

import (
	"strings"

	"github.com/tdewolff/parse/v2/js"
)

// declarations notes what names stand for: modules, parts of them, texts.
func (r *reader) declarations() {
	for i := range r.tokens {
		switch r.kind(i) {
		case js.ImportToken:
			r.imported(i)
			r.awaited(i)
		case js.ConstToken, js.LetToken, js.VarToken:
			r.declared(i)
		case js.StringToken:
			if s, _ := r.literal(i); strings.TrimPrefix(s, "node:") == "net" {
				r.sockets = true
			}
		}
	}
}

// imported reads an import declaration.
func (r *reader) imported(i int) {
	from := i + 1
	for from < len(r.tokens) && from < i+256 && r.kind(from) != js.FromToken && r.kind(from) != js.StringToken && r.kind(from) != js.SemicolonToken {
		from++
	}
	if r.kind(from) != js.FromToken {
		if r.named(i+1) && r.kind(i+2) == js.EqToken && r.at(i+3) == "require" { // of TypeScript
			r.bind(i+1, r.module(i+5))
		}
		return
	}
	module := r.module(from + 1)
	if module == "" {
		return
	}
	for j := i + 1; j < from; j++ {
		switch {
		case r.kind(j) == js.OpenBraceToken:
			r.destructured(j, module, js.AsToken)
			j = min(int(r.pairs[j]), from)
		case r.kind(j) == js.MulToken && r.kind(j+1) == js.AsToken:
			r.bind(j+2, module)
			j += 2
		case r.named(j):
			r.bind(j, module)
		}
	}
}

// awaited reads import('x').then(name => …).
func (r *reader) awaited(i int) {
	if r.kind(i+1) != js.OpenParenToken {
		return
	}
	end := int(r.pairs[i+1])
	if r.kind(end+1) != js.DotToken || r.at(end+2) != "then" || r.kind(end+3) != js.OpenParenToken {
		return
	}
	module := r.required(end)
	at := end + 4
	if r.kind(at) == js.AsyncToken {
		at++
	}
	if r.kind(at) == js.OpenParenToken {
		at++
	}
	if r.kind(at) == js.OpenBraceToken && module != "" {
		r.destructured(at, module, js.ColonToken)
		return
	}
	r.bind(at, module)
}

// maxRequired is how many tokens the name of a module may be put together from.
const maxRequired = 12

// required returns the module that is loaded by the call whose bracket is
// closed at a token, "" if it is none: require('x'), (await import('x')).
func (r *reader) required(closing int) string {
	for j := closing - 1; j >= 0 && j > closing-maxRequired; j-- {
		if r.kind(j) != js.OpenParenToken || int(r.pairs[j]) != closing {
			continue
		}
		switch {
		case r.at(j-1) == "require" || r.kind(j-1) == js.ImportToken:
			s, _ := r.value(interval{j + 1, closing})
			return strings.TrimPrefix(s, "node:")
		case r.kind(j+1) == js.AwaitToken && r.kind(j+2) == js.ImportToken && r.kind(closing-1) == js.CloseParenToken:
			return r.required(closing - 1)
		}
		return ""
	}
	return ""
}

// module returns the name of a module in a token.
func (r *reader) module(i int) string {
	s, _ := r.literal(i)
	return strings.TrimPrefix(s, "node:")
}

func (r *reader) bind(i int, to string) {
	if to != "" && r.named(i) {
		r.names[r.at(i)] = to
	}
}

// destructured binds { a, b: c } or { a as b } of a module.
func (r *reader) destructured(open int, module string, as js.TokenType) {
	end := min(int(r.pairs[open]), open+512)
	for j := open + 1; j < end; j++ {
		if !r.named(j) {
			continue
		}
		part := module + "." + r.at(j)
		if (r.kind(j+1) == as || r.kind(j+1) == js.ColonToken) && r.named(j+2) {
			r.bind(j+2, part)
			j += 2
			continue
		}
		r.bind(j, part)
	}
}

// declared reads const name = value and const { a, b: c } = value.
func (r *reader) declared(i int) {
	target := i + 1
	eq := target + 1
	if r.kind(target) == js.OpenBraceToken {
		eq = int(r.pairs[target]) + 1
	}
	if r.kind(eq) == js.ColonToken { // a type
		for eq < target+24 && r.kind(eq) != js.EqToken && r.kind(eq) != js.SemicolonToken {
			eq++
		}
	}
	if r.kind(eq) != js.EqToken {
		return
	}
	from := eq + 1
	if r.kind(from) == js.AwaitToken {
		from++
	}
	if s, ok := r.literal(from); ok && r.kind(i) == js.ConstToken && r.named(target) && !r.continues(from+1) {
		r.constants[r.at(target)] = s
		return
	}
	what := r.origin(from)
	if end := r.end(from); what == "" && r.named(end-1) && end-from <= 3 {
		if path, begin := r.path(end - 1); begin == from && runsText[rootOf(path)] {
			what = rootOf(path) // an alias of what runs code
		}
	}
	switch {
	case what == "":
	case r.kind(target) == js.OpenBraceToken:
		r.destructured(target, what, js.ColonToken)
	default:
		r.bind(target, what)
	}
}

// runsText are what runs a text as code.
var runsText = map[string]bool{"eval": true, "Function": true}

// rootOf is a path without the names of the object that has all global names.
func rootOf(path string) string {
	for _, all := range []string{"window.", "globalThis.", "global.", "self.", "top.", "parent.", "this."} {
		path = strings.TrimPrefix(path, all)
	}
	return path
}

// continues reports whether an expression goes on at a token.
func (r *reader) continues(i int) bool {
	switch r.kind(i) {
	case js.AddToken, js.DotToken, js.OptChainToken, js.OpenBracketToken, js.OpenParenToken, js.QuestionToken, js.MulToken, js.ModToken, js.OrToken, js.AndToken, js.NullishToken:
		return true
	}
	return false
}

// origin returns the module, or the part of one, that an expression names:
// require('x'), require('x').y, import('x'), promisify(x.y), a.b of a known a.
func (r *reader) origin(i int) string {
	at := i
	var what string
	switch {
	case (r.at(i) == "require" || r.kind(i) == js.ImportToken) && r.kind(i+1) == js.OpenParenToken:
		what = r.module(i + 2)
		at = i + 4
	case r.at(i) == "promisify" && r.kind(i+1) == js.OpenParenToken:
		return r.origin(i + 2)
	case r.at(i) == "util" && r.at(i+2) == "promisify" && r.kind(i+3) == js.OpenParenToken:
		return r.origin(i + 4)
	case r.named(i):
		what = r.names[r.at(i)]
		at = i + 1
	}
	for n := 0; what != "" && n < 4 && r.kind(at) == js.DotToken && r.named(at+1); n++ {
		what += "." + r.at(at+1)
		at += 2
	}
	if r.kind(at) == js.OpenParenToken {
		return ""
	}
	return what
}

// path returns the name that ends at a token, with what it is a member of and
// its root followed to its module: "child_process.exec". The second result is
// where it begins.
func (r *reader) path(i int) (string, int) {
	parts := []string{r.name(i)}
	for range 4 {
		if k := r.kind(i - 1); k != js.DotToken && k != js.OptChainToken {
			break
		}
		i -= 2
		switch {
		case r.named(i):
			parts = append(parts, r.name(i))
		case r.kind(i) == js.CloseParenToken && r.kind(i-2) == js.OpenParenToken && (r.at(i-3) == "require" || r.kind(i-3) == js.ImportToken):
			parts = append(parts, r.module(i-1))
			return joinedBackwards(parts), i - 3
		case r.kind(i) == js.CloseParenToken && r.required(i) != "":
			parts = append(parts, r.required(i))
			return joinedBackwards(parts), i
		default:
			parts = append(parts, "?")
			return joinedBackwards(parts), i
		}
	}
	root := parts[len(parts)-1]
	if to, ok := r.names[root]; ok && r.kind(i-1) != js.DotToken && r.kind(i-1) != js.OptChainToken {
		parts[len(parts)-1] = to
	}
	return joinedBackwards(parts), i
}

// name returns a name with its escapes read.
func (r *reader) name(i int) string { return unescaped(r.at(i)) }

func joinedBackwards(parts []string) string {
	var b strings.Builder
	for i := len(parts) - 1; i >= 0; i-- {
		b.WriteString(parts[i])
		if i > 0 {
			b.WriteByte('.')
		}
	}
	return b.String()
}

// An interval is tokens from one place to another.
type interval struct{ from, to int }

// arguments returns those of the bracket that opens at a token, the first few.
func (r *reader) arguments(open int) []interval {
	end := min(int(r.pairs[open]), len(r.tokens))
	var out []interval
	from := open + 1
	for i := from; i < end && len(out) < 8; i++ {
		switch r.kind(i) {
		case js.CommaToken:
			out = append(out, interval{from, i})
			from = i + 1
		case js.OpenBraceToken, js.OpenParenToken, js.OpenBracketToken, js.TemplateStartToken, js.TemplateMiddleToken:
			i = r.skip(i, end)
		}
	}
	if from < end && len(out) < 8 {
		out = append(out, interval{from, end})
	}
	return out
}

// skip returns the last token of a bracket that opens at i, before end.
func (r *reader) skip(i, end int) int {
	for n := 0; n < 1<<16; n++ {
		i = int(r.pairs[i])
		if i >= end {
			return end - 1
		}
		if r.kind(i) != js.TemplateMiddleToken {
			return i
		}
	}
	return i
}

// constant reports whether an expression is made of literals and names of them
// alone.
func (r *reader) constant(v interval) bool {
	if v.to-v.from > 256 {
		return false
	}
	for i := v.from; i < v.to; i++ {
		switch k := r.kind(i); {
		case k == js.StringToken, k == js.TemplateToken, k == js.AddToken, k == js.OpenParenToken, k == js.CloseParenToken, js.IsNumeric(k),
			k == js.NullToken, k == js.TrueToken, k == js.FalseToken, k == js.TemplateStartToken, k == js.TemplateMiddleToken, k == js.TemplateEndToken,
			k == js.QuestionToken, k == js.ColonToken, k == js.SubToken, k == js.MulToken, k == js.DivToken:
		case js.IsIdentifier(k):
			if _, ok := r.constants[r.at(i)]; !ok || r.kind(i+1) == js.OpenParenToken {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// value returns the text that an expression comes to, if it is constant.
func (r *reader) value(v interval) (string, bool) {
	var b strings.Builder
	if v.from >= v.to || v.to-v.from > 64 {
		return "", false
	}
	for i := v.from; i < v.to; i++ {
		if s, ok := r.literal(i); ok {
			b.WriteString(s)
			continue
		}
		if s, ok := r.constants[r.at(i)]; ok {
			b.WriteString(s)
			continue
		}
		if r.kind(i) != js.AddToken {
			return "", false
		}
	}
	return b.String(), true
}

// mixed reports whether an expression is a text with something put in.
func (r *reader) mixed(v interval) bool {
	texts := false
	for i := v.from; i < v.to && i < v.from+64; i++ {
		switch r.kind(i) {
		case js.StringToken, js.TemplateToken, js.TemplateStartToken:
			texts = true
		case js.ArrowToken, js.FunctionToken:
			return false
		}
	}
	return texts && !r.constant(v)
}
