// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

// Command gen takes the texts of the common licences out of the npm package
// spdx-license-list, whose checksum it knows:
//
//	npm pack spdx-license-list@6.12.0
//	go -C gen run . spdx-license-list-6.12.0.tgz ../texts.jsonl.gz ../LICENSE-spdx-license-list
//
// What it writes is kept in the repository: go generate makes the fingerprints
// of that, without a network. It is a module of its own, as nothing else needs
// it.
package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"strings"
)

const checksum = "54cc8d13086187333ca1457c8edaa06d9a412144f076aa7f7c1b59c4f3b0a1ef"

// common are the licences that are taken, the commonest twenty first. An id
// without "only" or "or later" stands for both: the text is the same.
var common = strings.Fields(`
MIT Apache-2.0 GPL-3.0 GPL-2.0 BSD-3-Clause BSD-2-Clause ISC AGPL-3.0 LGPL-3.0 LGPL-2.1
MPL-2.0 Unlicense CC0-1.0 CC-BY-4.0 CC-BY-SA-4.0 EPL-2.0 BSL-1.0 Zlib WTFPL 0BSD
MIT-0 X11 GPL-1.0 LGPL-2.0 EPL-1.0 MPL-1.1 MPL-1.0 Apache-1.1 Apache-1.0 BSD-4-Clause BSD-1-Clause BSD-3-Clause-Clear
CDDL-1.0 CDDL-1.1 CPL-1.0 Artistic-1.0 Artistic-2.0 OFL-1.1 PostgreSQL Python-2.0 PSF-2.0 NCSA MS-PL MS-RL
EUPL-1.1 EUPL-1.2 ECL-2.0 AFL-3.0 OSL-3.0 GFDL-1.3 GFDL-1.2 CC-BY-3.0 CC-BY-SA-3.0 CC-BY-NC-4.0 CC-BY-NC-SA-4.0
CC-BY-ND-4.0 CC-BY-NC-ND-4.0 BUSL-1.1 SSPL-1.0 Elastic-2.0 UPL-1.0 Vim Ruby PHP-3.01 OpenSSL curl Libpng
MulanPSL-2.0 BlueOak-1.0.0 ODbL-1.0 PDDL-1.0 CECILL-2.1 LPPL-1.3c Unicode-3.0 W3C JSON HPND Sleepycat AGPL-1.0
`)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 3 {
		return errors.New("usage: gen TARBALL TEXTS LICENCE")
	}
	packed, err := os.ReadFile(args[0])
	if err != nil {
		return err
	}
	if sum := sha256.Sum256(packed); hex.EncodeToString(sum[:]) != checksum {
		return fmt.Errorf("%s has the checksum %x, want %s", args[0], sum, checksum)
	}
	files, err := unpack(packed)
	if err != nil {
		return err
	}
	texts, err := render(files)
	if err != nil {
		return err
	}
	if err := os.WriteFile(args[1], texts, 0o644); err != nil {
		return err
	}
	return os.WriteFile(args[2], files["license"], 0o644)
}

// unpack returns the files of an npm package by their names in it.
func unpack(packed []byte) (map[string][]byte, error) {
	unzipped, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	out := map[string][]byte{}
	for archive := tar.NewReader(unzipped); ; {
		head, err := archive.Next()
		switch {
		case errors.Is(err, io.EOF):
			return out, nil
		case err != nil:
			return nil, err
		}
		name := strings.TrimPrefix(path.Clean(head.Name), "package/")
		if out[name], err = io.ReadAll(archive); err != nil {
			return nil, err
		}
	}
}

// render writes the licences, a line each.
func render(files map[string][]byte) ([]byte, error) {
	var out bytes.Buffer
	zipped, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	lines := json.NewEncoder(zipped)
	lines.SetEscapeHTML(false)
	for _, id := range common {
		var licence struct{ LicenseText string }
		if err := json.Unmarshal(files["licenses/"+id+".json"], &licence); err != nil {
			return nil, fmt.Errorf("reading %s: %w", id, err)
		}
		// SPDX prints the GPL behind the LGPL, which has a text of its own.
		if text, _, found := strings.Cut(licence.LicenseText, "\nGNU GENERAL PUBLIC LICENSE\n"); found && id == "LGPL-3.0" {
			licence.LicenseText = text
		}
		if licence.LicenseText == "" {
			return nil, fmt.Errorf("%s has no text", id)
		}
		if err := lines.Encode(map[string]string{"id": id, "text": licence.LicenseText}); err != nil {
			return nil, err
		}
	}
	if err := zipped.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}
