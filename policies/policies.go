// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

// Package policies is the library: policies that others import, as
//
//	import "holdfast.policies.exfiltration"
//
// Each has a folder with its source, its cases and a page that says what it
// stops, what it does not, and what it costs. They are part of the program:
// what a build contains is what it checks with.
package policies

import (
	"embed"
	"io/fs"
	"strings"
)

//go:embed */*.gr
var files embed.FS

// short are names that policies have beside that of their folder.
var short = map[string]string{"exfil": "exfiltration"}

// Names returns the names of the policies, sorted.
func Names() []string {
	folders, err := files.ReadDir(".")
	if err != nil {
		panic(err) // it is embedded
	}
	var names []string
	for _, d := range folders {
		if _, ok := Find(d.Name()); ok {
			names = append(names, d.Name())
		}
	}
	return names
}

// Find returns the full name of a policy, of which a short one may be given,
// and whether there is one.
func Find(name string) (string, bool) {
	if full, ok := short[name]; ok {
		name = full
	}
	if name == "" || strings.ContainsAny(name, "/.\\") {
		return "", false
	}
	f, err := files.Open(name + "/" + name + ".gr")
	if err != nil {
		return "", false
	}
	_ = f.Close() // it is in memory
	return name, true
}

// Folder returns the folder of a policy, by its full name, which holds all that
// the policy may import.
func Folder(name string) fs.FS {
	folder, err := fs.Sub(files, name)
	if err != nil {
		panic(err) // a full name is a valid path
	}
	return folder
}

// Read returns a file of the library by its path, "mail/mail.gr".
func Read(path string) ([]byte, error) { return files.ReadFile(path) }
