// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package view_test

import (
	"context"
	"encoding/base64"
	"strings"
	"testing"

	"github.com/holdfast-dev/holdfast/detect"
	"github.com/holdfast-dev/holdfast/detect/view"
)

func encode(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }

// TestBounds has more encoded in a text than the bounds allow: that is an
// error, not an answer.
func TestBounds(t *testing.T) {
	long := strings.Repeat("ordinary words, and so on. ", 4000) // 105 KiB
	for _, test := range []struct {
		name, text string
		want       string // part of the error; "" for none
	}{
		{"much base64", encode(long), "more encoded in it than 65536 bytes"},
		{"much base64 in parts", strings.Repeat(encode(long[:1000])+"\n\n", 80), "more encoded in it"},
		{"base64 below the bound", encode(long[:60000]), ""},
		{"base64 below the bound, with more in it", encode(encode(long[:40000])), "more encoded in it"},
		{"four encodings", encode(encode(encode(encode("ann@example.com")))), "more than 3 encodings"},
		{"many escapes", strings.Repeat("%41", 100000), ""},
		{"too many entities", strings.Repeat("&#65;", 300000), "262144 regions"},
		{"image", "![](data:image/png;base64," + base64.StdEncoding.EncodeToString(noise(1<<20)) + ")", ""},
		{"image on lines", wrap(base64.StdEncoding.EncodeToString(noise(1<<19)), 76), ""},
		{"image in hex", strings.Repeat("89504e470d0a1a0a0000000d49484452", 10000), ""},
		{"hashes", strings.Repeat("sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08\n", 2000), ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := detectIn(t, scanToy, test.text)
			switch {
			case test.want == "" && err != nil:
				t.Errorf("error %v, want none", err)
			case test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)):
				t.Errorf("error %v, want %q", err, test.want)
			}
		})
	}
}

// TestFoundBesideAnError: what a text says openly is found however much is
// encoded in it.
func TestFoundBesideAnError(t *testing.T) {
	found, err := detectIn(t, scanToy, "ann@example.com "+encode(strings.Repeat("ordinary words, and so on. ", 4000)))
	if err == nil || len(found) != 1 || found[0].View != detect.Raw {
		t.Errorf("found %v, error %v, want one finding and an error", found, err)
	}
}

func wrap(s string, width int) string {
	var out strings.Builder
	for len(s) > width {
		out.WriteString(s[:width] + "\n")
		s = s[width:]
	}
	return out.String() + s
}

func TestExpanded(t *testing.T) {
	r := []detect.Request{{Text: encode(strings.Repeat("write to ann@example.com ", 10000))}}
	results, err := view.Over("1", scanToy, &view.Options{Expanded: 1 << 20}).Detect(context.Background(), r)
	if err != nil || results[0].Err != nil || len(results[0].Findings) != 1 {
		t.Errorf("errors %v and %v, %d findings, want one", err, results[0].Err, len(results[0].Findings))
	}
}

// TestHidden looks for a positive where rows and regions meet others.
func TestHidden(t *testing.T) {
	mail := encode("write to ann@example.com today")
	noisy := base64.StdEncoding.EncodeToString(noise(3000))
	for name, text := range map[string]string{
		"short, with an accent":    encode("é bo@a.de"),
		"behind an image":          noisy + " " + mail,
		"between images":           "a: " + noisy + "\nb: " + mail + "\nc: " + noisy,
		"in a path":                "/usr/local/share/" + mail + "/x",
		"behind a word":            "some_folder/" + mail,
		"on short lines":           wrap(mail, 20),
		"behind a line of letters": "AVeryLongWordOnItsOwnLine\n" + wrap(mail, 20),
		"twice":                    mail + "." + mail,
		"in quotes":                `{"a":"` + mail + `"}`,
		"in an attribute":          `<a href="data:text/plain;base64,` + mail + `">`,
		"among noise": encode("Here is what has to be said first, and it is not all: \xff\xfe\xfd\xfc " +
			"write to ann@example.com today, and to nobody else"),
	} {
		found, err := detectIn(t, scanToy, text)
		if err != nil || len(found) == 0 || found[0].Kind != "EMAIL" || found[0].View != view.Decoded {
			t.Errorf("%s: %.60q: found %v, error %v", name, text, found, err)
		}
	}
}

// FuzzViews shows any bytes: the answer is sound, and holds what the raw text
// alone shows.
func FuzzViews(f *testing.F) {
	for _, seed := range []string{
		"", "ann@example.com", "\xff\xfe", "a\u0301\u200b\uff41", "%4", "%u00", "&#x;", "&#", `\x`, `\u{`, `\ud83d\u`, "0x", "0x4", "0x41 0x",
		tags("ann@example.com"), selectors("ann@example.com"), encode("ann@example.com"), encode(encode("ann@example.com")),
		"YW5uQGV4YW1wbGUuY29t\nYW5uQGV4YW1wbGUuY29t\nYW5u", "a+b+c+", "%61+%62", strings.Repeat("\u0301", 40), "\u1100\u1161\u11a8",
		// a window that began inside a character
		selectors("an") + "\x88\xa0\x85\x9e\xf3\xa0\xe0\xb0" + selectors("example.com") + "ann@example.com" + selectors("ann@exampl") + "\xa0\x85%61",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		union, err := detectIn(t, scanWords, text)
		if err != nil {
			t.Skip(err)
		}
		raw, err := detectIn(t, scanWords, text, detect.Raw)
		if err != nil {
			t.Fatal(err)
		}
		type place struct {
			kind       string
			start, end int
		}
		has := map[place]bool{}
		for _, f := range union {
			has[place{f.Kind, f.Start, f.End}] = true
		}
		for _, f := range raw {
			if !has[place{f.Kind, f.Start, f.End}] {
				t.Errorf("%q: %v of the raw text is missing in all views", text, f)
			}
		}
	})
}

// scanWords finds every word, and each text as a whole, and nothing at its
// end.
func scanWords(_ context.Context, text, _ string) ([]detect.Span, error) {
	out := []detect.Span{{Kind: "TEXT", Start: 0, End: len(text)}, {Kind: "END", Start: len(text), End: len(text)}}
	at := 0
	for _, word := range strings.SplitAfter(text, " ") {
		out = append(out, detect.Span{Kind: "WORD", Start: at, End: at + len(word), Score: 1})
		at += len(word)
	}
	return out, nil
}

// TestWork holds what hostile texts make of a scanner's work: a few times the
// text, or an error.
func TestWork(t *testing.T) {
	for _, piece := range []string{
		"a", "a+", "a+b", "abc+def+", "%41", "%4", "%25", "%2525252541", "&", "&#", "&#65;", "&amp;amp;amp;amp;", "&#x26;#65;",
		`\`, `\x41`, `\\x41`, `\u0041`, "0x", "0x41,", "/", "-", "=", "aaaaaaaaaaaaaaaa\n", "QUFBQUFB", "QUFB/", "QUFBQUFBQUFBQUFB\n", "aGVsbG8gd29y\n",
		"4141414141414141 ", "\u0301", "e\u0301", "\uff41", "\u200b", "\u0430", "\U000E0041", "\ufe00", "\U000E0131", "\U000E0131a", "\xff", "\xe2\x80",
		"a\x00", "é", "\ufb03", "\u1100\u1161\u11a8", "\u0f71\u0f72\u0f80", "\ufdfa", "QUFBQUFB\u200b", "a %41 \U000E0041", " %41 " + strings.Repeat("x ", 64),
		encode("&#65;%41 " + tags("%41")),
	} {
		text := strings.Repeat(piece, 1<<17/len(piece))
		scanned := 0
		_, err := detectIn(t, func(_ context.Context, text, _ string) ([]detect.Span, error) {
			scanned += len(text)
			return nil, nil
		}, text)
		if scanned > 8*len(text) {
			t.Errorf("%+q: %d bytes of scans for %d bytes of text, error %v", piece, scanned, len(text), err)
		}
	}
}
