// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package detectbench

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/holdfast-dev/holdfast/detect"
	"github.com/holdfast-dev/holdfast/detect/secret"
)

const vectorFile = "detectors/secrets/gitleaks_vectors.jsonl.xz"

// A vector is a text that gitleaks validates one of its rules with.
type vector struct {
	Rule  string `json:"rule_id"`
	Label bool   `json:"label"` // whether the rule finds something in the text
	Text  string `json:"text"`
	Path  string `json:"path"`
}

func (b *bench) vectors() ([]vector, error) {
	var out []vector
	err := b.lines(vectorFile, func(line []byte) error {
		var v vector
		err := json.Unmarshal(line, &v)
		out = append(out, v)
		return err
	})
	return out, err
}

// ownSecretRules are those that come with texts of their own.
func ownSecretRules() []secret.Rule {
	var out []secret.Rule
	for _, r := range secret.Rules() {
		if len(r.Match) > 0 {
			out = append(out, r)
		}
	}
	return out
}

// secretKinds lists the rules of ours; those of gitleaks are in its own
// documentation.
func secretKinds(*bench) (*Table, error) {
	own := ownSecretRules()
	t := &Table{
		Title: fmt.Sprintf("Kinds of secrets: %d of gitleaks, by its names, and %d of ours", len(secret.Rules())-len(own), len(own)),
		Head:  []string{"kind", "what it is"},
	}
	for _, r := range own {
		t.Rows = append(t.Rows, []string{"`" + r.ID + "`", r.Description})
	}
	return t, nil
}

// A tally counts for a kind.
type tally struct{ positives, found, negatives, alarms int }

func (n *tally) count(positive, found bool) {
	switch {
	case positive:
		n.positives++
		n.found += one(found)
	default:
		n.negatives++
		n.alarms += one(found)
	}
}

func (n *tally) row(name string) []string {
	return []string{
		name, strconv.Itoa(n.positives), strconv.Itoa(n.found), share(n.found, n.positives),
		strconv.Itoa(n.negatives), strconv.Itoa(n.alarms),
	}
}

func (n *tally) wrong() bool { return n.found < n.positives || n.alarms > 0 }

var tallyHead = []string{"kind", "positives", "found", "recall", "negatives", "false alarms"}

func one(b bool) int {
	if b {
		return 1
	}
	return 0
}

// tallies counts by kind, in the order in which the kinds came.
type tallies struct {
	kinds []string
	by    map[string]*tally
}

func (t *tallies) of(kind string) *tally {
	if t.by == nil {
		t.by = map[string]*tally{}
	}
	if t.by[kind] == nil {
		t.by[kind] = &tally{}
		t.kinds = append(t.kinds, kind)
	}
	return t.by[kind]
}

func (t *tallies) sum() *tally {
	var all tally
	for _, n := range t.by {
		all.positives += n.positives
		all.found += n.found
		all.negatives += n.negatives
		all.alarms += n.alarms
	}
	return &all
}

// secretVectors judges each row of gitleaks' own validation by its rule, and
// our own texts by theirs.
func secretVectors(b *bench) (*Table, error) {
	rows, err := b.vectors()
	if err != nil {
		return nil, err
	}
	var theirs, own tallies
	any := &tally{}
	for _, v := range rows {
		n := len(secret.Find(v.Text, &secret.Options{Path: v.Path, Kinds: []string{v.Rule}}))
		theirs.of(v.Rule).count(v.Label, n > 0)
		if v.Label && v.Path == "" {
			found, err := b.ask("secrets", detect.Request{Text: v.Text})
			any.count(true, err == nil && len(found) > 0)
		}
	}
	for _, r := range ownSecretRules() {
		for i, text := range append(r.Match[:len(r.Match):len(r.Match)], r.NoMatch...) {
			found := secret.Find(text, &secret.Options{Kinds: []string{r.ID}})
			own.of(r.ID).count(i < len(r.Match), len(found) > 0)
		}
	}
	t := &Table{
		Title: "What of labelled secrets is found",
		Note: "A row of gitleaks' validation is judged by its rule, with its path; a text of our own by its own rule. " +
			"The last line is what the function `secrets` says of the positives without a path, by any kind. Rules that are wrong have a line of their own.",
		Head: tallyHead,
	}
	t.Rows = append(t.Rows,
		theirs.sum().row(fmt.Sprintf("gitleaks, %d rules", len(theirs.kinds))),
		own.sum().row(fmt.Sprintf("our own, %d rules", len(own.kinds))),
		any.row("`secrets`, any kind"))
	for _, set := range []*tallies{&theirs, &own} {
		for _, kind := range set.kinds {
			if n := set.of(kind); n.wrong() {
				t.Rows = append(t.Rows, n.row("`"+kind+"`"))
			}
		}
	}
	return t, nil
}

// labels are what people have said of findings, by a key that names them; nil
// if they are not here.
func (b *bench) labels(name string, read func(fields []string) (key, label string)) (map[string]string, error) {
	src, err := os.ReadFile(filepath.Join(b.Repo, filepath.FromSlash(name)))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	out := map[string]string{}
	for line := range strings.Lines(string(src)) {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		if key, label := read(strings.Split(line, "\t")); key != "" {
			out[key] = label
		}
	}
	return out, err
}

// secretLabels reads what people have said of the findings in libraries.
func (b *bench) secretLabels() (map[string]string, error) {
	return b.labels("detect/secret/testdata/labels.tsv", func(f []string) (string, string) {
		if len(f) < 5 {
			return "", ""
		}
		return strings.Join(f[:4], "\t"), f[4]
	})
}

// secretClean counts findings in what tools put out when nobody attacks.
func secretClean(b *bench) (*Table, error) {
	return b.falseSecrets("Secrets in clean tool outputs", map[corpus]string{dojoOutputs: "tools", tauOutputs: "tools"}, dojoOutputs, tauOutputs)
}

// secretSource counts findings in libraries, which differ from one version of
// a language to the next.
func secretSource(b *bench) (*Table, error) {
	t, err := b.falseSecrets("Secrets in standard libraries", map[corpus]string{goSource: "go", pythonSource: "python"}, goSource, pythonSource)
	if err != nil {
		return nil, err
	}
	t.Note += b.where()
	return t, nil
}

// judgedFalse is a figure that takes what people have said; without it there
// is none.
func judgedFalse(labels map[string]string, figure string) string {
	if labels == nil {
		return "-"
	}
	return figure
}

// falseSecrets counts findings, and those of them that nobody has found to be
// a secret. Names are those of the labels.
func (b *bench) falseSecrets(title string, names map[corpus]string, corpora ...corpus) (*Table, error) {
	labels, err := b.secretLabels()
	if err != nil {
		return nil, err
	}
	t := &Table{
		Title: title,
		Note:  "False is what nobody has judged to be a secret, by hand, with the text around it in view. In a view: found in no other way.",
		Head:  []string{"corpus", "texts", "MB", "findings", "false", "false a MB", "in a view", "not told"},
	}
	for _, c := range corpora {
		texts, err := b.read(c)
		if err != nil {
			return nil, err
		}
		var total, wrong, viewed, open int
		for _, s := range texts {
			found, err := b.ask("secrets", detect.Request{Text: s.text})
			if b.ctx.Err() != nil {
				return nil, b.ctx.Err()
			}
			open += one(err != nil)
			for _, f := range found {
				total++
				viewed += one(f.View != detect.Raw)
				key := fmt.Sprintf("%s\t%s\t%s\t%.6x", names[c], f.Kind, s.name, sha256.Sum256([]byte(cut(s.text, f.Start, f.End))))
				wrong += one(labels[key] != "secret")
			}
		}
		mb := float64(size(texts)) / 1e6
		t.Rows = append(t.Rows, []string{
			string(c), strconv.Itoa(len(texts)), fmt.Sprintf("%.1f", mb), strconv.Itoa(total), judgedFalse(labels, strconv.Itoa(wrong)),
			judgedFalse(labels, fmt.Sprintf("%.2f", float64(wrong)/mb)), strconv.Itoa(viewed), strconv.Itoa(open),
		})
	}
	return t, nil
}

// cut returns the code points from start to end, as they stand in the text.
func cut(text string, start, end int) string {
	n, from := 0, len(text)
	for i := range text {
		if n == start {
			from = i
		}
		if n == end {
			return text[from:i]
		}
		n++
	}
	return text[from:]
}

// secretEvasions disguises the positives of gitleaks' validation that need no
// path, and our own.
func secretEvasions(b *bench) (*Table, error) {
	all, err := b.secretPositives()
	if err != nil {
		return nil, err
	}
	return b.evade("secrets", all)
}

func (b *bench) secretPositives() ([]positive, error) {
	rows, err := b.vectors()
	if err != nil {
		return nil, err
	}
	var out []positive
	for _, v := range rows {
		if !v.Label || v.Path != "" {
			continue
		}
		if p, ok := b.positiveIn("secrets", v.Rule, v.Text, ""); ok {
			out = append(out, p)
		}
	}
	for _, r := range ownSecretRules() {
		for _, text := range r.Match {
			if p, ok := b.positiveIn("secrets", r.ID, text, ""); ok {
				out = append(out, p)
			}
		}
	}
	return out, b.ctx.Err()
}
