// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package markup

import "strings"

// maxNested is how deep HTML in an attribute of HTML is read.
const maxNested = 2

// An attribute is one of a start tag, with the place of its value.
type attribute struct {
	tag, name  string // in lower case
	value      string // as it stands
	start, end int
}

// An htmlReader goes through the tags of a text.
type htmlReader struct {
	text                  string
	lastDouble, lastQuote int // places of the last quotation marks; what opens there never ends
	open                  [3]bool
	take                  func(attribute)
	style                 func(start, end int) // of the text of a style element
	done                  func() bool
}

// The ends that may be missing.
const (
	noComment = iota
	noScript
	noStyle
)

func newHTMLReader(text string) *htmlReader {
	return &htmlReader{text: text, lastDouble: strings.LastIndexByte(text, '"'), lastQuote: strings.LastIndexByte(text, '\'')}
}

// read goes through the text once.
func (r *htmlReader) read() {
	for at := 0; !r.done(); {
		i := strings.IndexByte(r.text[at:], '<')
		if i < 0 || at+i+1 == len(r.text) {
			return
		}
		at = r.next(at + i)
	}
}

// next reads what begins with the < at the place and returns where it ends.
func (r *htmlReader) next(at int) int {
	switch c := r.text[at+1]; {
	case letter(c):
		return r.startTag(at)
	case c == '/' && at+2 < len(r.text) && letter(r.text[at+2]):
		return r.attributes("", r.nameEnd(at+2))
	case strings.HasPrefix(r.text[at:], "<!--"):
		return r.comment(at + 4)
	case c == '!' || c == '?' || c == '/':
		// Up to a >; what is in it has no addresses.
		if i := strings.IndexByte(r.text[at:min(len(r.text), at+4096)], '>'); i >= 0 {
			return at + i + 1
		}
	}
	return at + 1
}

// comment skips a comment. One that does not end is none.
func (r *htmlReader) comment(at int) int {
	rest := r.text[at:]
	if strings.HasPrefix(rest, ">") {
		return at + 1
	}
	if strings.HasPrefix(rest, "->") {
		return at + 2
	}
	if r.open[noComment] {
		return at
	}
	for from := 0; ; {
		i := strings.Index(rest[from:], "--")
		if i < 0 {
			r.open[noComment] = true
			return at
		}
		from += i + 1
		if tail := rest[from+1:]; strings.HasPrefix(tail, ">") || strings.HasPrefix(tail, "!>") {
			return at + from + 1 + strings.IndexByte(tail, '>') + 1
		}
	}
}

func (r *htmlReader) nameEnd(at int) int {
	for at < len(r.text) && !blank(r.text[at]) && r.text[at] != '/' && r.text[at] != '>' {
		at++
	}
	return at
}

func (r *htmlReader) startTag(at int) int {
	end := r.nameEnd(at + 1)
	tag := lower(r.text[at+1 : min(end, at+33)])
	end = r.attributes(tag, end)
	switch tag {
	case "script":
		return r.rawText(end, "script", noScript)
	case "style":
		after := r.rawText(end, "style", noStyle)
		r.style(end, after)
		return after
	}
	return end
}

// rawText skips what stands up to the end of an element whose content is no
// HTML. An element that does not end has no content.
func (r *htmlReader) rawText(at int, tag string, missing int) int {
	for from := at; !r.open[missing]; {
		i := strings.Index(r.text[from:], "</")
		if i < 0 {
			r.open[missing] = true
			break
		}
		from += i + 2
		if end := from + len(tag); end < len(r.text) && strings.EqualFold(r.text[from:end], tag) && (blank(r.text[end]) || r.text[end] == '/' || r.text[end] == '>') {
			return from - 2
		}
	}
	return at
}

// attributes reads those of a tag and returns where it ends. With a tag of no
// name they are not looked at: those of an end tag mean nothing.
func (r *htmlReader) attributes(tag string, at int) int {
	for at < len(r.text) {
		switch c := r.text[at]; {
		case c == '>':
			return at + 1
		case c == '/' || blank(c):
			at++
		default:
			at = r.attribute(tag, at)
		}
	}
	return at
}

func (r *htmlReader) attribute(tag string, at int) int {
	a := attribute{tag: tag}
	from := at
	for at++; at < len(r.text) && !blank(r.text[at]) && r.text[at] != '/' && r.text[at] != '>' && r.text[at] != '='; {
		at++
	}
	name := r.text[from:min(at, from+33)]
	for at < len(r.text) && blank(r.text[at]) {
		at++
	}
	if at == len(r.text) || r.text[at] != '=' {
		return at
	}
	for at++; at < len(r.text) && blank(r.text[at]); {
		at++
	}
	a.start, a.end, at = r.value(at)
	if tag != "" && a.end > a.start {
		a.name, a.value = lower(name), r.text[a.start:a.end]
		r.take(a)
	}
	return at
}

// value returns the place of an attribute's value and where to go on.
func (r *htmlReader) value(at int) (start, end, next int) {
	if at == len(r.text) {
		return at, at, at
	}
	if quote := r.text[at]; quote == '"' && at < r.lastDouble || quote == '\'' && at < r.lastQuote {
		n := strings.IndexByte(r.text[at+1:], quote)
		return at + 1, at + 1 + n, at + n + 2
	}
	if c := r.text[at]; c == '"' || c == '\'' {
		at++ // opens and never closes
	}
	for start, end = at, at; end < len(r.text) && !blank(r.text[end]) && r.text[end] != '>'; {
		end++
	}
	return start, end, end
}

func letter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

func blank(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f' }

// lower is a name in lower case, without a copy if it is.
func lower(name string) string {
	for i := range len(name) {
		if 'A' <= name[i] && name[i] <= 'Z' {
			return strings.ToLower(name)
		}
	}
	return name
}
