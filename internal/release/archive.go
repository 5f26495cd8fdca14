// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"archive/tar"
	"archive/zip"
	"cmp"
	"compress/gzip"
	"io"
	"io/fs"
	"slices"
	"time"
)

// A file is an entry of an archive. What an archive says of it beside its
// content is decided here, not by the file system it came from: everything has
// one time, belongs to nobody and is readable.
type file struct {
	name       string // slash-separated, within the archive's folder
	content    []byte
	executable bool
}

func (f file) mode() fs.FileMode {
	if f.executable {
		return 0o755
	}
	return 0o644
}

// sorted returns the files in the order of their names.
func sorted(files []file) []file {
	return slices.SortedFunc(slices.Values(files), func(a, b file) int { return cmp.Compare(a.name, b.name) })
}

// writeTar writes a compressed tar file of one folder.
func writeTar(w io.Writer, folder string, files []file, at time.Time) error {
	// The header of gzip has no name and no time unless they are set.
	z, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return err
	}
	t := tar.NewWriter(z)
	for _, f := range sorted(files) {
		header := &tar.Header{
			Typeflag: tar.TypeReg,
			Name:     folder + "/" + f.name,
			Size:     int64(len(f.content)),
			Mode:     int64(f.mode()),
			ModTime:  at,
			Format:   tar.FormatPAX, // names of any length; no fields that differ between systems
		}
		if err := t.WriteHeader(header); err != nil {
			return err
		}
		if _, err := t.Write(f.content); err != nil {
			return err
		}
	}
	if err := t.Close(); err != nil {
		return err
	}
	return z.Close()
}

// writeZip writes a zip file of one folder.
func writeZip(w io.Writer, folder string, files []file, at time.Time) error {
	z := zip.NewWriter(w)
	for _, f := range sorted(files) {
		// Of the two times that an entry has, one is that of a clock on a wall.
		header := &zip.FileHeader{Name: folder + "/" + f.name, Method: zip.Deflate, Modified: at.UTC()}
		header.SetMode(f.mode())
		e, err := z.CreateHeader(header)
		if err != nil {
			return err
		}
		if _, err := e.Write(f.content); err != nil {
			return err
		}
	}
	return z.Close()
}
