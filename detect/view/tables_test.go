// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package view

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"testing"
	"unicode"
	"unicode/utf8"
)

// tablesHash is what every code point between two letters folds to, hashed.
// Answers are remembered by version: when this changes, tables gets a new name,
// and then this the new hash.
const (
	tablesHashed = "view.1"
	tablesHash   = "d3a6b20149c971bb"
)

func TestTablesHaveAVersion(t *testing.T) {
	h := sha256.New()
	for r := range rune(unicode.MaxRune + 1) {
		if !utf8.ValidRune(r) {
			continue
		}
		f := newFold(root("a" + string(r) + "b"))
		for _, l := range []*layer{f.nfkc, f.stripped, f.skeleton} {
			_, _ = io.WriteString(h, l.text+"\n")
		}
	}
	got := hex.EncodeToString(h.Sum(nil))[:16]
	if tables != tablesHashed || got != tablesHash {
		t.Errorf("tables is %q with the hash %s, want %q with %s: give tables a new name when the hash changes, and note both here", tables, got, tablesHashed, tablesHash)
	}
}
