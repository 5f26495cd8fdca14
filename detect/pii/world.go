// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package pii

// worldRules are those of no one country: cards, accounts, addresses of money,
// and days.
func worldRules() []rule {
	return []rule{
		{
			kind: "CREDIT_CARD", masks: []string{"[1-6]9{2,3}[- 0-9]"}, find: findCard, words: "credit|card|visa|mastercard|amex|cc |discover|jcb|diners|maestro|payment",
			hits:   "card ‹4071 8823 5506 1208›|‹5307-1882-3550-6120›|‹370718823550610›|‹60114071882355066›|card ‹36071882355067›|‹2221407188235507›",
			misses: "card 4071 8823 5506 12|4071882355061200000000|4071-8823 5506",
		},
		{
			kind: "IBAN_CODE", masks: []string{"AA~9~9~X"}, find: findIBAN, words: "iban",
			hits:   "to ‹DE53 1001 0010 0407 1882 35› now|‹GB91WEST40718823550612›|‹NO8840718823550›",
			misses: "DE54 1001 0010 0407 1882 35|DE53 1001 0010 0407 1882 3|de53100100100407188235|US53100100100407188235|XDE53100100100407188235",
		},
		{
			kind: "CRYPTO", masks: []string{"[13]X{20}", "bc1X{10}", "0x[0-9a-f]{40}"}, find: findCrypto, words: "wallet|btc|bitcoin|crypto|ethereum",
			hits:   "wallet ‹1BoatSLRHtKNngkdXEeobR76b53LETtpyT›|‹0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359›|‹BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4›",
			misses: "1BoatSLRHtKNngkdXEeobR76b53LETtpyU|0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d358|0xfb6916095ca1df60bb79ce92ce3ea74c37c5d359|1BoatSLRHtKNngkdXEeobR76b53LETtpyTT",
		},
		{
			kind: "DATE_TIME", masks: []string{"99?[-/. snrt]", "9999", "[jfmasond][aepuco][nbrylgptvc]", "year "}, find: findDate, inside: true, words: "date|birthday|born|dob",
			hits: "on ‹2023-11-04›|‹4/11/2023› and|‹04.11.23›|‹4-NOV-2023›|‹Nov-23›|‹11-Nov›|at ‹2023-11-04T17:05:09.120+02:00›|‹2023-11-04T17:05Z›|" +
				"‹November 4th, 2023›|‹4 November 2023›|‹Nov 4› at noon|‹11/2023›|‹2023/11/04›|in ‹November 2023›|the ‹year 1972›",
			misses: "20231104|2123-13-04x|31-Nox|version 4-11|Nove-23|marching 4|4.13.2123|2123-11-04T25:99",
		},
	}
}

// card reports whether code is as long as the numbers of the brand that begin
// so are.
func card(code []byte) bool {
	n := len(code)
	two, three, four := number(code[:2]), number(code[:3]), number(code[:4])
	switch {
	case code[0] == '4':
		return n == 13 || n == 16 || n == 19
	case two >= 51 && two <= 55, four >= 2221 && four <= 2720, four == 6011, two == 65, three >= 644 && three <= 649, two == 62, four >= 3528 && four <= 3589:
		return n == 16 || n == 19
	case two == 34 || two == 37:
		return n == 15
	case three >= 300 && three <= 305, two == 36, two == 38, two == 39:
		return n == 14 || n == 16
	case two == 50, two >= 56 && two <= 69:
		return n >= 12
	}
	return false
}

// findCard reads twelve to nineteen digits in groups of three digits or more,
// set apart by single spaces or hyphens, that pass Luhn's check.
func findCard(text string, start int) (int, float64) {
	var buf [20]byte
	code, end, group, groups := buf[:0], start, 0, 0
	for end < len(text) {
		c := text[end]
		if isDigit(c) {
			if len(code) == 19 {
				return -1, 0
			}
			code = append(code, c)
			group++
			end++
			continue
		}
		if c != ' ' && c != '-' || end+1 >= len(text) || !isDigit(text[end+1]) || group < 3 {
			break
		}
		if len(code) >= 16 || len(code) >= 12 && groups == 0 {
			break // another number begins here
		}
		group = 0
		groups++
		end++
	}
	switch {
	case len(code) < 12 || !luhn(code) || same(code):
		return -1, 0
	case card(code) && len(code) <= 16 && (len(code) == 16 || code[0] <= '4'):
		return end, .85
	case card(code):
		return end, .4 // some brands have longer and shorter numbers; so has everything else
	case len(code) < 13, code[0] == '2', code[0] == '1' && len(code) != 15:
		return -1, 0
	}
	return end, .4
}
