// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package licence

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/holdfast-dev/holdfast/detect"
)

// maxLine is how much of a line behind a word is read.
const maxLine = 300

// maxYears is how many years and signs may stand before a holder.
const maxYears = 32

// What a notice is worth: an identifier is written for machines, a name alone
// may be of anything.
const (
	certain = 1.0
	dated   = 0.95
	titled  = 0.9
	claimed = 0.8
	named   = 0.7
)

// The words at which a notice may begin.
var (
	copyrightHash, copyHash, cHash = hashOf("copyright"), hashOf("copy"), hashOf("c")
	spdxHash, allHash              = hashOf("spdx"), hashOf("all")

	titleHashes = func() map[uint64]bool {
		out := map[uint64]bool{}
		for _, t := range titles {
			first, _, _ := strings.Cut(t.words, " ")
			out[hashOf(first)] = true
		}
		return out
	}()

	// begins has the lowest byte of each of the hashes: most words need no
	// other look.
	begins = func() (out [256]bool) {
		for hash := range titleHashes {
			out[byte(hash)] = true
		}
		for _, hash := range []uint64{copyrightHash, copyHash, cHash, spdxHash, allHash, signHash} {
			out[byte(hash)] = true
		}
		return out
	}()
)

// A title is the name of a licence, in lower case, and its identifier, with a
// hyphen at its end if the version belongs to it.
type title struct{ words, id string }

var titles = []title{
	{"gnu general public license", "GPL-"},
	{"gnu affero general public license", "AGPL-"},
	{"gnu lesser general public license", "LGPL-"},
	{"gnu library general public license", "LGPL-"},
	{"gnu free documentation license", "GFDL-"},
	{"apache license", "Apache-"},
	{"mozilla public license", "MPL-"},
	{"eclipse public license", "EPL-"},
	{"boost software license", "BSL-"},
	{"european union public licence", "EUPL-"},
	{"common development and distribution license", "CDDL-"},
	{"server side public license", "SSPL-"},
	{"licensed under the mit license", "MIT"},
	{"released under the mit license", "MIT"},
	{"licensed under the bsd", "BSD"},
	{"governed by a bsd", "BSD"},
	{"licensed under the isc license", "ISC"},
}

// notice looks whether the word begins a notice.
func (s *scan) notice(hash uint64, start, end int) {
	if !begins[byte(hash)] || start < s.said {
		return
	}
	switch hash {
	case copyrightHash:
		s.claim(start, end, false)
	case signHash:
		s.claim(start, end, true)
	case copyHash:
		if start > 0 && s.text[start-1] == '&' && strings.HasPrefix(s.text[end:], ";") {
			s.claim(start-1, end+1, true)
		}
	case cHash:
		if start > 0 && s.text[start-1] == '(' && strings.HasPrefix(s.text[end:], ")") {
			s.listed(start-1, end+1)
		}
	case spdxHash:
		s.tag(start, end)
	case allHash:
		s.phrase(start)
	default:
		if titleHashes[hash] {
			s.title(start)
		}
	}
}

func (s *scan) put(start, end int, text string, score float64) {
	if text != "" {
		s.notices = append(s.notices, detect.Span{Kind: notice, Start: start, End: end, Score: score, Text: text})
		s.said = end
	}
}

// line is what stands behind a place in its line.
func (s *scan) line(at int) string {
	rest := s.text[at:min(len(s.text), at+maxLine)]
	for len(rest) == maxLine && !utf8.RuneStart(rest[len(rest)-1]) {
		rest = rest[:len(rest)-1]
	}
	for _, end := range []byte("\n\r") {
		if i := strings.IndexByte(rest, end); i >= 0 {
			rest = rest[:i]
		}
	}
	// In JSON and in source code a line may end with its escape.
	if i := strings.Index(rest, `\n`); i >= 0 {
		return rest[:i]
	}
	return rest
}

// claim reads "Copyright (c) 2020-2024 Holder. All rights reserved." behind its
// first word.
func (s *scan) claim(start, end int, sign bool) {
	line := s.line(end)
	rest, signed, year := years(line)
	if !year && !capital(rest) {
		s.said = end + len(line) - len(rest) // the signs between lead nowhere else
		return
	}
	text := holder(rest)
	score := dated
	switch {
	case year && (text != "" || sign || signed):
		if text == "" {
			text = strings.TrimSpace(s.text[start:end] + line)
		}
	case (sign || signed) && capital(text):
		score = claimed
	case !sign && s.leads(start) && s.text[start] == 'C' && capital(text) && !ordinary(text):
		score = named
	default:
		return
	}
	s.put(start, end+len(line), text, score)
}

// listed reads "(c) 2020 Holder", which without the year may be the third item
// of a list.
func (s *scan) listed(start, end int) {
	line := s.line(end)
	if rest, _, year := years(line); year {
		s.put(start, end+len(line), holder(rest), dated)
	} else {
		s.said = end + len(line) - len(rest)
	}
}

// years reads what stands before the holder: colons, the sign in its forms and
// years or what is written in their place.
func years(line string) (rest string, sign, year bool) {
	rest = line
	for range maxYears {
		rest = strings.TrimLeft(rest, " \t:,-–—'\"")
		n := 0
		switch {
		case hasFold(rest, "(c)"):
			n, sign = 3, true
		case strings.HasPrefix(rest, "©"):
			n, sign = len("©"), true
		case hasFold(rest, "&copy;"):
			n, sign = 6, true
		case hasFold(rest, "<year>"), hasFold(rest, "[year]"), hasFold(rest, "[yyyy]"), hasFold(rest, "{year}"):
			n, year = 6, true
		case hasFold(rest, "present") && year:
			n = len("present")
		case hasFold(rest, "by "):
			n = 3
		case isYear(rest):
			n, year = 4, true
		default:
			return rest, sign, year
		}
		rest = rest[n:]
	}
	return rest, sign, year
}

func isYear(text string) bool {
	return len(text) >= 4 && (text[:2] == "19" || text[:2] == "20") && '0' <= text[2] && text[2] <= '9' && '0' <= text[3] && text[3] <= '9' &&
		(len(text) == 4 || class[text[4]] == 0)
}

// holder is who a line names, without what stands around it.
func holder(line string) string {
	for _, stop := range []string{"*/", "-->", "</", `"`, `\n`, "`", "|"} {
		if i := strings.Index(line, stop); i >= 0 {
			line = line[:i]
		}
	}
	if i := indexFold(line, "all rights reserved"); i >= 0 {
		line = line[:i]
	}
	line = strings.TrimSpace(strings.TrimRight(line, " \t.,;:*#/-'"))
	if len(line) > 200 {
		line = strings.ToValidUTF8(line[:200], "")
	}
	return line
}

// capital reports whether a text begins like a name.
func capital(text string) bool {
	r, _ := utf8.DecodeRuneInString(strings.TrimLeft(text, "<[{"))
	return unicode.IsUpper(r) || r == utf8.RuneError && text != ""
}

// ordinary reports whether a line is about copyright, not a notice of it.
func ordinary(text string) bool {
	first, _, _ := strings.Cut(strings.ToLower(text), " ")
	switch strings.Trim(first, ".,;:()") {
	case "act", "notice", "notices", "law", "laws", "owner", "owners", "holder", "holders", "license", "licence", "and", "or", "is", "in", "the", "office", "infringement", "protection":
		return true
	}
	return false
}

// leads reports whether only signs, such as those of comments, stand before
// the place in its line.
func (s *scan) leads(at int) bool {
	for n := 0; at > 0 && s.text[at-1] != '\n'; n++ {
		if at--; n == 16 || class[s.text[at]] != 0 || s.text[at] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// tag reads the tags of SPDX.
func (s *scan) tag(start, end int) {
	if !hasFold(s.text[end:], "-license-identifier:") && !hasFold(s.text[end:], "-filecopyrighttext:") {
		return
	}
	line := s.line(end)
	if rest, ok := cutFold(line, "-license-identifier:"); ok {
		s.put(start, end+len(line), expression(rest), certain)
	} else if rest, ok := cutFold(line, "-filecopyrighttext:"); ok {
		rest, _, _ = years(rest)
		s.put(start, end+len(line), holder(rest), certain)
	}
}

// expression is one of SPDX: identifiers, with operators and parentheses.
func expression(text string) string {
	text = strings.TrimLeft(text, " \t")
	n := 0
	for n < len(text) && (class[text[n]] != 0 || strings.IndexByte(" .+-()/:", text[n]) >= 0) {
		n++
	}
	return strings.TrimRight(text[:n], " -/.:")
}

// phrase reads "All rights reserved".
func (s *scan) phrase(start int) {
	const phrase = "all rights reserved"
	if hasFold(s.text[start:], phrase) {
		s.put(start, start+len(phrase), s.text[start:start+len(phrase)], claimed)
	}
}

// title reads the name of a licence. Where versions are, one has to stand
// behind it.
func (s *scan) title(start int) {
	for _, t := range titles {
		if !hasFold(s.text[start:], t.words) {
			continue
		}
		end := start + len(t.words)
		if !strings.HasSuffix(t.id, "-") {
			s.put(start, end, t.id, titled)
			return
		}
		if version, n := version(s.text[end:min(len(s.text), end+48)]); version != "" {
			s.put(start, end+n, t.id+version, titled)
		}
		return
	}
}

// version reads "Version 2.0", "v2" and the like at the beginning of a text,
// and how long it is.
func version(text string) (string, int) {
	at := 0
	for at < len(text) && class[text[at]] == 0 && text[at] < utf8.RuneSelf {
		at++
	}
	for _, word := range []string{"as published by the free software foundation", "version", "v"} {
		if hasFold(text[at:], word) {
			for at += len(word); at < len(text) && class[text[at]] == 0 && text[at] < utf8.RuneSelf; {
				at++
			}
		}
	}
	from := at
	for at < len(text) && ('0' <= text[at] && text[at] <= '9' || text[at] == '.') {
		at++
	}
	number := strings.TrimRight(text[from:at], ".")
	if number != "" && len(number) <= 3 && !strings.Contains(number, ".") {
		return number + ".0", from + len(number)
	}
	if len(number) > 5 {
		return "", 0
	}
	return number, from + len(number)
}

func hasFold(text, prefix string) bool {
	return len(text) >= len(prefix) && strings.EqualFold(text[:len(prefix)], prefix)
}

func cutFold(text, prefix string) (string, bool) {
	if !hasFold(text, prefix) {
		return text, false
	}
	return text[len(prefix):], true
}

func indexFold(text, part string) int {
	for i := 0; i+len(part) <= len(text); i++ {
		if strings.EqualFold(text[i:i+len(part)], part) {
			return i
		}
	}
	return -1
}
