// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package secret

import (
	"math/rand/v2"
	"regexp/syntax"
	"strings"
	"testing"
)

// A hostile text is a unit, repeated.
type hostile struct{ unit, path string }

// hostiles are units made to meet a rule again and again without satisfying
// it, or to make it look far ahead, or back.
func hostiles() []hostile {
	out := []hostile{
		{" ", ""},
		{"a", ""},
		{"0", ""},
		{"=", ""},
		{"\n", ""},
		{"\xff", ""},
		{"é", ""},
		{"\"", ""},
		{"-", ""},
		{longS, ""},
		{"\u212a", ""},
		{"-----BEGIN PRIVATE KEY-----", ""},
		{"-----BEGIN PRIVATE KEY-----\n" + strings.Repeat("A", 64) + "\n", ""},
		{"BEGIN PRIVATE KEY-----\n", ""},
		{"curl ", ""},
		{"curl -H ", ""},
		{"curl -u \"", ""},
		{"curl\n", ""},
		{"facebook 1234567890123456|", ""},
		{"facebook |", ""},
		{"sourcegraph 0123456789abcdef ", ""},
		{"airtable pat.", ""},
		{"://a:", ""},
		{"a://b:c", ""},
		{"://", ""},
		{"secret kind: data: x: aaaaaaaaaaaa\n", "a.yml"},
		{"kind: secret\ndata: ", "a.yml"},
		{"data: a: bbbbbbbbbbbbb ", "a.yml"},
		{"user=a;password=", ""},
		{"user=a password=b ", ""},
		{"host=a;a;a;a;a;a;a;a;pwd=", ""},
		{"ZXlKhbGciOi-", ""},
		{"ZXlKaGJHY2lPaU-", ""},
		{"eyJ.", ""},
		{"eyJaaaaaaaaaaaaaaaaaaaaaaaaa.eyJ", ""},
		{"eyJaaaaaaaaaaaaaaaaaaaaaaaaa-", ""},
		{"ops_eyJ" + strings.Repeat("a", 900), ""},
		{"hvs." + strings.Repeat("a", 130) + "-", ""},
		{"fm2_" + strings.Repeat("a", 99), ""},
		{"key=0123456789abcdefghij", ""},
		{"key = \"kJ8s9dK2lQ0zX7cV\"; ", ""},
		{"key=key=key=", ""},
		{"token:::=token", ""},
		{"api-key.api_key ", ""},
		{"xoxb-1-", ""},
		{"xoxs-1-1-1-", ""},
		{"s.aaaaaaaaaaaaaaaaaaaaaaaaa", ""},
		{"Authorization: Basic ", ""},
		{"authorization = bearer aaaaaaaaaaaaaaaaaaaaaaaaaaaa ", ""},
		{"glrt-t1_" + strings.Repeat("a", 300) + ".", ""},
		{"<add key=\"Password\" value=\"", "nuget.config"},
		{"password = \"aaaaaaaaaaaaaaaaaaaaa\"", "a.tf"},
		{"mysql -p", ""},
		{"mysql a redis-cli b ", ""},
		{"password=is was", ""},
		{"password: aB3dE5fG", ""},
		{"machine a login b password ", ""},
		{"?sv=a&sig=", ""},
		{"A_PASSWORD=", ""},
		{"pscale_pw_", ""},
		{"twitter=", ""},
		{"twitter = \"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", ""},
		{"aws.key'", ""},
		{"aws key pwd pw password pass token ", ""},
		{"sntrys_eyJpYXQiO" + strings.Repeat("a", 200), ""},
		{"pypi-AgEIcHlwaS5vcmc" + strings.Repeat("-", 1000), ""},
	}
	return append(out, hostile{strings.Join(all().word, ""), ""}, hostile{strings.Join(all().word, "="), ""}, hostile{strings.Join(all().word, " = \""), "a.yml"})
}

// most is how many bytes may be looked at for each byte of a text, beside the
// pass for the keywords: by shapes and by patterns together. On ordinary
// text it is below one.
const most = 400

// cost returns how many bytes of the text shapes and patterns look at.
func cost(text, path string) int {
	s := &scan{rules: all(), walker: walker{text: text}, path: path}
	s.run()
	return s.steps + s.looked
}

// TestHostile: whatever is repeated, what is looked at grows with the text and
// not faster.
func TestHostile(t *testing.T) {
	const size = 1 << 16
	for _, h := range hostiles() {
		long := strings.Repeat(h.unit, 4*size/len(h.unit)+1)
		small, big := cost(long[:size], h.path), cost(long[:4*size], h.path)
		if big > most*4*size {
			t.Errorf("%d bytes of %s: %d bytes looked at, %d a byte", 4*size, brief(h.unit), big, big/(4*size))
		}
		if big > 6*small+4*size {
			t.Errorf("%s: %d bytes looked at in a text of %d, %d in one four times as long", brief(h.unit), small, size, big)
		}
	}
}

// TestHostileRules does the same with a text, and a near miss, of every rule.
func TestHostileRules(t *testing.T) {
	size := 1 << 14
	if testing.Short() {
		size = 1 << 12
	}
	r := rand.New(rand.NewPCG(9, 10))
	for _, l := range all().live {
		if l.pattern == "" {
			continue
		}
		re, err := syntax.Parse(l.pattern, syntax.Perl)
		if err != nil {
			t.Fatal(err)
		}
		text := made(r, re)
		for _, unit := range []string{text, text + " ", text[:len(text)/2], mutated(r, text), text[:len(text)-1] + "\n"} {
			long := strings.Repeat(unit, size/max(1, len(unit))+1)
			if n := cost(long, ""); n > most*len(long) {
				t.Errorf("%s: %d bytes of %s: %d looked at, %d a byte", l.ID, len(long), brief(unit), n, n/len(long))
			}
		}
	}
}

// BenchmarkHostile measures the worst of them in texts of 10 MiB.
func BenchmarkHostile(b *testing.B) {
	for _, h := range hostiles() {
		b.Run(h.unit[:min(len(h.unit), 24)], func(b *testing.B) {
			text := strings.Repeat(h.unit, 10<<20/len(h.unit))
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				Find(text, &Options{Path: h.path})
			}
		})
	}
}
