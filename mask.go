// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package holdfast

import (
	"cmp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/holdfast-dev/holdfast/detect"
	"github.com/holdfast-dev/holdfast/internal/builtin"
	"github.com/holdfast-dev/holdfast/internal/eval"
	"github.com/holdfast-dev/holdfast/internal/value"
	"github.com/holdfast-dev/holdfast/trace"
)

// What is looked at for what must not be shown, in bytes.
const (
	maskedText  = 64 << 10  // of a text of which the beginning is shown
	maskedEvent = 256 << 10 // of the texts of one event
	leastMasked = 8         // of a piece of a secret that is cut
	leastText   = 6         // of a text in which there can be anything
	maskedPiece = 4 << 10   // of one secret, to know it again
	maxNamed    = 512       // of a key and what stands at it
)

// plainWords are what events are made of: no detector need be asked about them.
var plainWords = map[string]bool{
	"assistant": true, "system": true, "developer": true, "function": true, "content": true, "tool_calls": true,
	"tool_call_id": true, "function_call": true, "arguments": true, "metadata": true, "timestamp": true, "image_url": true,
	"description": true, "inputSchema": true, "parameters": true, "properties": true, "required": true, "object": true, "string": true,
}

// unshown stands for a text of which cannot be told what may be shown.
const unshown = "<hidden>"

// Masked returns a text of a trace as verdicts of p show it: where the policy has
// the detectors "secrets" and "pii", with what they find in it replaced by its
// kind. Pieces are hidden, too, of what they find in the events that the text
// is of. With Options.Reveal, and without those detectors, it is as it was. It
// is safe for concurrent use.
func (p *Policy) Masked(text string, of ...*trace.Event) detect.Masked {
	if !p.Hides() {
		return detect.Masked{Text: text}
	}
	found, ok := private(p.detectors, text)
	if !ok {
		return detect.Mask(text, []detect.Finding{{Kind: "hidden", End: utf8.RuneCountInString(text)}})
	}
	k := &mask{detectors: p.detectors}
	for _, e := range of {
		left := maskedEvent
		k.learn(e.Root(), "", &left)
	}
	return detect.Mask(text, k.again(text, found))
}

// Hides reports whether verdicts of p hide anything, see Masked.
func (p *Policy) Hides() bool { return !p.reveal && p.detectors.Hides() }

// A mask hides credentials and personal data in what one violation shows. A
// piece that shows nothing by itself, such as a password without its name, is
// known by the events that the violation is about.
type mask struct {
	detectors *builtin.Detectors
	rule      string                    // its text: what stands in the policy is no secret
	known     map[int]map[string]string // the kinds of pieces of what is private, by length
}

// mask returns what hides in a match of a rule; nil hides nothing.
func (p *Policy) mask(r *Rule, m *eval.Match) *mask {
	if !p.Hides() {
		return nil
	}
	k := &mask{detectors: p.detectors, rule: r.plan.Check.Node.Span().Text()}
	if m == nil {
		return k
	}
	seen := map[*value.Value]bool{}
	for _, v := range m.Values() {
		if v == nil || v.Kind() == value.Unknown || seen[v.Root()] {
			continue
		}
		seen[v.Root()] = true
		left := maskedEvent
		k.learn(v.Root(), "", &left)
	}
	return k
}

// learn looks for what must not be shown in the texts of v, which stands at a
// key, or "".
func (k *mask) learn(v *value.Value, key string, left *int) {
	if text, ok := value.Concat(v); ok {
		if *left -= len(text); *left < 0 || len(text) < leastMasked || plainWords[text] {
			return
		}
		k.learnText(text, 0)
		k.learnNamed(key, text)
	}
	keys := v.Keys()
	for i, it := range v.Items() { // the parts of a content as well: what is whole in one may not be in all of it
		if it == nil || *left <= 0 {
			continue
		}
		key := ""
		if i < len(keys) {
			if key = keys[i]; !plainWords[key] && len(key) >= leastMasked {
				k.learnText(key, 0)
			}
		}
		k.learn(it, key, left)
	}
}

// learnText takes in what must not be shown in a text, behind its first code
// points.
func (k *mask) learnText(text string, first int) {
	found, ok := private(k.detectors, text)
	if !ok || len(found) == 0 {
		return
	}
	runes := []rune(text)
	for _, f := range found {
		start := max(f.Start, first)
		if piece := string(runes[start:max(f.End, start)]); len(piece) >= leastMasked && !strings.Contains(k.rule, piece) {
			k.know(piece, cmp.Or(f.Kind, "hidden"))
		}
	}
}

// learnNamed takes in a text that is private because of the key at which it
// stands.
func (k *mask) learnNamed(key, text string) {
	if key == "" || plainWords[key] || len(key)+len(text) > maxNamed {
		return
	}
	name := strconv.Quote(key) + `: "`
	k.learnText(name+text+`"`, utf8.RuneCountInString(name))
}

// text hides what must not be shown in a text of which at most n bytes are.
func (k *mask) text(s string, n int) string {
	if k == nil || len(s) < leastText || plainWords[s] || strings.Contains(k.rule, s) {
		return s
	}
	s = beginning(s, n+maskedText)
	found, ok := private(k.detectors, s)
	if !ok {
		return unshown
	}
	runes := []rune(s)
	var kept []detect.Finding
	for _, f := range found {
		if !strings.Contains(k.rule, string(runes[f.Start:f.End])) {
			kept = append(kept, f)
		}
	}
	return detect.Mask(s, k.again(s, kept)).Text
}

// again adds to what was found in s the pieces of what is known, where nothing
// was found.
func (k *mask) again(s string, found []detect.Finding) []detect.Finding {
	out := found
	s = lower(s)
	for n, grams := range k.known {
		for i := 0; i+n <= len(s); i++ {
			kind, ok := grams[s[i:i+n]]
			if !ok {
				continue
			}
			end := i + n
			for end < len(s) && grams[s[end-n+1:end+1]] != "" {
				end++
			}
			piece := detect.Finding{Kind: kind, Start: points(s, i), End: points(s, end)}
			i = end - 1
			out = appendApart(out, piece, len(found))
		}
	}
	return out
}

// appendApart appends a piece without those of its parts in which the first n
// have been found.
func appendApart(out []detect.Finding, piece detect.Finding, n int) []detect.Finding {
	for _, f := range out[:n] {
		if f.Start < piece.End && piece.Start < f.End {
			before, behind := piece, piece
			before.End, behind.Start = f.Start, f.End
			for _, rest := range []detect.Finding{before, behind} {
				if rest.End-rest.Start >= leastMasked {
					out = appendApart(out, rest, n)
				}
			}
			return out
		}
	}
	return append(out, piece)
}

// points returns how many code points of s begin before byte i.
func points(s string, i int) int {
	for i < len(s) && i > 0 && !utf8.RuneStart(s[i]) {
		i++
	}
	return utf8.RuneCountInString(s[:i])
}

// know takes in a text that must not be shown, as all its pieces of a length.
// The shorter they are, the smaller the parts that are recognised, and the more
// else looks like one: half of an address is that of somebody else, too.
func (k *mask) know(piece, kind string) {
	piece = lower(piece)
	n := leastMasked
	if at := strings.IndexByte(piece, '@'); at >= 0 {
		n = 3 * leastMasked / 2
		if at+1 >= leastMasked && at+1 < len(piece) && !strings.ContainsAny(piece[:at], ":/") {
			k.know(piece[:at], kind) // before it is who, behind it only where
		}
	}
	n = min(n, len(piece))
	if k.known == nil {
		k.known = map[int]map[string]string{}
	}
	if k.known[n] == nil {
		k.known[n] = map[string]string{}
	}
	for i := range min(len(piece)-n+1, maskedPiece) {
		k.known[n][piece[i:i+n]] = kind
	}
}

// lower returns s with letters of ASCII as small ones, byte by byte.
func lower(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

// beginning returns at most n bytes of s, up to a character's end.
func beginning(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && s[n]&0xC0 == 0x80 {
		n--
	}
	return s[:n]
}
