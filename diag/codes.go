// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package diag

import "slices"

// A CodeDoc is the page of one code: what `holdfast explain` prints.
type CodeDoc struct {
	Code        string // "P0203"; numbers are never reused
	Title       string // one line, lower case
	Explanation string // what it means and how to mend it, with an example
	Since       string // the version that brought it
}

// Codes returns the documents of all codes in order: 01xx scanning and
// parsing, 02xx names and types, 03xx safety of rules and limits at load,
// 05xx what vet says of policies that load.
// The caller may keep the slice.
func Codes() []CodeDoc {
	all := slices.Concat(syntaxCodes, checkCodes, compileCodes, vetCodes)
	slices.SortFunc(all, func(a, b CodeDoc) int {
		if a.Code < b.Code {
			return -1
		}
		return 1
	})
	return all
}

// Lookup returns the document of a code.
func Lookup(code string) (CodeDoc, bool) {
	for _, table := range [][]CodeDoc{syntaxCodes, checkCodes, compileCodes, vetCodes} {
		for _, d := range table {
			if d.Code == code {
				return d, true
			}
		}
	}
	return CodeDoc{}, false
}
