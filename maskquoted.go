// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package holdfast

import (
	"context"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/holdfast-dev/holdfast/detect"
	"github.com/holdfast-dev/holdfast/internal/builtin"
)

// maskedQuotes is how often a text may stand in quotes within quotes and is
// looked at all the same.
const maskedQuotes = 3

// private returns what in a text must not be shown; see Detectors.Private. What
// is shown of a value is often its JSON, and a text that is quoted there may
// be JSON itself. So it is looked at without the escapes, too: behind a
// backslash, a quote is not one that a password stands in.
func private(d *builtin.Detectors, text string) ([]detect.Finding, bool) {
	out, ok := d.Private(context.Background(), text)
	var places []int // of the code points of the text without escapes, and of its end
	for range maskedQuotes {
		if !ok {
			return nil, false
		}
		plain, at := unescaped(text)
		if at == nil {
			break
		}
		places, text = through(places, at), plain
		var found []detect.Finding
		found, ok = d.Private(context.Background(), text)
		for _, f := range found {
			f.Start, f.End = places[f.Start], places[f.End]
			out = append(out, f)
		}
	}
	return out, ok
}

// through returns where what a second step took from a text stands in the one
// before the first.
func through(first, second []int) []int {
	if first == nil {
		return second
	}
	out := make([]int, len(second))
	for i, at := range second {
		out[i] = first[at]
	}
	return out
}

// unescaped returns a text with what JSON escapes as it was before, and where
// each of its code points stood; nil if there are no escapes.
func unescaped(text string) (plain string, at []int) {
	if !strings.Contains(text, `\`) {
		return text, nil
	}
	var b strings.Builder
	escapes := 0
	from := 0 // in code points
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		points := 1
		if r == '\\' {
			if c, n := escape(text[i:]); n > 0 {
				r, size, points = c, n, n
				escapes++
			}
		}
		b.WriteRune(r)
		at = append(at, from)
		from += points
		i += size
	}
	if escapes == 0 {
		return text, nil
	}
	return b.String(), append(at, from)
}

// escapes are the ones of a single sign.
var escapes = map[byte]rune{'"': '"', '\'': '\'', '\\': '\\', '/': '/', 'n': '\n', 'r': '\r', 't': '\t'}

// escape returns what an escape at the beginning of s stands for, and how many
// bytes it has, all of them ASCII; 0 if there is none.
func escape(s string) (rune, int) {
	if len(s) < 2 {
		return 0, 0
	}
	if r, ok := escapes[s[1]]; ok {
		return r, 2
	}
	digits := map[byte]int{'x': 2, 'u': 4, 'U': 8}[s[1]]
	if digits == 0 || len(s) < 2+digits {
		return 0, 0
	}
	n, err := strconv.ParseUint(s[2:2+digits], 16, 32)
	if err != nil || n > utf8.MaxRune || !utf8.ValidRune(rune(n)) {
		return 0, 0
	}
	return rune(n), 2 + digits
}
