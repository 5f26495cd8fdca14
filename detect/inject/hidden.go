// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package inject

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// runeBefore returns the code point that ends at i, -1 if there is none.
func runeBefore(text string, i int) rune {
	if i <= 0 {
		return -1
	}
	r, _ := utf8.DecodeLastRuneInString(text[:i])
	return r
}

// runeAt returns the code point that begins at i, -1 if there is none.
func runeAt(text string, i int) rune {
	if i >= len(text) {
		return -1
	}
	r, _ := utf8.DecodeRuneInString(text[i:])
	return r
}

// Scripts whose letters change their shape with those beside them, so that
// joiners and non-joiners are part of their spelling.
var joining = []*unicode.RangeTable{
	unicode.Arabic, unicode.Syriac, unicode.Mongolian, unicode.Nko, unicode.Mandaic, unicode.Manichaean, unicode.Phags_Pa,
	unicode.Adlam, unicode.Hanifi_Rohingya, unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi, unicode.Gujarati,
	unicode.Oriya, unicode.Tamil, unicode.Telugu, unicode.Kannada, unicode.Malayalam, unicode.Sinhala, unicode.Khmer,
	unicode.Myanmar, unicode.Tibetan, unicode.Balinese, unicode.Javanese, unicode.Sundanese, unicode.Kaithi,
	unicode.Grantha, unicode.Tirhuta, unicode.Newa, unicode.Sharada, unicode.Brahmi, unicode.Chakma, unicode.Limbu,
	unicode.Meetei_Mayek, unicode.Saurashtra, unicode.Khojki, unicode.Khudawadi, unicode.Modi, unicode.Siddham, unicode.Takri,
}

// Scripts that write no spaces between words, and zero-width ones for the
// breaking of lines.
var unspaced = []*unicode.RangeTable{unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar, unicode.Tibetan, unicode.Javanese, unicode.Balinese}

// joinsLetters reports whether the joiner at i belongs to the spelling of a
// word: there is a letter of a joining script on a side of it, and no other
// joiner.
func joinsLetters(text string, i, size int) bool {
	before, after := runeBefore(text, i), runeAt(text, i+size)
	if before == zwj || before == zwnj || after == zwj || after == zwnj {
		return false
	}
	for range 3 { // vowel signs of several scripts are of none
		if before < 0 || !unicode.Is(unicode.Mn, before) || unicode.In(before, joining...) {
			break
		}
		i -= utf8.RuneLen(before)
		before = runeBefore(text, i)
	}
	return before >= 0 && unicode.In(before, joining...) || after >= 0 && unicode.In(after, joining...)
}

// varies reports whether the variation selector at i stands behind a
// character that has variants.
func varies(text string, i int, r rune, size int) bool {
	base := runeBefore(text, i)
	switch {
	case base < 0:
		return false
	case r == asText || r == asIcon:
		if base >= '0' && base <= '9' || base == '#' || base == '*' {
			return runeAt(text, i+size) == keycap
		}
		return isPictograph(base)
	case r >= 0x180B && r <= 0x180F:
		return unicode.Is(unicode.Mongolian, base) && !isVariation(base)
	case r >= 0xE0100:
		return unicode.Is(unicode.Han, base)
	case r <= 0xFE02:
		return unicode.In(base, unicode.Han, unicode.Myanmar, unicode.Phags_Pa, unicode.Sm) || base >= 0xFF00 && base <= 0xFF20 || base >= 0x3001 && base <= 0x3002
	}
	return unicode.Is(unicode.Egyptian_Hieroglyphs, base)
}

func isVariation(r rune) bool {
	return r >= 0xFE00 && r <= 0xFE0F || r >= 0xE0100 && r <= 0xE01EF || r >= 0x180B && r <= 0x180D || r == 0x180F
}

// isTurn reports whether a character changes the direction of what follows.
func isTurn(r rune) bool { return r >= 0x202A && r <= 0x202E || r >= 0x2066 && r <= 0x2069 }

// isMark reports whether a character says in what direction to go on; it does
// no harm where people write from right to left.
func isMark(r rune) bool { return r == 0x200E || r == 0x200F || r == 0x61C }

func isFiller(r rune) bool {
	return r == 0x3164 || r == 0xFFA0 || r == 0x115F || r == 0x1160 || r == 0x2800 || r == 0x17B4 || r == 0x17B5
}

// fills reports whether the filler at i is where a script has it.
func fills(text string, i int, r rune, size int) bool {
	before, after := runeBefore(text, i), runeAt(text, i+size)
	switch r {
	case 0x115F: // in the place of a first consonant
		return after > 0x1160 && after <= 0x11A7 || after >= 0xD7B0 && after <= 0xD7C6
	case 0x1160: // in the place of a vowel
		return before >= 0x1100 && before < 0x115F || before >= 0xA960 && before <= 0xA97C
	case 0x2800: // a space of Braille
		return before > 0x2800 && before <= 0x28FF || after > 0x2800 && after <= 0x28FF
	}
	return false
}

// isInvisible reports whether a character shows nothing, of those that have no
// category of ours to themselves.
func isInvisible(r rune) bool {
	switch r {
	case 0xAD, 0x34F, 0x180E, 0x200B, zwnj, zwj, 0xFEFF:
		return true
	}
	return r >= 0x2060 && r <= 0x2064 || r >= 0x206A && r <= 0x206F || r >= 0xFFF9 && r <= 0xFFFB ||
		r >= 0x1BCA0 && r <= 0x1BCA3 || r >= 0x1D173 && r <= 0x1D17A || r >= 0xE0080 && r <= 0xE00FF || r >= 0xE01F0 && r <= 0xE0FFF
}

// shown reports whether the invisible character at i is where it belongs.
func shown(text string, i int, r rune, size int) bool {
	switch r {
	case zwj:
		return joinsEmoji(text, i, size) || joinsLetters(text, i, size)
	case zwnj:
		return joinsLetters(text, i, size)
	case 0x200B:
		before, after := runeBefore(text, i), runeAt(text, i+size)
		return before > 0 && unicode.In(before, unspaced...) || after > 0 && unicode.In(after, unspaced...)
	case 0xFEFF: // a mark of the byte order
		return i == 0
	}
	return false
}

// isStacked reports whether r is a mark that people put above, below or
// through Latin letters. Those of other scripts stack by right.
func isStacked(r rune) bool {
	return r >= 0x300 && r <= 0x36F && r != 0x34F || r >= 0x1AB0 && r <= 0x1AFF || r >= 0x1DC0 && r <= 0x1DFF || r >= 0x20D0 && r <= 0x20FF && r != keycap
}

// mostMarks is how many of them a letter carries in any spelling.
const mostMarks = 3

// hidden returns the category of ours of the character at i, "" if it is none
// or where it belongs, and the length of what it belongs with.
func (s *characters) hidden(i int, r rune, category uint8, size int) (string, int) {
	text := s.text
	if isStacked(r) {
		if s.marks++; s.marks > mostMarks {
			return catMarks, size
		}
		return "", size
	}
	s.marks = 0
	switch {
	case r >= 0xE0000 && r <= endOfTags:
		if n := flagAt(text, i); n > 0 {
			return "", n
		}
		return catTag, size
	case isTurn(r):
		return catBidi, size
	case isMark(r):
		return unless(s.rightToLeft(), catBidi), size
	case isVariation(r):
		return unless(varies(text, i, r, size), catVariation), size
	case isFiller(r):
		return unless(fills(text, i, r, size), catFiller), size
	case isInvisible(r):
		return unless(shown(text, i, r, size), catInvisible), size
	case general[category] == "Co":
		return catPrivate, size
	case category == control:
		return unless(strings.ContainsRune("\t\n\v\f\r\u0085", r), catControl), size
	}
	return "", size
}

func unless(right bool, category string) string {
	if right {
		return ""
	}
	return category
}
