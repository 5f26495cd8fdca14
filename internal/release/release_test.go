// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// root is the repository.
const root = "../.."

func testStamp() stamp {
	return stamp{
		version: "v1.2.3-test.1",
		commit:  "0123456789abcdef0123456789abcdef01234567",
		date:    time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC),
	}
}

// copyTree copies what a release is built of. It reads the files itself, so
// that go test sees on which files the answer depends and does not give that
// of an older tree.
func copyTree(t *testing.T, to string) {
	t.Helper()
	skipped := []string{".git", "dist", "testdata", "bench", "tools"}
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		within, err := filepath.Rel(root, name)
		switch {
		case err != nil:
			return err
		case d.IsDir() && slices.Contains(skipped, within):
			return fs.SkipDir
		case d.IsDir():
			return os.MkdirAll(filepath.Join(to, within), 0o755)
		case !d.Type().IsRegular() || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, within), text, 0o644)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestReleaseIsReproducible builds one target twice: from two folders, with
// two caches, in two environments. Everything that comes out has to be the
// same, and what it should be.
func TestReleaseIsReproducible(t *testing.T) {
	if testing.Short() {
		t.Skip("it compiles everything twice, once with an empty cache")
	}
	if !slices.Contains(allTargets(), host()) {
		t.Skipf("there is no release for %s, so nothing here could run it", host())
	}
	first := buildCopy(t, "a", nil)
	second := buildCopy(t, "another folder, of another length", []string{
		"GOCACHE=" + t.TempDir(),
		"GOFLAGS=-tags=spoilt -ldflags=-X=main.stampedVersion=v6.6.6",
		"GOAMD64=v3", "GOARM64=v8.1", "GOEXPERIMENT=", "CGO_ENABLED=1",
		"TZ=Pacific/Chatham", "LC_ALL=C",
	})
	compareFolders(t, first, second)

	name := "holdfast_1.2.3-test.1_" + host().os + "_" + host().arch
	files := unpack(t, filepath.Join(first, name+host().archive()), name)
	binary := files[host().executable()]
	t.Run("checksums", func(t *testing.T) { testChecksums(t, first) })
	t.Run("contents", func(t *testing.T) { testContents(t, files) })
	t.Run("static", func(t *testing.T) { testStatic(t, binary) })
	t.Run("version", func(t *testing.T) { testVersion(t, binary) })
	t.Run("bill of materials", func(t *testing.T) {
		encoded, err := os.ReadFile(filepath.Join(first, name+".cdx.json"))
		if err != nil {
			t.Fatal(err)
		}
		testBOM(t, encoded, binary, files)
	})
}

// buildCopy builds the release of a copy of the repository and returns its
// folder.
func buildCopy(t *testing.T, folder string, env []string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), folder)
	copyTree(t, filepath.Join(dir, "src"))
	var log strings.Builder
	r := &release{
		source: filepath.Join(dir, "src"), out: filepath.Join(dir, "dist"), stamp: testStamp(), targets: []target{host()},
		caller: slices.Concat(environment(), env), log: &log,
	}
	if err := r.build(t.Context()); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(log.String(), host().String()) {
		t.Errorf("got the log %q, want the target and its time", log.String())
	}
	return r.out
}

func compareFolders(t *testing.T, a, b string) {
	t.Helper()
	names := func(dir string) []string {
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, e := range entries {
			out = append(out, e.Name())
		}
		return out
	}
	if got, want := names(b), names(a); !slices.Equal(got, want) {
		t.Fatalf("the second build made %v, the first %v", got, want)
	}
	for _, name := range names(a) {
		x, errX := os.ReadFile(filepath.Join(a, name))
		y, errY := os.ReadFile(filepath.Join(b, name))
		if err := errors.Join(errX, errY); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(x, y) {
			t.Errorf("%s differs between two builds", name)
		}
	}
}

// unpack returns the files of an archive, which have to be in one folder.
func unpack(t *testing.T, archive, folder string) map[string][]byte {
	t.Helper()
	packed, err := os.ReadFile(archive)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][]byte{}
	for _, e := range entriesOf(t, packed) {
		name, ok := strings.CutPrefix(e.name, folder+"/")
		if !ok {
			t.Errorf("%s is not in folder %s", e.name, folder)
		}
		out[name] = e.content
	}
	return out
}

// An entry is what an archive holds and says of one file.
type entry struct {
	name    string
	content []byte
	mode    fs.FileMode
	at      time.Time
}

func entriesOf(t *testing.T, packed []byte) []entry {
	t.Helper()
	var out []entry
	if z, err := zip.NewReader(bytes.NewReader(packed), int64(len(packed))); err == nil {
		for _, f := range z.File {
			r, err := f.Open()
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, entry{f.Name, readAll(t, r), f.Mode(), f.Modified.UTC()})
		}
		return out
	}
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	if !z.ModTime.IsZero() || z.Name != "" {
		t.Errorf("the gzip header has time %v and name %q, want none", z.ModTime, z.Name)
	}
	r := tar.NewReader(z)
	for {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		if h.Uid != 0 || h.Gid != 0 || h.Uname != "" || h.Gname != "" {
			t.Errorf("%s belongs to %d:%d %s:%s, want nobody", h.Name, h.Uid, h.Gid, h.Uname, h.Gname)
		}
		out = append(out, entry{h.Name, readAll(t, r), h.FileInfo().Mode(), h.ModTime.UTC()})
	}
}

func readAll(t *testing.T, r io.Reader) []byte {
	t.Helper()
	text, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func testChecksums(t *testing.T, dir string) {
	sums, err := os.ReadFile(filepath.Join(dir, sumsName))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(string(sums), "\n"), "\n")
	if len(lines) != 2 {
		t.Errorf("got %d checksums, want those of an archive and a bill of materials:\n%s", len(lines), sums)
	}
	for _, line := range lines {
		want, name, _ := strings.Cut(line, "  ")
		content, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if got := sha256.Sum256(content); hex.EncodeToString(got[:]) != want {
			t.Errorf("%s has the checksum %x, want %s", name, got, want)
		}
	}
	if _, err := exec.LookPath("sha256sum"); err != nil {
		t.Skip("there is no sha256sum to try them with")
	}
	if _, err := output(t.Context(), dir, nil, "sha256sum", "--check", "--strict", sumsName); err != nil {
		t.Error(err)
	}
}

func testContents(t *testing.T, files map[string][]byte) {
	wanted := append(documents(), host().executable(), "licenses/stdlib/LICENSE", "licenses/github.com/spf13/cobra/LICENSE.txt")
	for _, name := range completions() {
		wanted = append(wanted, name)
	}
	for _, name := range wanted {
		if len(files[name]) == 0 {
			t.Errorf("%s is missing from the archive", name)
		}
	}
	for name, content := range files {
		if strings.HasPrefix(name, "completions/") && !bytes.Contains(content, []byte("__complete")) {
			t.Errorf("%s is not a completion script", name)
		}
		if dir := path.Dir(name); dir == "." && name != host().executable() && !slices.Contains(documents(), name) {
			t.Errorf("nobody said why %s is in the archive", name)
		}
	}
}

func testStatic(t *testing.T, binary []byte) {
	if host().os != "linux" {
		t.Skip("on Linux alone a system has no part in every binary")
	}
	if err := checkStatic(binary); err != nil {
		t.Error(err)
	}
}

// testVersion starts the binary, in an empty environment.
func testVersion(t *testing.T, binary []byte) {
	name := filepath.Join(t.TempDir(), host().executable())
	if err := os.WriteFile(name, binary, 0o755); err != nil {
		t.Fatal(err)
	}
	text, err := output(t.Context(), t.TempDir(), []string{}, name, "version", "--format", "json")
	if err != nil {
		t.Fatal(err)
	}
	var got struct{ Version, Commit, Date, Platform string }
	if err := json.Unmarshal([]byte(text), &got); err != nil {
		t.Fatal(err)
	}
	s := testStamp()
	if got.Version != s.version || got.Commit != s.commit || got.Date != s.date.Format(time.RFC3339) || got.Platform != host().String() {
		t.Errorf("got %+v, want version %s, commit %s, date %s, platform %s", got, s.version, s.commit, s.date, host())
	}
}

func testBOM(t *testing.T, encoded, binary []byte, files map[string][]byte) {
	var b bom
	d := json.NewDecoder(bytes.NewReader(encoded))
	d.DisallowUnknownFields()
	if err := d.Decode(&b); err != nil {
		t.Fatal(err)
	}
	if sum := sha256.Sum256(binary); b.Metadata.Component.Hashes[0].Content != hex.EncodeToString(sum[:]) {
		t.Error("the digest in the bill is not the binary's")
	}
	info, err := buildinfo.Read(bytes.NewReader(binary))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{stdlib: strings.TrimPrefix(info.GoVersion, "go")}
	for _, m := range info.Deps {
		want[m.Path] = m.Version
	}
	refs := []string{b.Metadata.Component.Ref}
	for _, c := range b.Components {
		if want[c.Name] != c.Version {
			t.Errorf("got %s %s, want version %q", c.Name, c.Version, want[c.Name])
		}
		delete(want, c.Name)
		refs = append(refs, c.Ref)
		if !slices.ContainsFunc(keys(files), func(n string) bool { return strings.HasPrefix(n, "licenses/"+c.Name+"/") }) {
			t.Errorf("the archive has no licence of %s", c.Name)
		}
	}
	if len(want) > 0 {
		t.Errorf("the bill lacks %v", want)
	}
	testRefs(t, &b, refs)
}

// testRefs: all that is depended on is described, and all that is described
// is depended on.
func testRefs(t *testing.T, b *bom, refs []string) {
	used := map[string]bool{b.Metadata.Component.Ref: true}
	for _, d := range b.Dependencies {
		if !slices.Contains(refs, d.Ref) {
			t.Errorf("%q depends on something and is not described", d.Ref)
		}
		for _, on := range d.DependsOn {
			used[on] = true
		}
	}
	for _, ref := range refs {
		if !used[ref] {
			t.Errorf("nothing depends on %s", ref)
		}
	}
	if len(used) != len(refs) {
		t.Errorf("got %d components that something depends on, want %d", len(used), len(refs))
	}
}

func keys(files map[string][]byte) []string {
	var out []string
	for name := range files {
		out = append(out, name)
	}
	return out
}

func TestOutputFolderHasToBeEmpty(t *testing.T) {
	dir := t.TempDir()
	if err := makeEmpty(filepath.Join(dir, "new", "dist")); err != nil {
		t.Error(err)
	}
	if err := makeEmpty(dir); err == nil {
		t.Error("a folder with something in it was taken")
	}
}

func TestWrongUsage(t *testing.T) {
	for _, args := range [][]string{
		{"now"},
		{"-targets", "linux/mips"},
		{"-version", "1.2.3", "-commit", "0123456", "-date", "2026-01-02T03:04:05Z"},
		{"-version", "v1.2.3", "-commit", "HEAD", "-date", "2026-01-02T03:04:05Z"},
		{"-version", "v1.2.3", "-commit", "0123456", "-date", "yesterday"},
		{"-version", "v1.2.3", "-commit", "0123456", "-date", "1970-01-01T00:00:00Z"},
	} {
		out := filepath.Join(t.TempDir(), "dist")
		if err := run(context.Background(), append([]string{"-out", out}, args...), "", io.Discard); err == nil {
			t.Errorf("%q was taken", args)
		}
		if _, err := os.Stat(out); err == nil {
			t.Errorf("%q left a folder behind", args)
		}
	}
}
