// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package inject

import (
	"strings"
	"unicode"
)

// pictographs is the property Extended_Pictographic of Unicode 14, which
// counts the places that are kept for emoji to come: a list of emoji would be
// out of date every year.
var pictographs = &unicode.RangeTable{
	R16: []unicode.Range16{
		{0xA9, 0xAE, 5},
		{0x203C, 0x2049, 13},
		{0x2122, 0x2139, 23},
		{0x2194, 0x2199, 1},
		{0x21A9, 0x21AA, 1},
		{0x231A, 0x231B, 1},
		{0x2328, 0x2388, 96},
		{0x23CF, 0x23CF, 1},
		{0x23E9, 0x23F3, 1},
		{0x23F8, 0x23FA, 1},
		{0x24C2, 0x24C2, 1},
		{0x25AA, 0x25AB, 1},
		{0x25B6, 0x25C0, 10},
		{0x25FB, 0x25FE, 1},
		{0x2600, 0x2605, 1},
		{0x2607, 0x2612, 1},
		{0x2614, 0x2685, 1},
		{0x2690, 0x2705, 1},
		{0x2708, 0x2712, 1},
		{0x2714, 0x2716, 2},
		{0x271D, 0x2721, 4},
		{0x2728, 0x2728, 1},
		{0x2733, 0x2734, 1},
		{0x2744, 0x2747, 3},
		{0x274C, 0x274E, 2},
		{0x2753, 0x2755, 1},
		{0x2757, 0x2757, 1},
		{0x2763, 0x2767, 1},
		{0x2795, 0x2797, 1},
		{0x27A1, 0x27B0, 15},
		{0x27BF, 0x27BF, 1},
		{0x2934, 0x2935, 1},
		{0x2B05, 0x2B07, 1},
		{0x2B1B, 0x2B1C, 1},
		{0x2B50, 0x2B55, 5},
		{0x3030, 0x303D, 13},
		{0x3297, 0x3299, 2},
	},
	R32: []unicode.Range32{
		{0x1F000, 0x1F0FF, 1},
		{0x1F10D, 0x1F10F, 1},
		{0x1F12F, 0x1F12F, 1},
		{0x1F16C, 0x1F171, 1},
		{0x1F17E, 0x1F17F, 1},
		{0x1F18E, 0x1F18E, 1},
		{0x1F191, 0x1F19A, 1},
		{0x1F1AD, 0x1F1E5, 1},
		{0x1F201, 0x1F20F, 1},
		{0x1F21A, 0x1F22F, 21},
		{0x1F232, 0x1F23A, 1},
		{0x1F23C, 0x1F23F, 1},
		{0x1F249, 0x1F3FA, 1},
		{0x1F400, 0x1F53D, 1},
		{0x1F546, 0x1F64F, 1},
		{0x1F680, 0x1F6FF, 1},
		{0x1F774, 0x1F77F, 1},
		{0x1F7D5, 0x1F7FF, 1},
		{0x1F80C, 0x1F80F, 1},
		{0x1F848, 0x1F84F, 1},
		{0x1F85A, 0x1F85F, 1},
		{0x1F888, 0x1F88F, 1},
		{0x1F8AE, 0x1F8FF, 1},
		{0x1F90C, 0x1F93A, 1},
		{0x1F93C, 0x1F945, 1},
		{0x1F947, 0x1FAFF, 1},
		{0x1FC00, 0x1FFFD, 1},
	},
	LatinOffset: 1,
}

const (
	zwnj, zwj      = 0x200C, 0x200D
	asText, asIcon = 0xFE0E, 0xFE0F // variation selectors of emoji
	keycap         = 0x20E3
	blackFlag      = 0x1F3F4
	endOfTags      = 0xE007F
)

func isPictograph(r rune) bool { return unicode.Is(pictographs, r) }

func isSkinTone(r rune) bool { return r >= 0x1F3FB && r <= 0x1F3FF }

// flags are the only flags that are spelled in tags and recommended for use,
// without the black flag at their beginning.
var flags = func() []string {
	var out []string
	for _, region := range []string{"gbeng", "gbsct", "gbwls"} {
		out = append(out, strings.Map(func(r rune) rune { return 0xE0000 + r }, region)+string(rune(endOfTags)))
	}
	return out
}()

// flagAt returns the length of the tags of a flag at i, 0 if there is none.
func flagAt(text string, i int) int {
	if runeBefore(text, i) != blackFlag {
		return 0
	}
	for _, f := range flags {
		if strings.HasPrefix(text[i:], f) {
			return len(f)
		}
	}
	return 0
}

// joinsEmoji reports whether the joiner at i of the given size stands between
// two pictographs.
func joinsEmoji(text string, i, size int) bool {
	back := i
	for range 2 { // a skin tone or a variation selector, or both
		if r := runeBefore(text, back); isSkinTone(r) || r == asIcon {
			back -= len(string(r))
		}
	}
	return isPictograph(runeBefore(text, back)) && isPictograph(runeAt(text, i+size))
}
