// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package pii

import "bytes"

// britainRules are those of the United Kingdom.
func britainRules() []rule {
	const nino = "national insurance|nino|ni number|ni no"
	const plate = "vehicle|registration|number plate|licence plate|license plate|vrn|dvla|logbook"
	const letters = "[a-ceghj-pr-tw-z][a-ceghj-npr-tw-z]"
	return []rule{
		{
			kind: "UK_NHS", masks: []string{"999[- ]999[- ]9999"}, check: ukNHS, sure: .45, near: .85, words: "nhs|national health",
			hits: "NHS ‹482 117 0361›|nhs ‹482-117-0361›", misses: "482 117 03644|482 117 03",
		},
		{
			kind: "UK_NHS", masks: []string{"9{10}", "999[- ]9{7}", "9{6}[- ]9999"}, check: ukNHS, sure: .4, near: .85, words: "nhs|national health",
			hits: "nhs=‹4821170361›|‹482 1170361›|‹482117-0361›", misses: "48211703644",
		},
		{
			kind: "UK_NINO", masks: []string{letters + " 99 99 99 [a-d]", letters + " ?99 ?99 ?99 ?[a-d]"}, check: ukNINO, score: .5, near: .85, words: nino,
			hits: "NI number ‹JG 71 02 93 C›|nino ‹jg710293c›", misses: "BG 71 02 93 C|DG710293C|JO710293C|JG710293E|JG7102930",
		},
		{
			kind: "UK_PASSPORT", masks: []string{"AA9{7}"}, score: .1, near: .5, words: "passport|travel document|hmpo",
			hits: "passport ‹KT4071882›", misses: "K4071882|KT 4071882|KT40718823",
		},
		{
			kind: "UK_POSTCODE",
			masks: []string{
				"gir_?0aa", postcodeA + "9" + "_?" + inward, postcodeA + "9[a-hjkps-uw]_?" + inward, postcodeA + "99_?" + inward,
				postcodeA + "[a-hk-y]9_?" + inward, postcodeA + "[a-hk-y]9[abehmnprv-y]_?" + inward, postcodeA + "[a-hk-y]99_?" + inward,
			},
			score: .1, near: .6, words: "postcode|post code|postal code",
			hits: "postcode ‹LS6 2DQ›|post code: ‹WC2R1LA›|‹B33 8TH›|‹GIR 0AA›|‹L6 2DQ›|‹N1C 4AG›|‹LS26 2DQ›", misses: "QS6 2DQ|LS6 2CQ|LS6 2D|1S6 2DQ",
		},
		{
			kind: "UK_VEHICLE_REGISTRATION", masks: []string{plateA + plateA + "99~" + plateZ + "{3}"}, check: ukPlate, sure: .45, near: .8, words: plate,
			hits: "vehicle ‹KP19 VXR›|reg ‹kp68-vxr›", misses: "KI19 VXR|KP45 VXR|KP19 VXI|KP1 9VXR",
		},
		{
			kind: "UK_VEHICLE_REGISTRATION", masks: []string{"[a-hj-npr-tv-y]9{1,3}~" + plateA + plateZ + plateZ}, score: .2, near: .6, words: plate,
			hits: "number plate ‹R482 KDE›", misses: "I482 KDE|R4823 KDE|R482 KD",
		},
		{
			kind: "UK_VEHICLE_REGISTRATION", masks: []string{plateZ + "{3}~9{1,3}~[a-hj-npr-tv-y]"}, score: .15, near: .6, words: plate,
			hits: "licence plate ‹KDE 482R›", misses: "KDE 482Z|KDE 4823R|KDI 482R",
		},
		{
			kind: "UK_DRIVING_LICENCE", masks: []string{"[a-z9]{5}9{5}9[a-z9][a-z9]X[a-z][a-z]"}, check: ukDriver, score: .5, words: "driving licence|driving license|dvla|licence number",
			hits: "DVLA ‹HARGR802147KL9ZT›|‹FOX99752031A99XY›", misses: "HARGR832147KL9ZT|HARGR802397KL9ZT|99999802147KL9ZT|HA9GR802147KL9ZT|HARGR802147KL9Z",
		},
	}
}

const (
	postcodeA = "[a-pr-uwyz]"
	inward    = "9[abd-hjlnp-uw-z][abd-hjlnp-uw-z]"
	plateA    = "[a-hj-pr-y]"
	plateZ    = "[a-hj-pr-z]"
)

func ukNHS(code []byte, _ string) verdict {
	return must(weighted(code, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1)%11 == 0 && !same(code))
}

// ukNINO: prefixes that are not given out.
func ukNINO(code []byte, _ string) verdict {
	if oneOf(code[:2], "BG GB NK KN NT TN ZZ") {
		return no
	}
	return maybe
}

// ukPlate: the number says the half-year, 02 to 29 or 51 to 79.
func ukPlate(code []byte, _ string) verdict {
	age := number(code[2:4])
	return must(age >= 2 && age <= 29 || age >= 51 && age <= 79)
}

// ukDriver: a name filled up with nines, and a date of birth whose month is 50
// higher for women.
func ukDriver(code []byte, _ string) verdict {
	name := bytes.TrimRight(code[:5], "9")
	month, day := number(code[6:8]), number(code[8:10])
	if len(name) == 0 || bytes.ContainsAny(name, "9") || month%50 < 1 || month%50 > 12 || month > 62 || day < 1 || day > 31 {
		return no
	}
	return maybe
}
