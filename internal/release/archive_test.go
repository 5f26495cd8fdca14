// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"io"
	"slices"
	"testing"
	"time"
)

func TestArchivesSayNothingOfWhereTheyWereMade(t *testing.T) {
	at := testStamp().date
	files := []file{
		{name: "README.md", content: []byte("read me")},
		{name: "holdfast", content: bytes.Repeat([]byte("code"), 1000), executable: true},
		{name: "licenses/" + string(bytes.Repeat([]byte("long/"), 50)) + "LICENSE", content: []byte("may")},
	}
	for name, write := range map[string]func(io.Writer, string, []file, time.Time) error{"tar": writeTar, "zip": writeZip} {
		t.Run(name, func(t *testing.T) {
			var first, second bytes.Buffer
			if err := write(&first, "folder", files, at); err != nil {
				t.Fatal(err)
			}
			backward := slices.Clone(files)
			slices.Reverse(backward)
			if err := write(&second, "folder", backward, at.In(time.FixedZone("far", 12*3600))); err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(first.Bytes(), second.Bytes()) {
				t.Error("the order of the files or the zone of the time shows in the archive")
			}
			testEntries(t, entriesOf(t, first.Bytes()), files, at)
		})
	}
}

func testEntries(t *testing.T, entries []entry, files []file, at time.Time) {
	t.Helper()
	want := sorted(files)
	if len(entries) != len(want) {
		t.Fatalf("got %d entries, want %d", len(entries), len(want))
	}
	for i, f := range want {
		e := entries[i]
		if e.name != "folder/"+f.name || !bytes.Equal(e.content, f.content) || e.mode.Perm() != f.mode() || !e.at.Equal(at) {
			t.Errorf("got %s, %d bytes, %s, %s, want folder/%s, %d bytes, %s, %s",
				e.name, len(e.content), e.mode, e.at, f.name, len(f.content), f.mode(), at)
		}
	}
}

func TestChecksumsAreInOrder(t *testing.T) {
	got := string(checksums([]artefact{{"b", []byte{0xbb}}, {"a", []byte{0x0a}}}))
	if want := "0a  a\nbb  b\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
