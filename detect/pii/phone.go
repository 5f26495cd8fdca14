// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package pii

import (
	"strings"

	"github.com/nyaruka/phonenumbers"
)

// Telephone numbers. What looks like one is found here; whether it is one is
// for libphonenumber's tables, which know the ranges that are in use. The
// library takes tens of microseconds a number, so the form is looked at first,
// an answer is kept for the length of a scan, and after so many questions
// about one text the form alone decides: a text full of numbers is full of
// telephone numbers, and must not cost seconds.

// questions is how often the library is asked about one text.
const questions = 1000

// phoneBook remembers what the library said during a scan.
type phoneBook struct {
	asked map[string]bool
}

// phoneWords stand before telephone numbers; the first of them suffice for a
// number without a sign between its digits.
var phoneWords = [][]byte{
	[]byte("phone"), []byte("mobile"), []byte("telephone"), []byte("whatsapp"), []byte("tel."), []byte("tel"), []byte("fax"), []byte("cellphone"),
	[]byte("call"), []byte("cell"), []byte("sms"), []byte("dial"), []byte("contact"),
}

const plainWords = 8

const (
	fewestDigits = 8 // of a telephone number
	between      = " -./()"
)

// A phoneForm is what may be a telephone number: groups of digits with signs
// between them.
type phoneForm struct {
	start  int // with the sign before it
	plus   bool
	paren  bool
	sep    byte // the sign between the last two groups
	ends   [8]int
	sizes  [8]int
	groups int
	all    [17]byte // the digits
}

// phoneAt looks for a telephone number whose first digit is at start.
func (s *scan) phoneAt(start int) {
	s.work++
	if !enough(s.text, start) {
		return
	}
	f := phoneForm{start: start}
	if !f.read(s.text, start) || s.inNumber(f.start) {
		return
	}
	for n := f.groups; n > 0; n-- {
		end := f.ends[n-1]
		if wordAfter(s.text, end) {
			continue
		}
		score := f.score(n)
		if score == 0 {
			continue
		}
		if score < .55 && !f.plus && s.glued(f.start, end) {
			score = min(score, .3)
		}
		words := phoneWords
		if n == 1 && !f.plus {
			words = words[:plainWords]
		}
		raised := s.besides(score, 0, words, f.start)
		if !s.named && raised < Threshold || !s.isPhone(&f, n, raised > score) {
			continue
		}
		score = raised
		s.add(phone, f.start, end, score)
		s.call = end
		return
	}
	if f.plus { // its groups are no numbers by themselves
		s.call = f.ends[f.groups-1]
	}
}

// enough reports whether there are digits enough for a telephone number from
// start on. Behind a sign there always are: what follows it is no number by
// itself.
func enough(text string, start int) bool {
	if start > 0 && (text[start-1] == '+' || text[start-1] == '(') {
		return true
	}
	digits, apart := 0, 0
	for i := start; i < len(text) && digits < fewestDigits; i++ {
		switch c := text[i]; {
		case isDigit(c):
			digits++
			apart = 0
		case apart < 3 && strings.IndexByte(between, c) >= 0:
			apart++
		default:
			return false
		}
	}
	return digits == fewestDigits
}

// inNumber reports whether the number at i goes on to the left.
func (s *scan) inNumber(i int) bool {
	if i == 0 {
		return false
	}
	if wordBefore(s.text, i) {
		return true
	}
	switch s.text[i-1] {
	case '.', ',', '/', '-':
		return i > 1 && isAlnum(s.text[i-2])
	case '%', '+', '$':
		return true
	case ' ': // a row of bytes in hex
		return i > 2 && isHex(s.text[i-2]) && isLetter(s.text[i-2]) && isHex(s.text[i-3]) && !wordBefore(s.text, i-3)
	}
	return false
}

// read reads the groups from start on.
func (f *phoneForm) read(text string, start int) bool {
	if !isDigit(text[start]) {
		return false
	}
	if f.start > 0 && text[f.start-1] == '(' {
		f.start--
		f.paren = true
	}
	if f.start > 0 && text[f.start-1] == '+' {
		f.start--
		f.plus = true
	}
	digits, i := 0, start
	for f.groups < len(f.ends) {
		n := 0
		for ; i < len(text) && isDigit(text[i]); i++ {
			if digits == len(f.all) {
				return f.groups > 0
			}
			f.all[digits] = text[i]
			digits++
			n++
		}
		f.sizes[f.groups], f.ends[f.groups] = n, i
		f.groups++
		next := f.next(text, i)
		if next < 0 {
			break
		}
		i = next
	}
	return true
}

// next reads the signs between two groups and says where the next begins.
func (f *phoneForm) next(text string, i int) int {
	begin := i
	for i < len(text) && i-begin < 3 && strings.IndexByte(between, text[i]) >= 0 {
		if text[i] == '(' {
			f.paren = true
		}
		i++
	}
	if i == begin || i >= len(text) || !isDigit(text[i]) || text[begin:i] == "  " || strings.Count(text[begin:i], "/") > 0 && f.plus {
		return -1
	}
	f.sep = text[i-1]
	return i
}

// digits returns the first n groups.
func (f *phoneForm) digits(n int) string {
	total := 0
	for _, size := range f.sizes[:n] {
		total += size
	}
	return string(f.all[:total])
}

// score says how sure the form of the first n groups is, 0 if it is none.
func (f *phoneForm) score(n int) float64 {
	d := f.digits(n)
	switch {
	case f.plus:
		if len(d) < fewestDigits || len(d) > 15 {
			return 0
		}
		return .75
	case len(d) < fewestDigits || len(d) > 13, f.isDate(d), strings.HasPrefix("0123456789", d):
		return 0
	}
	most := 0
	for _, size := range f.sizes[1:n] {
		if most = max(most, size); size < 2 {
			return 0
		}
	}
	if n > 2 && most == 2 && d[0] != '0' {
		return .2
	}
	sizes := f.sizes[:n]
	if sizes[0] == 1 && n > 1 { // a trunk or country code before the rest
		if d[0] != '0' && d[0] != '1' || n == 2 && f.sep == '.' {
			return 0
		}
		sizes = sizes[1:]
	}
	if len(sizes) == 3 && sizes[0] == 3 && sizes[1] == 3 && sizes[2] == 4 {
		switch {
		case f.paren:
			return .65
		case f.sep == '-':
			return .55
		case f.sep == '.':
			return .5
		}
		return .4
	}
	if f.paren && n > 1 {
		return .45
	}
	return .4
}

// isDate reports whether the groups are those of a day, and perhaps an hour.
func (f *phoneForm) isDate(d string) bool {
	return f.sizes[0] == 4 && f.sizes[1] == 2 && f.sizes[2] == 2 && (d[:2] == "19" || d[:2] == "20") ||
		f.sizes[0] == 2 && f.sizes[1] == 2 && f.sizes[2] == 4 && (d[4:6] == "19" || d[4:6] == "20")
}

// isPhone asks the library about the first n groups: in the regions where
// numbers of that form are, and with + in the one it names. Where a word says
// that a number of a telephone follows, more regions are asked.
func (s *scan) isPhone(f *phoneForm, n int, said bool) bool {
	d := f.digits(n)
	if f.plus {
		return s.ask("+"+d, "")
	}
	for _, region := range regions(d) {
		if s.ask(d, region) {
			return true
		}
	}
	if said {
		for _, region := range moreRegions(d) {
			if s.ask(d, region) {
				return true
			}
		}
	}
	return false
}

// moreRegions lists where a number may belong of which something else than its
// form says that it is one.
func moreRegions(d string) []string {
	switch {
	case d[0] == '0' && len(d) <= 11:
		return []string{"AU", "NL", "IT", "SE", "BE", "AT", "CH", "ZA", "KR", "FI", "NZ"}
	case len(d) == 8:
		return []string{"DK", "NO", "SG", "HK"}
	case len(d) == 9:
		return []string{"ES", "PL", "PT", "CZ"}
	case len(d) == 10:
		return []string{"IT", "MX", "GR", "RU"}
	}
	return nil
}

// regions lists where a number without + may belong.
func regions(d string) []string {
	switch {
	case d[0] == '0' && len(d) <= 11:
		return []string{"IL", "JP", "FR", "GB", "DE", "IN", "CN"}
	case len(d) == 10 && d[0] >= '2' && d[3] >= '2':
		return []string{"US", "IN", "BR"}
	case len(d) == 10:
		return []string{"IN", "BR"}
	case len(d) == 11 && d[0] == '1':
		return []string{"US", "CN"}
	case len(d) == 11:
		return []string{"BR", "FR"}
	case strings.HasPrefix(d, "91"):
		return []string{"IN"}
	case strings.HasPrefix(d, "44"):
		return []string{"GB"}
	case strings.HasPrefix(d, "49"):
		return []string{"DE"}
	case strings.HasPrefix(d, "55"):
		return []string{"BR"}
	case strings.HasPrefix(d, "972"):
		return []string{"IL"}
	}
	return nil
}

// ask asks the library, once for each number.
func (s *scan) ask(number, region string) bool {
	key := region + number
	if answer, ok := s.phones.asked[key]; ok {
		return answer
	}
	if len(s.phones.asked) >= questions {
		return true
	}
	parsed, err := phonenumbers.Parse(number, region)
	answer := err == nil && phonenumbers.IsValidNumber(parsed)
	if s.phones.asked == nil {
		s.phones.asked = map[string]bool{}
	}
	s.phones.asked[key] = answer
	return answer
}
