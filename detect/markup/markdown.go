// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package markup

import "strings"

const (
	maxOpen   = 64     // brackets that are open at once
	maxLabel  = 999    // bytes of a label, as CommonMark has it
	maxLabels = 10_000 // of references
)

// A use is an image whose address a reference names.
type use struct {
	start, end int
	label      string
}

// A markdownReader goes through the brackets of a text.
type markdownReader struct {
	*collector
	text    string
	open    []int // places of the brackets that are open, the innermost last
	targets map[string]string
	uses    []use
}

// readMarkdown finds the addresses of links and images, in brackets and by
// reference.
func readMarkdown(text string, c *collector) {
	r := &markdownReader{collector: c, text: text, targets: map[string]string{}}
	for at := 0; at < len(text); {
		switch text[at] {
		case '[':
			if len(r.open) == maxOpen {
				r.open = append(r.open[:0], r.open[maxOpen/2:]...)
			}
			r.open = append(r.open, at)
		case ']':
			if len(r.open) > 0 {
				if c.done() {
					return
				}
				from := r.open[len(r.open)-1]
				r.open = r.open[:len(r.open)-1]
				at = r.close(from, at)
				continue
			}
		case '\\':
			if at+1 < len(text) && (text[at+1] == '[' || text[at+1] == ']') {
				at++
			}
		case '\n':
			// No link goes beyond its paragraph.
			if len(r.open) > 0 && (strings.HasPrefix(text[at+1:], "\n") || strings.HasPrefix(text[at+1:], "\r\n")) {
				r.open = r.open[:0]
			}
		}
		at++
	}
	for _, u := range r.uses {
		if target, ok := r.targets[u.label]; ok {
			r.put(image, u.start, u.end, target)
		}
	}
}

// close looks at what stands behind brackets and returns where to go on.
func (r *markdownReader) close(from, at int) int {
	next := at + 1
	if next < len(r.text) {
		switch r.text[next] {
		case '(':
			return r.inline(from, next+1)
		case ':':
			return r.definition(from, at)
		}
	}
	if r.kinds.images && from > 0 && r.text[from-1] == '!' {
		r.refer(from, at)
	}
	return next
}

// inline reads the address in the parentheses that begin before at.
func (r *markdownReader) inline(from, at int) int {
	start, end := r.target(at)
	if start == end {
		return at
	}
	text := bare(r.text[start:end])
	pictured := from > 0 && r.text[from-1] == '!'
	if !r.isTarget(from, text, pictured) {
		return at
	}
	switch {
	case pictured && r.kinds.images, r.kinds.images && data(text):
		r.put(image, start, end, text)
	case r.kinds.links && !data(text):
		r.put(link, start, end, text)
	}
	return end
}

// put adds what does not stand in an address already.
func (r *markdownReader) put(kind string, start, end int, text string) {
	if !r.covers(start) {
		r.add(kind, start, end, text)
	}
}

// isTarget tells a link from code: f[i](x).
func (r *markdownReader) isTarget(from int, text string, pictured bool) bool {
	if empty(text) || text == "..." {
		return false
	}
	if pictured || strings.Contains(text, "://") || strings.HasPrefix(text, "//") {
		return true
	}
	if from > 0 && (word(r.text[from-1]) || strings.IndexByte("_)]\"'", r.text[from-1]) >= 0) {
		return false
	}
	return strings.ContainsAny(text, "/.:%?")
}

// target is the place of an address that begins at the place or behind space,
// in angle brackets or with parentheses in pairs.
func (r *markdownReader) target(at int) (start, end int) {
	for at < len(r.text) && blank(r.text[at]) {
		at++
	}
	if at < len(r.text) && r.text[at] == '<' {
		n := strings.IndexAny(r.text[at+1:min(len(r.text), at+1+1<<16)], "<>\n")
		if n < 0 || r.text[at+1+n] != '>' {
			return at, at
		}
		return at + 1, at + 1 + n
	}
	depth := 0
	for end = at; end < len(r.text) && r.text[end] > ' '; end++ {
		switch r.text[end] {
		case '\\':
			if end+1 < len(r.text) && r.text[end+1] > ' ' {
				end++
			}
		case '(':
			depth++
		case ')':
			if depth--; depth < 0 {
				return at, end
			}
		case ']':
			// Another link begins before this one ends. To read on would
			// take time that is quadratic in the number of such.
			if strings.HasPrefix(r.text[end+1:], "(") {
				return at, at
			}
		}
	}
	return at, end
}

// definition reads "[label]: address" at the beginning of a line.
func (r *markdownReader) definition(from, at int) int {
	next := at + 2
	if !r.begins(from) || r.text[from+1] == '^' || at-from > maxLabel || len(r.targets) == maxLabels {
		return next
	}
	start, end := r.target(next)
	rest, _, _ := strings.Cut(r.text[min(len(r.text), end):], "\n")
	if start == end || len(rest) > 0 && strings.IndexByte("\"'(>", strings.TrimSpace(rest + ">")[0]) < 0 {
		return next
	}
	text := bare(r.text[start:end])
	if !r.isTarget(0, text, false) {
		return next
	}
	if label := fold(r.text[from+1 : at]); r.targets[label] == "" {
		r.targets[label] = text
	}
	if r.kinds.links && !data(text) {
		r.put(link, start, end, text)
	}
	return end
}

// begins reports whether only space and the signs of quotations and lists stand
// before the place in its line.
func (r *markdownReader) begins(at int) bool {
	for n := 0; at > 0 && r.text[at-1] != '\n'; n++ {
		if n == 32 || strings.IndexByte(" \t>*-+", r.text[at-1]) < 0 {
			return false
		}
		at--
	}
	return true
}

// refer notes an image by reference: ![alt][label], ![label][] or ![label].
func (r *markdownReader) refer(from, at int) {
	u := use{from - 1, at + 1, ""}
	label := r.text[from+1 : at]
	if rest := r.text[at+1:]; strings.HasPrefix(rest, "[") {
		n := strings.IndexByte(rest[:min(len(rest), maxLabel)], ']')
		if n < 0 {
			return
		}
		if n > 1 {
			label = rest[1:n]
		}
		u.end = at + 1 + n + 1
	}
	if len(label) <= maxLabel && len(r.uses) < maxLabels {
		u.label = fold(label)
		r.uses = append(r.uses, u)
	}
}

// fold is a label as labels are compared.
func fold(label string) string { return strings.ToLower(strings.Join(strings.Fields(label), " ")) }

// bare is an address without Markdown's escapes and with its entities decoded.
func bare(text string) string {
	if strings.IndexByte(text, '\\') >= 0 {
		var out strings.Builder
		for i := 0; i < len(text); i++ {
			if text[i] == '\\' && i+1 < len(text) && text[i+1] > ' ' && !word(text[i+1]) && text[i+1] < 0x7f {
				i++
			}
			out.WriteByte(text[i])
		}
		text = out.String()
	}
	return unescape(text)
}
