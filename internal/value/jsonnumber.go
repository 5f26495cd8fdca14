// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package value

import (
	"math"
	"math/big"
	"strconv"
	"strings"
)

// number reads a number: digits alone make an Int, anything else a Float.
func (p *JSONParser) number(v *Value) bool {
	s, start := p.src, p.pos
	i := start
	if s[i] == '-' {
		i++
	}
	first := i
	var n uint64
	for i < len(s) && s[i]-'0' <= 9 {
		n = n*10 + uint64(s[i]-'0')
		i++
	}
	p.pos = i
	switch {
	case i == first:
		p.fail("want a digit after the sign, got " + p.seen())
		return false
	case s[first] == '0' && i > first+1:
		p.failAt(first, "a number that begins with a needless 0")
		return false
	case i < len(s) && (s[i] == '.' || s[i]|0x20 == 'e'):
		return p.decimal(v, start)
	case i-first > 18:
		return p.bigInteger(v, start)
	}
	v.kind = Int
	if first > start {
		n = -n
	}
	v.num = n
	return true
}

func (p *JSONParser) bigInteger(v *Value, start int) bool {
	if p.pos-start > maxDigits {
		p.failAt(start, "a number of more than 1000 digits")
		return false
	}
	v.kind = Int
	if n, err := strconv.ParseInt(p.src[start:p.pos], 10, 64); err == nil {
		v.num = uint64(n)
		return true
	}
	v.extra().big = parseBig(p.src[start:p.pos])
	return true
}

// decimal reads a number from its point or exponent on.
func (p *JSONParser) decimal(v *Value, start int) bool {
	if p.peek() == '.' {
		p.pos++
		if !p.digits("point") {
			return false
		}
	}
	if p.pos-start > maxDigits {
		p.failAt(start, "a number of more than 1000 digits")
		return false
	}
	if p.peek()|0x20 == 'e' && !p.exponent(start) {
		return false
	}
	f, err := strconv.ParseFloat(p.src[start:p.pos], 64)
	if err != nil {
		p.failAt(start, "a number beyond the range of a float")
		return false
	}
	v.kind, v.num = Float, math.Float64bits(f)
	return true
}

func (p *JSONParser) exponent(start int) bool {
	p.pos++
	if c := p.peek(); c == '+' || c == '-' {
		p.pos++
	}
	from := p.pos
	if !p.digits("exponent") {
		return false
	}
	exp := strings.TrimLeft(p.src[from:p.pos], "0")
	if n, err := strconv.Atoi("0" + exp[:min(len(exp), 6)]); err != nil || n > maxExponent {
		p.failAt(start, "a number with an exponent beyond 1000")
		return false
	}
	return true
}

// digits reads one digit or more.
func (p *JSONParser) digits(after string) bool {
	start := p.pos
	for p.pos < len(p.src) && p.src[p.pos]-'0' <= 9 {
		p.pos++
	}
	if p.pos == start {
		p.fail("want a digit after the " + after + ", got " + p.seen())
		return false
	}
	return true
}

// parseBig reads an integer that is known to be well-formed.
func parseBig(s string) *big.Int {
	n, _ := new(big.Int).SetString(s, 10)
	return n
}
