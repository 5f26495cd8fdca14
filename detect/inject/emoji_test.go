// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package inject

import (
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"unicode"
)

// The sequences that UTS #51 recommends for interchange, made by its rules:
// no list of them is part of Go, and all that is newer than this file is made
// by the same rules.

const man, woman, person = "\U0001F468", "\U0001F469", "\U0001F9D1"

var skins = []string{"", "\U0001F3FB", "\U0001F3FC", "\U0001F3FD", "\U0001F3FE", "\U0001F3FF"}

// bases of the sequences with a gender: those that take a skin tone.
const gendered = "👮🕵💂👷👳👱🦸🦹🧙🧚🧛🧜🧝🙍🙎🙅🙆💁🙋🧏🙇🤦🤷💆💇🚶🧍🧎🏃🧖🧗🏌🏄🚣🏊⛹🏋🚴🚵🤸🤽🤾🧘🤵👰"

// Objects of the sequences with a role; the last ones need a selector.
var roles = append(strings.Split("🌾 🍳 🍼 🎓 🎤 🎨 🏫 🏭 💻 💼 🔧 🔬 🚀 🚒 🦯 🦼 🦽 🎄 🤝 🦰 🦱 🦳 🦲", " "), "⚕\ufe0f", "⚖\ufe0f", "✈\ufe0f")

func emojiSequences() []string {
	const join = "\u200d"
	var out []string
	for r := rune(0); r < 0x1FB00; r++ {
		if !unicode.Is(pictographs, r) {
			continue
		}
		out = append(out, string(r), string(r)+"\ufe0f", string(r)+"\ufe0e")
		for _, skin := range skins[1:] {
			out = append(out, string(r)+skin)
		}
	}
	for _, key := range "0123456789#*" {
		out = append(out, string(key)+"\ufe0f\u20e3")
	}
	for a := rune(0x1F1E6); a <= 0x1F1FF; a++ {
		for b := rune(0x1F1E6); b <= 0x1F1FF; b++ {
			out = append(out, string(a)+string(b))
		}
	}
	for _, f := range flags {
		out = append(out, "\U0001F3F4"+f)
	}
	for _, skin := range skins {
		for _, who := range []string{man, woman, person} {
			for _, role := range roles {
				out = append(out, who+skin+join+role)
			}
			for _, other := range skins {
				for _, with := range []string{man, woman, person} {
					for _, bond := range []string{"🤝", "❤\ufe0f", "❤\ufe0f" + join + "💋", "❤"} {
						out = append(out, who+skin+join+bond+join+with+other)
					}
				}
			}
		}
		for _, base := range gendered {
			for _, sign := range []string{"♀", "♂"} {
				for _, selector := range []string{"", "\ufe0f"} {
					one := string(base) + skin + join + sign + selector
					out = append(out, one, one+join+"➡\ufe0f")
					if skin == "" {
						out = append(out, string(base)+"\ufe0f"+join+sign+selector)
					}
				}
			}
			out = append(out, string(base)+skin+join+"➡\ufe0f")
		}
		out = append(out, "🫱"+skin+join+"🫲"+skin)
	}
	for _, one := range []string{man, woman, man + join + man, woman + join + woman, man + join + woman, person, person + join + person} {
		for _, child := range []string{"👦", "👧", "🧒"} {
			out = append(out, one+join+child, one+join+child+join+"👦", one+join+child+join+"👧", one+join+child+join+"🧒")
		}
	}
	return append(out, strings.Split("🏳️‍🌈 🏳️‍⚧️ 🏴‍☠️ ❤️‍🔥 ❤️‍🩹 🐕‍🦺 🐈‍⬛ 🐻‍❄️ 🐦‍⬛ 🐦‍🔥 🍋‍🟩 🍄‍🟫 ⛓️‍💥 👁️‍🗨️ 😮‍💨 😵‍💫 😶‍🌫️ 🙂‍↔️ 🙂‍↕️ 👯‍♀️ 🤼‍♂️ 🧞‍♀️ 🧟‍♂️ 🏌️‍♀️ 🕵️‍♂️", " ")...)
}

func TestEmojiSequences(t *testing.T) {
	all := emojiSequences()
	if len(all) < 10000 {
		t.Errorf("only %d sequences", len(all))
	}
	for _, e := range all {
		for _, text := range []string{e, "so " + e + e + "y"} {
			if got := flagged(t, text); len(got) > 0 {
				t.Fatalf("%+q: got %q", text, got)
			}
		}
	}
}

// TestPictographs compares the table with Perl's, where there is one.
func TestPictographs(t *testing.T) {
	out, err := exec.CommandContext(t.Context(), "perl", "-e", `for (0..0x1FFFF) { print "$_\n" if chr($_) =~ /\p{Extended_Pictographic}/ }`).Output()
	if err != nil {
		t.Skipf("there is no Perl that knows: %v", err)
	}
	want := map[rune]bool{}
	for _, line := range strings.Fields(string(out)) {
		n, err := strconv.Atoi(line)
		if err != nil {
			t.Fatal(err)
		}
		want[rune(n)] = true
	}
	for r := rune(0); r <= 0x1FFFF; r++ {
		if isPictograph(r) != want[r] {
			t.Errorf("%#x: got %t", r, isPictograph(r))
		}
	}
}
