// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package vet

import (
	"fmt"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode"

	"github.com/holdfast-dev/holdfast/diag"
	"github.com/holdfast-dev/holdfast/internal/automata"
	"github.com/holdfast-dev/holdfast/internal/regex"
	gr "github.com/holdfast-dev/holdfast/syntax"
)

// A use of a pattern is a place where a text is compared with one, or with a
// plain beginning, end or part.
type patternUse struct {
	lit     *gr.StringLit
	subject string // the last name of what is compared: "url" of call.arguments.url
	form    patternForm
	lets    bool // a match keeps the rule from being violated
}

type patternForm uint8

const (
	matchForm  patternForm = iota // at the start, as match() does
	findForm                      // anywhere
	wholeForm                     // the whole text, in an argument pattern
	prefixForm                    // startswith
	suffixForm                    // endswith
	partForm                      // in
)

// patterns reports patterns that match more than they say.
func (v *vetting) patterns() {
	w := &patternWalk{reader: v.reader, seen: map[visit]bool{}, found: v.pattern}
	for _, rule := range v.prog.Rules {
		w.block(rule.Body, false)
	}
}

func (v *vetting) pattern(u patternUse) {
	if v.everything(u) {
		return
	}
	hostly := addressLike(u.subject) || hostIn(u.lit.Value)
	if !hostly {
		return
	}
	if u.form <= wholeForm && (u.lets || u.form != wholeForm || !plainly(u.lit.Value)) {
		v.dots(u)
	}
	if u.lets {
		v.anchors(u)
	}
}

// everything reports a pattern that every text matches.
func (v *vetting) everything(u patternUse) bool {
	all := u.form > wholeForm && u.lit.Value == ""
	if re := v.reader.regexp(u.lit.Value); u.form <= wholeForm && re != nil {
		src := re.Source(u.form == wholeForm)
		if tree, err := syntax.Parse(src.Body, syntax.Perl); err != nil || len(src.Nots) > 0 || leastLength(tree) > 0 {
			return false
		}
		set, err := automata.Compile(src.Body, automata.Options{Anywhere: u.form == findForm, ASCII: src.ASCII})
		all = err == nil && automata.Everything(set, maxSteps) == automata.Yes
	}
	if !all {
		return false
	}
	help := "it asks nothing; leave it out, or say what is meant to match"
	if u.form == wholeForm {
		help = "to ask only that the argument is there write *"
	}
	v.report("P0513", u.lit.Span(), "every text matches "+quoted(u.lit.Value), help)
	return true
}

func quoted(s string) string {
	if len(s) > 60 {
		s = strings.ToValidUTF8(s[:60], "") + "…"
	}
	return `"` + s + `"`
}

// dots reports dots that match any rune where a host's are meant.
func (v *vetting) dots(u patternUse) {
	at, plain := looseDots(u.lit.Value), offsetsOf(u.lit)
	if len(at) == 0 {
		return
	}
	var fix *Fix
	span := u.lit.Span()
	if plain >= 0 {
		fix = &Fix{What: "escape the dot"}
		for _, i := range at {
			fix.Edits = append(fix.Edits, Edit{diag.Span{File: span.File, Start: plain + i, End: plain + i}, `\`})
		}
		span.Start, span.End = plain+at[0], plain+at[0]+1
	}
	v.addFix(diag.Diagnostic{
		Code: "P0512", Span: span, Message: "this dot matches any character, not a dot alone",
		Help: `write \. for a dot`,
	}, fix)
}

// plainly reports whether a pattern has no sign of being one but dots: as an
// argument pattern it is a text to be equal to, and what else it takes is
// blocked for nothing, at worst.
func plainly(p string) bool { return !strings.ContainsAny(p, `\+*?()|[]{}^$`) }

// looseDots returns the offsets of dots that stand, unescaped and without a
// quantifier, between a letter or digit and a label of letters: as in a host
// or a file name that was written without thought of patterns.
func looseDots(p string) []int {
	var out []int
	class := false
	for i := 0; i < len(p); i++ {
		switch c := p[i]; {
		case c == '\\':
			i++
		case c == '[':
			class = true
		case c == ']':
			class = false
		case c == '.' && !class && i > 0 && wordByte(p[i-1]) && !escaped(p, i-1) && labelAt(p[i+1:]):
			out = append(out, i)
		}
	}
	return out
}

// escaped reports whether the byte at i belongs to an escape such as \d.
func escaped(p string, i int) bool {
	n := 0
	for ; i-1-n >= 0 && p[i-1-n] == '\\'; n++ {
	}
	return n%2 == 1
}

func wordByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '-'
}

// labelAt reports whether a pattern goes on with two letters at least that no
// quantifier takes apart.
func labelAt(p string) bool {
	n := 0
	for n < len(p) && wordByte(p[n]) {
		n++
	}
	return n >= 2 && (n == len(p) || !strings.ContainsRune("*+?{", rune(p[n])))
}

// offsetsOf returns where the text of a literal begins in its file if each of
// its bytes stands there as it is, else -1.
func offsetsOf(lit *gr.StringLit) int {
	span := lit.Span()
	text := span.Text()
	i := strings.IndexAny(text, `"'`)
	if i < 0 || strings.IndexFunc(text[:i], func(r rune) bool { return r != 'r' && r != 'R' }) >= 0 {
		return -1
	}
	quote := text[i : i+1]
	if strings.HasPrefix(text[i:], strings.Repeat(quote, 3)) {
		quote = strings.Repeat(quote, 3)
	}
	if body := strings.TrimSuffix(text[i+len(quote):], quote); body != lit.Value {
		return -1
	}
	return span.Start + i + len(quote)
}

// anchors reports a pattern that lets texts through and is open at an end
// where a name could go on.
func (v *vetting) anchors(u patternUse) {
	first, last := endsOf(u, v.reader.regexp(u.lit.Value))
	before, after := host(u.lit.Value), ""
	switch {
	case last && u.form != suffixForm:
		after = before + "-and-more"
		if strings.ContainsAny(before, ".@") && !strings.HasPrefix(before, "/") {
			after = strings.TrimRight(before, "/") + ".evil.example"
		}
	case first && (u.form == findForm || u.form == suffixForm || u.form == partForm):
		after = "evil" + before
	default:
		return
	}
	v.report("P0511", u.lit.Span(), fmt.Sprintf("%s also takes %q", formName(u.form), after), openHelp[u.form])
}

var openHelp = map[patternForm]string{
	matchForm:  `end the pattern with $, or with the character that ends the name, as in "^https://corp\.example/"`,
	findForm:   `use match, and end the pattern with $`,
	wholeForm:  `end the look-ahead with $`,
	prefixForm: `end the text with the character that ends the name, as in "https://corp.example/"`,
	suffixForm: `begin the text with the character before the name, as in "@corp.example"`,
	partForm:   `use match with a pattern for the whole, or startswith and endswith`,
}

func formName(f patternForm) string {
	return [...]string{"this pattern, open at its end,", "this pattern, open at an end,", "this look-ahead, open at its end,", "startswith", "endswith", "this test for a part"}[f]
}

// host is a text that a pattern takes, for people: without what patterns
// have beside names.
func host(p string) string {
	p = strings.NewReplacer(`\.`, ".", "^", "", "$", "", `\`, "", "(?!", "", ".*", "", "(?i)", "").Replace(p)
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune(".-_/:@", r) {
			return r
		}
		return -1
	}, p)
}

// endsOf reports whether what a pattern begins and ends with is open: a letter
// or digit of a name, which could have others beside it.
func endsOf(u patternUse, re *regex.Regexp) (first, last bool) {
	p := u.lit.Value
	if p == "" {
		return false, false
	}
	if u.form > wholeForm {
		return wordByte(p[0]), wordByte(p[len(p)-1])
	}
	if re == nil {
		return false, false
	}
	src := re.Source(u.form == wholeForm)
	body := src.Body
	if u.form == wholeForm {
		if len(src.Nots) == 0 {
			return false, false
		}
		body = src.Nots[0] // what the look-ahead forbids is what passes
	}
	tree, err := syntax.Parse(body, syntax.Perl)
	if err != nil {
		return false, false
	}
	tree = tree.Simplify()
	return namely(edgeOf(tree, false)), namely(edgeOf(tree, true))
}

// edgeOf returns the piece that a pattern begins or ends with; nil if there
// are several.
func edgeOf(re *syntax.Regexp, last bool) *syntax.Regexp {
	for {
		switch re.Op {
		case syntax.OpCapture:
			re = re.Sub[0]
		case syntax.OpConcat:
			i := 0
			if last {
				i = len(re.Sub) - 1
			}
			re = re.Sub[i]
		case syntax.OpAlternate:
			for _, sub := range re.Sub {
				if e := edgeOf(sub, last); !namely(e) {
					return nil
				}
			}
			return edgeOf(re.Sub[0], last)
		default:
			if re.Op == syntax.OpLiteral && len(re.Rune) > 1 {
				i := 0
				if last {
					i = len(re.Rune) - 1
				}
				return &syntax.Regexp{Op: syntax.OpLiteral, Rune: re.Rune[i : i+1]}
			}
			return re
		}
	}
}

// namely reports whether a piece is a letter or digit as it stands.
func namely(re *syntax.Regexp) bool {
	return re != nil && re.Op == syntax.OpLiteral && re.Rune[0] < 0x80 && wordByte(byte(re.Rune[0]))
}

// addressLike reports whether a name is one that hosts, addresses and paths
// have.
func addressLike(name string) bool {
	return slices.ContainsFunc(words(name), func(w string) bool { return slices.Contains(addressWords, w) })
}

var addressWords = []string{
	"host", "hostname", "domain", "url", "uri", "link", "href", "endpoint", "address", "email", "mail", "recipient", "recipients",
	"to", "cc", "bcc", "sender", "path", "file", "filename", "filepath", "dir", "directory", "folder", "website", "site", "origin",
}

// words takes a name apart: "file_path", "filePath".
func words(name string) []string {
	var b strings.Builder
	for i, r := range name {
		if unicode.IsUpper(r) && i > 0 {
			b.WriteByte(' ')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return strings.FieldsFunc(b.String(), func(r rune) bool { return !unicode.IsLetter(r) })
}

// hostIn reports whether a pattern speaks of an address itself.
func hostIn(p string) bool {
	i := strings.IndexAny(p, "@")
	return strings.Contains(p, "://") || i >= 0 && strings.Contains(p[i:], ".")
}
