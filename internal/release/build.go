// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// sumsName is the file of checksums. It is written last: without it a folder
// holds no whole release.
const sumsName = "SHA256SUMS"

// documents are the files of the repository that go into every archive.
func documents() []string { return []string{"LICENSE", "README.md", "CHANGELOG.md", "SECURITY.md"} }

// completions are the shells, and the files in which they look for what the
// command can complete.
func completions() map[string]string {
	return map[string]string{
		"bash":       "completions/holdfast.bash",
		"fish":       "completions/holdfast.fish",
		"powershell": "completions/holdfast.ps1",
		"zsh":        "completions/_holdfast",
	}
}

// A release is what is to be built, from where and to where.
type release struct {
	source  string // the root of the repository
	out     string
	stamp   stamp
	targets []target
	caller  []string // environment of the commands; nil is the process's own
	log     io.Writer
}

// An artefact is one file of the release.
type artefact struct {
	name    string
	content []byte
}

// build writes the release. It holds one target's files in memory at a time.
func (r *release) build(ctx context.Context) error {
	if err := makeEmpty(r.out); err != nil {
		return err
	}
	if r.caller == nil {
		r.caller = environment()
	}
	env, err := cleanEnv(ctx, r.caller)
	if err != nil {
		return err
	}
	same, err := r.everywhere(ctx, env)
	if err != nil {
		return err
	}
	var sums []artefact
	for _, t := range r.targets {
		start := time.Now()
		artefacts, err := r.buildTarget(ctx, env, t, same)
		if err != nil {
			return fmt.Errorf("building for %s: %w", t, err)
		}
		for _, a := range artefacts {
			if err := os.WriteFile(filepath.Join(r.out, a.name), a.content, 0o644); err != nil {
				return err
			}
			sum := sha256.Sum256(a.content)
			sums = append(sums, artefact{a.name, sum[:]})
		}
		fmt.Fprintf(r.log, "%-14s %s\n", t, time.Since(start).Round(100*time.Millisecond))
	}
	return os.WriteFile(filepath.Join(r.out, sumsName), checksums(sums), 0o644)
}

// makeEmpty makes a folder. One that holds something is refused: it would mix
// two releases, or lose something.
func makeEmpty(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	entries, err := os.ReadDir(dir)
	if err == nil && len(entries) > 0 {
		return fmt.Errorf("%s is not empty: remove what is in it, or name another folder with -out", dir)
	}
	return err
}

// checksums is the list that sha256sum -c reads, by name.
func checksums(sums []artefact) []byte {
	var b bytes.Buffer
	for _, s := range slices.SortedFunc(slices.Values(sums), func(a, b artefact) int { return strings.Compare(a.name, b.name) }) {
		fmt.Fprintf(&b, "%s  %s\n", hex.EncodeToString(s.content), s.name)
	}
	return b.Bytes()
}

// everywhere are the files that are in the archive of every target: documents
// and completions. The latter are printed by a binary for this machine.
func (r *release) everywhere(ctx context.Context, env []string) ([]file, error) {
	var out []file
	for _, name := range documents() {
		content, err := os.ReadFile(filepath.Join(r.source, name))
		if err != nil {
			return nil, err
		}
		out = append(out, file{name: name, content: content})
	}
	dir, err := os.MkdirTemp("", "release")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // a temporary folder
	binary := filepath.Join(dir, host().executable())
	if err := r.compile(ctx, env, host(), binary); err != nil {
		return nil, err
	}
	for shell, name := range completions() {
		text, err := output(ctx, dir, env, binary, "completion", shell)
		if err != nil {
			return nil, err
		}
		out = append(out, file{name: name, content: []byte(text)})
	}
	return out, nil
}

// compile builds the command for a target. Paths of this machine are trimmed;
// what version control knows is stamped by us and not by the go command, so
// that a build from an unpacked archive is the same as one from a clone.
func (r *release) compile(ctx context.Context, env []string, t target, to string) error {
	link := strings.Join([]string{
		"-s", "-w", // no symbols, no debugging information
		"-buildid=", // it would differ between two builds of the same Go
		"-X main.stampedVersion=" + r.stamp.version,
		"-X main.stampedCommit=" + r.stamp.commit,
		"-X main.stampedDate=" + r.stamp.date.Format(time.RFC3339),
	}, " ")
	_, err := output(ctx, r.source, slices.Concat(env, t.env()), "go", "build",
		"-trimpath", "-buildvcs=false", "-mod=readonly", "-ldflags", link, "-o", to, "./cmd/holdfast")
	return err
}

// buildTarget makes the archive of a target and the bill of its materials.
func (r *release) buildTarget(ctx context.Context, env []string, t target, same []file) ([]artefact, error) {
	binary, err := r.binary(ctx, env, t)
	if err != nil {
		return nil, err
	}
	if t.os == "linux" {
		if err := checkStatic(binary); err != nil {
			return nil, err
		}
	}
	modules, err := modulesOf(ctx, r.source, slices.Concat(env, t.env()))
	if err != nil {
		return nil, err
	}
	bill, err := newBOM(binary, t, r.stamp, modules)
	if err != nil {
		return nil, err
	}
	encoded, err := bill.encode()
	if err != nil {
		return nil, err
	}
	files, err := r.contents(t, binary, bill.Metadata.Component.Name, modules)
	if err != nil {
		return nil, err
	}
	name := fmt.Sprintf("holdfast_%s_%s_%s", r.stamp.number(), t.os, t.arch)
	packed, err := r.pack(t, name, slices.Concat(files, same))
	return []artefact{{name + t.archive(), packed}, {name + ".cdx.json", encoded}}, err
}

// binary compiles for a target, into memory.
func (r *release) binary(ctx context.Context, env []string, t target) ([]byte, error) {
	dir, err := os.MkdirTemp("", "release")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // a temporary folder
	to := filepath.Join(dir, t.executable())
	if err := r.compile(ctx, env, t, to); err != nil {
		return nil, err
	}
	return os.ReadFile(to)
}

// contents are the files of one target's archive: the binary and the licences
// of what is linked into it. Our own stands among the documents.
func (r *release) contents(t target, binary []byte, ours string, modules map[string]*module) ([]file, error) {
	out := []file{{name: t.executable(), content: binary, executable: true}}
	for _, name := range slices.Sorted(maps.Keys(modules)) {
		if name == ours {
			continue
		}
		texts, err := modules[name].licences()
		if err != nil {
			return nil, err
		}
		out = append(out, texts...)
	}
	return out, nil
}

func (r *release) pack(t target, name string, files []file) ([]byte, error) {
	var b bytes.Buffer
	write := writeTar
	if t.os == "windows" {
		write = writeZip
	}
	err := write(&b, name, files, r.stamp.date)
	return b.Bytes(), err
}
