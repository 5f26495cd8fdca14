// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package python

// A token is a piece of the text, by its offsets in bytes.
type token struct {
	kind       kind
	start, end int32
}

type kind uint8

const (
	kEOF kind = iota
	kNewline
	kIndent
	kDedent
	kName
	kNumber
	kString
	kFStart  // the prefix and the quotes of an f-string
	kFMiddle // literal text of an f-string
	kFEnd    // the quotes at its end
	kMagic   // a line that IPython reads: %magic, !command, ?name
	kHelp    // the ? or ?? that IPython takes after a name
	kBad     // what begins no token

	kFalse
	kNone
	kTrue
	kAnd
	kAs
	kAssert
	kAsync
	kAwait
	kBreak
	kClass
	kContinue
	kDef
	kDel
	kElif
	kElse
	kExcept
	kFinally
	kFor
	kFrom
	kGlobal
	kIf
	kImport
	kIn
	kIs
	kLambda
	kNonlocal
	kNot
	kOr
	kPass
	kRaise
	kReturn
	kTry
	kWhile
	kWith
	kYield

	kLPar
	kRPar
	kLSqb
	kRSqb
	kLBrace
	kRBrace
	kColon
	kComma
	kSemi
	kDot
	kEllipsis
	kArrow
	kAssign
	kWalrus
	kAugmented // += and its like
	kAt
	kPlus
	kMinus
	kStar
	kSlash
	kDoubleSlash
	kPercent
	kDoubleStar
	kTilde
	kAmp
	kPipe
	kCaret
	kShl
	kShr
	kLess
	kGreater
	kEq
	kNe
	kLe
	kGe
	kOldNe  // <>, of Python 2
	kTick   // `, of Python 2
	kExclam // ! before the conversion of a field
)

// keyword returns the kind of a word.
func keyword(word string) kind {
	if len(word) < 2 || len(word) > 8 {
		return kName
	}
	switch word {
	case "False":
		return kFalse
	case "None":
		return kNone
	case "True":
		return kTrue
	case "and":
		return kAnd
	case "as":
		return kAs
	case "assert":
		return kAssert
	case "async":
		return kAsync
	case "await":
		return kAwait
	case "break":
		return kBreak
	case "class":
		return kClass
	case "continue":
		return kContinue
	case "def":
		return kDef
	case "del":
		return kDel
	case "elif":
		return kElif
	case "else":
		return kElse
	case "except":
		return kExcept
	case "finally":
		return kFinally
	case "for":
		return kFor
	case "from":
		return kFrom
	case "global":
		return kGlobal
	case "if":
		return kIf
	case "import":
		return kImport
	case "in":
		return kIn
	case "is":
		return kIs
	case "lambda":
		return kLambda
	case "nonlocal":
		return kNonlocal
	case "not":
		return kNot
	case "or":
		return kOr
	case "pass":
		return kPass
	case "raise":
		return kRaise
	case "return":
		return kReturn
	case "try":
		return kTry
	case "while":
		return kWhile
	case "with":
		return kWith
	case "yield":
		return kYield
	}
	return kName
}

// opensStatement reports whether a keyword stands at the beginning of
// statements and nowhere else, so that it shows where a bracket was left open.
func (k kind) opensStatement() bool {
	switch k {
	case kAssert, kBreak, kClass, kContinue, kDef, kDel, kExcept, kFinally, kGlobal, kImport, kNonlocal,
		kPass, kRaise, kReturn, kTry, kWhile, kWith:
		return true
	}
	return false
}

// operator returns the operator s begins with, and its length; 0 if none.
func operator(s string) (kind, int) {
	at := func(i int) byte {
		if i < len(s) {
			return s[i]
		}
		return 0
	}
	// one, with = after it, twice, twice with = after it
	pick := func(one, two kind) (kind, int) {
		switch {
		case two != kEOF && at(1) == s[0] && at(2) == '=':
			return kAugmented, 3
		case two != kEOF && at(1) == s[0]:
			return two, 2
		case at(1) == '=':
			return kAugmented, 2
		}
		return one, 1
	}
	compared := func(one, equal kind) (kind, int) {
		if at(1) == '=' {
			return equal, 2
		}
		return one, 1
	}
	switch s[0] {
	case '(':
		return kLPar, 1
	case ')':
		return kRPar, 1
	case '[':
		return kLSqb, 1
	case ']':
		return kRSqb, 1
	case '{':
		return kLBrace, 1
	case '}':
		return kRBrace, 1
	case ',':
		return kComma, 1
	case ';':
		return kSemi, 1
	case '~':
		return kTilde, 1
	case '`':
		return kTick, 1
	case ':':
		return compared(kColon, kWalrus)
	case '=':
		return compared(kAssign, kEq)
	case '.':
		if at(1) == '.' && at(2) == '.' {
			return kEllipsis, 3
		}
		return kDot, 1
	case '+':
		return pick(kPlus, kEOF)
	case '-':
		if at(1) == '>' {
			return kArrow, 2
		}
		return pick(kMinus, kEOF)
	case '*':
		return pick(kStar, kDoubleStar)
	case '/':
		return pick(kSlash, kDoubleSlash)
	case '%':
		return pick(kPercent, kEOF)
	case '@':
		return pick(kAt, kEOF)
	case '&':
		return pick(kAmp, kEOF)
	case '|':
		return pick(kPipe, kEOF)
	case '^':
		return pick(kCaret, kEOF)
	case '<':
		if at(1) == '>' {
			return kOldNe, 2
		}
		if at(1) == '<' {
			return pick(kLess, kShl)
		}
		return compared(kLess, kLe)
	case '>':
		if at(1) == '>' {
			return pick(kGreater, kShr)
		}
		return compared(kGreater, kGe)
	case '!':
		if at(1) == '=' {
			return kNe, 2
		}
	}
	return kBad, 0
}
