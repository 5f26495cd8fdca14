// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package view_test

import (
	"context"
	"encoding/base64"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/holdfast-dev/holdfast/detect"
	"github.com/holdfast-dev/holdfast/detect/view"
)

const size = 1 << 20

// fill repeats a piece of text to the size of the benchmarks.
func fill(piece string) string { return strings.Repeat(piece, size/len(piece)+1)[:size] }

// noise is bytes that are no text, always the same.
func noise(n int) []byte {
	r := rand.New(rand.NewPCG(1, 2))
	out := make([]byte, n)
	for i := range out {
		out[i] = byte(r.Uint32())
	}
	return out
}

const prose = `It was a bright cold day in April, and the clocks were striking thirteen. The representative of the
administration, who had been informed beforehand of the arrangements, nodded; "Understood," she said. Costs rose by 4% & more.
`

// benchTexts are the kinds of text that the benchmarks look at.
func benchTexts(b *testing.B) map[string]string {
	b.Helper()
	var source strings.Builder
	files, err := filepath.Glob("../../internal/*/*.go")
	if err != nil || len(files) == 0 {
		b.Fatalf("%d files, error %v", len(files), err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			b.Fatal(err)
		}
		source.Write(text)
	}
	return map[string]string{
		"prose":    fill(prose),
		"source":   fill(source.String()),
		"json":     fill(`{"id": "5f2b6c1e9a", "name": "Ann Example", "amount": 1250.75, "paid": true, "note": "monthly instalment"}, ` + "\n"),
		"quotes":   fill(prose + "“Quite so” — naturally…\n"),
		"german":   fill("Die Würde des Menschen ist unantastbar. Sie zu achten und zu schützen ist Verpflichtung aller staatlichen Gewalt.\n"),
		"japanese": fill("すべての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である。\n"),
		"width":    fill("\uff49\uff47\uff4e\uff4f\uff52\uff45\u200b "),
		"image":    base64.StdEncoding.EncodeToString(noise(size * 3 / 4)),
		"percent":  fill("%69%67%6e%6f%72%65%20"),
		"html":     fill(`<p class=&quot;a&quot;>Ann &amp; Bob said &#8220;no&#8221; to all of them and went home</p>` + "\n"),
	}
}

// BenchmarkViews measures what views cost by themselves: the scanner looks at
// nothing.
func BenchmarkViews(b *testing.B) {
	none := func(context.Context, string, string) ([]detect.Span, error) { return nil, nil }
	d := view.Over("1", none, nil)
	for name, text := range benchTexts(b) {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				if results, err := d.Detect(context.Background(), []detect.Request{{Text: text}}); err != nil || results[0].Err != nil {
					b.Fatal(err, results[0].Err)
				}
			}
		})
	}
}
