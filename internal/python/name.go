// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package python

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// folded are the characters of names that mean others, of ASCII, to Python: it
// knows a name by its compatibility form (NFKC), so that eval can be written in
// many ways. Full-width and mathematical letters, which come in rows, are not
// in the list.
const folded = "\u00aaa \u00bao \u0132IJ \u0133ij \u017fs \u01c7LJ \u01c8Lj \u01c9lj \u01caNJ \u01cbNj \u01ccnj \u01f1DZ " +
	"\u01f2Dz \u01f3dz \u02b0h \u02b2j \u02b3r \u02b7w \u02b8y \u02e1l \u02e2s \u02e3x \u1d2cA \u1d2eB \u1d30D " +
	"\u1d31E \u1d33G \u1d34H \u1d35I \u1d36J \u1d37K \u1d38L \u1d39M \u1d3aN \u1d3cO \u1d3eP \u1d3fR \u1d40T " +
	"\u1d41U \u1d42W \u1d43a \u1d47b \u1d48d \u1d49e \u1d4dg \u1d4fk \u1d50m \u1d52o \u1d56p \u1d57t \u1d58u " +
	"\u1d5bv \u1d62i \u1d63r \u1d64u \u1d65v \u1d9cc \u1da0f \u1dbbz \u2071i \u207fn \u2090a \u2091e \u2092o " +
	"\u2093x \u2095h \u2096k \u2097l \u2098m \u2099n \u209ap \u209bs \u209ct \u2102C \u210ag \u210bH \u210cH " +
	"\u210dH \u210eh \u2110I \u2111I \u2112L \u2113l \u2115N \u2119P \u211aQ \u211bR \u211cR \u211dR \u2124Z " +
	"\u2128Z \u212aK \u212cB \u212dC \u212fe \u2130E \u2131F \u2133M \u2134o \u2139i \u2145D \u2146d \u2147e " +
	"\u2148i \u2149j \u2160I \u2161II \u2162III \u2163IV \u2164V \u2165VI \u2166VII \u2167VIII \u2168IX \u2169X " +
	"\u216aXI \u216bXII \u216cL \u216dC \u216eD \u216fM \u2170i \u2171ii \u2172iii \u2173iv \u2174v \u2175vi " +
	"\u2176vii \u2177viii \u2178ix \u2179x \u217axi \u217bxii \u217cl \u217dc \u217ed \u217fm \u2c7cj \u2c7dV " +
	"\ua7f2C \ua7f3F \ua7f4Q \ufb00ff \ufb01fi \ufb02fl \ufb03ffi \ufb04ffl \ufb05st \ufb06st \ufe33_ \ufe34_ " +
	"\ufe4d_ \ufe4e_ \ufe4f_ \U000107a5q \U0001fbf00 \U0001fbf11 \U0001fbf22 \U0001fbf33 \U0001fbf44 \U0001fbf55 " +
	"\U0001fbf66 \U0001fbf77 \U0001fbf88 \U0001fbf99"

// fold returns a name as Python knows it, as far as that makes it ASCII.
func fold(name string) string {
	if ascii(name) {
		return name
	}
	var out strings.Builder
	for _, r := range name {
		out.WriteString(foldRune(r))
	}
	return out.String()
}

func foldRune(r rune) string {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	switch {
	case r < utf8.RuneSelf:
	case 0xff01 <= r && r <= 0xff5e:
		return string(r - 0xff01 + '!')
	case 0x1d400 <= r && r <= 0x1d6a3:
		i := int(r-0x1d400) % len(letters)
		return letters[i : i+1]
	case 0x1d7ce <= r && r <= 0x1d7ff:
		return string('0' + (r-0x1d7ce)%10)
	default:
		c := string(r)
		if i := strings.Index(folded, c); i >= 0 {
			meant, _, _ := strings.Cut(folded[i+len(c):], " ")
			return meant
		}
	}
	return string(r)
}

// identRune reports whether a character can stand in a name.
func identRune(r rune, first bool) bool {
	if r == '_' || unicode.IsLetter(r) || unicode.Is(unicode.Nl, r) || unicode.Is(unicode.Other_ID_Start, r) {
		return !unicode.Is(unicode.Pattern_White_Space, r)
	}
	return !first && (unicode.In(r, unicode.Mn, unicode.Mc, unicode.Nd, unicode.Pc) || unicode.Is(unicode.Other_ID_Continue, r))
}

// badRune says what is wrong with a character outside of strings.
func badRune(r rune) string {
	if unicode.IsPrint(r) {
		return fmt.Sprintf("invalid character '%c' (U+%04X)", r, r)
	}
	return fmt.Sprintf("invalid non-printable character U+%04X", r)
}

// builtinNames are the names of Python 3.13's builtins that code can refer to,
// sorted.
var builtinNames = strings.Fields("ArithmeticError AssertionError AttributeError BaseException BaseExceptionGroup BlockingIOError BrokenPipeError " +
	"BufferError BytesWarning ChildProcessError ConnectionAbortedError ConnectionError ConnectionRefusedError " +
	"ConnectionResetError DeprecationWarning EOFError Ellipsis EncodingWarning EnvironmentError Exception ExceptionGroup " +
	"FileExistsError FileNotFoundError FloatingPointError FutureWarning GeneratorExit IOError ImportError ImportWarning " +
	"IndentationError IndexError InterruptedError IsADirectoryError KeyError KeyboardInterrupt LookupError MemoryError " +
	"ModuleNotFoundError NameError NotADirectoryError NotImplemented NotImplementedError OSError OverflowError " +
	"PendingDeprecationWarning PermissionError ProcessLookupError PythonFinalizationError RecursionError ReferenceError " +
	"ResourceWarning RuntimeError RuntimeWarning StopAsyncIteration StopIteration SyntaxError SyntaxWarning SystemError " +
	"SystemExit TabError TimeoutError TypeError UnboundLocalError UnicodeDecodeError UnicodeEncodeError UnicodeError " +
	"UnicodeTranslateError UnicodeWarning UserWarning ValueError Warning ZeroDivisionError __build_class__ __debug__ __doc__ " +
	"__import__ __loader__ __name__ __package__ __spec__ abs aiter all anext any ascii bin bool breakpoint bytearray bytes " +
	"callable chr classmethod compile complex copyright credits delattr dict dir divmod enumerate eval exec exit filter float " +
	"format frozenset getattr globals hasattr hash help hex id input int isinstance issubclass iter len license list locals " +
	"map max memoryview min next object oct open ord pow print property quit range repr reversed round set setattr slice " +
	"sorted staticmethod str sum super tuple type vars zip")

// IsBuiltin reports whether a name is one of Python's builtins.
func IsBuiltin(name string) bool {
	_, found := slices.BinarySearch(builtinNames, name)
	return found
}
