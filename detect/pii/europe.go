// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package pii

import "slices"

// europeRules are those of Italy, Spain, Poland and the north.
func europeRules() []rule {
	return slices.Concat(italyRules(), spainRules(), northRules())
}

func italyRules() []rule {
	const passport = "passaporto|italian passport"
	return []rule{
		{
			kind: "IT_FISCAL_CODE", masks: []string{"A{6}" + omo + omo + "[a-ehlmpr-t]" + omo + omo + "A" + omo + omo + omo + "A"}, check: itFiscal, score: .4, sure: 1,
			words: "codice fiscale|fiscal|cod. fisc",
			hits:  "codice fiscale ‹BNCLRA81D52F205N›|‹VRDGPP70A0NH501N›", misses: "BNCLRA81D72F205A|BNCLRA81D52F205|BNCLRA81F52F205A|BN7LRA81D52F205A",
		},
		{
			kind: "IT_VAT_CODE", masks: []string{"9[ _]?9[ _]?9[ _]?9[ _]?9[ _]?9[ _]?9[ _]?9[ _]?9[ _]?9[ _]?9"}, check: itVAT, sure: .4, near: .85, words: "partita iva|p.iva|piva|iva",
			hits: "P.IVA ‹04071882312›|partita iva ‹0407188_2312›", misses: "040718823111|00000000000|0407188231",
		},
		{
			kind: "IT_DRIVER_LICENSE", masks: []string{"AA9{7}A", "u1[b-df-hj-np-uwyzx0-9]{7}A"}, score: .2, near: .6, words: "patente|licenza|license|licence",
			hits: "patente ‹RM4071882K›|‹U1K40T71RK›", misses: "U1A40T71RK|RM407188K|R14071882K",
		},
		{
			kind: "IT_IDENTITY_CARD", masks: []string{"AA_?9{7}", "9{7}AA", "AA9{5}AA"}, score: .01, near: .5, words: "carta d'identit|carta identit|identity card|cie",
			hits: "carta d'identità ‹CA 4071882›|‹4071882CA›|CIE ‹CA40718RK›", misses: "CA407188|C4071882|CA4071882RK",
		},
		{
			kind: "IT_PASSPORT", masks: []string{"AA9{7}"}, score: .01, near: .5, words: passport,
			hits: "passaporto ‹YB4071882›", misses: "YB407188|YB40718823|Y40718823",
		},
	}
}

// omo is a digit, or the letter that stands for it where two people would have
// one code.
const omo = "[0-9l-np-v]"

func spainRules() []rule {
	return []rule{
		{
			kind: "ES_NIF", masks: []string{"9{7,8}-?A"}, check: esNIF, score: .4, sure: .5, near: .85, words: "nif|dni|documento nacional",
			hits: "NIF ‹40718823Z›|DNI ‹40718823-Z›|dni ‹4071882P›", misses: "407188233|407188-G|407188230A",
		},
		{
			kind: "ES_NIE", masks: []string{"[x-z]9{7,8}-?A"}, check: esNIE, sure: .8, words: "nie|extranjero",
			hits: "NIE ‹X4071882P›|‹y4071882-E›", misses: "W4071882A|X407188A|X4071882",
		},
		{
			kind: "ES_PASSPORT", masks: []string{"AAA9{6}"}, score: .05, near: .5, words: "pasaporte|spanish passport",
			hits: "pasaporte ‹PAF407188›", misses: "PAF40718|PA407188|PAF4071882",
		},
	}
}

func northRules() []rule {
	const pnr = "personnummer|personal identity|samordningsnummer|svensk|swedish"
	const hetu = "hetu|henkil|personbeteckning|personal identity|finnish"
	return []rule{
		{
			kind: "PL_PESEL", masks: []string{"9{11}"}, edge: digits, check: plPESEL, sure: .5, near: .85, words: "pesel",
			hits: "PESEL ‹81040718829›", misses: "81130718821|81044018821|810407188200",
		},
		{
			kind: "FI_PERSONAL_IDENTITY_CODE", masks: []string{"9{6}[-+a-fu-y]999[0-9a-fhj-npr-y]"}, edge: digits, check: fiCode, sure: .9, words: hetu,
			hits: "hetu ‹070481-188P›|code is‹070481V188P›", misses: "310481-188A|070481/188A|070481-18A",
		},
		{
			kind: "SE_PERSONNUMMER", masks: []string{"9{6}[-+]9999", "9{8}[-+]9999"}, edge: digits, check: sePerson, sure: .7, words: pnr,
			hits: "personnummer ‹810407-1884›|‹19810407-1884›", misses: "811307-1882|810432-1882|19810407-18",
		},
		{
			kind: "SE_PERSONNUMMER", masks: []string{"9{12}", "9{10}"}, edge: digits, check: sePerson, sure: .4, near: .85, words: pnr,
			hits: "personnummer ‹198104071884›|pnr is‹8104071884›", misses: "19811307188?|8104071888888",
		},
		{
			kind: "SE_ORGANISATIONSNUMMER", masks: []string{"9{6}-9999"}, edge: digits, check: seFirm, sure: .6, words: "organisationsnummer|orgnr|org nr|org.nr",
			hits: "orgnr ‹556407-1883›", misses: "551407-1882|556407-18822",
		},
		{
			kind: "SE_ORGANISATIONSNUMMER", masks: []string{"9{10}"}, edge: digits, check: seFirm, sure: .4, near: .85, words: "organisationsnummer|orgnr|org nr|org.nr",
			hits: "organisationsnummer ‹5564071883›", misses: "5514071882|55640718822",
		},
	}
}

// itFiscal: consonants and vowels of the names, date of birth, place, and a
// check letter over it all, which need not be right.
func itFiscal(code []byte, _ string) verdict {
	if !itName(code[0:3]) || !itName(code[3:6]) {
		return no
	}
	day := itNumber(code[9:11])
	month := 1 + slices.Index([]byte("ABCDEHLMPRST"), code[8])
	if day > 40 {
		day -= 40
	}
	if !isDate(2000, month, day) || itNumber(code[12:15]) == 0 {
		return no
	}
	const odd = "BAKPLCQDREVOSFTGUHMINJWZYX" // in this order the odd places count 0, 1, 2 …
	sum := 0
	for i, c := range code[:15] {
		if isDigit(c) {
			c += 'A' - '0'
		}
		if i%2 == 1 {
			sum += int(c - 'A')
			continue
		}
		for k := range odd {
			if odd[k] == c {
				sum += k
			}
		}
	}
	return may(byte('A'+sum%26) == code[15])
}

// itName: consonants first, then vowels, then X.
func itName(code []byte) bool {
	stage := 0
	for i, c := range code {
		switch {
		case c == 'A' || c == 'E' || c == 'I' || c == 'O' || c == 'U':
			if stage == 2 {
				return false
			}
			stage = 1
		case c == 'X' && i > 0 && stage > 0:
			stage = 2
		case stage > 0:
			return false
		}
	}
	return true
}

// itNumber is the value of digits that may be written as letters.
func itNumber(code []byte) int {
	n := 0
	for _, c := range code {
		n *= 10
		if isDigit(c) {
			n += int(c - '0')
		} else {
			n += slices.Index([]byte("LMNPQRSTUV"), c)
		}
	}
	return n
}

func itVAT(code []byte, _ string) verdict { return must(luhn(code) && !same(code)) }

const nifLetters = "TRWAGMYFPDXBNJZSQVHLCKE"

func esNIF(code []byte, raw string) verdict {
	last := len(code) - 1
	if nifLetters[number(code[:last])%23] != code[last] {
		return no
	}
	return capitals(code, raw)
}

// esNIE: X, Y and Z count as the digits 0, 1 and 2 in front.
func esNIE(code []byte, _ string) verdict {
	last := len(code) - 1
	first := int(code[0]-'X') * 10000000
	if last == 9 {
		first *= 10
	}
	return must(nifLetters[(first+number(code[1:last]))%23] == code[last])
}

// plPESEL: the month says the century, 80, 0, 20, 40 or 60 more than it is.
func plPESEL(code []byte, _ string) verdict {
	month, day := number(code[2:4])%20, number(code[4:6])
	return must(month >= 1 && month <= 12 && day >= 1 && day <= 31 &&
		weighted(code, 1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1)%10 == 0)
}

// fiCode: a sign says the century, and a letter is the rest by 31.
func fiCode(code []byte, raw string) verdict {
	year := 2000
	switch c := raw[6] &^ 0x20; {
	case raw[6] == '+':
		year = 1800
	case raw[6] == '-', c >= 'U' && c <= 'Y':
		year = 1900
	}
	if !isDate(year+number(code[4:6]), number(code[2:4]), number(code[:2])) {
		return no
	}
	last := len(code) - 1
	n := number(code[:6])*1000 + number(code[last-3:last])
	return must("0123456789ABCDEFHJKLMNPRSTUVWXY"[n%31] == code[last])
}

// sePerson: a date, whose day is 60 higher for those who are not registered,
// and Luhn over the last ten digits.
func sePerson(code []byte, _ string) verdict {
	if len(code) == 12 && !oneOf(code[:2], "18 19 20") {
		return no
	}
	code = code[len(code)-10:]
	month, day := number(code[2:4]), number(code[4:6])
	if day > 60 {
		day -= 60
	}
	return must(isDate(2000, month, day) && luhn(code))
}

// seFirm: the third digit tells a firm's number from a date.
func seFirm(code []byte, _ string) verdict { return must(code[2] >= '2' && luhn(code)) }
