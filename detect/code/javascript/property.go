// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package javascript

import (
	"strings"

	"github.com/tdewolff/parse/v2/js"
)

// property looks at what is set by a name: a = b, a: b, a['b'] = c.
func (r *reader) property(i int) {
	name := r.name(i)
	if s, ok := r.literal(i); ok {
		name = s
	}
	op := i + 1
	if r.kind(op) == js.CloseBracketToken {
		if open := r.opening(op); open >= 0 { // of names that are put together
			if s, ok := r.value(interval{open + 1, op}); ok {
				name = s
			}
		}
		op++
		if k := r.kind(op); k != js.EqToken && k != js.AddEqToken && k != js.OpenBracketToken && k != js.DotToken && k != js.OpenParenToken {
			return
		}
		if r.computedCall(name, i, op) {
			return
		}
	}
	member := r.kind(i-1) == js.DotToken || r.kind(op-1) == js.CloseBracketToken
	v := interval{op + 1, r.end(op + 1)}
	end := v.to
	switch name {
	case "innerHTML", "outerHTML", "srcdoc":
		if member && r.kind(op) != js.ColonToken && r.unsafe(v) {
			r.report("javascript-html", i, end)
		}
	case "__html":
		if r.unsafe(v) {
			r.report("javascript-html", i, end)
		}
	case "rejectUnauthorized", "strictSSL", "strictSsl":
		if r.kind(v.from) == js.FalseToken || r.kind(v.from) == js.NotToken && r.at(v.from+1) == "1" {
			r.report("javascript-tls-off", i, v.from+1)
		}
	case "NODE_TLS_REJECT_UNAUTHORIZED":
		if s := strings.Trim(r.at(v.from), "'\"`"); s == "0" {
			r.report("javascript-tls-off", i, v.from+1)
		}
	case "checkServerIdentity":
		r.identity(i, v)
	case "algorithms", "algorithm", "alg":
		r.algorithm(i, v)
	case "ignoreExpiration":
		if r.kind(v.from) == js.TrueToken {
			r.report("javascript-jwt", i, v.from+1)
		}
	case "mode":
		if r.kind(op) == js.ColonToken && r.kind(v.to-1) != js.StringToken && r.at(v.to-1) == "ECB" {
			r.report("javascript-weak-cipher", i, end)
		}
	case "__proto__":
		if member && r.kind(op) != js.ColonToken && !(r.kind(op) == js.EqToken && r.kind(i-1) == js.DotToken && r.kind(v.from) != js.OpenBraceToken && r.kind(op-1) != js.CloseBracketToken) {
			r.report("javascript-prototype", i, end)
		}
	case "origin":
		r.origins(i, v)
	default:
		r.credential(i, op, name, v)
	}
}

// end returns where a value ends that begins at a token: at a comma, a
// semicolon, a closing bracket, or a line that does not go on.
func (r *reader) end(from int) int {
	i := from
	for ; i < len(r.tokens) && i < from+96; i++ {
		switch r.kind(i) {
		case js.CommaToken, js.SemicolonToken, js.CloseBraceToken, js.CloseParenToken, js.CloseBracketToken, js.TemplateMiddleToken, js.TemplateEndToken:
			return i
		case js.OpenBraceToken, js.OpenParenToken, js.OpenBracketToken, js.TemplateStartToken:
			i = r.skip(i, len(r.tokens))
		default:
			if i > from && r.tokens[i].line && !r.continues(i) && !r.continues(i-1) {
				return i
			}
		}
	}
	return i
}

// opening returns where the bracket opens that is closed at a token, if that is
// near; -1 if not.
func (r *reader) opening(closing int) int {
	for j := closing - 1; j >= 0 && j > closing-maxRequired; j-- {
		if r.kind(j) == js.OpenBracketToken && int(r.pairs[j]) == closing {
			return j
		}
	}
	return -1
}

// computedCall looks at window['eval'](x) and its kin.
func (r *reader) computedCall(name string, i, op int) bool {
	if r.kind(op) != js.OpenParenToken {
		return false
	}
	if name == "eval" || name == "Function" || name == "execSync" || name == "exec" {
		open := max(r.opening(op-1), 0)
		root, _ := r.path(open - 1)
		if r.kind(open-1) == js.CloseParenToken {
			root = r.required(open - 1)
		}
		switch {
		case (name == "eval" || name == "Function") && rootOf(root+".") == "":
			r.report("javascript-eval", open-1, int(r.pairs[op])+1)
		case root == "child_process":
			r.report("javascript-command", open-1, int(r.pairs[op])+1)
		}
	}
	return true
}

// unsafe reports whether a value may hold markup that somebody else wrote.
func (r *reader) unsafe(v interval) bool {
	if v.from >= v.to || r.constant(v) {
		return false
	}
	for i := v.from; i < v.to && i < v.from+8; i++ {
		s := strings.ToLower(r.at(i))
		if strings.Contains(s, "sanitize") || strings.Contains(s, "purify") || strings.Contains(s, "escape") || strings.Contains(s, "trusted") {
			return false
		}
	}
	// What is cleared is safe, and so is what only stands in for a type.
	return r.kind(v.from) != js.EqToken && !(v.to-v.from == 1 && (r.at(v.from) == "string" || r.at(v.from) == "any"))
}

// identity is checkServerIdentity: () => undefined.
func (r *reader) identity(i int, v interval) {
	for j := v.from; j < v.to && j < v.from+8; j++ {
		if r.kind(j) != js.ArrowToken && !(r.kind(j) == js.OpenBraceToken && r.kind(j+1) == js.CloseBraceToken) {
			continue
		}
		if s := r.at(j + 1); s == "undefined" || s == "null" || s == "}" || s == "{" && r.at(j+2) == "}" || s == "true" {
			r.report("javascript-tls-off", i, v.to)
			return
		}
	}
}

func (r *reader) algorithm(i int, v interval) {
	for j := v.from; j < v.to && j < v.from+8; j++ {
		if s, ok := r.literal(j); ok && strings.EqualFold(s, "none") {
			r.report("javascript-jwt", i, v.to)
			return
		}
	}
}

// origins is the origin of CORS's settings.
func (r *reader) origins(i int, v interval) {
	s, _ := r.value(v)
	if s != "*" && r.kind(v.from) != js.TrueToken {
		return
	}
	for j := max(0, i-16); j < len(r.tokens) && j < i+24; j++ {
		if r.at(j) == "credentials" && r.kind(j+1) == js.ColonToken && r.kind(j+2) == js.TrueToken {
			r.report("javascript-cors", i, v.to)
			return
		}
	}
}

// header notes what CORS allows in a header.
func (r *reader) header(args []interval, from int) {
	if len(args) < 2 {
		return
	}
	name, _ := r.value(args[0])
	value, _ := r.value(args[1])
	switch strings.ToLower(name) {
	case "access-control-allow-origin":
		if value == "*" || r.echoes(args[1]) {
			r.anyOrigin = from + 1
		}
	case "access-control-allow-credentials":
		if value == "true" || r.kind(args[1].from) == js.TrueToken {
			r.withCredentials = from + 1
		}
	}
}

func (r *reader) echoes(v interval) bool {
	for i := v.from; i < v.to && i < v.from+8; i++ {
		if r.at(i) == "origin" && r.at(i-2) == "headers" {
			return true
		}
	}
	return false
}

// headers reports headers that together let everybody in.
func (r *reader) headers() {
	if r.anyOrigin > 0 && r.withCredentials > 0 {
		r.report("javascript-cors", r.anyOrigin-1, r.anyOrigin+5)
	}
}

// credential looks for a password in the code.
func (r *reader) credential(i, op int, name string, v interval) {
	if v.to-v.from != 1 && !r.tokens[min(v.from+1, len(r.tokens)-1)].line {
		return
	}
	s, ok := r.literal(v.from)
	if !ok || len(s) < 8 || len(s) > 200 || r.kind(i-1) == js.QuestionToken || r.kind(op) == js.AddEqToken {
		return
	}
	lower := strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(name))
	named := false
	for _, w := range []string{"password", "passwd", "pwd", "secret", "secretkey", "apikey", "authtoken", "accesstoken", "privatekey", "accesskey", "jwtsecret", "clientsecret"} {
		named = named || strings.HasSuffix(lower, w)
	}
	if named && random(s) {
		r.report("javascript-credential", i, v.from+1)
	}
}

// random reports whether a text looks like a password, and not like a word, a
// label or an address.
func random(s string) bool {
	lower := strings.ToLower(s)
	for _, w := range []string{"example", "placeholder", "changeme", "your", "xxxx", "****", "${", "<", "process.env", "undefined", "://", "/", "--", "[", "{", "%s", "redacted"} {
		if strings.Contains(lower, w) {
			return false
		}
	}
	digits, letters := 0, 0
	for i := range len(s) {
		switch c := s[i]; {
		case c == ' ' || c >= 0x80:
			return false
		case c >= '0' && c <= '9':
			digits++
		case c|0x20 >= 'a' && c|0x20 <= 'z':
			letters++
		}
	}
	return digits > 0 && letters > 0
}

// textAt looks at a text: is it SQL that something is put into?
func (r *reader) textAt(i int) {
	s := strings.TrimLeft(r.at(i), "'\"` \t\r\n(")
	if len(s) < 10 || !statement(s) {
		return
	}
	if r.kind(i) == js.TemplateStartToken {
		if r.named(i-1) || r.kind(i-1) == js.GtToken || r.kind(i-1) == js.CloseParenToken {
			return // the function in front quotes what is put in
		}
		end := int(r.pairs[i])
		v := interval{i + 1, end}
		if !r.constant(v) {
			r.report("javascript-sql", i, r.skip(i, len(r.tokens))+1)
		}
		return
	}
	end := r.end(i)
	for j := i + 1; j+1 < end && j < i+64; j++ {
		if r.kind(j) != js.AddToken {
			break
		}
		if _, ok := r.literal(j + 1); ok {
			j++
			continue
		}
		if !r.constant(interval{j + 1, j + 2}) {
			r.report("javascript-sql", i, end)
		}
		return
	}
}

// statement reports whether a text begins like SQL.
func statement(s string) bool {
	head := strings.ToLower(s[:min(len(s), 200)])
	switch {
	case strings.HasPrefix(head, "select "):
		return strings.Contains(head, " from ") || strings.Contains(head, "\nfrom ") || strings.Contains(head, " from\n") || strings.HasSuffix(head, " from")
	case strings.HasPrefix(head, "update "):
		return strings.Contains(head, " set ") || strings.Contains(head, " set\n") || strings.TrimRight(head, "${'\"` ") == "update"
	case strings.HasPrefix(head, "insert into "), strings.HasPrefix(head, "delete from "), strings.HasPrefix(head, "drop table "), strings.HasPrefix(head, "replace into "), strings.HasPrefix(head, "truncate table "):
		return true
	}
	return false
}
