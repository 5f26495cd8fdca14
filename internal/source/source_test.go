// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package source_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/klauspost/compress/zstd"

	"github.com/holdfast-dev/holdfast/internal/layout"
	"github.com/holdfast-dev/holdfast/internal/source"
	"github.com/holdfast-dev/holdfast/trace"
)

const one, two = `[{"role":"user","content":"a"}]`, `[{"role":"user","content":"a"},{"role":"user","content":"b"}]`

// files writes files, by their slash-separated names, and returns their folder.
func files(t *testing.T, texts map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range texts {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// told tells what Records yields, with paths as they are below dir: the number
// of events of each record, or its error.
func told(dir string, opts *source.Options, paths ...string) []string {
	var out []string
	for r := range source.Records(context.Background(), paths, opts) {
		path := r.Path
		if rel, err := filepath.Rel(dir, path); err == nil && path != "-" {
			path = filepath.ToSlash(rel)
		}
		what := ""
		if tr, err := opts.Decode(r); err != nil {
			what = err.Error()
		} else {
			what = fmt.Sprint(len(tr.Events))
		}
		out = append(out, fmt.Sprintf("%s#%d %s", path, r.Index, what))
	}
	return out
}

func want(t *testing.T, name string, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s:\n got %q\nwant %q", name, got, want)
	}
}

func gzipped(texts ...string) string {
	var b bytes.Buffer
	for _, text := range texts {
		z := gzip.NewWriter(&b)
		z.Write([]byte(text)) //nolint:errcheck // a buffer takes everything
		z.Close()             //nolint:errcheck // likewise
	}
	return b.String()
}

func zstandard(t *testing.T, window int, texts ...string) string {
	t.Helper()
	var b bytes.Buffer
	for _, text := range texts {
		z, err := zstd.NewWriter(&b, zstd.WithWindowSize(window), zstd.WithSingleSegment(false))
		if err != nil {
			t.Fatal(err)
		}
		z.Write([]byte(text)) //nolint:errcheck // a buffer takes everything
		z.Close()             //nolint:errcheck // likewise
	}
	return b.String()
}

// packedXZ is one, as the xz tool compresses it.
func packedXZ(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "one.jsonl.xz"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestFolders(t *testing.T) {
	dir := files(t, map[string]string{
		"a.jsonl": one + "\n" + two, "b/z.json": two, "b/a.NDJSON": one, "b/c/x.json.gz": gzipped(one),
		"b.txt": "no trace", "c/readme.md": "", "a.json.bak": "", "d/e/f.txt": "", "named": two,
	})
	want(t, "all", told(dir, nil, dir), "a.jsonl#0 1", "a.jsonl#1 2", "b/a.NDJSON#0 1", "b/c/x.json.gz#0 1", "b/z.json#0 2")
	want(t, "named", told(dir, nil, filepath.Join(dir, "named"), filepath.Join(dir, "b", "z.json")), "named#0 2", "b/z.json#0 2")
	const none = " a folder without traces: no file in it ends in .json, .jsonl or .ndjson, nor in these with .gz, .zst or .xz"
	want(t, "none", told(dir, nil, filepath.Join(dir, "d"), filepath.Join(dir, "x"), filepath.Join(dir, "named")),
		"d#0"+none, "x#0 no such file or directory", "named#0 2")
	if size, n := source.Size([]string{dir, filepath.Join(dir, "named"), "-"}); n != 6 || size != int64(len(one)*2+1+len(two)*3+len(gzipped(one))) {
		t.Errorf("%d files of %d bytes", n, size)
	}
}

func TestLinks(t *testing.T) {
	dir := files(t, map[string]string{"a/x.json": one, "b/y.json": two})
	for from, to := range map[string]string{
		"a/up": "..", "a/self": ".", "b/other": "../a", "b/z.json": "y.json", "b/gone.json": "nowhere", "b/gone": "nowhere", "b/round.json": "round.json",
	} {
		if err := os.Symlink(to, filepath.Join(dir, filepath.FromSlash(from))); err != nil {
			t.Skip(err)
		}
	}
	got := told(dir, nil, dir)
	want(t, "links", got[:len(got)-3], "a/x.json#0 1", "b/gone.json#0 no such file or directory")
	if len(got) != 5 || !strings.HasPrefix(got[2], "b/round.json#0 too many") || got[3] != "b/y.json#0 2" || got[4] != "b/z.json#0 2" {
		t.Errorf("got %q", got)
	}
}

func TestBadFiles(t *testing.T) {
	if runtime.GOOS == "windows" || os.Getuid() == 0 {
		t.Log("not tried: a file that may not be read")
	}
	dir := files(t, map[string]string{
		"a.json": one, "b.json": "", "c.jsonl": one + "\n{\n" + two + "\n[{\"role\":\"x\"}]\n", "d.json": "\xff\xfe", "e.json/f.json": one, "g.jsonl": "\n \n",
	})
	want(t, "files", told(dir, nil, dir),
		"a.json#0 1",
		"b.json#0 there is no trace in it",
		"c.jsonl#0 1", "c.jsonl#1 line 2, offset 33: want a key in double quotes, got the end", "c.jsonl#2 2",
		`c.jsonl#3 line 4, offset 105, 0.role: the role is "x", want one of system, developer, user, assistant, tool, function`,
		"d.json#0 line 1, offset 0: the text is UTF-16, want UTF-8",
		"e.json/f.json#0 1",
		"g.jsonl#0 there is no trace in it")
	secret := filepath.Join(dir, "a.json")
	if err := os.Chmod(secret, 0); err != nil {
		t.Fatal(err)
	}
	if f, err := os.Open(secret); err == nil {
		f.Close() //nolint:errcheck // it was not even read
		return    // root may read everything
	}
	want(t, "no right to read", told(dir, nil, secret), "a.json#0 permission denied")
}

func TestCompressed(t *testing.T) {
	xz := packedXZ(t)
	zst := zstandard(t, 1<<20, one+"\n", two)
	skipped := "\x53\x2a\x4d\x18\x03\x00\x00\x00abc"
	damaged := func(s string, at int) string { return s[:at] + string(s[at]^0x55) + s[at+1:] }
	// The header of a member with the name of its file, as the gzip tool writes it.
	named := gzipped(one + "\n")
	named = named[:3] + "\x08" + named[4:10] + "a.json\x00" + named[10:]
	const one1 = "-#0 1"
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"gzip", gzipped(one), []string{one1}},
		{"gzip, several members", gzipped(one+"\n", two[:20], two[20:]), []string{one1, "-#1 2"}},
		{"gzip, cut off", gzipped(one)[:40], []string{"-#0 reading traces: the gzip stream is cut off"}},
		{"gzip, cut off between lines", gzipped(one + "\n" + one)[:50], []string{one1, "-#1 reading traces: the gzip stream is cut off"}},
		{"gzip, cut off in its header", gzipped(one)[:5], []string{"-#0 the gzip stream is cut off"}},
		{"gzip, cut off in the name of a file", named[:12], []string{"-#0 the gzip stream is cut off"}},
		{"gzip, cut off in the name of the second file", named + named[:12], []string{one1, "-#1 reading traces: the gzip stream is cut off"}},
		{"gzip, with names", named + named, []string{one1, "-#1 1"}},
		{"gzip, trailing", gzipped(one+"\n") + "something else", []string{one1, "-#1 reading traces: something else follows the gzip stream"}},
		{"gzip, damaged", damaged(gzipped(one), len(gzipped(one))-6), []string{"-#0 reading traces: the gzip stream is damaged: gzip: invalid checksum"}},
		{"zstd", zst, []string{one1, "-#1 2"}},
		{"zstd, a frame to skip first", skipped + zst, []string{one1, "-#1 2"}},
		{"zstd, cut off", zst[:len(zst)-3], []string{one1, "-#1 reading traces: the zstd stream is cut off"}},
		{"zstd, trailing", zst + "something else", []string{one1, "-#1 reading traces: something else follows the zstd stream"}},
		{"xz", xz, []string{one1}},
		{"xz, several streams", xz + xz + "\x00\x00\x00\x00" + xz, []string{one1, "-#1 1", "-#2 1"}},
		{"xz, cut off", xz[:len(xz)-5], []string{one1, "-#1 reading traces: the xz stream is cut off"}},
		{"xz, trailing", xz + "something else", []string{one1, "-#1 reading traces: something else follows the xz stream"}},
		{"xz, damaged", damaged(xz, len(xz)/2), nil},
		{"not compressed", one, []string{one1}},
		{"two bytes", "[]", []string{"-#0 0"}},
	} {
		for name, r := range map[string]io.Reader{"": strings.NewReader(c.text), ", byte by byte": iotest.OneByteReader(strings.NewReader(c.text))} {
			got := told("", &source.Options{Stdin: r}, "-")
			if c.want == nil {
				if !strings.Contains(got[len(got)-1], "the xz stream is damaged") {
					t.Errorf("%s%s: got %q", c.name, name, got)
				}
				continue
			}
			want(t, c.name+name, got, c.want...)
		}
	}
}

func TestWindow(t *testing.T) {
	text := strings.Repeat(one+"\n", 100000)
	for kind, packed := range map[string]string{"zstd": zstandard(t, 2<<20, text), "xz": packedXZ(t)} {
		got := told("", &source.Options{Stdin: strings.NewReader(packed), MaxWindow: 1 << 20}, "-")
		if len(got) != 1 || !strings.Contains(got[0], "the "+kind+" stream wants a larger window than the 1048576 bytes that it may have") {
			t.Errorf("%s: got %q", kind, got[:min(len(got), 3)])
		}
		if got := told("", &source.Options{Stdin: strings.NewReader(packed), MaxWindow: 8 << 20}, "-"); len(got) == 0 || got[len(got)-1] != fmt.Sprintf("-#%d 1", len(got)-1) {
			t.Errorf("%s: got %q", kind, got[:min(len(got), 3)])
		}
	}
}

// TestBomb reads a file whose lines are far larger than it is.
func TestBomb(t *testing.T) {
	bomb := gzipped(one+"\n[\""+strings.Repeat("a", 50<<20), "\"]\n"+two)
	opts := &source.Options{Stdin: strings.NewReader(bomb), Trace: &trace.DecodeOptions{MaxBytes: 1 << 20}}
	want(t, "bomb", told("", opts, "-"), "-#0 1", "-#1 line 2, offset 32: a trace longer than 1048576 bytes", "-#2 2")
}

// TestChanged reads files that others change meanwhile.
func TestChanged(t *testing.T) {
	text := strings.Repeat(one+"\n", 100000)
	for name, c := range map[string]struct {
		change func(path string) error
		want   string
	}{
		"shorter": {func(path string) error { return os.Truncate(path, 1<<20) }, "the file became shorter while it was read: 1048576 of 3200000 bytes"},
		"longer": {func(path string) error {
			f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
			if err != nil {
				return err
			}
			defer f.Close() //nolint:errcheck // the write's error counts
			_, err = f.WriteString(two[:20])
			return err
		}, "the file was written to while it was read"},
	} {
		path := filepath.Join(files(t, map[string]string{"a.jsonl": text, "b.jsonl": one}), "a.jsonl")
		n, failed := 0, ""
		var next source.Record
		for r := range source.Records(context.Background(), []string{path, filepath.Join(filepath.Dir(path), "b.jsonl")}, nil) {
			if n++; n == 1 {
				if err := c.change(path); err != nil {
					t.Fatal(err)
				}
			}
			switch {
			case r.Err != nil:
				failed = r.Err.Error()
			case r.Text != one:
				t.Fatalf("%s: the record %q", name, r.Text)
			}
			next = r
		}
		if !strings.Contains(failed, c.want) {
			t.Errorf("%s: got %q, want %q", name, failed, c.want)
		}
		if filepath.Base(next.Path) != "b.jsonl" || next.Err != nil {
			t.Errorf("%s: what comes next is %v", name, next)
		}
	}
}

func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	n := 0
	for range source.Records(ctx, []string{"-", "-"}, &source.Options{Stdin: strings.NewReader(strings.Repeat(one+"\n", 1000))}) {
		if n++; n == 10 {
			cancel()
		}
	}
	if n != 10 {
		t.Errorf("%d records", n)
	}

	ctx, cancel = context.WithCancel(context.Background())
	in, out := io.Pipe() // nobody writes the second line
	defer out.Close()    //nolint:errcheck // nothing is in it
	go func() { _, _ = out.Write([]byte(one + "\n")) }()
	for r := range source.Records(ctx, []string{"-"}, &source.Options{Stdin: in}) {
		if r.Err != nil {
			t.Error(r.Err)
		}
		cancel()
	}
	cancel()
}

func TestReadIsTold(t *testing.T) {
	dir := files(t, map[string]string{"a.json.gz": gzipped(one), "b.json": two})
	sum := 0
	told(dir, &source.Options{Read: func(n int) { sum += n }}, dir)
	if size, _ := source.Size([]string{dir}); int64(sum) != size {
		t.Errorf("%d bytes of %d", sum, size)
	}
}

func TestStdinError(t *testing.T) {
	r := io.MultiReader(strings.NewReader(one+"\n"+two), iotest.ErrReader(errors.New("gone")))
	want(t, "gone", told("", &source.Options{Stdin: r}, "-"), "-#0 1", "-#1 reading traces: gone")
	want(t, "none", told("", nil, "-"), "-#0 there is no standard input")
}

// TestMapping reads a document that holds a list of traces of another shape.
func TestMapping(t *testing.T) {
	m, err := layout.Read("m.json", []byte(`{"traces":"/runs","messages":"/traj"}`))
	if err != nil {
		t.Fatal(err)
	}
	dir := files(t, map[string]string{"a.json": "{\n \"runs\": [\n  {\"traj\": [{\"role\": \"user\"}]},\n  {\"messages\": []},\n  {\"traj\": []}\n ]\n}\n"})
	want(t, "runs", told(dir, &source.Options{Mapping: m}, dir), "a.json#0 1", `a.json#1 line 4, offset 47: no messages at "/traj"`, "a.json#2 0")
}
