// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package view

import (
	"fmt"
	"strings"
	"testing"
)

func TestDumps(t *testing.T) {
	hex := func(s, sep string) string {
		return strings.TrimSuffix(fmt.Sprintf(strings.Repeat("%02x"+sep, len(s)), toAny(s)...), sep)
	}
	for _, sep := range []string{" ", ":", "-"} {
		for n := range 40 {
			for _, secret := range []string{"secret", "a longer secret", strings.Repeat("words ", 100)} {
				text := strings.Repeat(".", n) + " " + hex(secret, sep) + " after"
				got := findDumps(nil, text)
				if len(got) != 1 || got[0].text != secret || got[0].start != n+1 || got[0].end != n+len(secret)*3 {
					t.Fatalf("in %q: %v", text, got)
				}
			}
		}
	}
	two := hex("first one", " ") + "; " + hex("second one", ":") + "\n" + hex("third one", " ")
	if got := findDumps(nil, two); len(got) != 3 || got[1].text != "second one" || got[2].text != "third one" {
		t.Errorf("in %q: %v", two, got)
	}
	for _, text := range []string{"made %s", "%s beta", "be %s", "%s be", "10 %s.", "x=%s;"} {
		text = fmt.Sprintf(text, hex("a secret", " "))
		if got := findDumps(nil, text); len(got) != 1 || got[0].text != "a secret" || text[got[0].start:got[0].end] != hex("a secret", " ") {
			t.Errorf("in %q: %v", text, got)
		}
	}
	mixed := hex("first one", " ") + ":" + hex("second one", ":")
	if got := findDumps(nil, mixed); len(got) != 2 || got[0].text+got[1].text != "first onesecond one" {
		t.Errorf("in %q: %v", mixed, got)
	}
	for _, text := range []string{
		"", "41", "41 42", hex("short", " "), "x" + hex("secret", " "), hex("secret", " ") + "0", "made " + hex("short", " "), "00:1a:2b:3c:4d:5e", "at 12:34:56 on 20-10-11",
		"c3:28:c3:28:c3:28:c3:28", "be ad be ad be ad be ad", "41 42:43 44:45 46:47",
	} {
		if got := findDumps(nil, text); len(got) != 0 {
			t.Errorf("in %q: %v", text, got)
		}
	}
}

func toAny(s string) []any {
	out := make([]any, len(s))
	for i := range s {
		out[i] = s[i]
	}
	return out
}
