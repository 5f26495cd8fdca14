// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package value

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Strict JSON, read in one pass over text whose UTF-8 has been checked as a
// whole. Strings without escapes are parts of the source, nodes come from slabs
// and the children of a container gather on a stack, so that a document costs a
// handful of allocations. Errors carry their path, which is put together while
// the recursion unwinds and costs nothing otherwise.
//
// Stricter than RFC 8259 asks: no duplicate keys at any depth, no depth, number
// of values or length of a number beyond the limits, no number beyond a double.
// A string with a lone surrogate (`"\ud800"`), which is no text, is read as an
// Unknown value; as a key it is an error.

// The defaults of JSONLimits, and what no option changes.
const (
	DefaultDepth  = 64
	DefaultValues = 4 << 20
	maxDigits     = 1000
	maxExponent   = 1000
)

// JSONLimits bound what is read. Zero means the default.
type JSONLimits struct {
	Depth  int // of objects and lists
	Values int // in all; a text with a lone surrogate counts as eight, which is what it takes up
}

// A JSONError says why a text is no JSON that is accepted.
type JSONError struct {
	Offset     int    // in bytes
	Path       string // to the value that was being read
	Msg        string
	Incomplete bool // the text ends where more must come
}

// Error returns the message with its place.
func (e *JSONError) Error() string {
	if e.Path == "" {
		return fmt.Sprintf("%s at offset %d", e.Msg, e.Offset)
	}
	return fmt.Sprintf("%s at offset %d (%s)", e.Msg, e.Offset, e.Path)
}

// ParseJSON reads src, which must be one JSON value, see JSONParser. The error
// is a *JSONError.
func ParseJSON(src string, lim JSONLimits) (*Value, error) {
	var p JSONParser
	return p.Parse(src, lim)
}

// A JSONParser reads JSON texts one after the other. The zero JSONParser is
// ready to use; it must not be used from several goroutines at a time. What it
// returned stays valid, and keeps the source alive.
type JSONParser struct {
	src    string
	pos    int
	bad    int // offset of the first byte that is no UTF-8; len(src) if none is
	depth  int
	left   int // values that may still come
	err    *JSONError
	path   []string // of err, innermost first
	lone   []*Value
	keys   []string // of the objects being read
	vals   []*Value // the children of the containers being read
	broken bool     // the string just read has a lone surrogate
	slab   slab

	texts strings.Builder // of the strings with escapes

	// Places, if it is set, gets the offset of each value that is read.
	Places map[*Value]int
}

// Parse reads src, which must be one JSON value and nothing else.
func (p *JSONParser) Parse(src string, lim JSONLimits) (*Value, error) {
	p.start(src, lim)
	p.space()
	v := p.value(nil, -1)
	if v != nil {
		p.space()
		if p.pos < len(src) {
			p.fail("want the end after the value, got " + p.seen())
			v = nil
		}
	}
	p.shrink()
	if v == nil {
		return nil, p.failure()
	}
	return v, nil
}

// Lone returns the strings with lone surrogates of the last text read, in its
// order. They are Unknown values.
func (p *JSONParser) Lone() []*Value { return p.lone }

// Left returns how many of the values that the last text was allowed it did not
// use up.
func (p *JSONParser) Left() int { return p.left }

// Fields returns n empty fields from the parser's slab, for MakeElement.
func (p *JSONParser) Fields(n int) []*Value { return p.slab.ptrs(n) }

func (p *JSONParser) start(src string, lim JSONLimits) {
	p.src, p.pos, p.err = src, 0, nil
	p.bad = firstInvalid(src)
	p.depth, p.left = lim.Depth, lim.Values
	if p.depth <= 0 {
		p.depth = DefaultDepth
	}
	if p.left <= 0 {
		p.left = DefaultValues
	}
	p.lone, p.path = nil, p.path[:0]
	p.keys, p.vals = p.keys[:0], p.vals[:0]
	p.texts.Reset()
	p.slab.expect(len(src))
}

// shrink gives back stacks that one unusual text has made large.
func (p *JSONParser) shrink() {
	const keep = 1 << 14
	if cap(p.keys) > keep || cap(p.vals) > keep {
		p.keys, p.vals = nil, nil
	}
}

func firstInvalid(s string) int {
	if utf8.ValidString(s) {
		return len(s)
	}
	for i := 0; ; {
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && n <= 1 {
			return i
		}
		i += n
	}
}

// fail notes the first error, at the current position.
func (p *JSONParser) fail(msg string) { p.failAt(p.pos, msg) }

func (p *JSONParser) failAt(at int, msg string) {
	if p.err == nil {
		p.err = &JSONError{Offset: at, Msg: msg, Incomplete: at >= len(p.src)}
	}
}

func (p *JSONParser) failure() *JSONError {
	slices.Reverse(p.path)
	p.err.Path = strings.Join(p.path, ".")
	return p.err
}

// within adds a step to the path of the error, from the inside outwards.
func (p *JSONParser) within(step string) { p.path = append(p.path, step) }

// seen describes what stands at the current position, for messages.
func (p *JSONParser) seen() string {
	if p.pos >= len(p.src) {
		return "the end"
	}
	r, n := utf8.DecodeRuneInString(p.src[p.pos:])
	if r == utf8.RuneError && n <= 1 {
		return "a byte that is not UTF-8"
	}
	return strconv.QuoteRune(r)
}

func (p *JSONParser) space() {
	for p.pos < len(p.src) {
		switch p.src[p.pos] {
		case ' ', '\n', '\t', '\r':
			p.pos++
		default:
			return
		}
	}
}

// peek returns the byte at the current position, 0 at the end.
func (p *JSONParser) peek() byte {
	if p.pos < len(p.src) {
		return p.src[p.pos]
	}
	return 0
}

// value reads one value as child index of parent. Nil: there is an error.
func (p *JSONParser) value(parent *Value, index int) *Value {
	if p.left--; p.left < 0 {
		p.fail("more values than the limit allows")
		return nil
	}
	v := p.slab.node()
	v.parent, v.index = parent, int32(index)
	if p.Places != nil {
		p.Places[v] = p.pos
	}
	ok := false
	switch c := p.peek(); c {
	case '"':
		ok = p.stringValue(v)
	case '{', '[':
		from, left := p.pos, p.left
		if c == '{' {
			ok = p.object(v)
		} else {
			ok = p.array(v)
		}
		v.num = sized(1, uint64(1+left-p.left+(p.pos-from)/bytesPerWeight))
	case 't':
		v.kind, v.num = Bool, 1
		ok = p.word("true")
	case 'f':
		v.kind = Bool
		ok = p.word("false")
	case 'n':
		v.kind = None
		ok = p.word("null")
	case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		ok = p.number(v)
	default:
		p.fail("want a value, got " + p.seen())
	}
	if !ok {
		return nil
	}
	return v
}

func (p *JSONParser) word(w string) bool {
	rest := p.src[p.pos:]
	if strings.HasPrefix(rest, w) {
		p.pos += len(w)
		return true
	}
	if strings.HasPrefix(w, rest) {
		p.pos = len(p.src)
	}
	if len(rest) > 1 && rest[1] != w[1] {
		w = "a value, got " + p.seen() // some other word
	}
	p.fail("want " + w)
	return false
}

func (p *JSONParser) enter() bool {
	if p.depth--; p.depth < 0 {
		p.fail("nested deeper than the limit allows")
		return false
	}
	p.pos++
	p.space()
	return true
}

// more goes on after an element: true if another one follows, false at the end
// of the container or after an error.
func (p *JSONParser) more(closing byte, what string) bool {
	p.space()
	switch p.peek() {
	case ',':
		p.pos++
		p.space()
		return true
	case closing:
	default:
		p.fail("want a comma or the end of the " + what + ", got " + p.seen())
	}
	return false
}

func (p *JSONParser) array(v *Value) bool {
	v.kind = List
	if !p.enter() {
		return false
	}
	base := len(p.vals)
	if p.peek() != ']' {
		for i := 0; ; i++ {
			child := p.value(v, i)
			if child == nil {
				p.within(strconv.Itoa(i))
				return false
			}
			p.vals = append(p.vals, child)
			if !p.more(']', "list") {
				break
			}
		}
	}
	if p.err != nil {
		return false
	}
	p.pos++
	p.depth++
	v.body = p.slab.body()
	v.body.items = p.slab.ptrs(len(p.vals) - base)
	copy(v.body.items, p.vals[base:])
	p.vals = p.vals[:base]
	return true
}

func (p *JSONParser) object(v *Value) bool {
	v.kind = Dict
	if !p.enter() {
		return false
	}
	v.body = p.slab.body()
	kbase, vbase := len(p.keys), len(p.vals)
	if p.peek() != '}' {
		for p.member(v, kbase) && p.more('}', "object") {
		}
	}
	if p.err != nil {
		return false
	}
	p.pos++
	p.depth++
	v.body.keys = p.slab.strings(len(p.keys) - kbase)
	copy(v.body.keys, p.keys[kbase:])
	v.body.items = p.slab.ptrs(len(p.vals) - vbase)
	copy(v.body.items, p.vals[vbase:])
	p.keys, p.vals = p.keys[:kbase], p.vals[:vbase]
	return true
}

// member reads one `"key": value` of the object v, whose keys begin at base.
func (p *JSONParser) member(v *Value, base int) bool {
	if p.peek() != '"' {
		p.fail("want a key in double quotes, got " + p.seen())
		return false
	}
	at := p.pos
	key, ok := p.text()
	if !ok {
		return false
	}
	if p.broken {
		p.failAt(at, "a key with a lone surrogate")
		return false
	}
	if p.known(v, key, base) {
		p.failAt(at, "the key "+strconv.Quote(clip(key))+" comes twice in one object")
		return false
	}
	p.space()
	if p.peek() != ':' {
		p.fail("want a colon after the key, got " + p.seen())
		return false
	}
	p.pos++
	p.space()
	i := len(p.keys) - base
	p.keys = append(p.keys, key)
	child := p.value(v, i)
	if child == nil {
		p.within(string(AppendKey(nil, clip(key))))
		return false
	}
	p.vals = append(p.vals, child)
	return true
}

// known reports whether the object v has key already. An object with many keys
// gets its lookup table here, so that this stays linear.
func (p *JSONParser) known(v *Value, key string, base int) bool {
	keys := p.keys[base:]
	if len(keys) < manyKeys-1 {
		for _, k := range keys {
			if k == key {
				return true
			}
		}
		return false
	}
	m := v.extra()
	if m.lookup == nil {
		m.lookup = make(map[string]int32, 2*manyKeys)
		for i, k := range keys {
			m.lookup[k] = int32(i)
		}
	}
	if _, ok := m.lookup[key]; ok {
		return true
	}
	m.lookup[key] = int32(len(keys))
	return false
}

// clip shortens a text for a message.
func clip(s string) string {
	const most = 60
	if len(s) <= most {
		return s
	}
	end := most
	for !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end] + "…"
}
