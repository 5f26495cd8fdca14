// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package inject

import "strings"

// A sort says what a token is, apart from a word.
type sort uint8

const (
	isWord   sort = iota
	isMail        // somebody@example.com
	isLink        // an address of the web, or a domain
	isNumber      // of an account, of a telephone
	isMoney       // $500
	isName        // of a file, of a user, of a channel
)

// A token is a word or a name of something. Rules see words by their number in
// the lexicon; those that no rule knows have none.
type token struct {
	word       uint16
	sort       sort
	start      bool // a sentence may begin here
	quoted     bool // a quotation mark stands before it
	key        bool // a colon or an equals sign stands behind it
	comma      bool // a comma stands before it
	code       bool // it is marked as code, called, or the target of a link
	begin, end int
}

// A lexer cuts a text into sentences. It reads white space, quotation marks and
// line ends that are spelled as escapes as what they stand for, since data is
// often quoted in data.
type lexer struct {
	text   string
	words  *lexicon
	at     int
	tokens []token
	fresh  bool // the next token begins a sentence
	quote  bool // the next token has a quotation mark before it
	colon  bool // the next token may begin a sentence in the middle of another
	comma  bool // the next token has a comma before it
}

// mostTokens is how long a sentence is at most. Longer ones are cut.
const mostTokens = 120

// next reads a sentence, and returns nil at the end of the text. The tokens are
// those of the lexer and are gone with the next call.
func (l *lexer) next() []token {
	l.tokens = l.tokens[:0]
	for l.at < len(l.text) {
		c := l.text[l.at]
		switch classes[c] {
		case aLetter, aDigit:
			l.read()
			if len(l.tokens) == mostTokens {
				return l.tokens
			}
			continue
		case aSign:
			if l.at+1 < len(l.text) && classes[l.text[l.at+1]]&(aLetter|aDigit) != 0 {
				l.read()
				continue
			}
		case aQuote:
			l.quote, l.colon = true, true
		case anOpening, aJoint:
			l.colon = true
		case anEnd:
			l.comma = c == ','
		case aStop:
			if l.stops() {
				l.at++
				return l.cut()
			}
		case aLine:
			if l.breaks() {
				return l.cut()
			}
			continue
		case aBackslash:
			if l.escape() {
				if l.breaks() {
					return l.cut()
				}
				continue
			}
		case aSpace:
		}
		l.at++
	}
	if len(l.tokens) > 0 {
		return l.tokens
	}
	return nil
}

// cut ends a sentence. An empty one is one too: the caller goes on.
func (l *lexer) cut() []token {
	l.fresh = true
	if l.tokens == nil {
		l.tokens = []token{}
	}
	return l.tokens
}

// stops reports whether the mark at hand ends a sentence.
func (l *lexer) stops() bool {
	return l.at+1 == len(l.text) || classes[l.text[l.at+1]]&(aLetter|aDigit|aSign) == 0
}

// escape reads a line end or a tab that is spelled as an escape.
func (l *lexer) escape() bool {
	if l.at+1 >= len(l.text) {
		return false
	}
	switch l.text[l.at+1] {
	case 'n', 'r', 't':
		l.at++ // breaks reads the other half
		return true
	}
	return false
}

// breaks reads the end of a line and what is blank behind it, and reports
// whether the sentence ends there: not if the next line goes on in small
// letters, as a paragraph does that was broken into lines.
func (l *lexer) breaks() bool {
	l.at++
	lines := 1
	for ; l.at < len(l.text); l.at++ {
		c := l.text[l.at]
		if c == '\n' {
			lines++
		} else if c != ' ' && c != '\t' && c != '\r' && c != '\\' {
			break
		}
	}
	if lines > 1 || l.at == len(l.text) {
		return true
	}
	c := l.text[l.at]
	if c < 'a' || c > 'z' {
		return true
	}
	end := l.at
	for end < len(l.text) && (classes[l.text[end]] == aLetter || l.text[end] == '_') {
		end++
	}
	if end < len(l.text) && l.text[end] == ':' { // a key of YAML
		return true
	}
	l.colon = true
	return false
}

// read reads a word or a name.
func (l *lexer) read() {
	from := l.at
	for l.at < len(l.text) && classes[l.text[l.at]] == aLetter {
		l.at++
	}
	t := token{begin: from, start: l.fresh, quoted: l.quote, comma: l.comma}
	if l.at > from && !l.goesOn() {
		t.word = l.words.number(l.text[from:l.at])
		c := l.text[from]
		t.start = t.start || l.colon && (c <= 'Z' || len(l.tokens) == 0)
	} else {
		l.name(from)
		t.sort = sortOf(l.text[from:l.at])
		t.start = t.start || l.colon
	}
	t.end = l.at
	t.code = from > 0 && (l.text[from-1] == '`' || from > 1 && l.text[from-2] == ']' && l.text[from-1] == '(')
	t.code = t.code || l.at < len(l.text) && l.text[l.at] == '(' || strings.HasPrefix(l.text[l.at:], " = ") || strings.HasPrefix(l.text[l.at:], " := ")
	t.key = l.names()
	l.tokens = append(l.tokens, t)
	l.fresh, l.quote, l.colon, l.comma = false, false, false, false
}

// names reports whether what was read names what stands behind it: "to": "…".
func (l *lexer) names() bool {
	i := l.at
	for i < len(l.text) && i < l.at+3 && classes[l.text[i]]&(aQuote|aBackslash) != 0 {
		i++
	}
	return i < len(l.text) && (l.text[i] == ':' || l.text[i] == '=')
}

// goesOn reports whether what was read is only the beginning of a name.
func (l *lexer) goesOn() bool {
	if l.at >= len(l.text) {
		return false
	}
	switch c := l.text[l.at]; {
	case classes[c] == aDigit, c == '_', c == '@', c == '$':
		return true
	case c == '.', c == '/':
		return l.at+1 < len(l.text) && classes[l.text[l.at+1]]&(aLetter|aDigit) != 0
	case c == ':':
		return strings.HasPrefix(l.text[l.at:], "://")
	}
	return false
}

// name reads to where a name of something ends.
func (l *lexer) name(from int) {
	l.at = max(l.at, from+1)
	for l.at < len(l.text) && classes[l.text[l.at]]&(aSpace|aLine|aQuote|aBackslash|anEnd|anOpening) == 0 {
		l.at++
	}
	for l.at > from+1 && strings.IndexByte(".:!?,;", l.text[l.at-1]) >= 0 {
		l.at--
	}
}

// sortOf says what a name is.
func sortOf(s string) sort {
	digits, letters := 0, 0
	for i := range len(s) {
		digits += toOne(classes[s[i]] == aDigit)
		letters += toOne(classes[s[i]] == aLetter)
	}
	at := strings.IndexByte(s, '@')
	switch {
	case at > 0 && strings.IndexByte(s[at:], '.') > 0:
		return isMail
	case strings.Contains(s, "://") || strings.HasPrefix(s, "www."):
		return isLink
	case s[0] == '$' || strings.HasPrefix(s, "€") || strings.HasPrefix(s, "£"):
		return isMoney
	case digits >= 5 && digits > letters:
		return isNumber
	case s[0] == '#' || s[0] == '@' || s[0] == '/' || s[0] == '~' || strings.IndexByte(s, '_') > 0:
		return isName
	case letters > digits && strings.IndexByte(s, '.') > 0:
		if i := strings.LastIndexByte(s, '.'); isFileEnding(s[i+1:]) {
			return isName
		}
		return isLink
	case digits > 0 && letters > 0:
		return isName
	}
	return isWord
}

func isFileEnding(s string) bool {
	switch strings.ToLower(s) {
	case "txt", "pdf", "doc", "docx", "xls", "xlsx", "csv", "md", "json", "mp3", "mp4", "png", "jpg", "zip", "py", "html", "xml", "yaml", "yml":
		return true
	}
	return false
}

// A byteClass says what the lexer makes of a byte. They are bits, so that
// several can be asked for at once.
type byteClass uint16

const (
	aLetter byteClass = 1 << iota
	aDigit
	aSpace
	aLine
	aQuote
	anOpening  // what may stand before a sentence in the middle of one, and ends a name
	aJoint     // the same, but part of names too
	aStop      // what may end a sentence
	aSign      // what names begin with
	aBackslash // the beginning of an escape
	anEnd      // what ends a name
)

var classes = func() (out [256]byteClass) {
	for c := range out {
		switch {
		case c|0x20 >= 'a' && c|0x20 <= 'z' && c < 0x80, c >= 0x80:
			out[c] = aLetter
		case c >= '0' && c <= '9':
			out[c] = aDigit
		}
	}
	for _, set := range []struct {
		of    string
		class byteClass
	}{
		{" \t\v\f", aSpace},
		{"\n\r", aLine},
		{"'\"`", aQuote},
		{"([{>", anOpening},
		{":-*|", aJoint},
		{".!?;", aStop},
		{"$#@/~+", aSign},
		{`\`, aBackslash},
		{"),]}<", anEnd},
	} {
		for i := range len(set.of) {
			out[set.of[i]] = set.class
		}
	}
	return out
}()
