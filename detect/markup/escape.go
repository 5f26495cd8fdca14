// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package markup

import (
	"errors"
	"html"
	"strconv"
	"strings"
	"unicode/utf8"
)

// unescape decodes the entities of an attribute's value. There, unlike in text,
// a name without a semicolon is none if a letter, a digit or = follows:
// "?a=1&copy=2" stays.
func unescape(value string) string {
	i := strings.IndexByte(value, '&')
	if i < 0 {
		return value
	}
	var out strings.Builder
	for i >= 0 {
		out.WriteString(value[:i])
		value = value[i:]
		n := entity(value)
		out.WriteString(decode(value[:n]))
		value = value[n:]
		i = strings.IndexByte(value, '&')
	}
	out.WriteString(value)
	return out.String()
}

// entity is how much of a text that begins with & may be an entity.
func entity(text string) int {
	n := 1
	if n < len(text) && text[n] == '#' {
		n++
		hex := n < len(text) && text[n]|0x20 == 'x'
		if hex {
			n++
		}
		for n < len(text) && (digit(text[n]) || hex && 'a' <= text[n]|0x20 && text[n]|0x20 <= 'f') {
			n++
		}
	} else {
		for n < len(text) && n < 40 && (letter(text[n]) || digit(text[n])) {
			n++
		}
		if n < len(text) && text[n] == '=' {
			return 1 // no entity: what follows stays as it is
		}
	}
	if n < len(text) && text[n] == ';' {
		n++
	}
	return n
}

// decode decodes one entity; what is none stays.
func decode(entity string) string {
	if strings.EqualFold(strings.TrimSuffix(entity, ";"), "&#x") {
		return entity // a number without a digit
	}
	if len(entity) > 2 && entity[1] == '#' {
		if tooLarge(entity) { // which package html takes modulo 2^32
			return string(utf8.RuneError)
		}
		// Package html does not see the end of a number at the end of a text.
		if one := html.UnescapeString(strings.TrimSuffix(entity, ";") + ";"); !strings.HasPrefix(one, "&#") {
			return one
		}
		return entity
	}
	if one := html.UnescapeString(entity); whole(entity, one) {
		return one
	}
	return entity
}

// tooLarge reports whether a number is none of a character.
func tooLarge(entity string) bool {
	digits, base := strings.TrimSuffix(entity[2:], ";"), 10
	if digits != "" && digits[0]|0x20 == 'x' {
		digits, base = digits[1:], 16
	}
	n, err := strconv.ParseUint(digits, base, 64)
	return errors.Is(err, strconv.ErrRange) || n > utf8.MaxRune
}

// whole reports whether all of an entity was decoded, not a name that it begins
// with.
func whole(entity, decoded string) bool {
	switch {
	case len(entity) < 2:
		return true
	case entity[len(entity)-1] == ';':
		return decoded == ";" || decoded[len(decoded)-1] != ';'
	}
	last := decoded[len(decoded)-1]
	return !letter(last) && !digit(last)
}

func digit(c byte) bool { return '0' <= c && c <= '9' }

// readCSS calls f with the place of each address in CSS, until it returns
// false.
func readCSS(css string, f func(start, end int) bool) {
	for at := 0; ; {
		i := strings.IndexAny(css[at:], "(@")
		if i < 0 {
			return
		}
		at += i + 1
		from := at
		switch {
		case css[at-1] == '(' && at >= 4 && strings.EqualFold(css[at-4:at], "url("):
		case css[at-1] == '(' && at >= 10 && strings.EqualFold(css[at-10:at], "image-set("):
		case css[at-1] == '@' && len(css)-at > 6 && strings.EqualFold(css[at:at+6], "import"):
			from += 6
		default:
			continue
		}
		start, end := addressIn(css, from)
		if end > start && !strings.EqualFold(css[start:end], "url") && !f(start, end) {
			return
		}
	}
}

// addressIn is the place of an address, in quotes or not, that begins at from.
func addressIn(css string, from int) (start, end int) {
	for from < len(css) && blank(css[from]) {
		from++
	}
	if from < len(css) && (css[from] == '"' || css[from] == '\'') {
		rest := css[from+1:]
		// A string ends with its line, closed or not.
		if n := strings.IndexAny(rest, css[from:from+1]+"\n"); n >= 0 {
			return from + 1, from + 1 + n
		}
		return from + 1, len(css)
	}
	end = from
	for end < len(css) && !blank(css[end]) && css[end] != ')' && css[end] != '(' && css[end] != ';' {
		end++
		if end < len(css) && css[end] == ';' && strings.HasPrefix(css[from:], "data:") {
			end++
		}
	}
	return from, end
}

// unescapeCSS decodes the escapes of CSS: a backslash and up to six hex digits
// with a space behind them, or a backslash and any sign.
func unescapeCSS(css string) string {
	var out strings.Builder
	for {
		i := strings.IndexByte(css, '\\')
		if i < 0 || i+1 == len(css) {
			out.WriteString(css)
			return out.String()
		}
		out.WriteString(css[:i])
		css = css[i+1:]
		n := 0
		for n < min(6, len(css)) && (digit(css[n]) || 'a' <= css[n]|0x20 && css[n]|0x20 <= 'f') {
			n++
		}
		if n == 0 {
			if css[0] == '\n' {
				css = css[1:]
			} else {
				out.WriteByte(css[0])
				css = css[1:]
			}
			continue
		}
		code, _ := strconv.ParseUint(css[:n], 16, 32)
		if code == 0 || code > utf8.MaxRune {
			code = utf8.RuneError
		}
		out.WriteRune(rune(code))
		if css = css[n:]; css != "" && blank(css[0]) {
			css = css[1:]
		}
	}
}
