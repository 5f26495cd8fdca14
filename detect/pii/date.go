// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package pii

import "strings"

// Days, as digits in the orders people write them in, with names of months,
// and as ISO 8601 has them. A month has 31 days here: the point is to see that
// somebody wrote a date.

// findDate reads a date at start.
func findDate(text string, start int) (int, float64) {
	d := dateReader{text, start}
	if isLetter(text[start]) {
		return d.named()
	}
	first, n := d.digits()
	switch {
	case n == 4 && d.peek("-/"):
		if end := d.yearFirst(); end > 0 {
			return end, .6
		}
		return year(first, start+n)
	case n == 4:
		return year(first, start+n)
	case n > 2 || first < 1 || first > 31:
		return -1, 0
	}
	sep := byte(0)
	if d.i < len(text) {
		sep = text[d.i]
	}
	switch sep {
	case '/', '-', '.':
		d.i++
		return d.parted(first, sep)
	}
	return d.dayOfMonth()
}

// year takes a number of four digits for a year.
func year(n, end int) (int, float64) {
	if n < 1900 || n > 2099 {
		return -1, 0
	}
	return end, .2
}

// A dateReader reads on from i.
type dateReader struct {
	text string
	i    int
}

// digits reads up to five digits.
func (d *dateReader) digits() (value, n int) {
	for n < 5 && d.i < len(d.text) && isDigit(d.text[d.i]) {
		value = value*10 + int(d.text[d.i]-'0')
		d.i++
		n++
	}
	return value, n
}

// peek reports whether one of the bytes comes next.
func (d *dateReader) peek(set string) bool {
	return d.i < len(d.text) && strings.IndexByte(set, d.text[d.i]) >= 0
}

// take reads one of the bytes.
func (d *dateReader) take(set string) bool {
	ok := d.peek(set)
	if ok {
		d.i++
	}
	return ok
}

// upTo reads a number of one or two digits between 1 and most.
func (d *dateReader) upTo(most int) bool {
	v, n := d.digits()
	return n >= 1 && n <= 2 && v >= 1 && v <= most
}

// pair reads two digits, at most most.
func (d *dateReader) pair(most int) bool {
	v, n := d.digits()
	return n == 2 && v <= most
}

// years reads a year of four or two digits.
func (d *dateReader) years(short bool) bool {
	_, n := d.digits()
	return n == 4 || short && n == 2
}

// yearFirst reads "-11-04", "/11/04", and after the former a time.
func (d *dateReader) yearFirst() int {
	sep := d.text[d.i : d.i+1]
	d.i++
	if !d.upTo(12) || !d.take(sep) || !d.upTo(31) {
		return -1
	}
	if end := d.i; sep == "/" || !d.peek("Tt") {
		return end
	}
	d.i++
	if !d.pair(29) || !d.take(":") || !d.pair(59) {
		return -1
	}
	if d.take(":") && !d.pair(59) {
		return -1
	}
	if d.peek(".,") && d.i+1 < len(d.text) && isDigit(d.text[d.i+1]) {
		for d.i++; d.i < len(d.text) && isDigit(d.text[d.i]); {
			d.i++
		}
	}
	if d.take("Zz") {
		return d.i
	}
	zone := *d
	if zone.take("+-") && zone.pair(29) && (!zone.take(":") || zone.pair(59)) {
		return zone.i
	}
	return d.i
}

// parted reads what follows a first number and a sign.
func (d *dateReader) parted(first int, sep byte) (int, float64) {
	if sep == '-' && d.i < len(d.text) && isLetter(d.text[d.i]) {
		if d.month() != 3 {
			return -1, 0
		}
		if end := d.i; !d.take("-") {
			return end, .6
		} else if !d.years(true) {
			return end, .6
		}
		return d.i, .6
	}
	at := d.i
	second, n := d.digits()
	if sep == '/' && n == 4 && first <= 12 {
		return d.i, .2
	}
	if n < 1 || n > 2 {
		return -1, 0
	}
	end := d.i
	days := second >= 1 && (first <= 12 && second <= 31 && sep != '.' || second <= 12)
	if days && d.take(string(sep)) && d.years(sep != '-') {
		return d.i, .6
	}
	if sep == '/' && first <= 12 && end-at == 2 {
		return end, .1
	}
	return -1, 0
}

const months = "januaryfebruarymarchaprilmayjunejulyaugustseptemberoctobernovemberdecember"

// month reads the name of a month or its first three letters (four for
// September), and returns how many it read, 0 if it is none.
func (d *dateReader) month() int {
	n := 0
	for n < 10 && d.i+n < len(d.text) && isLetter(d.text[d.i+n]) {
		n++
	}
	if n < 3 || n > 9 {
		return 0
	}
	var buf [9]byte
	for k := range n {
		buf[k] = d.text[d.i+k] | 0x20
	}
	rest := months
	for _, size := range [...]int{7, 8, 5, 5, 3, 4, 4, 6, 9, 7, 8, 8} {
		name := rest[:size]
		rest = rest[size:]
		if n == size && string(buf[:n]) == name || n == 3 && string(buf[:3]) == name[:3] || n == 4 && string(buf[:4]) == "sept" {
			d.i += n
			return n
		}
	}
	return 0
}

// named reads a date that begins with the name of a month, or "year 1972".
func (d *dateReader) named() (int, float64) {
	start := d.i
	capital := d.text[start] < 'a'
	n := d.month()
	if n == 0 {
		if !strings.HasPrefix(d.text[start:], "year ") {
			return -1, 0
		}
		d.i += len("year ")
		if v, n := d.digits(); n == 4 && v >= 1900 && v < 2100 {
			return d.i, .4
		}
		return -1, 0
	}
	if n == 3 && d.take("-") {
		if d.years(true) {
			return d.i, .6
		}
		return -1, 0
	}
	d.take(".")
	if !capital || !d.take(" ") {
		return -1, 0
	}
	return d.afterMonth()
}

// afterMonth reads "4th, 2023" or "2023".
func (d *dateReader) afterMonth() (int, float64) {
	v, n := d.digits()
	switch {
	case n == 4:
		return d.i, .6
	case n < 1 || n > 2 || v < 1 || v > 31:
		return -1, 0
	}
	d.ordinal()
	end := d.i
	d.take(",")
	if d.take(" ") {
		if v, n := d.digits(); n == 4 && v >= 1000 {
			return d.i, .6
		}
	}
	return end, .6
}

func (d *dateReader) ordinal() {
	for _, s := range [...]string{"st", "nd", "rd", "th"} {
		if strings.HasPrefix(d.text[d.i:], s) {
			d.i += 2
			return
		}
	}
}

// dayOfMonth reads "th of November 2023" after the number of a day.
func (d *dateReader) dayOfMonth() (int, float64) {
	d.ordinal()
	if !d.take(" ") {
		return -1, 0
	}
	if strings.HasPrefix(d.text[d.i:], "of ") {
		d.i += 3
	}
	if d.i >= len(d.text) || d.text[d.i]-'A' >= 26 || d.month() == 0 {
		return -1, 0
	}
	end := d.i
	d.take(",")
	if d.take(" ") {
		if v, n := d.digits(); n == 4 && v >= 1000 {
			return d.i, .6
		}
	}
	return end, .6
}

// lone adds the months in text that stand without a number: "in May".
func (s *scan) lone() {
	for i := 0; i < len(s.text); i++ {
		if s.text[i]-'A' >= 26 || wordBefore(s.text, i) {
			continue
		}
		d := dateReader{s.text, i}
		if n := d.month(); n == 0 || wordAfter(s.text, d.i) || !bare(s.text, i) {
			continue
		}
		s.add(s.tables.ids["DATE_TIME"], i, d.i, .2)
	}
}

// bare reports whether a month, which may also be a name or a verb, follows a
// word that goes before times.
func bare(text string, i int) bool {
	before := strings.TrimRight(text[max(0, i-12):i], " ")
	word := before[strings.LastIndexAny(before, " \n\t(,;")+1:]
	switch strings.ToLower(word) {
	case "in", "on", "by", "of", "since", "until", "till", "before", "after", "during", "from", "last", "next", "this", "every", "early", "late", "mid":
		return true
	}
	return false
}
