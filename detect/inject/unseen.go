// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package inject

import (
	"strings"
	"unicode/utf8"
)

// longestHidden is how far a comment or a hidden element is followed.
const longestHidden = 8 << 10

// unseen adds what is said where a reader does not see it. Comments and hidden
// elements are usual; that one holds a sign of an injection is not.
func (b *rulebook) unseen(out []signal, text string) []signal {
	out = b.spelledInvisibly(out, text)
	if len(out) == 0 {
		return out
	}
	regions := hiddenRegions(text)
	n := len(out)
	for _, r := range regions {
		for _, g := range out[:n] {
			if g.start >= r.start && g.end <= r.end && g.weight >= b.telling(g) {
				out = append(out, signal{b.hidden, r.start, r.end, b.rules[b.hidden].Weight})
				break
			}
		}
	}
	return out
}

// telling is how much a signal has to weigh for hidden text to be held against
// it: the comments of a template tell people what to do, too.
func (b *rulebook) telling(g signal) float64 {
	if g.rule == b.request.rule {
		return 0.6
	}
	return 0.3
}

// A region is a part of a text, in bytes.
type region struct{ start, end int }

// mostRegions is how many hidden parts of a text are looked at.
const mostRegions = 256

// hiddenRegions returns the comments and hidden elements of HTML and Markdown.
func hiddenRegions(text string) []region {
	var out []region
	for i := 0; i < len(text) && len(out) < mostRegions; {
		n := strings.IndexAny(text[i:], "<[")
		if n < 0 {
			break
		}
		i += n
		piece := text[i:min(len(text), i+longestHidden)]
		end := 0
		switch {
		case strings.HasPrefix(piece, "<!--"):
			end = through(piece, "-->")
		case strings.HasPrefix(piece, "[//]: #"), strings.HasPrefix(piece, "[comment]: #"):
			end = through(piece, "\n")
		case piece[0] == '<' && len(piece) > 1 && isASCIILetter(piece[1]):
			end = hiddenElement(piece)
		}
		if end > 0 {
			for i+end < len(text) && !utf8.RuneStart(text[i+end]) {
				end--
			}
			out = append(out, region{i, i + end})
			i += end
			continue
		}
		i++
	}
	return out
}

// through returns where after its first byte a text has had the end given, or
// its length.
func through(text, end string) int {
	if n := strings.Index(text[1:], end); n >= 0 {
		return 1 + n + len(end)
	}
	return len(text)
}

// concealing are the ways in which a tag says that its text is not to be seen,
// without blanks.
var concealing = []string{
	"display:none", "visibility:hidden", "font-size:0", "font-size:1px", "opacity:0;", `opacity:0"`, "opacity:0.0", "color:white", "color:#fff",
	"color:transparent", "left:-9999", "text-indent:-9999", "max-height:0", "clip:rect(0", "hidden>", "hidden=", `aria-hidden="true`,
}

var blanks = strings.NewReplacer(" ", "", "\\", "")

// longestTag is how long a tag is that is looked at.
const longestTag = 512

// hiddenElement returns the length of the element that a text begins with, if
// it is not to be seen, or 0.
func hiddenElement(text string) int {
	stop := strings.IndexByte(text[:min(len(text), longestTag)], '>')
	if stop < 0 {
		return 0
	}
	if !strings.ContainsAny(text[:stop], "=") && !strings.HasSuffix(text[:stop], "hidden") {
		return 0
	}
	tag := strings.ToLower(text[:stop+1])
	if !strings.Contains(tag, "style") && !strings.Contains(tag, "hidden") {
		return 0
	}
	tag = blanks.Replace(tag)
	for _, c := range concealing {
		if strings.Contains(tag, c) {
			return stop + through(text[stop:], "</")
		}
	}
	return 0
}

// leastSpelled is how many invisible characters in a row spell something.
const leastSpelled = 8

// spelledInvisibly adds the rows of characters that nobody sees and that spell
// ASCII: tags and the supplement of variation selectors.
func (b *rulebook) spelledInvisibly(out []signal, text string) []signal {
	for i := 0; i < len(text); {
		n := strings.Index(text[i:], "\xf3\xa0") // all of them begin so
		if n < 0 {
			return out
		}
		from := i + n
		count := 0
		for i = from; i < len(text); count++ {
			r, size := utf8.DecodeRuneInString(text[i:])
			if !(r >= 0xE0020 && r <= 0xE007E || r >= 0xE0100 && r <= 0xE01EF) {
				break
			}
			i += size
		}
		if count >= leastSpelled {
			out = append(out, signal{b.spelled, from, i, b.rules[b.spelled].Weight})
		}
		i = max(i, from+2)
	}
	return out
}
