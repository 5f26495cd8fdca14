// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package xz

// The decoder of LZMA, as the LZMA SDK describes it. It works on whole chunks
// in memory: what a chunk holds is bounded, and indexing a slice is what a fast
// decoder does most.

const (
	states    = 12
	firstProb = 1 << 10 // even chances
	topBits   = 24
	moveBits  = 5
)

type prob = uint16

// lengths decodes the length of a match.
type lengths struct {
	choice, choice2 prob
	low, mid        [16][8]prob
	high            [256]prob
}

// lzma is the state of the decoder that goes on from chunk to chunk.
type lzma struct {
	lc, lp, pb uint

	state int
	rep   [4]uint32 // the last distances, less one

	isMatch, isRep0Long              [states][16]prob
	isRep, isRepG0, isRepG1, isRepG2 [states]prob
	posSlot                          [4][64]prob
	posSpecial                       [128]prob
	posAlign                         [16]prob
	matchLen, repLen                 lengths
	literal                          []prob // 0x300 for each context

	// The range decoder, on one chunk.
	in          []byte
	at          int // behind the end: the chunk is too short
	width, code uint32
}

// props sets the properties that a chunk brings; false if they are none.
func (d *lzma) props(b byte) bool {
	if b >= 9*5*5 {
		return false
	}
	d.lc, d.lp, d.pb = uint(b)%9, uint(b)/9%5, uint(b)/45
	if d.lc+d.lp > 4 {
		return false
	}
	if n := 0x300 << (d.lc + d.lp); len(d.literal) != n {
		d.literal = make([]prob, n)
	}
	return true
}

// reset makes the decoder as it is at the beginning.
func (d *lzma) reset() {
	d.state, d.rep = 0, [4]uint32{}
	for i := range d.isMatch {
		even(d.isMatch[i][:])
		even(d.isRep0Long[i][:])
	}
	even(d.isRep[:])
	even(d.isRepG0[:])
	even(d.isRepG1[:])
	even(d.isRepG2[:])
	for i := range d.posSlot {
		even(d.posSlot[i][:])
	}
	even(d.posSpecial[:])
	even(d.posAlign[:])
	d.matchLen.reset()
	d.repLen.reset()
	even(d.literal)
}

func (l *lengths) reset() {
	l.choice, l.choice2 = firstProb, firstProb
	for i := range l.low {
		even(l.low[i][:])
		even(l.mid[i][:])
	}
	even(l.high[:])
}

func even(p []prob) {
	for i := range p {
		p[i] = firstProb
	}
}

// start begins a chunk; false if it cannot be one.
func (d *lzma) start(in []byte) bool {
	if len(in) < 5 || in[0] != 0 {
		return false
	}
	d.in, d.at, d.width = in, 5, 0xffffffff
	d.code = uint32(in[1])<<24 | uint32(in[2])<<16 | uint32(in[3])<<8 | uint32(in[4])
	return d.code != d.width
}

// ended reports whether all of the chunk was needed, and nothing else.
func (d *lzma) ended() bool { return d.at == len(d.in) && d.code == 0 }

// shift brings the range back to its width.
func (d *lzma) shift() {
	d.width <<= 8
	d.code <<= 8
	if d.at < len(d.in) {
		d.code |= uint32(d.in[d.at])
	}
	d.at++
}

// bit decodes one bit.
func (d *lzma) bit(p *prob) uint32 {
	v := uint32(*p)
	bound := (d.width >> 11) * v
	var bit uint32
	if d.code < bound {
		d.width = bound
		*p = prob(v + (1<<11-v)>>moveBits)
	} else {
		d.width -= bound
		d.code -= bound
		*p = prob(v - v>>moveBits)
		bit = 1
	}
	if d.width < 1<<topBits {
		d.shift()
	}
	return bit
}

// tree decodes so many bits, the highest first.
func (d *lzma) tree(p []prob, bits uint) uint32 {
	m := uint32(1)
	for range bits {
		m = m<<1 | d.bit(&p[m])
	}
	return m - 1<<bits
}

// reverse decodes so many bits, the lowest first.
func (d *lzma) reverse(p []prob, bits uint) uint32 {
	m, v := uint32(1), uint32(0)
	for i := range bits {
		b := d.bit(&p[m])
		m = m<<1 | b
		v |= b << i
	}
	return v
}

// direct decodes bits of even chances.
func (d *lzma) direct(bits uint) uint32 {
	var v uint32
	for range bits {
		d.width >>= 1
		d.code -= d.width
		t := 0 - d.code>>31
		d.code += d.width & t
		v = v<<1 + t + 1
		if d.width < 1<<topBits {
			d.shift()
		}
	}
	return v
}

func (d *lzma) length(l *lengths, pos uint32) int {
	if d.bit(&l.choice) == 0 {
		return 2 + int(d.tree(l.low[pos][:], 3))
	}
	if d.bit(&l.choice2) == 0 {
		return 10 + int(d.tree(l.mid[pos][:], 3))
	}
	return 18 + int(d.tree(l.high[:], 8))
}

func (d *lzma) distance(length int) uint32 {
	slot := d.tree(d.posSlot[min(length-2, 3)][:], 6)
	if slot < 4 {
		return slot
	}
	bits := uint(slot>>1 - 1)
	dist := (2 | slot&1) << bits
	if slot < 14 {
		return dist + d.reverse(d.posSpecial[dist-slot:], bits)
	}
	dist += d.direct(bits-4) << 4
	return dist + d.reverse(d.posAlign[:], 4)
}

// run decodes n bytes behind w's; false if the chunk is damaged.
func (d *lzma) run(w *window, n int) bool {
	end := len(w.buf) + n
	mask := uint32(1)<<d.pb - 1
	for len(w.buf) < end && d.at <= len(d.in) {
		pos := uint32(w.total+len(w.buf)-w.base) & mask
		if d.bit(&d.isMatch[d.state][pos]) == 0 {
			d.putLiteral(w)
			continue
		}
		length := 0
		if d.bit(&d.isRep[d.state]) == 0 {
			d.rep[3], d.rep[2], d.rep[1] = d.rep[2], d.rep[1], d.rep[0]
			length = d.length(&d.matchLen, pos)
			d.rep[0] = d.distance(length)
			d.state = after(d.state, 7, 10)
		} else {
			length = d.repeated(pos)
		}
		if length > end-len(w.buf) || !w.repeat(d.rep[0], length) {
			return false
		}
	}
	return d.ended()
}

// after is the state behind a match.
func after(state, literal, other int) int {
	if state < 7 {
		return literal
	}
	return other
}

// repeated decodes a match at one of the last distances and returns its length.
func (d *lzma) repeated(pos uint32) int {
	if d.bit(&d.isRepG0[d.state]) == 0 {
		if d.bit(&d.isRep0Long[d.state][pos]) == 0 {
			d.state = after(d.state, 9, 11)
			return 1
		}
	} else {
		i := 1
		if d.bit(&d.isRepG1[d.state]) != 0 {
			i = 2 + int(d.bit(&d.isRepG2[d.state]))
		}
		dist := d.rep[i]
		copy(d.rep[1:i+1], d.rep[:i])
		d.rep[0] = dist
	}
	d.state = after(d.state, 8, 11)
	return d.length(&d.repLen, pos)
}

// putLiteral decodes one byte.
func (d *lzma) putLiteral(w *window) {
	var prev byte
	known := len(w.buf) - w.base
	if known > 0 {
		prev = w.buf[len(w.buf)-1]
	}
	pos := uint32(w.total + known)
	context := (pos&(1<<d.lp-1))<<d.lc + uint32(prev)>>(8-d.lc)
	p := d.literal[0x300*context:][:0x300]
	m := uint32(1)
	if d.state >= 7 && int(d.rep[0]) < known {
		match := uint32(w.buf[len(w.buf)-1-int(d.rep[0])])
		for m < 0x100 {
			match <<= 1
			high := match & 0x100
			b := d.bit(&p[0x100+high+m])
			m = m<<1 | b
			if high>>8 != b {
				break
			}
		}
	}
	m = d.plain(p, m)
	w.buf = append(w.buf, byte(m))
	switch {
	case d.state < 4:
		d.state = 0
	case d.state < 10:
		d.state -= 3
	default:
		d.state -= 6
	}
}

// plain decodes the rest of a literal. Its loop is that of bit, written out:
// most of the time is spent here.
func (d *lzma) plain(p []prob, m uint32) uint32 {
	width, code := d.width, d.code
	for m < 0x100 {
		q := &p[m]
		v := uint32(*q)
		bound := (width >> 11) * v
		if code < bound {
			width = bound
			*q = prob(v + (1<<11-v)>>moveBits)
			m <<= 1
		} else {
			width -= bound
			code -= bound
			*q = prob(v - v>>moveBits)
			m = m<<1 | 1
		}
		if width < 1<<topBits {
			width <<= 8
			code <<= 8
			if d.at < len(d.in) {
				code |= uint32(d.in[d.at])
			}
			d.at++
		}
	}
	d.width, d.code = width, code
	return m
}

// window is what has been decoded last: what matches may repeat, and what is to
// be given out.
type window struct {
	buf   []byte
	given int // buf[given:] is to be given out
	base  int // in buf: where the dictionary begins
	total int // bytes of the dictionary that buf has lost already
	dict  int // its size
}

// room makes room for n bytes more, once all is given out. Not more is held than
// the dictionary and half of it, or a chunk, besides.
func (w *window) room(n int) {
	if most := w.dict + max(w.dict/2, maxChunk); len(w.buf)+n > most {
		drop := len(w.buf) - w.dict
		w.total += max(drop-w.base, 0)
		w.base = max(w.base-drop, 0)
		w.buf = w.buf[:copy(w.buf, w.buf[drop:])]
	}
	w.given = len(w.buf)
	if need := len(w.buf) + n; need > cap(w.buf) {
		size := min(max(need, 2*cap(w.buf), 64<<10), w.dict+max(w.dict/2, maxChunk))
		w.buf = append(make([]byte, 0, size), w.buf...)
	}
}

// forget makes the dictionary empty.
func (w *window) forget() { w.base, w.total = len(w.buf), 0 }

// repeat adds length bytes from a distance, which is given less one; false if
// there is nothing so far back.
func (w *window) repeat(distance uint32, length int) bool {
	n := len(w.buf)
	back := int(distance) + 1
	if back > n-w.base || back > w.dict {
		return false
	}
	from := n - back
	w.buf = w.buf[:n+length]
	if back >= length {
		copy(w.buf[n:], w.buf[from:from+length])
		return true
	}
	for i := 0; i < length; { // what is copied grows as it goes on
		i += copy(w.buf[n+i:n+length], w.buf[from:n+i])
	}
	return true
}
