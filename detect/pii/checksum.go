// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package pii

import "strings"

// The check digits that numbers carry. Each function takes the letters and
// digits of a number, upper case and without separators; the masks have made
// sure that there are as many as it looks at, and where the digits are.

// luhn reports whether the digits of code pass ISO/IEC 7812-1's check.
func luhn(code []byte) bool {
	return luhnSum(code)%10 == 0
}

func luhnSum(code []byte) int {
	sum := 0
	for i, c := range code {
		d := int(c - '0')
		if (len(code)-i)%2 == 0 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	return sum
}

// weighted adds up the first digits of code, each times its weight.
func weighted(code []byte, weights ...int) int {
	sum := 0
	for i, w := range weights {
		sum += int(code[i]-'0') * w
	}
	return sum
}

// crossed is weighted with the digits of every product added up.
func crossed(code []byte, weights ...int) int {
	sum := 0
	for i, w := range weights {
		p := int(code[i]-'0') * w
		sum += p/10 + p%10
	}
	return sum
}

// mod1110 reports whether the last digit is the check digit of ISO 7064,
// MOD 11,10, over those before it.
func mod1110(code []byte) bool {
	product := 10
	for _, c := range code[:len(code)-1] {
		sum := (int(c-'0') + product) % 10
		if sum == 0 {
			sum = 10
		}
		product = sum * 2 % 11
	}
	return (11-product)%10 == int(code[len(code)-1]-'0')
}

// mod97 is the remainder of ISO 7064, MOD 97-10, letters counting from 10.
func mod97(code []byte) int {
	rest := 0
	for _, c := range code {
		if isDigit(c) {
			rest = (rest*10 + int(c-'0')) % 97
		} else {
			rest = (rest*100 + int(c-'A') + 10) % 97
		}
	}
	return rest
}

// verhoeff reports whether code passes Verhoeff's check, over the dihedral
// group of ten elements.
func verhoeff(code []byte) bool {
	check := 0
	for i := range code {
		d := int(code[len(code)-1-i] - '0')
		for range i % 8 {
			d = int("1576283094"[d] - '0')
		}
		check = dihedral(check, d)
	}
	return check == 0
}

// dihedral is the product of two elements of the symmetries of a pentagon:
// 0 to 4 turn it, 5 to 9 turn it over first.
func dihedral(a, b int) int {
	switch {
	case a < 5 && b < 5:
		return (a + b) % 5
	case a < 5:
		return (a+b)%5 + 5
	case b < 5:
		return (a-b)%5 + 5
	}
	return (a - b + 5) % 5
}

// icao is the sum of ICAO Doc 9303: letters count from 10, weights 7, 3, 1.
func icao(code []byte) int {
	sum := 0
	for i, c := range code {
		v := int(c - '0')
		if isLetter(c) {
			v = int(c-'A') + 10
		}
		sum += v * [3]int{7, 3, 1}[i%3]
	}
	return sum % 10
}

// number is the value of a few digits.
func number(code []byte) int {
	n := 0
	for _, c := range code {
		n = n*10 + int(c-'0')
	}
	return n
}

// isDate reports whether there is such a day.
func isDate(year, month, day int) bool {
	if month < 1 || month > 12 || day < 1 {
		return false
	}
	last := [12]int{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31}[month-1]
	if month == 2 && (year%4 == 0 && year%100 != 0 || year%400 == 0) {
		last = 29
	}
	return day <= last
}

// same reports whether all bytes of code are one byte.
func same(code []byte) bool {
	for _, c := range code {
		if c != code[0] {
			return false
		}
	}
	return true
}

// oneOf reports whether code is one of the words in a list set apart by spaces.
func oneOf(code []byte, list string) bool {
	for word := range strings.SplitSeq(list, " ") {
		if string(code) == word {
			return true
		}
	}
	return false
}
