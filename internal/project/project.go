// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

// Package project reads holdfast.yaml, the file that says which policies a
// project has and how they are checked, so that commands need no flags.
//
// A file that was found, and that nobody named, may be a stranger's: a
// repository that somebody cloned. It decides what its own policies are checked
// with, but not which program of the repository is run, nor which secret of the
// environment is sent anywhere; see Named.
package project

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/big"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"

	"github.com/holdfast-dev/holdfast/detect/configured"
	"github.com/holdfast-dev/holdfast/policies"
)

// Name is what the file is called.
const Name = "holdfast.yaml"

// libraryPrefix begins the names of policies of the library.
const libraryPrefix = "holdfast.policies."

// A File is what a project file says. The zero value is that of a project
// without one.
type File struct {
	// Policies are files, folders, and policies of the library, as
	// "holdfast.policies.exfiltration".
	Policies []string `json:"policies,omitempty" yaml:"policies"`

	Tools     string         `json:"tools,omitempty" yaml:"tools"`         // a list of the agent's tools
	Inputs    map[string]any `json:"inputs,omitempty" yaml:"inputs"`       // parameters of the policies
	Workspace string         `json:"workspace,omitempty" yaml:"workspace"` // the folder of the agent's files

	// Select and Ignore are codes of diagnostics, or the beginnings of several;
	// Severities are by code: error, warning or off.
	Select     []string          `json:"select,omitempty" yaml:"select"`
	Ignore     []string          `json:"ignore,omitempty" yaml:"ignore"`
	Severities map[string]string `json:"severities,omitempty" yaml:"severities"`

	Detectors *configured.Settings `json:"detectors,omitempty" yaml:"detectors"`

	path   string
	named  bool
	places map[string]ast.Node // of values, by their keys
}

// Path is the file's own; "" if there is none.
func (f *File) Path() string { return f.path }

// Named reports whether a person named the file.
func (f *File) Named() bool { return f.named }

// Place returns the line and column, from 1, of the value of a key such as
// "detectors.timeout"; 0 if the file does not have it.
func (f *File) Place(key string) (line, column int) {
	n := f.places[key]
	if n == nil || n.GetToken() == nil || n.GetToken().Position == nil {
		return 0, 0
	}
	return n.GetToken().Position.Line, n.GetToken().Position.Column
}

// maxSize is how much a file may have.
const maxSize = 1 << 20

// Find looks for the project file in a folder and those above it, up to the
// first that is a repository's (it has .git) or the root. It returns "" if
// there is none.
func Find(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	for {
		path := filepath.Join(dir, Name)
		st, err := os.Stat(path)
		switch {
		case err == nil && !st.IsDir():
			return path, trusted(dir)
		case err != nil && !errors.Is(err, os.ErrNotExist):
			return "", err
		}
		_, err = os.Lstat(filepath.Join(dir, ".git"))
		up := filepath.Dir(dir)
		if err == nil || up == dir {
			return "", nil
		}
		dir = up
	}
}

// trusted refuses a folder in which anybody can lay a project file down.
func trusted(dir string) error {
	if runtime.GOOS == "windows" {
		return nil // its permissions are not those bits
	}
	st, err := os.Stat(dir)
	if err == nil && st.Mode().Perm()&0o002 != 0 {
		err = fmt.Errorf("%s stands in a folder to which anybody can write: name it by --config if it is yours, or leave it out by --no-config", filepath.Join(dir, Name))
	}
	return err
}

// Open reads a project file. Named says that a person named it, and that it did
// not only lie on the way. The error is an *Error if the file says something
// wrong.
func Open(path string, named bool) (*File, error) {
	in, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer in.Close() //nolint:errcheck // it was only read
	src, err := io.ReadAll(io.LimitReader(in, maxSize+1))
	if err == nil && len(src) > maxSize {
		err = fmt.Errorf("%s is longer than %d bytes, so it is no project file", path, maxSize)
	}
	if err != nil {
		return nil, err
	}
	return Read(path, src, named)
}

// Read reads the text of a project file.
func Read(path string, src []byte, named bool) (*File, error) {
	f := &File{path: path, named: named, places: map[string]ast.Node{}}
	tree, err := parser.ParseBytes(src, 0)
	if err != nil {
		return nil, &Error{Path: path, Problems: []Problem{problemOf(err)}}
	}
	c := checker{file: f}
	c.tree(tree)
	if len(c.problems) == 0 {
		d := yaml.NewDecoder(bytes.NewReader(src), yaml.Strict())
		if err := d.Decode(f); err != nil && !errors.Is(err, io.EOF) { // nothing at all says nothing
			c.problems = append(c.problems, problemOf(err))
		}
	}
	if len(c.problems) == 0 {
		c.values()
	}
	if len(c.problems) > 0 {
		slices.SortStableFunc(c.problems, func(a, b Problem) int { return a.Line - b.Line })
		return nil, &Error{Path: path, Problems: c.problems}
	}
	return f, nil
}

// Resolve returns a path of the file as one from the working directory. "" and
// names of the library stay.
func (f *File) Resolve(path string) string {
	if path == "" || isLibrary(path) || f.path == "" {
		return path
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(filepath.Dir(f.path), filepath.FromSlash(path))
	}
	wd, err := os.Getwd()
	if err != nil {
		return path
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return path
	}
	if short, err := filepath.Rel(wd, abs); err == nil && !strings.HasPrefix(short, filepath.Join("..", "..", "..")) {
		return short
	}
	return path
}

// Roots are the policies, as paths from the working directory.
func (f *File) Roots() []string {
	out := make([]string, len(f.Policies))
	for i, p := range f.Policies {
		out[i] = f.Resolve(p)
	}
	return out
}

// isLibrary reports whether a path names a policy of the library.
func isLibrary(path string) bool {
	name, ok := strings.CutPrefix(path, libraryPrefix)
	if !ok {
		return false
	}
	_, ok = policies.Find(name)
	return ok
}

// Settings returns those of the detectors, to be changed; nil if the file has
// none.
func (f *File) Settings() *configured.Settings {
	if f.Detectors == nil {
		return nil
	}
	s := *f.Detectors
	s.Allow = slices.Clone(s.Allow)
	s.Remote = maps.Clone(s.Remote)
	s.Programs.SemgrepConfig = slices.Clone(s.Programs.SemgrepConfig)
	for i, c := range s.Programs.SemgrepConfig {
		s.Programs.SemgrepConfig[i] = f.program(c)
	}
	s.Programs.Semgrep, s.Programs.Tesseract = f.program(s.Programs.Semgrep), f.program(s.Programs.Tesseract)
	return &s
}

// program returns the path of a program or its rules; names are looked up
// elsewhere.
func (f *File) program(name string) string {
	if !strings.ContainsAny(name, `/\`) {
		return name
	}
	return f.Resolve(name)
}

// exact turns numbers of YAML into those that policies take.
func exact(v any) (any, error) {
	switch v := v.(type) {
	case uint64:
		n := new(big.Int).SetUint64(v)
		if n.IsInt64() {
			return n.Int64(), nil
		}
		return n, nil
	case int:
		return int64(v), nil
	case []any:
		for i := range v {
			x, err := exact(v[i])
			if err != nil {
				return nil, err
			}
			v[i] = x
		}
	case map[string]any:
		for k := range v {
			x, err := exact(v[k])
			if err != nil {
				return nil, err
			}
			v[k] = x
		}
	case nil, bool, string, int64, float64:
	default:
		return nil, fmt.Errorf("want a text, number, list or mapping with texts as keys, got a %T", v)
	}
	return v, nil
}
