// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// stdlib stands for the standard library and the runtime among modules. It is
// the name under which vulnerability databases list them.
const stdlib = "stdlib"

// A module is one of those that a binary is linked from.
type module struct {
	path    string
	dir     string
	folders map[string]bool // that packages of the binary come from, up to dir
	needs   map[string]bool // modules whose packages its packages import
}

// A listed package is one object of go list -json.
type listedPackage struct {
	ImportPath string
	Dir        string
	Standard   bool
	Imports    []string
	ImportMap  map[string]string
	Module     *struct {
		Path, Dir string
		Main      bool
	}
}

// modulesOf lists the modules that the command is linked from, by path, the
// standard library among them. It asks for the packages, not for the module
// graph: that also has what only tests and other targets need.
func modulesOf(ctx context.Context, source string, env []string) (map[string]*module, error) {
	text, err := output(ctx, source, env, "go", "list", "-mod=readonly", "-deps",
		"-json=ImportPath,Dir,Standard,Imports,ImportMap,Module", "./cmd/holdfast")
	if err != nil {
		return nil, err
	}
	goroot, err := output(ctx, source, env, "go", "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	packages, err := decodePackages(text)
	if err != nil {
		return nil, err
	}
	return groupPackages(packages, strings.TrimSpace(goroot))
}

func decodePackages(text string) ([]listedPackage, error) {
	var out []listedPackage
	d := json.NewDecoder(strings.NewReader(text))
	for {
		var p listedPackage
		err := d.Decode(&p)
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return nil, fmt.Errorf("reading go list: %w", err)
		}
		out = append(out, p)
	}
}

func groupPackages(packages []listedPackage, goroot string) (map[string]*module, error) {
	modules := map[string]*module{}
	owner := map[string]string{} // module of a package
	for _, p := range packages {
		name, dir := stdlib, goroot
		if !p.Standard {
			if p.Module == nil {
				return nil, fmt.Errorf("package %s belongs to no module", p.ImportPath)
			}
			name, dir = p.Module.Path, p.Module.Dir
		}
		owner[p.ImportPath] = name
		m := modules[name]
		if m == nil {
			m = &module{path: name, dir: dir, folders: map[string]bool{}, needs: map[string]bool{}}
			modules[name] = m
		}
		m.addFolders(p.Dir)
	}
	for _, p := range packages {
		m := modules[owner[p.ImportPath]]
		for _, imported := range p.Imports {
			if mapped := p.ImportMap[imported]; mapped != "" {
				imported = mapped
			}
			if to := owner[imported]; to != "" && to != m.path {
				m.needs[to] = true
			}
		}
	}
	return modules, nil
}

// addFolders notes a package's folder and those above it, for the licences
// that may lie there.
func (m *module) addFolders(dir string) {
	for dir != m.dir && strings.HasPrefix(dir, m.dir) && !m.folders[dir] {
		m.folders[dir] = true
		dir = filepath.Dir(dir)
	}
	m.folders[m.dir] = true
}

// licenceName are the files that a copy of the code has to come with.
var licenceName = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|patents|unlicen[cs]e|copyright)([.-][a-z0-9.-]+)?$`)

// licences are the licence texts of a module's linked packages, as files of
// an archive. A module without any is an error: it must not be shipped.
func (m *module) licences() ([]file, error) {
	var out []file
	for _, folder := range slices.Sorted(maps.Keys(m.folders)) {
		entries, err := os.ReadDir(folder)
		if err != nil {
			return nil, fmt.Errorf("looking for licences: %w", err)
		}
		for _, e := range entries {
			if !e.Type().IsRegular() || !licenceName.MatchString(e.Name()) || strings.HasSuffix(e.Name(), ".go") {
				continue
			}
			f, err := m.licence(folder, e)
			if err != nil {
				return nil, err
			}
			out = append(out, f)
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("module %s in %s comes without a licence, so it may not be passed on", m.path, m.dir)
	}
	return out, nil
}

func (m *module) licence(folder string, e fs.DirEntry) (file, error) {
	content, err := os.ReadFile(filepath.Join(folder, e.Name()))
	if err != nil {
		return file{}, fmt.Errorf("reading a licence: %w", err)
	}
	within, err := filepath.Rel(m.dir, filepath.Join(folder, e.Name()))
	if err != nil {
		return file{}, err
	}
	return file{name: path.Join("licenses", m.path, filepath.ToSlash(within)), content: content}, nil
}
