// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package pii

import "slices"

// germanyRules are those of Germany.
func germanyRules() []rule {
	return slices.Concat(germanyTaxRules(), germanyHealthRules(), germanyPaperRules())
}

func germanyTaxRules() []rule {
	const (
		taxID  = "steuer id|steuerid|identifikationsnummer|idnr|tax id|steuer idnr"
		number = "steuernummer|steuer nr|st. nr|st nr|steuerbescheid"
		vat    = "ust id|umsatzsteuer|vat|ustid|mwst"
		court  = "handelsregister|amtsgericht|registergericht|registerauszug"
	)
	return []rule{
		{
			kind: "DE_TAX_ID", masks: []string{"99_999_999_999"}, check: deTaxID, score: .4, sure: .6, near: .9, words: taxID,
			hits: "Steuer-ID ‹48 036 127 588›", misses: "48 036 127 5|08 036 127 590",
		},
		{
			kind: "DE_TAX_ID", masks: []string{"9{11}"}, check: deTaxID, score: .3, sure: .45, near: .85, words: taxID,
			hits: "IdNr ‹48036127588›", misses: "08036127590|480361275900|48888127590",
		},
		{
			kind: "DE_TAX_NUMBER", masks: []string{"9{13}"}, check: deTaxNumber, score: .3, near: .65, words: number,
			hits: "Steuernummer ‹0930281507713›", misses: "1930281507713|0030281507713|093028150771",
		},
		{
			kind: "DE_TAX_NUMBER", masks: []string{"9{2,3}/9{3,4}/9{4,5}"}, score: .3, near: .65, words: number,
			hits: "St.-Nr. ‹217/604/31180›|Steuernummer ‹21/604/3118›", misses: "2177/604/31180|217/60/31180|217/604/311",
		},
		{
			kind: "DE_VAT_ID", masks: []string{"de[-. ]?999[-. ]?999[-. ]?999"}, check: deVAT, score: .4, sure: .9, words: vat,
			hits: "USt-IdNr. ‹DE 402 711 385›|VAT ‹de402711385›", misses: "AT402711385|DE40271138|DE4027113855",
		},
		{
			kind: "DE_HANDELSREGISTER", masks: []string{"hr[ab]_{0,3}9{1,6}"}, score: .5, words: court,
			hits: "Amtsgericht Jena ‹HRB 50817›|‹hra771›", misses: "HRC 50817|HRB 5081744|HRB",
		},
	}
}

func germanyHealthRules() []rule {
	const kv = "kvnr|krankenkasse|krankenversicher|versichertennummer|gesundheitskarte|egk|versichertenausweis|aok"
	const rv = "rentenversicherung|sozialversicherung|rvnr|svnr|sv nummer|versicherungsnummer"
	return []rule{
		{
			kind: "DE_HEALTH_INSURANCE", masks: []string{"A9{9}"}, check: deHealth, sure: .4, near: .85, words: kv,
			hits: "KVNR ‹T407188238›", misses: "1407188231|T407188230?|T40718823",
		},
		{
			kind: "DE_SOCIAL_SECURITY", masks: []string{"9{8}A999"}, check: deSocial, sure: .8, words: rv,
			hits: "RVNR ‹52170381R071›|‹52670381R072›", misses: "52410381R071|52171381R071|52170381R0711|521703811071",
		},
		{
			kind: "DE_LANR", masks: []string{"9{9}"}, check: deLANR, sure: .1, near: .6, words: "lanr|arztnummer|arzt nr|arzt nummer",
			hits: "LANR ‹407188301›", misses: "40718801|4071882011",
		},
		{
			kind: "DE_BSNR", masks: []string{"9{9}"}, check: notZero, score: .05, near: .55, words: "bsnr|betriebsst|praxisnummer|kv nummer",
			hits: "BSNR ‹514071882›", misses: "000000000|51407188|51407188A",
		},
	}
}

func germanyPaperRules() []rule {
	const pass = "reisepass|passnummer|pass nr|passport|dokumentennummer"
	const ausweis = "personalausweis|ausweisnummer|ausweis|identity card|id card"
	const plate = "kennzeichen|nummernschild|kfz|fahrzeug|zulassung"
	return []rule{
		{
			kind: "DE_PASSPORT", masks: []string{icaoLetter + icaoAny + "{7}9"}, check: deICAO, sure: .4, near: .85, words: pass,
			hits: "Reisepass ‹C7XK20RM9›", misses: "A7XK20RM4|C7XK20R4|C7XK20RM44|C7XK20RMA",
		},
		{
			kind: "DE_ID_CARD", masks: []string{icaoLetter + icaoAny + "{7}9"}, check: deICAO, sure: .4, near: .85, words: ausweis,
			hits: "Personalausweis ‹L7XK20RM2›", misses: "E7XK20RM4|L7XK20R4",
		},
		{
			kind: "DE_ID_CARD", masks: []string{"t9{8}"}, score: .1, near: .5, words: ausweis,
			hits: "Ausweis ‹T40718823›", misses: "T4071882|T407188233|S40718823",
		},
		{
			kind: "DE_FUEHRERSCHEIN", masks: []string{"AA9{8}X"}, score: .35, words: "führerschein|fahrerlaubnis|driving licen|kraftfahrt",
			hits: "Führerschein ‹JE40718823K›|Fahrerlaubnis ‹je407188231›", misses: "JE40718823|JE40718823KK|J40718823K",
		},
		{
			kind: "DE_KFZ", masks: []string{"A{1,3}_A{1,2}_9{1,4}[eh]?", "A{1,3}-A{1,2}-9{1,4}[eh]?", "A{1,3}-A{1,2}_9{1,4}[eh]?", "A\xc3[\x84\x96\x9c\xa4\xb6\xbc]A?[- ]A{1,2}[- ]9{1,4}[eh]?", "\xc3[\x84\x96\x9c\xa4\xb6\xbc]A?[- ]A{1,2}[- ]9{1,4}[eh]?"}, edge: apart, score: .2, near: .6, words: plate,
			hits: "Kennzeichen ‹WE KR 481›|‹j-mv-77H›|‹WÜ KR 481›|‹ÖL-R 481›|Kfz ‹EF-T 9E›", misses: "WEIM KR 481|WE KRT 481|WE KR 48123|WEKR481",
		},
		{
			kind: "DE_PLZ", masks: []string{"9{5}"}, check: dePLZ, score: .05, near: .55, words: "plz|postleitzahl|postanschrift",
			hits: "PLZ ‹07743› Jena", misses: "00743|01000|99999|077433|0774",
		},
	}
}

// The letters of documents that machines read.
const (
	icaoLetter = "[cfghj-nprtv-z]"
	icaoAny    = "[0-9cfghj-nprtv-z]"
)

// deTaxID: of the first ten digits just one stands there twice or three times,
// or, in examples, none.
func deTaxID(code []byte, _ string) verdict {
	var seen [10]int
	for _, c := range code[:10] {
		seen[c-'0']++
	}
	repeated := 0
	for _, n := range seen {
		if n > 3 {
			return no
		}
		if n > 1 {
			repeated++
		}
	}
	if code[0] == '0' || !mod1110(code) {
		return no
	}
	return may(repeated == 1)
}

// deTaxNumber begins with the number of a state, 01 to 16.
func deTaxNumber(code []byte, _ string) verdict {
	if state := number(code[:2]); state < 1 || state > 16 {
		return no
	}
	return maybe
}

func deVAT(code []byte, _ string) verdict { return may(mod1110(code[2:])) }

// spelt writes the letter at code[i] as the two digits of its place in the
// alphabet.
func spelt(dst, code []byte, i int) []byte {
	place := code[i] - 'A' + 1
	dst = append(dst, code[:i]...)
	dst = append(dst, '0'+place/10, '0'+place%10)
	return append(dst, code[i+1:]...)
}

func deHealth(code []byte, _ string) verdict {
	var buf [16]byte
	d := spelt(buf[:0], code, 0)
	return must(crossed(d, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2)%10 == int(d[10]-'0'))
}

// deSocial: the day of birth may be 50 higher, if two people would have the
// same number.
func deSocial(code []byte, _ string) verdict {
	day, month := number(code[2:4]), number(code[4:6])
	if day%50 < 1 || day%50 > 31 || day > 81 || month < 1 || month > 12 {
		return no
	}
	var buf [16]byte
	d := spelt(buf[:0], code, 8)
	return must(crossed(d, 2, 1, 2, 5, 7, 1, 2, 1, 2, 1, 2, 1)%10 == int(d[12]-'0'))
}

func deLANR(code []byte, _ string) verdict {
	return must((10-weighted(code, 4, 9, 4, 9, 4, 9)%10)%10 == int(code[6]-'0') && !same(code))
}

func notZero(code []byte, _ string) verdict {
	if same(code) && code[0] == '0' {
		return no
	}
	return maybe
}

func deICAO(code []byte, _ string) verdict { return must(icao(code[:8]) == int(code[8]-'0')) }

func dePLZ(code []byte, _ string) verdict {
	if n := number(code); n <= 1000 || n == 99999 {
		return no
	}
	return maybe
}
