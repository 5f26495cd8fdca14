// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package holdfast_test

import (
	"bytes"
	"os"
	"regexp"
	"testing"
)

// header is what every Go file begins with; the year is that of its first
// publication.
var header = regexp.MustCompile(`^// Copyright 20\d\d The Holdfast Authors\n// SPDX-License-Identifier: Apache-2\.0\n`)

func TestLicenceHeaders(t *testing.T) {
	for _, s := range sources(t) {
		if !header.Match(s.text) {
			t.Errorf("%s does not begin with the two lines of the licence header", s.path)
		}
	}
}

func TestLicenceText(t *testing.T) {
	text, err := os.ReadFile("LICENSE")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Apache License", "Version 2.0, January 2004", "END OF TERMS AND CONDITIONS"} {
		if !bytes.Contains(text, []byte(want)) {
			t.Errorf("LICENSE does not contain %q", want)
		}
	}
}
