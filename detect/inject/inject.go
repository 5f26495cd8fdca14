// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

// Package inject looks for texts that speak to the assistant that reads them:
// instructions in data, marks of a conversation that is not one, and characters
// that people do not see. Policies ask it through the functions
// prompt_injection and unicode.
//
// The first is a heuristic, a first stage that costs little. It is no guarantee:
// whoever words an instruction as nobody has before is not found. What a call
// may do is for rules about calls to say.
package inject

import "github.com/holdfast-dev/holdfast/detect"

// Version names the rules and their weights. Equal versions find the same.
const Version = "1"

// Threshold is the score from which on prompt_injection says yes if a policy
// gives none.
const Threshold = 0.5

var (
	_ detect.Scanner = Injection
	_ detect.Scanner = Unicode
)
