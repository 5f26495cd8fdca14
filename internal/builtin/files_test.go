// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package builtin

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/holdfast-dev/holdfast/internal/value"
)

// fileCall calls a function of invariant.files.
func fileCall(t *testing.T, workspace fs.FS, name string, args ...*value.Value) *value.Value {
	t.Helper()
	f := LookupModule("invariant.files").Funcs[name]
	if f.Params[len(args)-1].Function {
		t.Fatalf("%s wants a function", name)
	}
	all := append([]*value.Value{}, args...)
	for _, p := range f.Params[len(args):] {
		all = append(all, p.Default)
	}
	return Apply(f, all, &Env{Memo: NewMemo(), Workspace: workspace})
}

// outside makes a folder with a workspace and a secret beside it, and links in
// the workspace that lead to the secret, to a file in it, and to nothing.
func outside(t *testing.T) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("making links needs a right that is not given there")
	}
	top := t.TempDir()
	for name, text := range map[string]string{"secret.txt": "secret", "ws/a.txt": "a", "ws/sub/b.txt": "b"} {
		name = filepath.Join(top, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return top
}

func link(t *testing.T, top, to, name string) {
	t.Helper()
	if err := os.Symlink(to, filepath.Join(top, "ws", name)); err != nil {
		t.Fatal(err)
	}
}

func openRoot(t *testing.T, dir string) fs.FS {
	t.Helper()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = root.Close() })
	return root.FS()
}

// TestFilesStayInside: neither a path nor a link leads out of the workspace.
func TestFilesStayInside(t *testing.T) {
	top := outside(t)
	link(t, top, "../secret.txt", "out")
	ws := openRoot(t, filepath.Join(top, "ws"))
	for _, name := range []string{"out", "../secret.txt", "sub/../../secret.txt", top + "/secret.txt", "/secret.txt", "/a.txt", `..\secret.txt`, "a.txt/../../secret.txt"} {
		check(t, name, fileCall(t, ws, "get_file_content", str("."), str(name)), unknown(value.Failed))
		check(t, name, fileCall(t, ws, "is_dir", str(name)), unknown(value.Failed))
	}
	for _, root := range []string{"..", "sub/../..", top, "/etc"} {
		check(t, root, fileCall(t, ws, "get_tree_files", str(root)), unknown(value.Failed))
	}
	check(t, "with a link that leads out", fileCall(t, ws, "get_tree_files", str(".")), unknown(value.Failed))
	if got := fileCall(t, ws, "get_file_content", str("."), str("sub/../a.txt")); got.Get("path").Text() != "a.txt" {
		t.Errorf("got %s", show(got))
	}
}

// TestLinksInside: a link to a file of the workspace is a file, one to nothing
// is none, one to a folder is not followed.
func TestLinksInside(t *testing.T) {
	top := outside(t)
	link(t, top, "sub/b.txt", "in")
	link(t, top, "nowhere", "dangling")
	link(t, top, "sub", "folder")
	ws := openRoot(t, filepath.Join(top, "ws"))
	check(t, "files", fileCall(t, ws, "get_tree_files", str(".")), list(str("a.txt"), str("in"), str("sub/b.txt")))
	check(t, "content", fileCall(t, ws, "get_file_content", str("."), str("in")).Get("content"), str("b"))
	check(t, "a folder by its link", fileCall(t, ws, "is_dir", str("folder")), value.TrueV)
}

func TestFilesAreBounded(t *testing.T) {
	many := fstest.MapFS{}
	for i := range maxFiles + 1 {
		many[fmt.Sprintf("d/%d", i)] = &fstest.MapFile{}
	}
	check(t, "entries", fileCall(t, many, "get_tree_files", str(".")), unknown(value.TooLarge))
	check(t, "entries below", fileCall(t, many, "get_files", str(".")), list())
	large := fstest.MapFS{"a": {Data: []byte(strings.Repeat("x", 1<<20+1))}, "b": {Data: []byte("\xff")}, "c": {Data: []byte("c")}}
	check(t, "size", fileCall(t, large, "get_file_content", str("."), str("a")), unknown(value.TooLarge))
	check(t, "no text", fileCall(t, large, "get_file_content", str("."), str("b")), unknown(value.BadText))
	all := fileCall(t, large, "get_file_contents", str("."))
	if got := all.Items(); len(got) != 3 || got[0].Get("content").Kind() != value.Unknown || got[1].Get("content").Kind() != value.Unknown {
		t.Fatalf("got %s", show(all))
	}
	check(t, "a text beside them", all.Items()[2].Get("content"), str("c"))
	heavy := fstest.MapFS{}
	for i := range maxContents>>20 + 1 {
		heavy[fmt.Sprint(i)] = &fstest.MapFile{Data: []byte(strings.Repeat("x", 1<<20))}
	}
	check(t, "contents", fileCall(t, heavy, "get_file_contents", str(".")), unknown(value.TooLarge))
}

// TestFilesAreReadOnce: what was read is what is read for the session.
func TestFilesAreReadOnce(t *testing.T) {
	ws := fstest.MapFS{"a": {Data: []byte("1")}}
	env := &Env{Memo: NewMemo(), Workspace: ws}
	f := LookupModule("invariant.files").Funcs["get_file_content"]
	args := []*value.Value{str("."), str("a")}
	first := Apply(f, args, env)
	ws["a"] = &fstest.MapFile{Data: []byte("2")}
	if again := Apply(f, args, env); show(again) != show(first) {
		t.Errorf("%s, then %s", show(first), show(again))
	}
}

func TestFits(t *testing.T) {
	for _, test := range []struct {
		pattern, name string
		want          bool
	}{
		{"", "a/b.txt", true},
		{"*.txt", "a/b.txt", true},
		{"*.txt", "b.md", false},
		{"a/*.txt", "x/a/b.txt", true},
		{"a/*.txt", "b.txt", false},
		{"b", "a/b.txt", false},
		{"[ab].txt", "x/b.txt", true},
	} {
		if got := fits(test.pattern, test.name); got != test.want {
			t.Errorf("fits(%q, %q) = %v", test.pattern, test.name, got)
		}
	}
}
