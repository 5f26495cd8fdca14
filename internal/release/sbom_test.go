// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"crypto/sha256"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

func TestSerialNumberComesOfTheDigest(t *testing.T) {
	form := regexp.MustCompile(`^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)
	one, other := serialNumber(sha256.Sum256([]byte("one"))), serialNumber(sha256.Sum256([]byte("other")))
	if !form.MatchString(one) || one == other || one != serialNumber(sha256.Sum256([]byte("one"))) {
		t.Errorf("got %s and %s, want two UUIDs of version 8 that stay the same", one, other)
	}
}

func TestPackageURL(t *testing.T) {
	for _, test := range []struct{ name, version, want string }{
		{"github.com/spf13/cobra", "v1.10.2", "pkg:golang/github.com/spf13/cobra@v1.10.2"},
		{"example.com/Old", "v2.0.0+incompatible", "pkg:golang/example.com/Old@v2.0.0%2Bincompatible"},
		{stdlib, "1.26.0", "pkg:golang/stdlib@1.26.0"},
	} {
		if got := packageURL(test.name, test.version); got != test.want {
			t.Errorf("got %s, want %s", got, test.want)
		}
	}
}

func TestModulesAreGrouped(t *testing.T) {
	const listed = `
{"ImportPath": "fmt", "Dir": "/go/src/fmt", "Standard": true}
{"ImportPath": "vendor/golang.org/x/text", "Dir": "/go/src/vendor/golang.org/x/text", "Standard": true}
{"ImportPath": "example.com/a/b", "Dir": "/mod/a/b", "Imports": ["fmt"], "Module": {"Path": "example.com/a", "Dir": "/mod/a"}}
{"ImportPath": "example.com/main", "Dir": "/main", "Imports": ["fmt", "example.com/a/b"], "Module": {"Path": "example.com/main", "Dir": "/main", "Main": true}}
`
	packages, err := decodePackages(listed)
	if err != nil {
		t.Fatal(err)
	}
	modules, err := groupPackages(packages, "/go")
	if err != nil {
		t.Fatal(err)
	}
	a := modules["example.com/a"]
	if len(modules) != 3 || !a.folders["/mod/a"] || !a.folders["/mod/a/b"] || len(a.needs) != 1 || !a.needs[stdlib] {
		t.Errorf("got %d modules and %+v, want the standard library, a with its two folders, and main", len(modules), a)
	}
	if needs := modules["example.com/main"].needs; len(needs) != 2 {
		t.Errorf("main needs %v, want a and the standard library", needs)
	}
	if _, err := decodePackages(`{"ImportPath": `); err == nil {
		t.Error("half a list was taken for a whole one")
	}
}

func TestLicencesAreRequired(t *testing.T) {
	dir := t.TempDir()
	m := &module{path: "example.com/a", dir: dir, folders: map[string]bool{}}
	m.addFolders(filepath.Join(dir, "sub", "deep"))
	write := func(name string) {
		t.Helper()
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte("text"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("sub/deep/license.go")
	if _, err := m.licences(); err == nil || !strings.Contains(err.Error(), "example.com/a") {
		t.Errorf("got %v, want an error that names the module", err)
	}
	write("LICENSE.txt")
	write("sub/NOTICE")
	write("elsewhere/LICENSE")
	files, err := m.licences()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range files {
		got = append(got, f.name)
	}
	if want := "licenses/example.com/a/LICENSE.txt licenses/example.com/a/sub/NOTICE"; strings.Join(got, " ") != want {
		t.Errorf("got %v, want %s", got, want)
	}
}
