// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package pii

import (
	"slices"
	"strings"
)

// americaRules are those of the United States and Canada.
func americaRules() []rule {
	return slices.Concat(americaTaxRules(), americaHealthRules(), americaPaperRules())
}

func americaTaxRules() []rule {
	const (
		ssn  = "ssn|social security|social sec|ssid|ss#"
		itin = "itin|taxpayer|tax id|individual"
		sin  = "social insurance|sin|nas|assurance sociale|n.a.s"
		aba  = "aba|routing|rtn|transit"
		bank = "bank account|banking account|account number|account no|acct|checking|savings account|bank acc"
	)
	return []rule{
		{
			kind: "US_SSN", masks: []string{"999[-. ]99[-. ]9999"}, check: usSSN, score: .5, near: .85, words: ssn,
			hits:   "ssn: ‹219-47-8302›|‹219.47.8302› and|ask ‹219 47 8302›",
			misses: "219-47.8302|000-47-8302|219-00-8302|219-47-0000|666-47-8302|1219-47-8302|219-47-83021",
		},
		{
			kind: "US_SSN", masks: []string{"99999-9999", "999-999999", "9{9}"}, check: usSSN, score: .05, near: .85, words: ssn,
			hits: "SSN ‹219478302›|social security number ‹21947-8302›|ssn ‹219-478302›", misses: "ssn 2194783020|ssn 000478302|ssn 222222222",
		},
		{
			kind: "US_ITIN", masks: []string{"[9]99[- ]99[- ]9999"}, check: usITIN, score: .5, near: .85, words: itin,
			hits: "ITIN ‹917-71-3308›", misses: "917-49-3308|817-71-3308|917-71-33080",
		},
		{
			kind: "US_ITIN", masks: []string{"[9]99[- ]999999", "[9]9999[- ]9999"}, check: usITIN, score: .05, near: .5, words: itin,
			hits: "tax id ‹917-713308›|‹91771-3308›", misses: "917-4933080",
		},
		{
			kind: "US_ITIN", masks: []string{"[9]9{8}"}, check: usITIN, score: .3, near: .65, words: itin,
			hits: "itin=‹917713308›", misses: "917493308|9177133081",
		},
		{
			kind: "CA_SIN", masks: []string{"[1-79]99-999-999", "[1-79]99 999 999"}, check: caSIN, score: .5, words: sin,
			hits: "SIN ‹271-830-440›|NAS : ‹271 830 440›", misses: "271-830 44?|871-830-446|271-830-44",
		},
		{
			kind: "CA_SIN", masks: []string{"[1-79]9{8}"}, check: caSIN, score: .05, near: .6, words: sin,
			hits: "my sin number is ‹271830440›", misses: "2718304466|871830446",
		},
		{
			kind: "ABA_ROUTING_NUMBER", masks: []string{"[0123678]999-9999-9"}, check: abaRouting, sure: .6, near: .9, words: aba,
			hits: "route ‹0914-0827-1›", misses: "4914-0827-1|0914-0827-11",
		},
		{
			kind: "ABA_ROUTING_NUMBER", masks: []string{"[0123678]9{8}"}, check: abaRouting, sure: .4, near: .85, words: aba,
			hits: "routing number ‹091408271›", misses: "491408271|0914082711",
		},
		{
			kind: "US_BANK_NUMBER", masks: []string{"9{8,17}"}, score: .05, near: .5, words: bank,
			hits: "bank account no. ‹40071123985›", misses: "4007112|400711239854007112",
		},
	}
}

func americaHealthRules() []rule {
	const npi = "npi|national provider|provider"
	const mbi = "medicare|mbi|beneficiary|medicaid|hicn"
	return []rule{
		{
			kind: "US_NPI", masks: []string{"[12]999[- ]999[- ]999"}, check: usNPI, sure: .6, near: .9, words: npi,
			hits: "NPI ‹1730-264-581›", misses: "3730-264-581|1730-264-5811",
		},
		{
			kind: "US_NPI", masks: []string{"[12]9{9}"}, check: usNPI, sure: .4, near: .85, words: npi,
			hits: "npi: ‹1730264581›", misses: "3730264581|17302645811|1111111112",
		},
		{
			kind: "US_MBI", masks: []string{"9" + mbiLetter + mbiAny + "9-" + mbiLetter + mbiAny + "9-" + mbiLetter + mbiLetter + "99"}, score: .5, words: mbi,
			hits: "member ‹3GH2-RK7-XW46›", misses: "3SH2-RK7-XW46|3GH2-RK7-XW4|3GH2-RK7XW46",
		},
		{
			kind: "US_MBI", masks: []string{"9" + mbiLetter + mbiAny + "9" + mbiLetter + mbiAny + "9" + mbiLetter + mbiLetter + "99"}, score: .3, words: mbi,
			hits: "Medicare id ‹3GH2RK7XW46›", misses: "3GH2RK7XW461|3GHZRK7XW46",
		},
		{
			kind: "MEDICAL_LICENSE", masks: []string{"[a-hj-mpr-ux]A9{7}", "[a-hj-mpr-ux][9]9{7}"}, check: dea, sure: .6, near: .9, words: "dea|medical|certificate|prescriber",
			hits: "DEA number ‹BK4417033›|‹M94417033›", misses: "NK4417032|BK44170321|BK441703",
		},
	}
}

// The letters of a Medicare number are those that look like no other.
const (
	mbiLetter = "[ac-hjkmnp-rt-y]"
	mbiAny    = "[0-9ac-hjkmnp-rt-y]"
)

func americaPaperRules() []rule {
	const passport = "passport|travel document"
	const driver = "driver|license|licence|permit|driving|dl number|cdl"
	return []rule{
		{
			kind: "US_PASSPORT", masks: []string{"A9{8}"}, score: .1, near: .5, words: passport,
			hits: "passport no ‹C40718823›", misses: "C4071882|CC4071882",
		},
		{
			kind: "US_PASSPORT", masks: []string{"9{9}"}, score: .05, near: .5, words: passport,
			hits: "US passport ‹540718823›", misses: "54071882|5407188231",
		},
		{
			kind: "US_DRIVER_LICENSE",
			masks: []string{
				"A9{6,14}", "A9{18}", "A9{6}r", "AA9{4,7}", "AA9{6}A", "99AAA9{5,6}", "9{8}A", "9{8}AA", "999AA9999", "9{7}A", "9{9}A",
				"AX{4}[*][*a-z0-9]{6}",
			},
			check: capitals, score: .1, sure: .3, words: driver,
			hits:   "driver license ‹W40718823›|licence: ‹407AB1188›|permit ‹QR407188Z›|license ‹MO4OS**40771›|license ‹R407188235506120718›|‹W407188R›|‹RK40718›|‹40KRT71882›|‹40718823K›|‹40718823KR›|‹4071882K›|‹407188235K›",
			misses: "WQRS|ABC1234DE|407AB118",
		},
		{
			kind: "US_DRIVER_LICENSE", masks: []string{"A9{1,5}", "AA9{2,3}", "A9A9A"}, score: .3,
			hits: "‹W4071›|‹K4R7T›|‹WQ407›", misses: "W|WQ4|4071",
		},
		{
			kind: "US_DRIVER_LICENSE", masks: []string{"9{6,14}", "9{16}"}, score: .01, near: .5, words: "driver license|driver's license|drivers license|driver licence|driving licence|driving license|dl number",
			hits: "driver license number ‹40718823›|‹4071882355061207›", misses: "40718|407188230071882",
		},
	}
}

// usSSN knows the groups that were never given out, and the numbers that
// stood on a card in a wallet.
func usSSN(code []byte, raw string) verdict {
	if len(raw) == 11 && raw[3] != raw[6] || same(code) {
		return no
	}
	switch {
	case string(code[3:5]) == "00", string(code[5:]) == "0000", oneOf(code[:3], "000 666"), oneOf(code, "123456789 987654320 078051120"),
		string(code[:8]) == "98765432":
		return no
	}
	return maybe
}

// usITIN: the group in the middle is 50 to 65, 70 to 88, 90 to 92 or 94 to 99.
func usITIN(code []byte, _ string) verdict {
	if g := number(code[3:5]); g < 50 || g > 65 && g < 70 || g == 89 || g == 93 {
		return no
	}
	return maybe
}

func caSIN(code []byte, _ string) verdict {
	if luhn(code) && !same(code) {
		return maybe
	}
	return no
}

func abaRouting(code []byte, _ string) verdict {
	return must(weighted(code, 3, 7, 1, 3, 7, 1, 3, 7, 1)%10 == 0 && !same(code))
}

// usNPI: Luhn over the number with the prefix of health cards, 80840, which
// adds 24.
func usNPI(code []byte, _ string) verdict {
	return must((luhnSum(code)+24)%10 == 0 && !same(code[:9]))
}

// dea: the first, third and fifth digit, and twice the others.
func dea(code []byte, _ string) verdict {
	return must(weighted(code[2:], 1, 2, 1, 2, 1, 2)%10 == int(code[8]-'0'))
}

// capitals: a number is printed with them; with small letters it is more likely
// the name of something.
func capitals(_ []byte, raw string) verdict { return may(strings.ToUpper(raw) == raw) }
