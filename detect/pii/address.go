// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package pii

import (
	"bytes"
	"net/netip"
	"strings"
	"unicode/utf8"
)

// Addresses of machines and mailboxes are found by the sign they have inside.

// What stands before such addresses.
var (
	ipWords  = [][]byte{[]byte("ip"), []byte("ipv4"), []byte("ipv6")}
	macWords = [][]byte{[]byte("mac"), []byte("hardware address"), []byte("physical address"), []byte("ethernet")}
)

// mailAt looks for an e-mail address around the @ at i. The part before it is
// shorter than RFC 5321 has it, without the signs that more often set an
// address apart from what stands before it (= / ? { and quotes).
func (s *scan) mailAt(i int) {
	if !s.wanted[email] {
		return
	}
	start := i
	for i-start < 64 {
		n := mailBefore(s.text, start)
		if n == 0 {
			break
		}
		start -= n
	}
	s.work += i - start
	for start < i && !wordAfter(s.text, start) {
		start++
	}
	if start == i || s.text[i-1] == '.' || wordBefore(s.text, start) {
		return
	}
	end := hostAfter(s.text, i+1)
	s.work += max(0, end-i)
	if end > 0 && strings.IndexByte(s.text[i:end], '.') > 0 {
		s.add(email, start, end, 1)
	}
}

// mailBefore returns the length of the character of a mailbox that ends at i.
func mailBefore(text string, i int) int {
	if n := wordByteBefore(text, i); n > 0 || i == 0 {
		return n
	}
	switch text[i-1] {
	case '.', '-', '+', '%', '!', '#', '$', '&', '*', '~', '^':
		return 1
	case '\'': // O'Brien
		if i > 1 && i < len(text) && isLetter(text[i-2]) && isLetter(text[i]) {
			return 1
		}
	}
	return 0
}

// hostAfter says where the host name that begins at start ends: labels set
// apart by dots, the last of them a top-level domain; -1 if there is none.
func hostAfter(text string, start int) int {
	end, i, labels := -1, start, 0
	for i-start < 253 {
		label := i
		for i < len(text) {
			n := wordByteAfter(text, i)
			if n == 0 && text[i] == '-' && i > label {
				n = 1
			}
			if n == 0 {
				break
			}
			i += n
		}
		if i == label {
			break
		}
		labels++
		if text[i-1] != '-' && labels > 1 && topLevel(text[label:i]) {
			end = i
		}
		if i >= len(text) || text[i] != '.' {
			break
		}
		i++
	}
	return end
}

// colonAt looks at what has a colon at i.
func (s *scan) colonAt(i int) {
	text := s.text
	if strings.HasPrefix(text[i:], "://") {
		if s.wanted[url] && i >= s.host {
			s.schemeAt(i)
		}
		return
	}
	if s.wanted[mac] {
		s.macAt(i)
	}
	if s.wanted[ip] && i >= s.v6 && i+1 < len(text) && (isHex(text[i+1]) || text[i+1] == ':') {
		s.v6At(i)
	}
}

// hyphenAt looks at what has a hyphen at i.
func (s *scan) hyphenAt(i int) {
	if s.wanted[mac] && i+3 < len(s.text) && s.text[i+3] == '-' {
		s.macAt(i)
	}
}

// macAt looks for six pairs of hex digits with the sign at i between the
// first two.
func (s *scan) macAt(i int) {
	text, start, end := s.text, i-2, i+15
	if start < 0 || end > len(text) || text[i+3] != text[i] {
		return
	}
	for k := start; k < end; k++ {
		if c := text[k]; (k-start)%3 == 2 && c != text[i] || (k-start)%3 != 2 && !isHex(c) {
			return
		}
	}
	s.addMAC(start, end)
}

// addMAC adds the address from start to end, unless it is nobody's.
func (s *scan) addMAC(start, end int) {
	code := s.compact(start, end)
	if same(code) && (code[0] == 'F' || code[0] == '0') || wordBefore(s.text, start) || wordAfter(s.text, end) {
		return
	}
	if c := s.text[start+2]; start > 0 && s.text[start-1] == c || end < len(s.text) && s.text[end] == c {
		return // one of more pairs, a fingerprint
	}
	s.add(mac, start, end, s.besides(.6, 0, macWords, start))
}

// v6At looks for an IP address of version 6 whose first colon is at i.
func (s *scan) v6At(i int) {
	text, start := s.text, i
	for start > 0 && i-start < 5 && isHex(text[start-1]) {
		start--
	}
	end := i
	for end < len(text) && (isHex(text[end]) || text[end] == ':') && end-start < 64 {
		end++
	}
	s.v6 = end
	s.work += end - start
	if start > 0 && (wordBefore(text, start) || text[start-1] == ':') {
		return
	}
	// A part of version 4 may follow the last colon.
	four := end
	for four < len(text) && four-end < 16 && (isDigit(text[four]) || text[four] == '.') {
		four++
	}
	for four > end && text[four-1] == '.' {
		four--
	}
	if four > end {
		if parse(text[start:four]) && !wordAfter(text, four) {
			s.addIP(start, four, .6)
			return
		}
		return
	}
	if !parse(text[start:end]) || wordAfter(text, end) || end < len(text) && text[end] == ':' {
		return
	}
	score := .6
	switch {
	case end-start == 2:
		score = .1
	case end-start < 8 && strings.Trim(text[start:end], "abcdefABCDEF:") == "":
		score = .3 // a::b is a name in some languages
	}
	if end < len(text) && text[end] == '%' {
		zone := end + 1
		for zone < len(text) && zone-end < 17 && isAlnum(text[zone]) {
			zone++
		}
		if zone > end+1 {
			end = zone
		}
	}
	s.addIP(start, end, score)
}

// parse reports whether text is an IP address.
func parse(text string) bool {
	_, err := netip.ParseAddr(text)
	return err == nil
}

// v4At looks for an IP address of version 4 that begins at start.
func (s *scan) v4At(start int) {
	text, i := s.text, start
	for part := range 4 {
		if part > 0 {
			if i >= len(text) || text[i] != '.' {
				return
			}
			i++
		}
		n, value := 0, 0
		for ; n < 4 && i < len(text) && isDigit(text[i]); n++ {
			value = value*10 + int(text[i]-'0')
			i++
		}
		if n == 0 || n > 3 || value > 255 || n > 1 && text[i-n] == '0' {
			return
		}
	}
	if wordBefore(text, start) || wordAfter(text, i) {
		return
	}
	score := .6
	if start > 1 && text[start-1] == '.' && isDigit(text[start-2]) || i+1 < len(text) && text[i] == '.' && isDigit(text[i+1]) || s.numbered(start) {
		score = .3 // of a longer list of numbers, or of a paragraph
	}
	s.addIP(start, i, score)
}

// numbered reports whether what stands before start calls it a paragraph or a
// release.
func (s *scan) numbered(start int) bool {
	before := bytes.TrimRight(s.before(start), " .:(")
	for _, w := range [...]string{"section", "sec", "version", "rfc", "chapter", "clause", "release", "§"} {
		if bytes.HasSuffix(before, []byte(w)) {
			return true
		}
	}
	return false
}

// addIP adds an address and the length of the prefix behind it.
func (s *scan) addIP(start, end int, score float64) {
	most := 32
	if strings.IndexByte(s.text[start:end], ':') >= 0 {
		most = 128
	}
	if end < len(s.text) && s.text[end] == '/' {
		d := dateReader{s.text, end + 1}
		if v, n := d.digits(); n >= 1 && n <= 3 && v <= most && !wordAfter(s.text, d.i) {
			end = d.i
		}
	}
	s.add(ip, start, end, s.besides(score, 0, ipWords, start))
}

// dotAt looks at what has a dot at i.
func (s *scan) dotAt(i int) {
	text := s.text
	if i == 0 || i+1 >= len(text) || !hostByte(text[i+1]) || !hostByte(text[i-1]) {
		return
	}
	if s.wanted[mac] && i >= 4 && i+10 <= len(text) && text[i+5] == '.' {
		start, end, ok := i-4, i+10, true
		for k := start; k < end; k++ {
			ok = ok && (isHex(text[k]) || (k-start)%5 == 4 && text[k] == '.')
		}
		if ok && !(start > 0 && text[start-1] == '.') && !(end < len(text) && text[end] == '.') {
			s.addMAC(start, end)
		}
	}
	if s.wanted[url] && i >= s.host {
		s.domainAt(i)
	}
}

func hostByte(c byte) bool { return isAlnum(c) || c == '-' }

// schemeAt looks for a URL whose scheme ends at i.
func (s *scan) schemeAt(i int) {
	text, start := s.text, i
	for start > 0 && i-start < 6 && isLetter(text[start-1]) {
		start--
	}
	switch strings.ToLower(text[start:i]) {
	case "http", "https", "ftp", "ftps":
	default:
		return
	}
	host := i + 3
	end := hostEnd(text, host)
	if end < 0 || wordBefore(text, start) {
		return
	}
	port := dateReader{text, end}
	if port.take(":") {
		if _, n := port.digits(); n > 0 {
			end = port.i
		}
	}
	end = tail(text, end, "/?#")
	s.work += end - start
	s.host = end
	s.add(url, start, end, .6)
}

// domainAt looks for a host name without a scheme that has its first dot at i.
func (s *scan) domainAt(i int) {
	text, start := s.text, i
	for start > s.host && i-start < 253 && (hostByte(text[start-1]) || text[start-1] == '.') {
		start--
	}
	run := i
	for run < len(text) && run-start < 253 && (hostByte(text[run]) || text[run] == '.') {
		run++
	}
	s.host = run
	s.work += run - start
	if start > 0 && (text[start-1] == '@' || text[start-1] == '_') || run < len(text) && text[run] == '@' || wordBefore(text, start) {
		return
	}
	end := hostEnd(text, start)
	if end < 0 || netDigits(text[start:end]) {
		return
	}
	whole := tail(text, end, "/")
	s.work += whole - end
	s.host = max(run, whole)
	s.add(url, start, whole, s.domainScore(start, end, whole))
}

// domainScore says how sure it is that a name with dots is that of a host:
// names of files and members of objects have the same form.
func (s *scan) domainScore(start, end, whole int) float64 {
	name := strings.ToLower(s.text[start:end])
	last := name[strings.LastIndexByte(name, '.')+1:]
	switch {
	case strings.HasPrefix(name, "www."):
		return .6
	case end < len(s.text) && (s.text[end] == '(' || s.text[end] == '_'):
		return .1
	case isDoubtful(last):
		return .3
	case whole > end && strings.IndexByte(name, '.') == strings.LastIndexByte(name, '.') && len(last) > 3:
		return .4
	}
	return .5
}

// hostEnd says where the longest host name that begins at start and ends in a
// top-level domain ends; -1 if there is none.
func hostEnd(text string, start int) int {
	run := start
	for run < len(text) && run-start < 253 {
		if c := text[run]; hostByte(c) || c == '.' {
			run++
			continue
		} else if c < utf8.RuneSelf {
			break
		}
		n := wordByteAfter(text, run)
		if n == 0 {
			break
		}
		run += n
	}
	for end := run; end > start; {
		name := text[start:end]
		cut := strings.LastIndexByte(name, '.')
		if cut < 0 {
			break
		}
		if cut > 0 && topLevel(name[cut+1:]) && !wordAfter(text, end) {
			return end
		}
		end = start + cut
	}
	if name := text[start:run]; strings.Count(name, ".") == 3 && netDigits(name) {
		if _, err := netip.ParseAddr(name); err == nil {
			return run
		}
	}
	return -1
}

// netDigits reports whether a name is digits and dots.
func netDigits(name string) bool { return strings.Trim(name, "0123456789.") == "" }

// tail says where the path that begins at end with one of the signs ends.
func tail(text string, end int, signs string) int {
	if end >= len(text) || strings.IndexByte(signs, text[end]) < 0 {
		return end
	}
	for end < len(text) && !isSpace(text[end]) && strings.IndexByte("()<>\"'`", text[end]) < 0 {
		end++
	}
	return end
}
