// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package builtin

import (
	"errors"
	"strconv"
	"sync"

	"github.com/holdfast-dev/holdfast/internal/regex"
	"github.com/holdfast-dev/holdfast/internal/value"
)

// The bounds of the caches. They bound memory only: what falls out is
// computed again, to the same result. Results of effectful functions never
// fall out: when their place is used up, a new call is unknown.
const (
	maxPatterns  = 1024
	maxParsed    = 512
	maxParsedLen = 4 << 20 // bytes of the texts that were parsed
	maxDetected  = 4096
	maxEffects   = 1 << 20
	maxHeld      = 256 << 20 // bytes of the results of effectful functions
	maxPattern   = 16 << 10  // bytes of a pattern
	maxJSONDepth = 64
)

// Limits bound what one operation may cost. Zero fields mean the defaults.
type Limits struct {
	Value  int // bytes of a computed text; 1 MiB
	Regexp int // steps of one look of a pattern at a text; 50 million
}

func (l Limits) value() int {
	if l.Value <= 0 {
		return 1 << 20
	}
	return l.Value
}

func (l Limits) regexp() int {
	if l.Regexp <= 0 {
		return 50_000_000
	}
	return l.Regexp
}

// items is how many items a computed list may have.
func (l Limits) items() int { return max(l.value()/8, 1) }

// Regexp is a compiled pattern, see package regex.
type Regexp = regex.Regexp

// Literal is a text that matches of a pattern need, see package regex.
type Literal = regex.Literal

// RegexpError says why a pattern is refused, and how to write it otherwise.
type RegexpError = regex.Error

// CompileRegexp compiles a pattern of Python's syntax. The error is a
// *RegexpError.
func CompileRegexp(pattern string) (*Regexp, error) {
	if len(pattern) > maxPattern {
		return nil, &RegexpError{Msg: "the pattern is too large", Hint: "shorten it, or split it into several patterns"}
	}
	return regex.Compile(pattern)
}

// Patterns is a cache of compiled patterns that may be used by several
// goroutines, so that all monitors of a policy can share one.
type Patterns struct {
	mu       sync.RWMutex
	compiled map[string]compiled
}

type compiled struct {
	re  *Regexp
	err error
}

// NewPatterns returns an empty cache.
func NewPatterns() *Patterns { return &Patterns{compiled: map[string]compiled{}} }

// Compile is CompileRegexp with a memory.
func (p *Patterns) Compile(pattern string) (*Regexp, error) {
	p.mu.RLock()
	c, ok := p.compiled[pattern]
	p.mu.RUnlock()
	if ok {
		return c.re, c.err
	}
	c.re, c.err = CompileRegexp(pattern)
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.compiled) >= maxPatterns {
		for old := range p.compiled {
			delete(p.compiled, old)
			break
		}
	}
	p.compiled[pattern] = c
	return c.re, c.err
}

// A Memo remembers what was computed: compiled patterns, parsed JSON, results
// of detectors and of effectful functions. A monitor has one for its life; it
// is not safe for concurrent use.
type Memo struct {
	Patterns *Patterns // may be shared between memos

	parsed    map[*value.Value]*value.Value
	parsedLen int
	detected  map[callKey]*result
	failed    []callKey // of those in detected that Retry forgets
	effects   map[callKey]*result
	held      int // size of the results in effects

	asked     [maxAsked]asked // the lists that were looked into last
	askedNext int             // the place that goes next
}

// NewMemo returns an empty memo with a pattern cache of its own.
func NewMemo() *Memo { return &Memo{Patterns: NewPatterns()} }

// compile returns the pattern that v is.
func (e *Env) compile(v *value.Value) (*Regexp, *value.Value) {
	text, ok := value.Concat(v)
	if !ok {
		return nil, wrongKind("a pattern must be a str", v)
	}
	var re *Regexp
	var err error
	if e != nil && e.Memo != nil && e.Memo.Patterns != nil {
		re, err = e.Memo.Patterns.Compile(text)
	} else {
		re, err = CompileRegexp(text)
	}
	if err != nil {
		// Literal patterns are load errors; this one may be trace text, so the
		// message, which may quote it, stays out.
		return nil, value.Trouble(value.BadPattern, v, "the computed pattern is refused")
	}
	return re, nil
}

// parse returns the JSON value that a Str or Content spells, an Unknown value
// if it is none.
func (e *Env) parse(v *value.Value) *value.Value {
	if e == nil || e.Memo == nil || !value.Placed(v) {
		text, _ := value.Concat(v)
		return parseJSON(v, text)
	}
	m := e.Memo
	if p, ok := m.parsed[v]; ok {
		return p
	}
	text, _ := value.Concat(v)
	p := parseJSON(v, text)
	m.parsedLen += len(text)
	if m.parsed == nil || len(m.parsed) >= maxParsed || m.parsedLen > maxParsedLen {
		m.parsed, m.parsedLen = make(map[*value.Value]*value.Value), len(text)
	}
	m.parsed[v] = p
	return p
}

func parseJSON(v *value.Value, text string) *value.Value {
	p, err := value.ParseJSON(text, value.JSONLimits{Depth: maxJSONDepth})
	if err == nil {
		return p
	}
	detail := "the text is no JSON"
	if bad := (*value.JSONError)(nil); errors.As(err, &bad) {
		detail += ", offset " + strconv.Itoa(bad.Offset)
	}
	return value.Trouble(value.BadText, v, detail)
}

// marks returns where evidence goes, nil when none is wanted.
func (e *Env) marks() *Marks {
	if e == nil {
		return nil
	}
	return e.Marks
}

func (e *Env) limits() Limits {
	if e == nil {
		return Limits{}
	}
	return e.Limits
}

// wrongKind is the trouble of a value of a kind that an operation does not
// have.
func wrongKind(detail string, v *value.Value) *value.Value {
	return value.Trouble(value.TypeError, v, detail+", not "+describe(v))
}

// describe names the kind of v for people.
func describe(v *value.Value) string {
	name := v.Kind().String()
	if t := v.Type(); t != nil {
		name = t.Name
	}
	switch {
	case v.Kind() == value.None:
		return name
	case name[0] == 'i' || name[0] == 'I':
		return "an " + name
	}
	return "a " + name
}

// text returns v as a Str: a Content is its concatenation. The second result
// is the trouble if v is neither.
func text(v *value.Value, what string) (string, *value.Value) {
	if s, ok := value.Concat(v); ok {
		return s, nil
	}
	return "", wrongKind(what+" must be a str", v)
}

// textOf returns a computed text, Unknown if it is beyond the limit.
func (e *Env) textOf(s string) *value.Value {
	if len(s) > e.limits().value() {
		return tooLarge()
	}
	return value.StrOf(s)
}

// listOf returns a computed list, Unknown if it is beyond the limit.
func (e *Env) listOf(items []*value.Value) *value.Value {
	if len(items) > e.limits().items() {
		return tooLarge()
	}
	return value.ListOf(items)
}

func tooLarge() *value.Value {
	return value.Trouble(value.TooLarge, nil, "the result is larger than a value may be")
}
