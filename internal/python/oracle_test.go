// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package python

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// An oracle is a python3 that says what it makes of texts.
type oracle struct {
	ask *json.Encoder
	out *bufio.Scanner
}

// opinion is what CPython makes of a text.
type opinion struct {
	Valid    bool     `json:"valid"`
	Message  string   `json:"message"`
	Imports  []string `json:"imports"`
	Builtins []string `json:"builtins"`
	Calls    []string `json:"calls"`
}

type question struct {
	Text  string `json:"text"`
	Lists bool   `json:"lists"`
}

// newOracle starts python3, or skips the test if there is none.
func newOracle(t *testing.T) *oracle {
	t.Helper()
	path, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("there is no python3 to compare with")
	}
	cmd := exec.CommandContext(t.Context(), path, filepath.Join("testdata", "oracle.py"))
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = in.Close()
		_ = cmd.Wait()
	})
	o := &oracle{json.NewEncoder(in), bufio.NewScanner(out)}
	o.out.Buffer(nil, 64<<20)
	return o
}

func (o *oracle) opinion(t *testing.T, q question) opinion {
	t.Helper()
	if err := o.ask.Encode(q); err != nil {
		t.Fatal(err)
	}
	if !o.out.Scan() {
		t.Fatal("python3 gave no answer: ", o.out.Err())
	}
	var a opinion
	if err := json.Unmarshal(o.out.Bytes(), &a); err != nil {
		t.Fatal(err)
	}
	return a
}

// library returns the sources of python3's standard library that are UTF-8,
// by path.
func library(t testing.TB) (names []string, texts map[string]string) {
	t.Helper()
	path, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("there is no python3, and so no standard library to read")
	}
	out, err := exec.CommandContext(t.Context(), path, "-c", "import os; print(os.path.dirname(os.__file__))").Output()
	if err != nil {
		t.Skip("python3 does not say where its library is: ", err)
	}
	root := strings.TrimSpace(string(out))
	texts = map[string]string{}
	err = filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "site-packages" || d.Name() == "dist-packages"):
			return filepath.SkipDir
		case d.IsDir() || filepath.Ext(name) != ".py":
			return nil
		}
		text, err := os.ReadFile(name)
		// A byte order mark is not part of the text that CPython reads from a file.
		text = bytes.TrimPrefix(text, []byte("\ufeff"))
		if err == nil && utf8.Valid(text) {
			short, _ := filepath.Rel(root, name)
			names, texts[short] = append(names, short), string(text)
		}
		return err
	})
	if err != nil || len(names) == 0 {
		t.Skip("python3's library cannot be read: ", err)
	}
	return names, texts
}

// TestLibrary compares trees with CPython's on its own standard library:
// validity and, of every fourth file, the three lists of a summary.
func TestLibrary(t *testing.T) {
	names, texts := library(t)
	o := newOracle(t)
	for i, name := range names {
		text := texts[name]
		if testing.Short() && i%10 != 0 || len(text) > 200_000 {
			continue
		}
		lists := i%4 == 0
		want := o.opinion(t, question{text, lists})
		got := Summarize(text, false)
		if want.Valid == got.SyntaxError {
			t.Errorf("%s: valid %t, message %q; CPython says %t, %q", name, !got.SyntaxError, got.SyntaxErrorException, want.Valid, want.Message)
		}
		if !want.Valid || !lists {
			continue
		}
		compare(t, name+": imports", got.Imports, want.Imports)
		compare(t, name+": builtins", got.Builtins, want.Builtins)
		compare(t, name+": calls", got.FunctionCalls, want.Calls)
	}
}

// compare reports what one list has and the other has not.
func compare(t *testing.T, what string, got, want []string) {
	t.Helper()
	got = slices.Sorted(slices.Values(got))
	if slices.Equal(got, want) {
		return
	}
	count := map[string]int{}
	for _, s := range got {
		count[s]++
	}
	for _, s := range want {
		count[s]--
	}
	for s, n := range count {
		// Long callees have no name here; f-strings are written as they stand,
		// half a surrogate pair is no character, and \N{...} is not looked up.
		if n < 0 && len(s) > maxCallee/2 || n == 0 || containsAny(s, "f'", `f"`, "\ufffd", `\ud`, `\N{`, `\xad`) {
			continue
		}
		t.Errorf("%s: %q %+d", what, s, n)
	}
}

func containsAny(s string, parts ...string) bool {
	return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(s, part) })
}

// mutate deletes, doubles or replaces a token, or swaps two.
func mutate(rng *rand.Rand, text string) (string, string) {
	toks := slices.DeleteFunc(scan(text, 0, false).out, func(t token) bool { return t.start == t.end })
	if len(toks) == 0 {
		return text, "nothing" // a file of comments
	}
	i := rng.IntN(len(toks))
	a, b := toks[i], toks[rng.IntN(len(toks))]
	word := func(t token) string { return text[t.start:t.end] }
	switch rng.IntN(4) {
	case 0:
		return text[:a.start] + text[a.end:], "delete " + word(a)
	case 1:
		return text[:a.end] + " " + text[a.start:], "double " + word(a)
	case 2:
		return text[:a.start] + word(b) + text[a.end:], "replace " + word(a) + " by " + word(b)
	default:
		return text[:a.start] + word(b) + " " + text[a.start:], "insert " + word(b) + " before " + word(a)
	}
}

// TestMutants compares validity with CPython's on mutants of its library.
func TestMutants(t *testing.T) {
	names, texts := library(t)
	names = slices.DeleteFunc(names, func(n string) bool { return len(texts[n]) < 500 || len(texts[n]) > 6000 })
	o := newOracle(t)
	rng := rand.New(rand.NewPCG(20, 26))
	count, differ, words := 5000, 0, 0
	invalid := 0
	if testing.Short() {
		count = 500
	}
	for range count {
		name := names[rng.IntN(len(names))]
		text, how := mutate(rng, texts[name])
		want := o.opinion(t, question{Text: text})
		f := Parse(text)
		valid := len(f.Errors) == 0
		if valid != want.Valid {
			differ++
			message := ""
			if !valid {
				message = f.exception()
			}
			t.Logf("%s: %q: valid %t %q; CPython says %t, %q", name, how, valid, message, want.Valid, want.Message)
		}
		if !want.Valid {
			invalid++
			if !valid && f.exception() == want.Message {
				words++
			}
		}
	}
	t.Logf("%d of %d mutants judged differently; %d of %d messages the same", differ, count, words, invalid)
	if differ*200 > count {
		t.Errorf("agreement %.2f%%, want 99.5%%", 100-100*float64(differ)/float64(count))
	}
}
