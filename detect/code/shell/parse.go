// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package shell

import (
	"errors"
	"iter"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

const (
	maxNesting = 2_000 // signs that may nest, in a piece that is parsed at once
	maxOpen    = 500   // brackets that are open at a time in one
	maxErrors  = 64    // after which the rest of a piece is looked at by tokens alone
)

// script reads a whole script, in pieces where it may nest too deep for the
// parser, which recurses.
func (r *reader) script(text string) {
	if r.work -= len(text); r.work < 0 {
		return
	}
	base := r.offset
	defer func() { r.offset = base }()
	for from := 0; from < len(text); {
		to, deep := pieceEnd(text, from)
		if deep { // nobody writes so; the parser would take long
			r.offset = base + from
			r.tokens(text[from:to])
			from = to
			continue
		}
		r.part(text[from:to], base+from)
		from = to
	}
}

// pieceEnd returns where a piece ends that begins at from: at the end of the
// text, or at the last line break before there are too many nesting signs. A deep
// one is so because too many brackets are open at a time.
func pieceEnd(text string, from int) (end int, deep bool) {
	signs, open := 0, 0
	for i := from; i < len(text); i++ {
		switch text[i] {
		case '(', '{', '[':
			open++
		case ')', '}', ']':
			open = max(open-1, 0)
			continue
		}
		if !nests(text, i) {
			continue
		}
		if signs++; signs > maxNesting || open > maxOpen {
			for _, gap := range []string{"\n}\n", "\n\n", "\n"} {
				if j := strings.LastIndex(text[from:i], gap); j > 0 {
					return from + j + len(gap), open > maxOpen
				}
			}
			return i + 1, open > maxOpen
		}
	}
	return len(text), false
}

// nests reports whether something may begin at the sign that the parser goes
// down for: an opening one, an operator of arithmetic or of a test, a keyword
// that ends here.
func nests(text string, i int) bool {
	switch c := text[i]; c {
	case '(', '{', '[', '`':
		return true
	case '-', '+', '!', '~', '?', '=', '*', ',', '&', '|', '<', '>':
		// Outside of what nests they seldom follow another of their kind.
		return i > 1 && (text[i-2] == c || text[i-1] == c || text[i-1] == ' ' || text[i-1] == '\t')
	case ' ', '\t', '\n', ';':
		if i < 2 {
			return false
		}
		switch text[i-2 : i] {
		case "if", "me", "le", "il", "oc", "in", "do", "on", "en", "se":
			return true
		}
	}
	return false
}

// dialects are tried in this order where a script has errors.
var dialects = []syntax.LangVariant{syntax.LangBash, syntax.LangZsh, syntax.LangMirBSDKorn, syntax.LangPOSIX}

// part reads a piece of the text at the offset, past its errors.
func (r *reader) part(text string, offset int) {
	if r.tries < 0 {
		r.offset = offset
		r.tokens(text)
		return
	}
	errs := 0
	lang := dialects[0]
	for from := 0; from < len(text); {
		if r.work < 0 {
			return
		}
		r.offset = offset + from
		done, bad := r.parse(text[from:], lang)
		if bad < 0 {
			return
		}
		// A statement begins at done and cannot be read on at bad.
		if errs++; errs > maxErrors || r.tries < 0 {
			r.offset = offset + from + done
			r.tokens(text[from+done:])
			return
		}
		if other, ok := r.better(text[from+done:], bad-done, lang); ok {
			lang, from = other, from+done
			continue
		}
		lang = dialects[0]
		next := nextLine(text, from+max(bad, done))
		r.offset = offset + from + done
		r.tokens(text[from+done : next])
		from = next
	}
}

// nextLine returns where the line after the one at the place begins.
func nextLine(text string, at int) int {
	at = min(at, len(text))
	if i := strings.IndexByte(text[at:], '\n'); i >= 0 {
		return at + i + 1
	}
	return len(text)
}

// parse follows statements as long as they can be read. It returns the end of
// the last of them, and where reading failed, -1 if it did not.
func (r *reader) parse(text string, lang syntax.LangVariant) (done, bad int) {
	r.piece = text
	p := syntax.NewParser(syntax.Variant(lang), syntax.RecoverErrors(maxErrors))
	bad = -1
	for s, err := range statements(p, text) {
		switch {
		case bad >= 0: // a sequence that is left at an error yields another, and panics
		case err != nil:
			r.tries -= len(text) - done
			bad = errorAt(err, done)
		default:
			r.stmt(s, value{})
			done = min(max(done, offsetOf(s.End())), len(text))
		}
	}
	return done, bad
}

// unclosed looks at what stands behind a quote that nobody closes: it may be
// the rest of a text that was cut.
func (r *reader) unclosed(left int) {
	if left+1 > len(r.piece) || r.tries < 0 {
		return
	}
	rest := r.piece[left+1:]
	r.tries -= len(rest)
	line := nextLine(rest, 0)
	old := r.offset
	r.offset += left + 1 + line
	r.tokens(rest[line:])
	r.offset = old
}

// errParser is what a parser that panics comes to.
var errParser = errors.New("the parser gives up")

// statements are those that a parser reads. It panics on some texts that are
// no scripts (a[ at the end of what was read, say); that is an error like any
// other.
func statements(p *syntax.Parser, text string) iter.Seq2[*syntax.Stmt, error] {
	return func(yield func(*syntax.Stmt, error) bool) {
		outside := false
		defer func() {
			if outside {
				return // the panic is not the parser's
			}
			if recover() != nil {
				yield(nil, errParser)
			}
		}()
		for s, err := range p.StmtsSeq(strings.NewReader(text)) {
			outside = true
			more := yield(s, err)
			outside = false
			if !more {
				return
			}
		}
	}
}

func errorAt(err error, fallback int) int {
	var parse syntax.ParseError
	if errors.As(err, &parse) {
		return int(parse.Pos.Offset())
	}
	var lang syntax.LangError
	if errors.As(err, &lang) {
		return int(lang.Pos.Offset())
	}
	return fallback
}

// better returns the dialect that reads on where the one in use failed.
func (r *reader) better(text string, bad int, lang syntax.LangVariant) (syntax.LangVariant, bool) {
	if lang != dialects[0] || len(text) > maxText {
		return lang, false
	}
	for _, other := range dialects[1:] {
		r.tries -= len(text)
		p := syntax.NewParser(syntax.Variant(other), syntax.RecoverErrors(maxErrors))
		at := len(text)
		enough := false
		for s, err := range statements(p, text) {
			switch {
			case enough: // a sequence that is left and meets an error yields it all the same
			case err != nil:
				at, enough = errorAt(err, 0), true
			default:
				enough = offsetOf(s.End()) > bad
			}
		}
		if at > bad {
			return other, true
		}
	}
	return lang, false
}

// offsetOf returns the offset of a position, 0 for what is not in the text.
func offsetOf(p syntax.Pos) int {
	if !p.IsValid() {
		return 0
	}
	return int(p.Offset())
}
