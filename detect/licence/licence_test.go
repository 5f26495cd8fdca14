// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package licence

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/holdfast-dev/holdfast/detect"
)

var update = flag.Bool("update", false, "rewrite the fingerprints")

// texts are those of the licences, as gen took them.
func texts(t testing.TB) []text {
	t.Helper()
	file, err := os.Open("texts.jsonl.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	unzipped, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	var out []text
	for lines := json.NewDecoder(unzipped); ; {
		var line struct{ ID, Text string }
		err := lines.Decode(&line)
		if errors.Is(err, io.EOF) {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, text{line.ID, line.Text})
	}
}

func TestFingerprints(t *testing.T) {
	want := store(texts(t))
	got, err := os.ReadFile("fingerprints.bin")
	if *update {
		if err := os.WriteFile("fingerprints.bin", want, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("fingerprints.bin is not that of the texts; go generate rewrites it (%v)", err)
	}
}

// found is what is found of a kind, as texts.
func found(t testing.TB, kind, text, params string) []string {
	t.Helper()
	spans, err := Scan(t.Context(), text, params)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, s := range spans {
		if s.Kind == kind {
			out = append(out, s.Text)
		}
	}
	return out
}

// wrap breaks a text anew, as a comment.
func wrap(text, sign string, width int) string {
	var out strings.Builder
	at := width
	for word := range strings.FieldsSeq(text) {
		if at += len(word) + 1; at > width {
			out.WriteString("\n" + sign + " ")
			at = len(word)
		}
		out.WriteString(word + " ")
	}
	return out.String()
}

// half is so many words of a text, from one on.
func half(text string, from, to float64) string {
	words := strings.Fields(text)
	n := float64(len(words))
	return strings.Join(words[int(n*from):int(n*to)], " ")
}

// families are licences of which a half may be a half of the other.
var families = map[string]string{"AGPL-3.0": "GPL-3.0", "BSD-2-Clause": "BSD-3-Clause"}

func TestCommon(t *testing.T) {
	all := texts(t)
	for i, l := range all {
		for name, body := range map[string]string{
			"whole": l.body, "rewrapped": wrap(l.body, "", 60), "comment": "x := 1\n" + wrap(l.body, " *", 72) + "\ny := 2",
			"first half": half(l.body, 0, .5), "second half": half(l.body, .5, 1), "middle": half(l.body, .25, .75),
			"among others": strings.Repeat("nothing of the kind here ", 500) + l.body + strings.Repeat(" and more words", 500),
		} {
			got := found(t, licenceText, body, "")
			if slices.Equal(got, []string{l.id}) || i >= 20 && slices.Contains(got, l.id) {
				continue
			}
			switch {
			case len(got) == 1 && got[0] == families[l.id] && strings.Contains("middle second half", name):
			case i < 20:
				t.Errorf("%s, %s: got %q", l.id, name, got)
			default:
				t.Logf("%s, %s: got %q", l.id, name, got)
			}
		}
	}
}

func TestLicenceFiles(t *testing.T) {
	paths, _ := filepath.Glob("../../../shared/data/licences/*.txt")
	if len(paths) == 0 {
		t.Skip("the licences of the corpora are not beside the repository")
	}
	for _, path := range paths {
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		want := "MIT"
		if strings.HasSuffix(path, "Apache-2.0.txt") {
			want = "Apache-2.0"
		}
		if got := found(t, licenceText, string(src), ""); !slices.Equal(got, []string{want}) {
			t.Errorf("%s: got %q", filepath.Base(path), got)
		}
	}
}

func TestNotices(t *testing.T) {
	for text, want := range map[string][]string{
		"// Copyright 2026 The Holdfast Authors\n// SPDX-License-Identifier: Apache-2.0\n": {"The Holdfast Authors", "Apache-2.0"},
		"Copyright (c) 2001-2004, 2010 Foo Inc. All rights reserved.":                      {"Foo Inc"},
		"/* (C) 1999 by Someone <a@b.example> */":                                          {"Someone <a@b.example>"},
		"© 2020 Acme GmbH | Imprint":                                                       {"Acme GmbH"},
		"<p>&copy; 2011–present Acme</p>":                                                  {"Acme"},
		"\"Copyright © 2003 Bar\\nnext\"":                                                  {"Bar"},
		" * Copyright Example Corp. and its affiliates.":                                   {"Example Corp. and its affiliates"},
		"All Rights Reserved":                                                              {"All Rights Reserved"},
		"/**\n* GNU GENERAL PUBLIC LICENSE, Version 3, 29 June 2007\n*/":                   {"GPL-3.0"},
		"GNU General Public License v2":                                                    {"GPL-2.0"},
		"under the Apache License, Version 2.0 (the \"License\")":                          {"Apache-2.0"},
		"# SPDX-License-Identifier: (MIT OR Apache-2.0) -->":                               {"(MIT OR Apache-2.0)"},
		"SPDX-FileCopyrightText: 2019 Jane Doe":                                            {"Jane Doe"},
		"copyright = get(c)":                                                               nil,
		"(a) one (b) two (c) three":                                                        nil,
		"the copyright holder may":                                                         nil,
		"Copyright law is hard":                                                            nil,
		"Copyright Act of 1976":                                                            nil,
		"f(c) 20":                                                                          nil,
		"a license of the GNU project":                                                     nil,
		"all rights are reserved by fate":                                                  nil,
		"":                                                                                 nil,
	} {
		if got := found(t, notice, text, ""); !slices.Equal(got, want) {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestThreshold(t *testing.T) {
	mit := texts(t)[0].body
	for params, want := range map[string]int{"": 1, `{"threshold":0.5}`: 1, `{"threshold":0.9}`: 1, `{"threshold":0}`: 1} {
		if got := found(t, licenceText, mit, params); len(got) != want {
			t.Errorf("%s: %q", params, got)
		}
	}
	if got := found(t, licenceText, half(mit, 0, .5), `{"threshold":0.6}`); got != nil {
		t.Errorf("half of it is more than .6: %q", got)
	}
	for _, params := range []string{"{", `{"threshold":2}`, `{"threshold":"x"}`} {
		if _, err := Scan(t.Context(), mit, params); err == nil {
			t.Errorf("%s is taken", params)
		}
	}
}

func TestPlace(t *testing.T) {
	all := texts(t)
	before := "é " + strings.Repeat("words before it ", 200)
	text := before + all[0].body + strings.Repeat(" words after it", 200) + all[6].body
	spans, err := Scan(t.Context(), text, `{"threshold":0.8}`)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range spans {
		if s.Kind == licenceText {
			got = append(got, fmt.Sprint(s.Text, " ", s.Start >= len(before), s.End-s.Start <= 1200, s.Score > .9))
		}
	}
	if want := []string{"MIT true true true", "ISC true true true"}; !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}

func FuzzScan(f *testing.F) {
	f.Add("Copyright (c) 2020 é\n© 1999 \xff all rights reserved (c) 2001 SPDX-License-Identifier: MIT GNU General Public License v3")
	f.Add(texts(f)[0].body)
	f.Fuzz(func(t *testing.T, text string) {
		spans, err := Scan(t.Context(), text, "")
		if err != nil {
			t.Fatal(err)
		}
		out, err := detect.Findings(text, spans)
		if err != nil {
			t.Fatal(err)
		}
		for _, finding := range out {
			if err := finding.Check(len(text)); err != nil || finding.Text == "" {
				t.Error(finding, err)
			}
		}
	})
}

func TestHostile(t *testing.T) {
	all := texts(t)
	for _, piece := range []string{"copyright ", "© ", "(c) ", "(c) 2020 ", "all rights reserved", "gnu ", "spdx-", "a ", "\xff", "copyright (c)(c)", all[0].body, all[18].body, half(all[2].body, .4, .41) + " "} {
		if _, err := Scan(t.Context(), strings.Repeat(piece, 1<<20/len(piece)), `{"threshold":0}`); err != nil {
			t.Error(err)
		}
	}
}

func BenchmarkScan(b *testing.B) {
	all := texts(b)
	for name, text := range map[string]string{"prose": strings.Repeat("Some words of a page, which nobody has written before. ", 20000), "licence": all[2].body} {
		b.Run(name, func(b *testing.B) {
			known()
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				_, _ = Scan(b.Context(), text, "")
			}
		})
	}
}
