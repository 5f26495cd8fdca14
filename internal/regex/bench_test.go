// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package regex

import (
	"strings"
	"testing"
)

func BenchmarkFindAll(b *testing.B) {
	text := strings.Repeat("lorem ipsum dolor sit amet, consectetur 555 adipiscing. ", 2000) + "call 123-4567 or mail a.b@example.com"
	for _, pattern := range []string{`\b\d{3}-\d{4}\b`, `[\w.+-]+@[\w-]+\.[\w.-]+`, `\w+`, `(?i)example`, `no such text`} {
		re, err := Compile(pattern)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(pattern, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				re.FindAll(text, -1, 1<<40)
			}
		})
	}
}

func BenchmarkMatchWhole(b *testing.B) {
	for _, pattern := range []string{`.*@evil\.com`, `[a-z]+@evil\.com`, `^(?!bob)[a-z]+@.*$`} {
		re, err := Compile(pattern)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(pattern, func(b *testing.B) {
			for b.Loop() {
				re.MatchWhole("mallory@evil.com")
			}
		})
	}
}
