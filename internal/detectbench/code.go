// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package detectbench

import (
	"context"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/holdfast-dev/holdfast/detect"
	"github.com/holdfast-dev/holdfast/detect/code"
)

const (
	codeFile = "detectors/code/cyberseceval_autocomplete_python.jsonl.xz"
	asPython = `{"lang":"python"}`
)

// codeRules lists the rules.
func codeRules(*bench) (*Table, error) {
	rules := code.Rules()
	t := &Table{
		Title: fmt.Sprintf("Rules about code: %d", len(rules)),
		Note:  "A finding's kind is the rule, its text what is written here.",
		Head:  []string{"language", "rule", "weakness", "severity", "description"},
	}
	for _, r := range rules {
		t.Rows = append(t.Rows, []string{r.Language, "`" + r.ID + "`", r.CWE, r.Severity, r.Description})
	}
	return t, nil
}

// A fragment is a piece of Python in which somebody has found a weakness.
type fragment struct {
	CWE  string `json:"cwe_identifier"`
	Line string `json:"line_text"`
	Code string `json:"origin_code"`
}

// tuned reports whether the rules were tuned on the fragment: on half of them,
// by a hash of the text.
func (f *fragment) tuned() bool {
	h := fnv.New32a()
	_, _ = h.Write([]byte(f.Code)) // it gives no error
	return h.Sum32()%2 == 0
}

// codeFragments reads the fragments.
func (b *bench) codeFragments() ([]fragment, error) {
	var out []fragment
	err := b.lines(codeFile, func(line []byte) error {
		var f fragment
		if err := json.Unmarshal(line, &f); err != nil {
			return err
		}
		out = append(out, f)
		return nil
	})
	return out, err
}

// codeFindings returns the findings of a fragment's weakness on its line.
func (b *bench) codeFindings(f *fragment, weakness map[string]string) ([]detect.Finding, error) {
	at := strings.Index(f.Code, f.Line)
	if at < 0 {
		return nil, nil
	}
	found, err := b.ask("semgrep", detect.Request{Text: f.Code, Params: asPython})
	if err != nil {
		return nil, nil //nolint:nilerr // not told is not found
	}
	start := utf8.RuneCountInString(f.Code[:at])
	end := start + utf8.RuneCountInString(f.Line)
	return slices.DeleteFunc(slices.Clone(found), func(g detect.Finding) bool {
		return weakness[g.Kind] != f.CWE || g.Start >= end || start >= g.End
	}), b.ctx.Err()
}

// weaknesses are those of the rules.
func weaknesses() map[string]string {
	out := map[string]string{}
	for _, r := range code.Rules() {
		out[r.ID] = r.CWE
	}
	return out
}

// codeCases counts fragments whose weakness is found where it is.
func codeCases(b *bench) (*Table, error) {
	fragments, err := b.codeFragments()
	if err != nil {
		return nil, err
	}
	type row struct{ all, tuned, other outcome }
	rows := map[string]*row{"all": {}}
	weakness := weaknesses()
	for i := range fragments {
		f := &fragments[i]
		found, err := b.codeFindings(f, weakness)
		if err != nil {
			return nil, err
		}
		if rows[f.CWE] == nil {
			rows[f.CWE] = &row{}
		}
		for _, r := range []*row{rows["all"], rows[f.CWE]} {
			half := &r.other
			if f.tuned() {
				half = &r.tuned
			}
			for _, o := range []*outcome{&r.all, half} {
				o.tried++
				o.found += one(len(found) > 0)
			}
		}
	}
	t := &Table{
		Title: fmt.Sprintf("Weaknesses in %d fragments of Python", len(fragments)),
		Note: "Fragments of CyberSecEval's autocomplete set, cut out of files of version 2 and 3 at any line: found is one with an issue of the labelled weakness " +
			"that touches the labelled line. The rules were tuned on half of the fragments, by a hash of the text; the other half was counted when they were done.",
		Head: []string{"weakness", "fragments", "found", "share", "of those tuned on", "of the others"},
	}
	names := slices.Sorted(func(yield func(string) bool) {
		for name := range rows {
			if name != "all" && !yield(name) {
				return
			}
		}
	})
	for _, name := range append([]string{"all"}, names...) {
		r := rows[name]
		t.Rows = append(t.Rows, []string{
			name, strconv.Itoa(r.all.tried), strconv.Itoa(r.all.found), share(r.all.found, r.all.tried), share(r.tuned.found, r.tuned.tried), share(r.other.found, r.other.tried),
		})
	}
	return t, nil
}

// isTest reports whether a file of a library is one of its tests.
func isTest(name string) bool {
	return slices.ContainsFunc(strings.Split(name, "/"), func(folder string) bool {
		return folder == "test" || folder == "tests" || strings.HasSuffix(folder, "_test")
	})
}

// codeLibrary counts issues in Python's own library, rule by rule.
func codeLibrary(b *bench) (*Table, error) {
	texts, err := b.read(pythonSource)
	if err != nil {
		return nil, err
	}
	var lines [2]int // outside of tests, of tests
	counts := map[string]*[2]int{}
	var all, grave [2]int
	severity := map[string]string{}
	for _, r := range code.Rules() {
		severity[r.ID] = r.Severity
	}
	for _, s := range texts {
		which := one(isTest(s.name))
		lines[which] += strings.Count(s.text, "\n")
		found, err := b.ask("semgrep", detect.Request{Text: s.text, Params: asPython})
		if err != nil {
			return nil, fmt.Errorf("reading %s: %w", s.name, err)
		}
		for _, f := range found {
			if counts[f.Kind] == nil {
				counts[f.Kind] = &[2]int{}
			}
			counts[f.Kind][which]++
			all[which]++
			grave[which] += one(severity[f.Kind] != "info")
		}
	}
	t := &Table{
		Title: "Issues in Python's standard library",
		Note: fmt.Sprintf("%d lines of the library, and %d of its tests, which are no part of the first figure: they run, load and connect to whatever there is on purpose. "+
			"In brackets, issues in 1,000 lines.%s", lines[0], lines[1], b.where()),
		Head: []string{"rule", "library", "its tests"},
		Rows: [][]string{
			{"all", perThousand(all[0], lines[0]), perThousand(all[1], lines[1])},
			{"all but those of severity info", perThousand(grave[0], lines[0]), perThousand(grave[1], lines[1])},
		},
		Timed: true,
	}
	for _, r := range code.Rules() {
		if n := counts[r.ID]; n != nil {
			t.Rows = append(t.Rows, []string{"`" + r.ID + "`", strconv.Itoa(n[0]), strconv.Itoa(n[1])})
		}
	}
	return t, nil
}

func perThousand(n, lines int) string {
	if lines == 0 {
		return "-"
	}
	return fmt.Sprintf("%d (%.2f)", n, float64(n)*1000/float64(lines))
}

// A codeEvasion writes code in another way that still runs.
type codeEvasion struct {
	name     string
	disguise func(string) string
}

// codeEvasions are the disguises that leave Python runnable.
func codeEvasions() []codeEvasion {
	return []codeEvasion{
		{"names in full-width letters", func(s string) string { return inNames(s, 'ａ'-'a', 'Ａ'-'A') }},
		{"names in mathematical letters", func(s string) string { return inNames(s, '𝐚'-'a', '𝐀'-'A') }},
		{"base64 in exec", func(s string) string {
			return "import base64\nexec(base64.b64decode('" + base64.StdEncoding.EncodeToString([]byte(s)) + "'))\n"
		}},
		{"hex in exec", func(s string) string {
			return "exec(bytes.fromhex('" + hex.EncodeToString([]byte(s)) + "').decode())\n"
		}},
		{"escapes in exec", func(s string) string { return "exec(b'" + perByte(s, `\x%02x`) + "')\n" }},
		{"backwards in exec", func(s string) string {
			r := []rune(s)
			slices.Reverse(r)
			return "exec(" + strconv.QuoteToASCII(string(r)) + "[::-1])\n"
		}},
	}
}

// codeNames are names of what runs, loads and connects, which are the same to
// Python in other letters.
var codeNames = strings.Fields("eval exec compile os system popen subprocess call check_call check_output Popen run pickle cPickle load loads yaml shelve open jsonpickle decode hashlib md5 sha1 new " +
	"random randint choice sample shuffle seed cursor execute cur")

// inNames writes names, where they stand by themselves in the text and no quote
// before them, in other letters.
func inNames(s string, lower, upper rune) string {
	var out strings.Builder
	for quoted := false; len(s) > 0; {
		n := strings.IndexFunc(s, func(c rune) bool { return c != '_' && (c < '0' || c > '9' && c < 'A' || c > 'Z' && c < 'a' || c > 'z') })
		if n < 0 {
			n = len(s)
		}
		if n == 0 {
			_, n = utf8.DecodeRuneInString(s)
		}
		word := s[:n]
		if !quoted && slices.Contains(codeNames, word) {
			word = strings.Map(func(c rune) rune {
				switch {
				case 'a' <= c && c <= 'z':
					return c + lower
				case 'A' <= c && c <= 'Z':
					return c + upper
				}
				return c
			}, word)
		}
		out.WriteString(word)
		quoted = word == `"` || word == "'"
		s = s[n:]
	}
	return out.String()
}

// codeDisguised counts lines whose issue is still found in code that is
// written in another way.
func codeDisguised(b *bench) (*Table, error) {
	fragments, err := b.codeFragments()
	if err != nil {
		return nil, err
	}
	weakness := weaknesses()
	outcomes := make([]outcome, len(codeEvasions()))
	for i := range fragments {
		f := &fragments[i]
		found, err := b.codeFindings(f, weakness)
		if err != nil {
			return nil, err
		}
		if len(found) == 0 || !utf8.ValidString(f.Code) {
			continue
		}
		for i, e := range codeEvasions() {
			hidden := e.disguise(f.Code)
			if hidden == f.Code {
				continue
			}
			again, err := b.ask("semgrep", detect.Request{Text: hidden, Params: asPython})
			outcomes[i].tried++
			outcomes[i].found += one(err == nil && has(again, found[0].Kind, 0, utf8.RuneCountInString(hidden)))
		}
	}
	t := &Table{
		Title: "Evasions that leave Python runnable",
		Note:  "Fragments with a finding that have one of the same rule still, with the names that matter in letters that are the same to Python, and with all of the fragment as text that is run.",
		Head:  []string{"evasion", "fragments", "still found"},
	}
	for i, e := range codeEvasions() {
		t.Rows = append(t.Rows, []string{e.name, strconv.Itoa(outcomes[i].tried), share(outcomes[i].found, outcomes[i].tried)})
	}
	return t, nil
}

// asked is a detector that is asked with parameters.
type asked struct {
	detect.Detector
	params string
}

func (a asked) Detect(ctx context.Context, requests []detect.Request) ([]detect.Result, error) {
	own := slices.Clone(requests)
	for i := range own {
		own[i].Params = a.params
	}
	return a.Detector.Detect(ctx, own)
}

// codeSpeed measures the rules on one core.
func codeSpeed(b *bench) (*Table, error) {
	t := &Table{
		Title: "Speed of semgrep",
		Note: fmt.Sprintf("Megabytes (a million bytes) a second of one core's time, one text after another, the best of %d runs; of a large corpus the first %d MB.%s",
			timedRuns, maxTimed/1000/1000, b.where()),
		Head: []string{"corpus", "language", "MB", "MB a second"},
	}
	for _, row := range []struct {
		c              corpus
		language, with string
	}{{pythonSource, "python", asPython}, {dojoMessages, "not given", ""}} {
		texts, err := b.read(row.c)
		if err != nil {
			return nil, err
		}
		texts = firstBytes(texts, maxTimed)
		own := *b
		options := *b.Options
		options.Detectors = map[string]detect.Detector{"semgrep": asked{b.Detectors["semgrep"], row.with}}
		own.Options = &options
		rate, err := own.rate("semgrep", texts, []string{detect.Raw})
		if err != nil {
			return nil, err
		}
		t.Rows = append(t.Rows, []string{string(row.c), row.language, fmt.Sprintf("%.1f", float64(size(texts))/1e6), strconv.Itoa(int(rate))})
	}
	return t, nil
}
