// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package markup

import (
	"strings"
)

// A role is what an attribute's value is.
type role int

const (
	shown     role = iota + 1 // text that only machines read
	address                   // of anything
	addresses                 // several, between spaces
	picture                   // address of an image
	sourceSet                 // addresses of images, each for a size
	styles                    // CSS
	document                  // HTML
	content                   // of a meta element: an address behind "url="
)

func roleOf(name string) role {
	switch name {
	case "alt", "title", "aria-label", "aria-description", "aria-roledescription", "aria-valuetext", "summary", "placeholder":
		return shown
	case "href", "xlink:href", "action", "formaction", "cite", "longdesc", "data", "manifest", "codebase", "profile", "classid", "src":
		return address
	case "ping", "archive":
		return addresses
	case "poster", "background", "dynsrc", "lowsrc":
		return picture
	case "srcset", "imagesrcset":
		return sourceSet
	case "style":
		return styles
	case "srcdoc":
		return document
	case "content":
		return content
	}
	return 0
}

// readHTML finds what the attributes of a text in HTML say.
func readHTML(text string, c *collector) { readNested(text, c, 0, nil) }

// readNested reads HTML; in an attribute, all that is found has its place.
func readNested(text string, c *collector, depth int, place *attribute) {
	r := newHTMLReader(text)
	a := anchor{c, depth, place}
	r.done = c.done
	r.take = a.attribute
	r.style = func(start, end int) { a.styles(text[start:end], start, end) }
	r.read()
}

// An anchor adds what is found, at its own place or at that of the attribute
// that all of it stands in.
type anchor struct {
	*collector
	depth int
	place *attribute
}

func (a *anchor) put(kind string, start, end int, text string) {
	if a.place != nil {
		start, end = a.place.start, a.place.end
	}
	a.add(kind, start, end, text)
}

func (a *anchor) attribute(at attribute) {
	switch roleOf(at.name) {
	case shown:
		if a.kinds.altTexts {
			a.put(altText, at.start, at.end, strings.TrimSpace(unescape(at.value)))
		}
	case address:
		a.address(at.start, at.end, unescape(at.value), pictured(at))
	case picture:
		a.address(at.start, at.end, unescape(at.value), true)
	case addresses:
		for word := range strings.FieldsSeq(unescape(at.value)) {
			a.address(at.start, at.end, word, false)
		}
	case sourceSet:
		a.sources(at)
	case styles:
		a.styles(unescape(at.value), at.start, at.end)
	case document:
		if a.depth < maxNested {
			if a.place != nil {
				at.start, at.end = a.place.start, a.place.end
			}
			readNested(unescape(at.value), a.collector, a.depth+1, &at)
		}
	case content:
		if at.tag == "meta" {
			a.address(at.start, at.end, refreshed(unescape(at.value)), false)
		}
	}
}

// pictured reports whether an address in the attribute is an image's.
func pictured(a attribute) bool {
	switch a.tag {
	case "img", "image", "input", "amp-img":
		return true
	case "link", "object", "embed", "source", "use", "feimage":
		return depicts(a.value)
	}
	return false
}

// address adds what an attribute refers to, as a link and, if it is one, as an
// image. The data of an image are no link.
func (a *anchor) address(start, end int, text string, pictured bool) {
	text = tidy(text)
	if a.kinds.links && !empty(text) && !data(text) {
		a.put(link, start, end, text)
	}
	if a.kinds.images && (pictured || data(text)) && !empty(text) {
		a.put(image, start, end, text)
	}
}

// sources adds the candidates of a set: each is an address without spaces,
// then what it is for, up to a comma.
func (a *anchor) sources(at attribute) {
	for rest := unescape(at.value); ; {
		rest = strings.TrimLeft(rest, " \t\n\r\f,")
		end := strings.IndexAny(rest, " \t\n\r\f")
		if end < 0 {
			end = len(rest)
		}
		if end == 0 || a.done() {
			return
		}
		one := strings.TrimRight(rest[:end], ",")
		a.address(at.start, at.end, one, true)
		if len(one) < end { // a comma ends it, nothing is said about it
			rest = rest[end:]
			continue
		}
		if rest = rest[end:]; !strings.Contains(rest, ",") {
			return
		}
		_, rest, _ = strings.Cut(rest, ",")
	}
}

// styles adds the addresses in CSS.
func (a *anchor) styles(css string, start, end int) {
	exact := end-start == len(css)
	if strings.IndexByte(css, '\\') >= 0 {
		css, exact = unescapeCSS(css), false
	}
	readCSS(css, func(from, to int) bool {
		one := tidy(css[from:to])
		from, to = start+from, start+to
		if !exact {
			from, to = start, end
		}
		a.address(from, to, one, depicts(one))
		return !a.done()
	})
}

// refreshed is the address in what a page is to be replaced by: "5; url=…".
func refreshed(content string) string {
	rest := strings.TrimLeft(content, " \t\n\r\f0123456789.;,")
	if len(rest) < 4 || !strings.EqualFold(rest[:3], "url") {
		return ""
	}
	rest, ok := strings.CutPrefix(strings.TrimLeft(rest[3:], " \t\n\r\f"), "=")
	if !ok {
		return ""
	}
	return strings.Trim(strings.TrimSpace(rest), "\"'")
}

// tidy is an address as browsers read it: without space around it and without
// line ends and tabs in it.
func tidy(text string) string {
	text = strings.TrimFunc(text, func(r rune) bool { return r <= ' ' })
	if strings.ContainsAny(text, "\t\n\r") {
		text = strings.NewReplacer("\t", "", "\n", "", "\r", "").Replace(text)
	}
	return text
}

// empty reports whether an address is of no other place than where it stands.
func empty(text string) bool { return text == "" || text[0] == '#' }

const dataImage = "data:image/"

// data reports whether an address holds an image.
func data(text string) bool {
	return len(text) > len(dataImage) && strings.EqualFold(text[:len(dataImage)], dataImage)
}

// depicts reports whether an address looks like that of an image.
func depicts(text string) bool {
	if data(text) {
		return true
	}
	if i := strings.IndexAny(text, "?#"); i >= 0 {
		text = text[:i]
	}
	dot := strings.LastIndexByte(text, '.')
	if dot < 0 || len(text)-dot > 6 {
		return false
	}
	switch strings.ToLower(text[dot+1:]) {
	case "png", "jpg", "jpeg", "gif", "webp", "svg", "bmp", "ico", "avif", "tif", "tiff", "apng", "jfif", "heic":
		return true
	}
	return false
}
