// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package markup

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxScheme is how long the name of a scheme may be.
const maxScheme = 24

// readBare finds addresses that no mark-up says are some: with a scheme and
// two slashes, with "mailto:", and such that begin with "www.".
func readBare(text string, c *collector) {
	for at := 0; !c.done(); {
		i := strings.IndexByte(text[at:], ':')
		if i < 0 {
			break
		}
		at += i + 1
		start, body := schemeBefore(text, at-1), slashes(text, at)
		switch {
		case body > at && start >= 0 && starts(text, body):
		case start >= 0 && strings.EqualFold(text[start:at], "mailto:") && at < len(text) && word(text[at]):
			body = at
		default:
			continue
		}
		if !c.covers(start) {
			end := bareEnd(text, body)
			c.add(link, start, end, plain(text[start:end]))
			at = end
		}
	}
	readNamed(text, c)
}

// readNamed finds names of hosts that begin with "www.".
func readNamed(text string, c *collector) {
	for at := 0; !c.done(); {
		i := strings.Index(text[at:], "ww.")
		if i < 0 {
			return
		}
		start := at + i - 1
		at += i + 3
		if start < 0 || text[start]|0x20 != 'w' || start > 0 && (word(text[start-1]) || strings.IndexByte("./@\\-", text[start-1]) >= 0) || at == len(text) || !word(text[at]) {
			continue
		}
		if end := bareEnd(text, at); strings.IndexByte(text[at:end], '.') > 0 && !c.covers(start) {
			c.add(link, start, end, plain(text[start:end]))
			at = end
		}
	}
}

// readData finds images that a text holds.
func readData(text string, c *collector) {
	for at := 0; !c.done(); {
		i := strings.IndexByte(text[at:], ':')
		if i < 0 {
			return
		}
		at += i + 1
		start := at - len("data:")
		if start < 0 || !data(text[start:]) || start > 0 && word(text[start-1]) || c.covers(start) {
			continue
		}
		end := at
		for end < len(text) && (word(text[end]) || strings.IndexByte(";,=+/%.-_\\", text[end]) >= 0) {
			end++
		}
		c.add(image, start, end, strings.ReplaceAll(text[start:end], `\/`, "/"))
		at = end
	}
}

// schemeBefore is where the name of a scheme begins that ends before the
// colon; -1 if there is none.
func schemeBefore(text string, colon int) int {
	at := colon
	for at > 0 && colon-at <= maxScheme && (word(text[at-1]) || strings.IndexByte("+-.", text[at-1]) >= 0) {
		at--
	}
	for at < colon && !letter(text[at]) {
		at++
	}
	if colon-at < 2 || colon-at > maxScheme {
		return -1
	}
	return at
}

// slashes is where two slashes at the place end, also such as JSON escapes; the
// place itself if there are none.
func slashes(text string, at int) int {
	for _, two := range []string{"//", `\/\/`} {
		if strings.HasPrefix(text[at:], two) {
			return at + len(two)
		}
	}
	return at
}

// starts reports whether what stands at the place may be a host, a user or, of
// a file, a path.
func starts(text string, at int) bool {
	return at < len(text) && (word(text[at]) || text[at] >= utf8.RuneSelf || strings.IndexByte("[/%_~-$", text[at]) >= 0)
}

// word reports whether a byte is a letter or digit of ASCII.
func word(c byte) bool { return letter(c) || digit(c) }

// bareEnd is where an address that stands in a text ends: before a space, a
// quote, a bracket that it does not open itself, and without the punctuation of
// the sentence.
func bareEnd(text string, at int) int {
	end, parens, squares := at, 0, 0
scan:
	for end < len(text) {
		c := text[end]
		switch {
		case c >= utf8.RuneSelf:
			r, n := utf8.DecodeRuneInString(text[end:])
			if unicode.IsSpace(r) || unicode.IsPunct(r) {
				break scan
			}
			end += n
			continue
		case c <= ' ' || c == 0x7f:
			break scan
		}
		switch c {
		case '"', '<', '>', '`', '{', '}', '|', '^':
			break scan
		case '\\':
			if !strings.HasPrefix(text[end:], `\/`) {
				break scan
			}
		case '(':
			parens++
		case ')':
			if parens--; parens < 0 {
				break scan
			}
		case '[':
			squares++
		case ']':
			if squares--; squares < 0 {
				break scan
			}
		}
		end++
	}
	return at + len(trimEnd(text[at:end]))
}

// trimEnd takes away what a sentence, not an address, ends with, and a quote or
// an emphasis that was opened before it.
func trimEnd(text string) string {
	for {
		short := strings.TrimRight(text, ".,;:!?'*_~")
		if short == text {
			return text
		}
		// The semicolon of an entity is part of it.
		if text[len(short)] == ';' {
			if amp := strings.LastIndexByte(short, '&'); amp >= 0 && entity(text[amp:]) == len(short)-amp+1 {
				return text[:len(short)+1]
			}
		}
		text = short
	}
}

// plain is an address that stands in a text, without the escapes of JSON and
// HTML.
func plain(text string) string {
	text = strings.ReplaceAll(text, `\/`, "/")
	return unescape(text)
}
