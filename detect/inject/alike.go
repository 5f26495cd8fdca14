// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package inject

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A letter passes for one of another alphabet if the word around it is of that
// alphabet. There is no list of pairs here: that letters of two alphabets share
// a word is what gives them away, and lists decide only what could be a word of
// two languages.

// An alphabet is a script that can be taken for another. Letters of all other
// scripts end a word: Thai and Chinese stand beside Latin letters without a
// space.
type alphabet uint8

const (
	noAlphabet alphabet = iota
	latin
	greek
	cyrillic
	otherAlphabet // and those behind it
)

var alphabets = []*unicode.RangeTable{
	latin: unicode.Latin, greek: unicode.Greek, cyrillic: unicode.Cyrillic,
	otherAlphabet: unicode.Armenian, unicode.Cherokee, unicode.Lisu, unicode.Coptic, unicode.Deseret, unicode.Gothic,
	unicode.Old_Italic, unicode.Carian, unicode.Lycian, unicode.Lydian, unicode.Osmanya, unicode.Ugaritic,
	unicode.Old_Persian, unicode.Cuneiform, unicode.Glagolitic, unicode.Warang_Citi, unicode.Vai, unicode.Bamum,
}

func alphabetOf(r rune) alphabet {
	switch {
	case r < 0x80 || r >= 0xC0 && r <= 0x24F && r != 0xD7 && r != 0xF7:
		if r >= 0x80 || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return latin
		}
		return noAlphabet
	case r >= 0x3000 && r <= 0x9FFF || r >= 0xAC00 && r <= 0xD7FF:
		return noAlphabet
	}
	for i, table := range alphabets {
		if table != nil && unicode.Is(table, r) {
			return alphabet(i)
		}
	}
	return noAlphabet
}

// twins are the letters of Greek and Cyrillic that look like ASCII letters. Of
// the rarer alphabets all letters count.
const twins = "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹϺονιϲϳρυ" +
	"асеԁһіјорѕхуԛԝѵӏАВСЕНІЈКМОРЅТХУԌԚԜҮѴӀ"

// oddLatin are Latin letters that look like ASCII and that few languages have.
const oddLatin = "ıɩɑɡĐđəǝǀǃᴀᴄᴅᴇᴊᴋᴍɴᴏᴘᴛᴜᴠᴡᴢꜰꜱ"

// symbols look like letters and are none.
const symbols = "⍺⍳⍴⍵"

// inWord are digits and signs, and letters of other times, that look like a
// letter of their own script.
const inWord = "\u1D2B\u1040\u19D0\u19D1\u1A80\u1A90\u1B52\u1B53\u1B58\u1B5C\uA9C6\U000104A0\U000103D1\U000103D3"

func isTwin(r rune, a alphabet) bool {
	return a >= otherAlphabet || strings.ContainsRune(twins, r)
}

// isStyled reports whether r is an ASCII letter in another form.
func isStyled(r rune) bool {
	return r >= 0x1D400 && r <= 0x1D6A5 || r >= 0x24B6 && r <= 0x24E9 && r != 0x24C2
}

// isClick reports whether r is one of two letters that look like signs.
func isClick(r rune) bool { return r == 'ǀ' || r == 'ǃ' }

func isWide(r rune) bool { return r >= 0xFF21 && r <= 0xFF3A || r >= 0xFF41 && r <= 0xFF5A }

// A letter is one of a word.
type letter struct {
	r          rune
	of         alphabet
	start, end int
}

// A company is what letters a text has, which says in what languages it is.
type company struct {
	latin, eastAsian, accents bool
	own                       [cyrillic + 1]bool // letters of the alphabet that look like nothing else
}

// alike finds letters that pass for others. Words of ASCII hold none, so it
// goes from one character beyond it to the next.
func (s *characters) alike() {
	c := companyOf(s.text)
	var word []letter
	for at, done := nextHigh(s.text, 0), 0; at < len(s.text); at = nextHigh(s.text, done) {
		for at > done && isASCIILetter(s.text[at-1]) {
			at--
		}
		word, done = s.word(word[:0], at)
		s.judge(word, &c)
	}
}

func isASCIILetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// word reads the letters from at on, and returns where they end; that is at
// least one character further.
func (s *characters) word(word []letter, at int) ([]letter, int) {
	for from := at; at < len(s.text); {
		r, _, size := decode(s.text, at)
		a := alphabetOf(r)
		inWord := a != noAlphabet || isStyled(r)
		if size > 1 {
			s.sign(r, at, at+size)
		}
		switch {
		case inWord && len(word) < maxWord:
			word = append(word, letter{r, a, at, at + size})
		case !inWord && (unicode.Is(unicode.Mn, r) || isInvisible(r) || isVariation(r)):
		case at == from:
			return word, at + size
		default:
			return word, at
		}
		at += size
	}
	return word, at
}

// maxWord is how many letters of a word are looked at together.
const maxWord = 256

// sign finds what looks like a letter and is none, or is one of another time,
// between letters.
func (s *characters) sign(r rune, start, end int) {
	before, after := runeBefore(s.text, start), runeAt(s.text, end)
	switch {
	case r == 0x17A3: // nobody is to use it
	case r == 0x1855:
		if isTodo(before) || isTodo(after) {
			return
		}
	case r < 0x1040 || !strings.ContainsRune(symbols, r) && !strings.ContainsRune(inWord, r):
		return
	case isLatinASCII(before) || isLatinASCII(after): // of no script that has such signs
	case !isPart(before) || !isPart(after):
		return
	}
	s.note(placeOf(catAlike), start, end)
}

// isTodo reports whether r is a letter of Todo, the Mongolian of the Oirats.
func isTodo(r rune) bool { return r >= 0x1843 && r <= 0x185C }

func isLatinASCII(r rune) bool { return r > 0 && r < utf8.RuneSelf && isASCIILetter(byte(r)) }

// isPart reports whether r is part of a word: a letter or a mark, or the zero
// of scripts in which a sign looks like it.
func isPart(r rune) bool {
	return r >= 0 && (unicode.In(r, unicode.L, unicode.M) || r == 0x1B50 || r == 0xA9D0)
}

func companyOf(text string) company {
	var c company
	for at := 0; at < len(text); {
		high := nextHigh(text, at)
		for ; at < high && !c.latin; at++ {
			c.latin = isASCIILetter(text[at])
		}
		if at = high; at == len(text) {
			break
		}
		r, size := utf8.DecodeRuneInString(text[at:])
		if r >= 0x3040 && r <= 0x9FFF || r >= 0xAC00 && r <= 0xD7A3 {
			c.eastAsian = true
		} else {
			c.add(r)
		}
		at += size
	}
	return c
}

// nextHigh returns where the next character beyond ASCII is, or the length.
func nextHigh(text string, i int) int {
	for ; i+8 <= len(text); i += 8 {
		if (text[i]|text[i+1]|text[i+2]|text[i+3]|text[i+4]|text[i+5]|text[i+6]|text[i+7])&0x80 != 0 {
			break
		}
	}
	for i < len(text) && text[i] < utf8.RuneSelf {
		i++
	}
	return i
}

func (c *company) add(r rune) {
	switch a := alphabetOf(r); {
	case a == latin:
		c.accents = c.accents || !isWide(r) && !strings.ContainsRune(oddLatin, r) && !strings.ContainsRune("ÞþÐðÆæ", r)
	case a == greek || a == cyrillic:
		c.own[a] = c.own[a] || !isTwin(r, a)
	case r >= 0x2B0 && r <= 0x2FF: // signs of phonetic spelling
		c.accents = true
	}
}

// judge finds in a word the letters that are not of it.
func (s *characters) judge(word []letter, c *company) {
	if len(word) == 0 || len(word) == 1 && !isClick(word[0].r) {
		return
	}
	var count [64]int
	most, changes, styled := alphabet(0), 0, 0
	for i, l := range word {
		if l.of == noAlphabet {
			styled++
			continue
		}
		if count[l.of]++; count[l.of] > count[most] {
			most = l.of
		}
		if i > 0 && word[i-1].of != l.of && word[i-1].of != noAlphabet {
			changes++
		}
	}
	s.mixed(word, most, changes)
	for _, l := range word {
		wide := isWide(l.r) && !c.eastAsian
		odd := l.of == latin && l.r >= 0x80 && !c.accents && strings.ContainsRune(oddLatin, l.r)
		if wide || odd || styled > 1 && isStyled(l.r) {
			s.note(placeOf(catAlike), l.start, l.end)
		}
	}
	s.whole(word, c)
}

// mixed finds letters of an alphabet other than that of most of the word. A
// word that begins in one and ends in another may be one of a language that
// takes in words of others, unless what is of one of them looks like the other.
func (s *characters) mixed(word []letter, most alphabet, changes int) {
	if changes == 0 {
		return
	}
	twins, asTwins := true, true // all that is not Latin looks so, or the other way round
	few, foreign := 0, 0
	for _, l := range word {
		foreign += toOne(l.of != latin && l.of != noAlphabet)
		few += toOne(l.of != most && l.of != noAlphabet)
		twins = twins && (l.of == latin || l.of == noAlphabet || isTwin(l.r, l.of))
		asTwins = asTwins && (l.of != latin || strings.ContainsRune(latinTwins, l.r))
	}
	strange := foreign == 1 && len(word) > 2 && isStrange(word[0].r, word[len(word)-1].r)
	if changes == 1 && !twins && !strange && (!asTwins || foreign < 3) { // "Δt"
		return
	}
	// Where most says little, Latin is the word and the rest passes for it.
	if changes == 1 && (twins || strange) || 2*few == len(word) {
		for _, l := range word {
			if l.of == latin {
				most = latin
			}
		}
	}
	for _, l := range word {
		if l.of != most && l.of != noAlphabet {
			s.note(placeOf(catAlike), l.start, l.end)
		}
	}
}

// isStrange reports whether one of the ends of a word is Cyrillic or a Greek
// letter of phonetic spelling, which do not stand beside Latin letters alone, as
// Greek ones do in "μm".
func isStrange(ends ...rune) bool {
	return slices.ContainsFunc(ends, func(r rune) bool { return alphabetOf(r) == cyrillic || r >= 0x1D26 && r <= 0x1D2A })
}

// latinTwins are the letters of ASCII that look like Cyrillic or Greek.
const latinTwins = "acehijopstxyABCEHIKMOPTXYZ"

// whole finds words that consist of letters that look like ASCII, in a text
// that has words of ASCII and none that is of their own alphabet for sure.
func (s *characters) whole(word []letter, c *company) {
	a := word[0].of
	if !c.latin || a != greek && a != cyrillic || c.own[a] {
		return
	}
	for _, l := range word {
		if l.of != a || !isTwin(l.r, a) {
			return
		}
	}
	for _, l := range word {
		s.note(placeOf(catAlike), l.start, l.end)
	}
}

func toOne(b bool) int {
	if b {
		return 1
	}
	return 0
}
