// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package inject

// request is the rule about orders to act: a sentence that begins with a verb
// of what assistants can do, as people write to one another too. What tells
// them apart is what else the sentence says: that something of "mine" or of
// "the user" is to be had, and where it is to go.
type request struct {
	rule                                                                                int
	soft, ask, send, fetch, act, say                                                    uint64
	things, my, yours, user, and, them, tool, notVerb, infinitive, you, can, must, some uint64
}

func newRequest(x *lexicon, rule int) request {
	return request{
		rule: rule,
		soft: x.set("soft"), ask: x.set("ask"), send: x.set("send"), fetch: x.set("fetch"), act: x.set("act"), say: x.set("report"),
		things: x.set("things"), my: x.set("my"), yours: x.set("yours"), user: x.set("user"), and: x.set("and"), them: x.set("them"),
		tool: x.set("tool"), notVerb: x.set("not-verb"), infinitive: x.set("infinitive"), you: x.set("you"), can: x.set("can"), must: x.set("must"), some: x.set("some"),
	}
}

// longestOrder is how many words of a sentence are looked at.
const longestOrder = 60

// read judges the order at the beginning of some tokens, if there is one.
func (q *request) read(x *lexicon, text string, tokens []token) (signal, bool) {
	n, polite := q.opening(x, tokens)
	if n >= len(tokens) {
		return signal{}, false
	}
	verb := x.masks[tokens[n].word]
	if !tokens[0].start && verb&q.send == 0 { // "if you can, send": of fewer verbs
		return signal{}, false
	}
	if verb&(q.send|q.fetch|q.act|q.say) == 0 || !spaced(text, tokens[n]) {
		return signal{}, false
	}
	if n+1 < len(tokens) && (x.masks[tokens[n+1].word]&q.notVerb != 0 || q.heading(x, tokens[n+1], text)) {
		return signal{}, false
	}
	f, last := q.rest(x, tokens, n+1)
	f.verb, f.polite = verb, polite
	f.comment = commented(text, tokens[0].begin)
	w := q.weigh(&f)
	if w <= 0 {
		return signal{}, false
	}
	return signal{q.rule, tokens[0].begin, tokens[last].end, w}, true
}

// spaced reports whether a blank and then a word stand behind a token. What
// has anything else there is a heading, a key, or a piece of code.
func spaced(text string, t token) bool {
	if t.end >= len(text) || classes[text[t.end]]&(aSpace|aLine|aBackslash) == 0 {
		return false
	}
	return t.end+1 < len(text) && text[t.end+1] != '=' && text[t.end+1] != ':' && text[t.end+1] != '|'
}

// commented reports whether a mark of a comment in a program stands right
// before i. Comments say what the next lines do, in the manner of an order.
func commented(text string, i int) bool {
	for i > 0 && (text[i-1] == ' ' || text[i-1] == '\t') {
		i--
	}
	return i > 0 && text[i-1] == '#' || i > 1 && text[i-1] == '/' && text[i-2] == '/' || i > 2 && text[i-3:i] == `"""`
}

// heading reports whether the token behind a verb is a noun in capitals, as in
// "Reset Password".
func (q *request) heading(x *lexicon, t token, text string) bool {
	return x.masks[t.word]&q.things != 0 && text[t.begin] < 'a'
}

// opening skips what stands before the verb.
func (q *request) opening(x *lexicon, tokens []token) (n int, polite bool) {
	for n < len(tokens) && n < 6 {
		m := x.masks[tokens[n].word]
		switch {
		case m&q.soft != 0, n > 0 && m&q.ask != 0:
		case m&q.you != 0: // "you must", not "you can"
			if n+1 == len(tokens) || x.masks[tokens[n+1].word]&q.must == 0 {
				return len(tokens), false
			}
		case m&q.can != 0: // "can you", "make sure to"
			if n+1 == len(tokens) || x.masks[tokens[n+1].word]&(q.you|q.ask) == 0 {
				return n, polite
			}
			n++
		case m&q.ask != 0 && m&q.infinitive == 0: // "do send", not "to send"
		default:
			return n, polite
		}
		polite = true
		n++
	}
	return n, polite
}

// features are what a sentence has behind its verb.
type features struct {
	verb                              uint64
	polite                            bool
	my, yours, user, tool             bool
	code, comment                     bool // of a manual, of a program
	chain                             bool // "and send it to"
	things                            int
	mails, links, names, values, said int
}

// rest reads the sentence behind the verb, and returns the place of its last
// token.
func (q *request) rest(x *lexicon, tokens []token, n int) (f features, last int) {
	last = n - 1
	for ; n < len(tokens) && n < longestOrder; n++ {
		t := &tokens[n]
		if t.key && t.quoted { // another field of a record
			break
		}
		m := x.masks[t.word]
		f.my = f.my || m&q.my != 0
		f.yours = f.yours || m&q.yours != 0
		f.user = f.user || m&q.user != 0 && x.masks[tokens[n-1].word]&q.some == 0
		f.tool = f.tool || m&q.tool != 0
		f.things += toOne(m&q.things != 0)
		f.chain = f.chain || m&(q.send|q.act) != 0 && n+1 < len(tokens) && q.follows(x, tokens, n)
		switch {
		case t.code: // of a manual
			f.code = true
		case t.sort == isMail:
			f.mails++
		case t.sort == isLink:
			f.links++
		case t.sort == isName:
			f.names++
		case t.sort == isNumber, t.sort == isMoney:
			f.values++
		case t.quoted:
			f.said++
		}
		last = n
	}
	return f, last
}

// follows reports whether the verb at n is a second order: "and then send",
// "send it".
func (q *request) follows(x *lexicon, tokens []token, n int) bool {
	if x.masks[tokens[n+1].word]&q.them != 0 {
		return true
	}
	for back := 1; back <= 2 && n-back >= 0; back++ {
		if x.masks[tokens[n-back].word]&q.and != 0 {
			return true
		}
	}
	return false
}

// weigh says how much a request is to be believed to be one to an assistant.
func (q *request) weigh(f *features) float64 {
	w := 0.0
	switch {
	case f.verb&q.send != 0:
		w = 0.3
	case f.verb&q.act != 0:
		w = 0.25
	default:
		w = 0.15
	}
	add := func(holds bool, points float64) {
		if holds {
			w += points
		}
	}
	add(f.polite, 0.05)
	add(f.my, 0.3)
	add(f.user, 0.3)
	add(f.yours, -0.3)
	add(f.code, -0.1)
	add(f.comment, -0.15)
	add(f.tool, 0.15)
	add(f.chain, 0.15)
	add(f.things > 0, 0.1)
	add(f.things > 1, 0.05)
	add(f.mails > 0, 0.2)
	add(f.links > 0, 0.1)
	add(f.names > 0, 0.15)
	add(f.values > 0, 0.15)
	add(f.said > 0, 0.1)
	return min(w, 0.85)
}
