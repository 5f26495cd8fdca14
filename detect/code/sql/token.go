// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package sql

import "strings"

// A kind is that of a token.
type kind uint8

const (
	word kind = iota // a keyword or a name
	name             // a name in quotes that are not those of strings
	text             // a string
	number
	sign   // an operator or a bracket
	stray  // a quote that closes nothing
	cut    // a comment behind a value, that hides the rest of a query
	end    // of a statement
	code   // a string that is run
	holder // the place of a parameter: ?, :x, $1, @x
)

// A token is a part of the text. The word is a keyword in lower case, or a
// sign; "" for all else.
type token struct {
	kind       kind
	line       bool // it is the first of its line
	start, end int
	word       string
}

// A lexer takes a text apart.
type lexer struct {
	r       *reader
	text    string
	at      int
	tok     token
	escapes bool
	line    bool // a line break was passed

	unclosed int  // strings that nobody closed
	inside   bool // of a conditional comment
}

// words are those that rules know.
var words = func() map[string]string {
	m := map[string]string{}
	for _, w := range strings.Fields(`select insert update delete drop truncate alter create grant revoke replace merge exec execute call with union all distinct
		from where set into values and or not like between is null true false having group order by limit returning using join on as begin end then else loop do go if
		table database schema view index user role function procedure trigger column tablespace sequence type policy materialized login constraint extension domain
		cascade restrict exists outfile dumpfile infile load_file load data copy program to stdin stdout xp_cmdshell waitfor delay time sleep benchmark pg_sleep shutdown
		information_schema sqlite_master sqlite_schema sysobjects pg_catalog pg_shadow pg_authid pg_tables syscolumns all_tables dba_users mysql sys sql_logins
		privileges public superuser language c plpythonu plpython3u plperlu attach bulk openrowset load_extension pg_read_file pg_read_binary_file pg_ls_dir lo_import
		lo_export sys_exec sys_eval sp_oacreate xp_regwrite xp_dirtree sp_configure explain analyze immediate sp_executesql prepare case when declare show describe desc use
		commit rollback start savepoint pragma vacuum lock kill reset rename comment low_priority quick ignore only disable row level security utl_http utl_inaddr
		receive_message randomblob writefile readfile sp_makewebtask nowait for matched option admin xor regexp ilike rlike in offset fetch window tables add
		conflict duplicate key of temporary temp usage collation after before password concurrently`) {
		m[w] = w
	}
	return m
}()

const longestWord = 20

// keyword returns the known word, in lower case, or "".
func keyword(s string) string {
	if len(s) > longestWord {
		return ""
	}
	var b [longestWord]byte
	for i := range len(s) {
		c := s[i]
		if c >= 'A' && c <= 'Z' {
			c |= 0x20
		}
		b[i] = c
	}
	return words[string(b[:len(s)])]
}

func letter(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' || c >= 0x80
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

// next reads a token into l.tok; it reports whether there is one.
func (l *lexer) next() bool {
	before := l.tok
	for l.at < len(l.text) {
		start := l.at
		c := l.text[start]
		switch {
		case c == '\n':
			l.line = true
			l.at++
			continue
		case c <= ' ':
			l.at++
			continue
		case l.comment(before):
			if l.tok.kind == cut && l.tok.start == start {
				return true
			}
			continue
		}
		l.tok = token{line: l.line, start: start, kind: sign}
		l.line = false
		l.token(c, before)
		l.tok.end = l.at
		if l.tok.kind == code {
			l.inner(start)
		}
		return true
	}
	return false
}

// inner leaves the quotes of code away.
func (l *lexer) inner(start int) {
	s := l.text[start:l.at]
	open := 1
	if s[0] == '$' {
		open = strings.IndexByte(s[1:], '$') + 2
	} else if s[0] != '\'' && s[0] != '"' {
		open = 2
	}
	l.tok.start, l.tok.end = start+open, max(start+open, l.at-open)
	if s[0]|0x20 == 'n' || s[0]|0x20 == 'e' {
		l.tok.end = max(l.tok.start, l.at-1)
	}
}

// token reads a token that begins with c.
func (l *lexer) token(c byte, before token) {
	switch {
	case letter(c):
		l.word(before)
	case digit(c) || c == '.' && l.at+1 < len(l.text) && digit(l.text[l.at+1]):
		l.tok.kind = number
		for l.at < len(l.text) && (digit(l.text[l.at]) || letter(l.text[l.at]) || l.text[l.at] == '.') {
			l.at++
		}
	case c == '\'':
		l.quoted(c, l.escapes, before)
	case c == '"':
		l.quoted(c, l.escapes, before)
		if l.tok.kind == text {
			l.tok.kind = name
		}
	case c == '`':
		l.quoted(c, false, before)
		l.tok.kind = name
	case c == '[':
		l.bracket(before)
	case c == '$':
		l.dollar(before)
	case c == ';':
		l.at++
		l.tok.kind, l.tok.word = end, ";"
	case c == '?' || (c == ':' || c == '@') && l.at+1 < len(l.text) && (letter(l.text[l.at+1]) || l.text[l.at+1] == '@'):
		l.tok.kind = holder
		l.at++
		for l.at < len(l.text) && (letter(l.text[l.at]) || digit(l.text[l.at]) || l.text[l.at] == '@') {
			l.at++
		}
	default:
		l.sign()
	}
}

func (l *lexer) word(before token) {
	start := l.at
	for l.at < len(l.text) && (letter(l.text[l.at]) || digit(l.text[l.at]) || l.text[l.at] == '$' || l.text[l.at] == '#') {
		l.at++
	}
	w := l.text[start:l.at]
	if len(w) == 1 && l.at < len(l.text) && l.text[l.at] == '\'' && strings.Contains("eEnNbBxX", w) {
		l.quoted('\'', l.escapes || w[0]|0x20 == 'e', before)
		return
	}
	l.tok.kind, l.tok.word = word, keyword(w)
	if l.tok.word == "go" {
		if l.tok.line && (l.at == len(l.text) || l.text[l.at] == '\n' || l.text[l.at] == '\r') {
			l.tok.kind = end
		} else {
			l.tok.word = ""
		}
	}
}

// quoted reads a string. One that nobody closes is a quote that closes
// something else, and what follows is read; but the end of a piece may be left
// for the query around it to close.
func (l *lexer) quoted(q byte, escapes bool, before token) {
	l.tok.kind = text
	if l.unclosed > 16 {
		l.at += strings.IndexByte(l.text[l.at:], q) + 1
		l.tok.kind = stray
		return
	}
	for i := l.at + strings.IndexByte(l.text[l.at:], q) + 1; i < len(l.text); i++ {
		switch {
		case l.text[i] == '\\' && escapes:
			i++
		case l.text[i] != q:
		case i+1 < len(l.text) && l.text[i+1] == q:
			i++
		default:
			l.at = i + 1
			if runs(before) && q != '`' {
				l.tok.kind = code
			}
			return
		}
	}
	l.at += strings.IndexByte(l.text[l.at:], q) + 1
	if before.kind == sign && len(l.text)-l.at < 64 && before.word != "" && l.r.mode.fragment {
		l.at = len(l.text)
		return
	}
	l.tok.kind = stray
	l.unclosed++
	l.r.stray = true
}

// runs reports whether a string behind the token is run.
func runs(before token) bool {
	switch before.word {
	case "execute", "exec", "immediate", "sp_executesql":
		return true
	}
	return false
}

func (l *lexer) bracket(before token) {
	value := before.kind == word && before.word == "" && before.end == l.at || before.kind == name && before.end == l.at || before.word == ")" || before.word == "]"
	if i := strings.IndexByte(l.text[l.at:min(len(l.text), l.at+128)], ']'); i > 1 && !value {
		l.at += i + 1
		l.tok.kind = name
		return
	}
	l.sign()
}

// dollar reads a string in dollars, or a parameter.
func (l *lexer) dollar(before token) {
	start := l.at
	i := start + 1
	for i < len(l.text) && i-start < 64 && (letter(l.text[i]) || digit(l.text[i])) {
		i++
	}
	if i >= len(l.text) || l.text[i] != '$' || i > start+1 && digit(l.text[start+1]) || l.r.failed > 16 {
		l.at = max(i, start+1)
		l.tok.kind = holder
		return
	}
	tag := l.text[start : i+1]
	size := strings.Index(l.text[i+1:], tag)
	if size < 0 {
		l.r.failed++
		l.at = i + 1
		l.tok.kind, l.tok.word = end, ";" // what follows is likely the body
		return
	}
	l.at = i + 1 + size + len(tag)
	l.tok.kind = text
	if before.word == "as" || before.word == "do" || before.word == "execute" {
		l.tok.kind = code
	}
}

var signs = []string{"<=>", "<>", "!=", ">=", "<=", "||", "&&", "::", ":=", "=", "<", ">", "(", ")", ",", ".", "*", "+", "-", "/", "%", "]", "[", "{", "}", "!", "~", "|", "&", "^", "@", "\\", ":"}

func (l *lexer) sign() {
	for _, s := range signs {
		if strings.HasPrefix(l.text[l.at:], s) {
			l.tok.word = s
			l.at += len(s)
			return
		}
	}
	l.at++
}

// comment passes a comment. One behind a value, with a quote or nothing behind
// it, is given as a token.
func (l *lexer) comment(before token) bool {
	s := l.text[l.at:]
	switch {
	case strings.HasPrefix(s, "--"), s[0] == '#' && l.hash(s, before):
		size := strings.IndexByte(s, '\n')
		if size < 0 {
			size = len(s)
		}
		l.cutBy(s[:size], before, l.at+size >= len(strings.TrimRight(l.text, " \n\t")))
		l.at += size
		return true
	case strings.HasPrefix(s, "/*!"):
		// A condition that MySQL's version meets: its content is code.
		l.at += 3
		for l.at < len(l.text) && digit(l.text[l.at]) {
			l.at++
		}
		l.inside = true
		return true
	case strings.HasPrefix(s, "/*"):
		size := strings.Index(s[2:], "*/")
		if size < 0 {
			if l.r.failed++; l.r.failed > 16 {
				l.at = len(l.text)
				return true
			}
			l.cutBy(s[:2], before, true)
			l.at += 2
			return true
		}
		l.at += size + 4
		return true
	case l.inside && strings.HasPrefix(s, "*/"):
		l.at += 2
		l.inside = false
		return true
	}
	return false
}

// hash reports whether # begins a comment, and is no part of a name or an
// operator.
func (l *lexer) hash(s string, before token) bool {
	if len(s) == 1 {
		return true
	}
	if before.kind == end || l.line || before.end == 0 {
		return s[1] != '{'
	}
	return !letter(s[1]) && !digit(s[1]) && s[1] != '>' && s[1] != '-' && s[1] != '{' && s[1] != '#'
}

// cutBy makes a token of a comment that hides the end of a query: it stands
// behind a value or a quote, and hides a quote, or ends a piece.
func (l *lexer) cutBy(comment string, before token, last bool) {
	if before.end == 0 {
		return
	}
	glued := before.end == l.at || l.at-before.end == 1
	value := before.kind == text || before.kind == stray || before.kind == number || before.word == ")" || before.kind == word || before.kind == name || before.kind == end
	hides := before.kind == text && before.end == l.at && strings.Count(comment, "'")%2 == 1 && len(comment) < 400
	if value && glued && (hides || last && (l.r.stray || l.r.mode.fragment)) && !l.line {
		l.tok = token{kind: cut, start: l.at, end: l.at + len(comment)}
	}
}
