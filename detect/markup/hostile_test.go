// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package markup

import (
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/net/html"

	"github.com/holdfast-dev/holdfast/detect"
)

// tokens is what x/net/html's tokenizer sees: the attributes that speak, in
// order.
func tokens(text string) (out []string) {
	z := html.NewTokenizer(strings.NewReader(text))
	for {
		token := z.Next()
		if token == html.ErrorToken {
			return out
		}
		if token != html.StartTagToken && token != html.SelfClosingTagToken {
			continue
		}
		_, more := z.TagName()
		for more {
			var key, value []byte
			key, value, more = z.TagAttr()
			means, trimmed, target := roleOf(string(key)), strings.TrimSpace(string(value)), tidy(string(value))
			if means == shown && trimmed != "" {
				out = append(out, "alt_text "+trimmed)
			}
			if means == address && !empty(target) && !data(target) {
				out = append(out, "link "+target)
			}
		}
	}
}

// sees checks that the scanner finds all that the tokenizer does, in order. It
// may find more.
func sees(t *testing.T, text string) {
	spans, err := HTML(t.Context(), text, "")
	if err != nil {
		return
	}
	for _, want := range tokens(text) {
		found := false
		for _, s := range spans {
			found = found || s.Kind+" "+s.Text == want
		}
		if !found {
			t.Errorf("%q: the tokenizer finds %q", text, want)
		}
	}
}

func FuzzScan(f *testing.F) {
	for _, text := range []string{
		`<a href="x" title='y'>`, `<img alt=a&amp;b src=//c>`, `<style>a{b:url(c)}</style>`, "![a](b.c)\n[d]: /e 'f'", `https:\/\/x.y\/z www.a.b`,
		`<script></ script><a href=q>`, `<!--><a href=r>-->`, `<a/href="s"/title=t/>`, `<a href="u" "v" title=w`, "<iframe srcdoc='<a href=x>'>", `<img srcset="a 1x,b">`,
		"\xff<a \xff=\xff href=\xff>", `data:image/png;base64,AAAA`, `<a href=&#x6A;&notit;&regx=1&copy>`, `<a href=&#xy&#Xz&#x;&#;>`, `<a href=&#4294967361;&#X0666666666666666666A0~>`, `<meta content="0;url=x">`,
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, s := range scanners {
			spans, err := s.scan(t.Context(), text, "")
			if err != nil {
				t.Fatal(err)
			}
			if _, err := detect.Findings(text, spans); err != nil {
				t.Errorf("%s of %q: %v", s.name, text, err)
			}
			for _, span := range spans {
				if span.Text == "" || utf8.ValidString(text) && (!utf8.ValidString(text[:span.Start]) || !utf8.ValidString(text[:span.End])) {
					t.Errorf("%s of %q: %v", s.name, text, span)
				}
			}
		}
		// What a NUL or a carriage return becomes, this package leaves.
		if !strings.ContainsAny(text, "\x00\r") && !strings.Contains(strings.ToLower(text), "<plaintext") {
			sees(t, text)
		}
	})
}

// hostile are texts that make a careless reader slow; % is repeated.
var hostile = []string{
	"<", "<a", "<a ", "<a href=x>", "<a href=\"", "<a x='>' ", "a=b ", "<!--", "<!", "<!-- --", "<script>", "<style>", "<style>url(", "</", "</a ", "<p style=\"url(",
	"[", "]", "[](", "[](a", "![](<", "[a]:", "[a]: /b\n", "![a]", "![a][", "[[[]]]", "](", "a:", "://", "a://", "http://a(", "http://a!", "www.", "www.a.", "data:image/",
	"mailto:a ", "&", "&#", "&amp", "&amp;", "<a href='&", "\\", "\\[", "<iframe srcdoc='", "<img srcset='a, ", ";", "http://x&a;", "\xff", "<a " + "b=\"<a ", "<div>", "'\"",
}

func TestHostile(t *testing.T) {
	const size = 1 << 18
	for _, piece := range hostile {
		text := strings.Repeat(piece, size/len(piece))
		for _, before := range []string{"", "<a x=\"", "<script>", "<!--"} {
			for _, s := range scanners {
				// That it ends is the test: what is quadratic takes hours.
				_, _ = s.scan(t.Context(), before+text, "")
			}
		}
	}
}

func TestTooMany(t *testing.T) {
	text := strings.Repeat("<a href=x>", maxSpans+1)
	if _, err := HTML(t.Context(), text, ""); err == nil {
		t.Error("no bound")
	}
}

func BenchmarkScan(b *testing.B) {
	page := strings.Repeat(`<div class="row"><p>Some words of a page, and <a href="https://x.example/a?b=1&amp;c=2" title="more">a link</a>; [it](https://y.example/z) too.</p></div>`+"\n", 5000)
	prose := strings.Repeat("Some words of a page: and more, with (parentheses) and [brackets] and a colon: there. ", 8000)
	for name, text := range map[string]string{"page": page, "prose": prose} {
		for _, s := range scanners {
			b.Run(name+"/"+s.name, func(b *testing.B) {
				b.SetBytes(int64(len(text)))
				for b.Loop() {
					_, _ = s.scan(b.Context(), text, "")
				}
			})
		}
	}
}
