// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package pii

import "strings"

// ibanForms is the registry of the International Bank Account Number: for
// each country the form of what follows the two check digits, n for digits, a
// for letters, c for both.
const ibanForms = "AD8n12c AE19n AL8n16c AT16n AZ4a20c BA16n BE12n BG4a6n8c BH4a14c BI23n BR23n1a1c BY4c4n16c CH5n12c CR18n CY8n16c CZ20n DE18n DJ23n " +
	"DK14n DO4c20n EE16n EG25n ES20n FI14n FK2a12n FO14n FR10n11c2n GB4a14n GE2a16n GI4a15c GL14n GR7n16c GT4c20c HN4a20n HR17n HU24n IE4a14n IL19n IQ4a15n " +
	"IS22n IT1a10n12c JO4a22c KW4a22c KZ3n13c LB4n20c LC4a24c LI5n12c LT16n LU3n13c LV4a13c LY21n MC10n11c2n MD2c18c ME18n MK3n10c2n MN16n MR23n " +
	"MT4a5n18c MU4a19n3a NI4a20n NL4a10n NO11n OM3n16c PK4a16c PL24n PS4a21c PT21n QA4a21c RO4a16c RS18n RU14n15c SA2n18c SC4a20n3a SD14n SE20n " +
	"SI15n SK20n SM1a10n12c SO19n ST21n SV4a20n TL19n TN20n TR5n17c UA6n19c VA18n VG4a16n XK16n YE4a4n18c"

// ibanForm returns the form for the country that text begins with.
func ibanForm(text string) string {
	for rest := ibanForms; rest != ""; {
		var form string
		form, rest, _ = strings.Cut(rest, " ")
		if form[:2] == text[:2] {
			return form[2:]
		}
	}
	return ""
}

// findIBAN reads an account number at start: the form of its country, with
// single spaces or hyphens between groups, and a remainder of 1.
func findIBAN(text string, start int) (int, float64) {
	if text[start]-'A' >= 26 || text[start+1]-'A' >= 26 {
		return -1, 0
	}
	form := ibanForm(text[start:])
	if form == "" {
		return -1, 0
	}
	var buf [40]byte
	code := buf[:0]
	end := start
	next := func(kind byte) bool {
		if end < len(text) && (text[end] == ' ' || text[end] == '-') && len(code)%4 == 0 && len(code) > 0 {
			end++
		}
		if end >= len(text) || !isDigit(text[end]) && (kind == 'n' || text[end]-'A' >= 26) || kind == 'a' && isDigit(text[end]) {
			return false
		}
		code = append(code, text[end])
		end++
		return true
	}
	for _, kind := range []byte("aann") {
		if !next(kind) {
			return -1, 0
		}
	}
	for i := 0; i < len(form); i++ {
		n := 0
		for ; isDigit(form[i]); i++ {
			n = n*10 + int(form[i]-'0')
		}
		for range n {
			if !next(form[i]) {
				return -1, 0
			}
		}
	}
	copy(buf[len(code):], code[:4])
	if mod97(buf[4:len(code)+4]) != 1 {
		return -1, 0
	}
	return end, 1
}
