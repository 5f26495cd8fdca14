// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package pii

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// People and places have no grammar. What is found here is a row of words with
// capitals that begins with a name of the gazetteer, follows a title or a
// phrase that introduces somebody, or ends like a street. It is a guess, with
// figures of its own (names_test.go), and only made for who asks.

// A nameWord is a word with a capital.
type nameWord struct {
	text       string
	start, end int
	initial    bool // "M."
	joined     bool // nothing but a space, a particle or an initial's dot before it
}

// names looks for what has no digit and no sign in it. It reads the text once
// more, so only for who asks for such a kind.
func (s *scan) names() {
	if s.wanted[s.tables.ids["DATE_TIME"]] {
		s.lone()
	}
	if !s.wanted[person] && !s.wanted[location] {
		return
	}
	var row []nameWord
	for i := 0; i < len(s.text); {
		w, next, ok := s.nameWord(i)
		if ok && (len(row) == 0 || w.joined && len(row) < 8) {
			row = append(row, w)
		} else if len(row) > 0 {
			s.nameRow(row)
			row = row[:0]
			if ok {
				row = append(row, w)
			}
		}
		i = next
	}
	if len(row) > 0 {
		s.nameRow(row)
	}
}

// nameWord reads the next word with a capital from i on and says where to go
// on; false if the word at i has none.
func (s *scan) nameWord(i int) (w nameWord, next int, ok bool) {
	text := s.text
	for i < len(text) && wordByteAfter(text, i) == 0 {
		i++
	}
	end := i
	for end < len(text) {
		n := wordByteAfter(text, end)
		if n == 0 && end > i && end+1 < len(text) && (text[end] == '-' || text[end] == '\'') && wordAfter(text, end+1) && text[end+1] != 's' {
			n = 1
		}
		if n == 0 {
			break
		}
		end += n
	}
	if i == end {
		return w, len(text), false
	}
	first, size := utf8.DecodeRuneInString(text[i:])
	if !unicode.IsUpper(first) {
		return w, end, false
	}
	w = nameWord{text: text[i:end], start: i, end: end}
	w.initial = end-i == size && end < len(text) && text[end] == '.'
	w.joined = s.joins(i)
	return w, end, true
}

// particle reports whether a small word may stand inside a name.
func particle(word string) bool {
	switch word {
	case "de", "da", "di", "del", "della", "van", "von", "der", "den", "zu", "la", "le", "bin", "ibn", "al", "el", "dos", "du", "y":
		return true
	}
	return false
}

// joins reports whether the word at start belongs to the one before it: one
// space, an initial's or a title's dot, or up to two particles between.
func (s *scan) joins(start int) bool {
	before := s.text[max(0, start-24):start]
	if !strings.HasSuffix(before, " ") {
		return false
	}
	for range 3 {
		before = strings.TrimSuffix(before, " ")
		if before == "" {
			return false
		}
		cut := strings.LastIndexAny(before, " \n\t") + 1
		word := before[cut:]
		if !particle(word) {
			body := strings.TrimSuffix(word, ".")
			return body != "" && wordBefore(body, len(body)) && (len(body) == len(word) || utf8.RuneCountInString(body) == 1 || knownNames().titles[body]) &&
				strings.IndexByte(",;:!?)\"", word[len(word)-1]) < 0
		}
		before = before[:cut]
	}
	return false
}

// nameRow looks at a row of words with capitals.
func (s *scan) nameRow(row []nameWord) {
	g := knownNames()
	s.work += len(row)
	for i := 0; i < len(row); {
		n, score := 0, 0.0
		if n = g.place(row[i:]); n > 0 {
			if s.wanted[location] && !g.person(row, i) {
				s.add(location, row[i].start, row[i+n-1].end, .7)
			}
			if !g.person(row, i) {
				i += n
				continue
			}
		}
		if n, score = s.personAt(row, i); n > 0 {
			if s.wanted[person] {
				s.add(person, row[i].start, row[i+n-1].end, score)
			}
			i += n
			continue
		}
		i++
	}
}

// person reports whether the row from i on is a person in spite of a place's
// name: one with a family name, or after a title.
func (g *gazetteer) person(row []nameWord, i int) bool {
	if i > 0 && g.titles[row[i-1].text] {
		return true
	}
	return i+1 < len(row) && g.given[row[i].text] && (g.family[row[i+1].text] || row[i+1].initial)
}

// place says how many words of the row are the name of a place, 0 if none.
func (g *gazetteer) place(row []nameWord) int {
	for n := min(len(row), g.longest); n > 0; n-- {
		var name strings.Builder
		for i, w := range row[:n] {
			if i > 0 {
				name.WriteByte(' ')
			}
			name.WriteString(w.text)
		}
		if g.places[name.String()] {
			return n
		}
	}
	for n := 2; n <= min(len(row), 4); n++ {
		if g.roads[row[n-1].text] && !g.ordinary[row[0].text] {
			return n
		}
	}
	return 0
}

// personAt says how many words of the row from i on are the name of a person,
// and how sure that is.
func (s *scan) personAt(row []nameWord, i int) (n int, score float64) {
	g := knownNames()
	w := row[i]
	switch {
	case g.titles[w.text] && w.text != "Father":
		return 0, 0
	case i > 0 && g.titles[row[i-1].text]:
		score = .85
	case g.given[w.text]:
		score = .6
	case w.initial && i+1 < len(row) && g.family[row[i+1].text], i+1 < len(row) && g.family[row[i+1].text] && !g.ordinary[w.text] && !w.initial:
		score = .5
	case g.ordinary[w.text]:
		return 0, 0
	case s.introduced(w.start):
		score = .5
	case s.acts(row[len(row)-1].end), i+1 < len(row) && s.looksNamed(row[i:]):
		score = .4
	default:
		return 0, 0
	}
	n = 1
	for i+n < len(row) && n < 4 {
		next := row[i+n]
		if !next.initial && (g.ordinary[next.text] && !(score > .8 || g.given[w.text] && month(next.text)) || g.roads[next.text] || g.titles[next.text]) {
			break
		}
		n++
	}
	for n > 1 && row[i+n-1].initial {
		n--
	}
	if n > 1 {
		score = max(score, .8)
	}
	return n, score
}

// looksNamed reports whether a row of two to four words may be the name of a
// person that is not known: none is a common word, and no article goes before.
func (s *scan) looksNamed(row []nameWord) bool {
	g := knownNames()
	if len(row) > 4 {
		return false
	}
	for _, w := range row {
		if g.ordinary[w.text] || g.things[w.text] || strings.ToUpper(w.text) == w.text {
			return false
		}
	}
	before := string(s.before(row[0].start))
	return !strings.HasSuffix(before, "the ") && !strings.HasSuffix(before, " a ") && !strings.HasSuffix(before, " an ")
}

// acts reports whether what follows end is what people do.
func (s *scan) acts(end int) bool {
	word, _, _ := strings.Cut(strings.TrimPrefix(s.text[end:min(len(s.text), end+16)], " "), " ")
	return knownNames().acts[strings.TrimRight(word, ".,;")]
}

// month reports whether a word is a family name as well as a month.
func month(word string) bool {
	return word == "May" || word == "March" || word == "June" || word == "August"
}

// introduced reports whether what stands before start introduces somebody.
func (s *scan) introduced(start int) bool {
	before := string(s.before(start))
	for _, phrase := range [...]string{"name is ", "called ", "call me ", "named ", "i am ", "i'm ", "this is ", "dear ", "contact ", "signed ", "regards, ", "regards,\n", "sincerely, ", "sincerely,\n", "tell ", "told ", "ask ", "asked ", "met ", "seen "} {
		if strings.HasSuffix(before, phrase) {
			return true
		}
	}
	return false
}
