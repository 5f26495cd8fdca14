// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package pii

// oceaniaRules are those of Australia.
func oceaniaRules() []rule {
	const abn = "abn|australian business number|business number"
	const acn = "acn|australian company number|company number"
	const tfn = "tfn|tax file number|tax file"
	return []rule{
		{
			kind: "AU_ABN", masks: []string{"99_999_999_999"}, check: auABN, sure: .8, words: abn,
			hits: "ABN ‹33 102 417 032› of the shop", misses: "31 102 417 033|53 004 08 5616",
		},
		{
			kind: "AU_ABN", masks: []string{"9{11}"}, check: auABN, sure: .5, near: .85, words: abn,
			hits: "abn: ‹33102417032›", misses: "31102417033|031102417032",
		},
		{
			kind: "AU_ACN", masks: []string{"999_999_999"}, check: auACN, sure: .45, near: .85, words: acn,
			hits: "ACN ‹104 307 119›", misses: "ACN 104 307 1111|ACN 104 3071 11",
		},
		{
			kind: "AU_ACN", masks: []string{"9{9}"}, check: auACN, sure: .4, near: .85, words: acn,
			hits: "acn=‹104307119›", misses: "1043071110",
		},
		{
			kind: "AU_TFN", masks: []string{"999_999_999"}, check: auTFN, sure: .45, near: .85, words: tfn,
			hits: "my TFN is ‹481 630 276›", misses: "000 000 00|48 1630 277",
		},
		{
			kind: "AU_TFN", masks: []string{"9{9}"}, check: auTFN, sure: .4, near: .85, words: tfn,
			hits: "tfn ‹481630276›", misses: "4816302770",
		},
		{
			kind: "AU_MEDICARE", masks: []string{"[2-6]999_99999_9"}, check: auMedicare, sure: .6, words: "medicare",
			hits: "Medicare ‹3951 44709 1›", misses: "1951 44701 1|3951 4470 11",
		},
		{
			kind: "AU_MEDICARE", masks: []string{"[2-6]9{9}"}, check: auMedicare, sure: .4, near: .85, words: "medicare",
			hits: "medicare no ‹3951447091›", misses: "19514470?1|3951447",
		},
	}
}

// auABN: 89 divides the sum, the first digit counting one less.
func auABN(code []byte, _ string) verdict {
	sum := weighted(code, 10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19) - 10
	return must(sum%89 == 0 && code[0] != '0')
}

func auACN(code []byte, _ string) verdict {
	return must((10-weighted(code, 8, 7, 6, 5, 4, 3, 2, 1)%10)%10 == int(code[8]-'0') && !same(code))
}

func auTFN(code []byte, _ string) verdict {
	return must(weighted(code, 1, 4, 3, 7, 5, 8, 6, 9, 10)%11 == 0 && !same(code))
}

func auMedicare(code []byte, _ string) verdict {
	return must(weighted(code, 1, 3, 7, 9, 1, 3, 7, 9)%10 == int(code[8]-'0'))
}
