// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package shell

import "strings"

// tokens looks at a piece that could not be parsed: words and operators, lines
// and quotes, and no more.
func (r *reader) tokens(text string) {
	if r.work -= len(text); r.work < 0 {
		return
	}
	var out value // of the command before, if a pipe follows
	for at := 0; at < len(text); {
		words, redirs, next, op := split(text, at)
		if len(words) == 0 && op == 0 && next >= len(text) {
			return
		}
		if len(words) > 0 || len(redirs) > 0 {
			out = r.tokenCall(words, redirs, out, at, next)
		}
		if op != '|' {
			out = value{}
			r.pipe = next
		}
		at = next
	}
}

// tokenCall follows a command of the words.
func (r *reader) tokenCall(words []value, redirs []write, in value, start, end int) value {
	for len(words) > 0 && strings.IndexByte(words[0].text, '=') > 0 && letters(strings.Trim(words[0].text[:strings.IndexByte(words[0].text, '=')], "_0123456789")) {
		name, text, _ := strings.Cut(words[0].text, "=")
		r.set(name, value{text: text})
		r.assigned(name, value{text: text}, start, end)
		words = words[1:]
	}
	for len(words) > 0 && keyword(words[0].text) {
		words = words[1:]
	}
	c := &call{r: r, args: words, in: in, writes: redirs, start: start, end: end, from: start}
	if in != (value{}) {
		c.from = min(r.pipe, start)
		if c.in.text == "" {
			c.in.text = unknown
		}
	}
	var out value
	if len(words) > 0 {
		out = c.run()
	}
	for _, w := range redirs {
		r.write(w, out, start, end)
	}
	return out
}

func keyword(s string) bool {
	switch s {
	case "if", "then", "else", "elif", "fi", "do", "done", "while", "until", "{", "}", "!", "time", "esac":
		return true
	}
	return false
}

// split reads the words of one command from at on. It returns where the next
// begins and the operator before it, '|' for a pipe, ';' for any other, 0 at
// the end.
func split(text string, at int) (words []value, redirs []write, next int, op byte) {
	var w strings.Builder
	open := false // a word
	redirect := byte(0)
	flush := func() {
		if !open {
			return
		}
		v := value{text: w.String()}
		if redirect == '>' {
			redirs = append(redirs, write{path: v})
		} else if redirect == 0 {
			words = append(words, v)
		}
		w.Reset()
		open, redirect = false, 0
	}
	for i := at; i < len(text); i++ {
		switch c := text[i]; c {
		case ' ', '\t', '\r':
			flush()
		case '\n', ';', '(', ')', '`':
			flush()
			return words, redirs, i + 1, ';'
		case '&':
			if i+1 < len(text) && text[i+1] == '>' || i > at && text[i-1] == '>' {
				continue
			}
			flush()
			return words, redirs, i + 1, ';'
		case '|':
			flush()
			if i+1 < len(text) && text[i+1] == '|' {
				return words, redirs, i + 2, ';'
			}
			return words, redirs, i + 1, '|'
		case '>', '<':
			if open && strings.Trim(w.String(), "0123456789") == "" {
				w.Reset()
				open = false
			}
			flush()
			redirect = c
		case '#':
			if open {
				w.WriteByte(c)
				continue
			}
			end := nextLine(text, i)
			return words, redirs, end, ';'
		case '\\':
			if i++; i < len(text) && text[i] != '\n' {
				w.WriteByte(text[i])
				open = true
			}
		case '\'', '"':
			open = true
			// A quote that nobody closes on its line is a sign like others.
			end := strings.IndexAny(text[i+1:], string(c)+"\n")
			if end < 0 || text[i+1+end] != c {
				continue
			}
			w.WriteString(text[i+1 : i+1+end])
			i += 1 + end
		default:
			open = true
			w.WriteByte(c)
		}
	}
	flush()
	return words, redirs, len(text), 0
}
