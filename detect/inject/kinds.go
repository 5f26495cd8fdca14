// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package inject

import "slices"

// The kinds of findings of prompt_injection.
const (
	kindPhrase    = "phrase"      // words that set instructions aside or ask for them
	kindRole      = "role-marker" // marks of a chat: <|im_start|>, [INST], "System:"
	kindCall      = "tool-call"   // something that looks like a call of a tool
	kindHidden    = "hidden-text" // words that a reader of the page does not see
	kindAddress   = "address"     // words to an assistant: "you, the AI"
	kindRequest   = "request"     // an order to act for the user
	kindAuthority = "authority"   // "as your administrator"
	kindUrgency   = "urgency"     // "do this first", "immediately"
	kindSecrecy   = "secrecy"     // "do not tell the user"
)

var injectionKinds = []string{
	kindPhrase, kindRole, kindCall, kindHidden, kindAddress, kindRequest, kindAuthority, kindUrgency, kindSecrecy,
}

// general are Unicode's general categories, as the public function names them.
var general = []string{
	"Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Me", "Nd", "Nl", "No", "Pc", "Pd", "Ps", "Pe", "Pi", "Pf", "Po",
	"Sm", "Sc", "Sk", "So", "Zs", "Zl", "Zp", "Cc", "Cf", "Cs", "Co", "Cn",
}

// The categories of our own: characters that are not what they seem, where
// nothing around them says that they are there by right.
const (
	catInvisible = "invisible"          // shows nothing: zero-width characters, soft hyphens
	catTag       = "tag"                // of the block of tags, outside of a flag
	catBidi      = "bidi"               // changes the direction of the text
	catVariation = "variation-selector" // without a character that it varies
	catFiller    = "filler"             // a letter that shows nothing
	catPrivate   = "private-use"        // means nothing to anybody else
	catControl   = "control"            // a control character other than white space
	catMarks     = "marks"              // one of many marks on one character
	catAlike     = "confusable"         // a letter that passes for one of another alphabet
)

var ownCategories = []string{
	catInvisible, catTag, catBidi, catVariation, catFiller, catPrivate, catControl, catMarks, catAlike,
}

// Categories returns what unicode can report: Unicode's general categories,
// then our own.
func Categories() []string { return slices.Concat(general, ownCategories) }
