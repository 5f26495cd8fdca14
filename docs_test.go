// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package holdfast_test

import (
	"fmt"
	"go/ast"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

const architecture = "docs/architecture.md"

// minNames is how many functions the architecture page names at the least. A
// walk that names fewer is no walk, and a pattern that found none would pass
// for the wrong reason.
const minNames = 20

var (
	code = regexp.MustCompile("`([^`\n]+)`")
	// `pkg.Name`, `pkg.(*T).Name`, `(*T).Name`, `(T).Name`; without a package
	// the root is meant.
	reference = regexp.MustCompile(`^(?:([a-z]\w*)\.)?(?:\(\*?(\w+)\)\.)?(\w+)$`)
	floorRow  = regexp.MustCompile("(?m)^\\| (\\d+) \\| `([^`]+)` \\|")
	link      = regexp.MustCompile(`\]\(([^)#\s]+)(?:#[^)\s]*)?\)`)

	// fenced is a block of code, in which brackets are no links.
	fenced = regexp.MustCompile("(?ms)^```.*?^```")
)

// TestArchitectureNamesExist holds docs/architecture.md to the code: every
// function, method and type it names in backticks is declared where it says.
func TestArchitectureNamesExist(t *testing.T) {
	declared := declarations(t)
	checked := 0
	for _, m := range code.FindAllStringSubmatch(read(t, architecture), -1) {
		ref := reference.FindStringSubmatch(m[1])
		if ref == nil || ref[1] == "" && ref[2] == "" {
			continue // a word, a path, an operator
		}
		pkg := packageNamed(ref[1])
		if pkg == "" {
			if ast.IsExported(ref[3]) {
				t.Errorf("%s: %s: no package of the house is called %s", architecture, m[1], ref[1])
			}
			continue // a file name, such as go.mod
		}
		if !declared[pkg+" "+ref[2]+" "+ref[3]] {
			t.Errorf("%s: package %s declares no %s", architecture, pkg, m[1])
		}
		checked++
	}
	if checked < minNames {
		t.Errorf("%s names %d functions, want at least %d", architecture, checked, minNames)
	}
}

// packageNamed returns the package of the floors table that goes by a name.
func packageNamed(name string) string {
	if name == "" || name == path.Base(module) {
		return "."
	}
	for _, floor := range floors {
		for _, pkg := range floor {
			if path.Base(pkg) == name && !strings.HasPrefix(pkg, "cmd/") {
				return pkg
			}
		}
	}
	return ""
}

// declarations returns what the packages declare at top level: "pkg  Name" for
// functions and types, "pkg T Name" for methods.
func declarations(t *testing.T) map[string]bool {
	t.Helper()
	out := map[string]bool{}
	for _, s := range sources(t) {
		if s.test() || s.nested {
			continue
		}
		for _, decl := range s.parse(t, 0).Decls {
			switch decl := decl.(type) {
			case *ast.FuncDecl:
				out[s.dir()+" "+receiver(decl)+" "+decl.Name.Name] = true
			case *ast.GenDecl:
				for _, spec := range decl.Specs {
					if spec, ok := spec.(*ast.TypeSpec); ok {
						out[s.dir()+"  "+spec.Name.Name] = true
					}
				}
			}
		}
	}
	return out
}

// receiver returns the name of a method's type, "" for a function.
func receiver(decl *ast.FuncDecl) string {
	if decl.Recv == nil {
		return ""
	}
	typ := decl.Recv.List[0].Type
	if star, ok := typ.(*ast.StarExpr); ok {
		typ = star.X
	}
	if generic, ok := typ.(*ast.IndexExpr); ok {
		typ = generic.X
	}
	if id, ok := typ.(*ast.Ident); ok {
		return id.Name
	}
	return ""
}

// TestArchitectureFloors holds the table of docs/architecture.md to the one
// that is enforced.
func TestArchitectureFloors(t *testing.T) {
	written := map[string]string{}
	for _, m := range floorRow.FindAllStringSubmatch(read(t, architecture), -1) {
		written[m[2]] = m[1]
	}
	for i, floor := range floors {
		for _, pkg := range floor {
			if got, want := written[pkg], strconv.Itoa(i); got != want {
				t.Errorf("%s: %s stands on floor %q, want %s", architecture, pkg, got, want)
			}
			delete(written, pkg)
		}
	}
	for pkg := range written {
		t.Errorf("%s: %s is not in the floors table", architecture, pkg)
	}
}

// TestLinks checks that what the pages point to inside the repository exists.
func TestLinks(t *testing.T) {
	for _, page := range pages(t) {
		for _, m := range link.FindAllStringSubmatch(fenced.ReplaceAllString(read(t, page), ""), -1) {
			if strings.Contains(m[1], ":") {
				continue // elsewhere
			}
			if _, err := os.Stat(filepath.Join(filepath.Dir(page), m[1])); err != nil {
				t.Errorf("%s: link to %s: %v", page, m[1], err)
			}
		}
	}
}

// pages lists the repository's own pages of prose.
func pages(t *testing.T) []string {
	t.Helper()
	var out []string
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/adr/*.md", "examples/*/*.md"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, found...)
	}
	if len(out) == 0 {
		t.Fatal("found no pages")
	}
	return out
}

// TestDecisionsAreListed checks that the index of decisions is complete and
// that each page has its three parts.
func TestDecisionsAreListed(t *testing.T) {
	index := read(t, "docs/adr/README.md")
	found, err := filepath.Glob("docs/adr/[0-9]*.md")
	if err != nil || len(found) == 0 {
		t.Fatalf("found %d decisions, %v", len(found), err)
	}
	for i, page := range found {
		base := filepath.Base(page)
		if want := fmt.Sprintf("%04d-", i+1); !strings.HasPrefix(base, want) {
			t.Errorf("%s: the next number is %s", page, want)
		}
		if !strings.Contains(index, "("+base+")") {
			t.Errorf("docs/adr/README.md does not list %s", base)
		}
		text := read(t, page)
		for _, part := range []string{"## Context", "## Decision", "## Consequences"} {
			if !strings.Contains(text, "\n"+part+"\n") {
				t.Errorf("%s has no part %q", page, part)
			}
		}
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
