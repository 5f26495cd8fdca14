// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package view_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ulikunitz/xz"

	"github.com/holdfast-dev/holdfast/detect"
	"github.com/holdfast-dev/holdfast/detect/pii"
	"github.com/holdfast-dev/holdfast/detect/secret"
)

// The evasions once more, over the detectors of this house and the positives
// of others: what they find as it stands they have to find in disguise.

// least is the share of positives that has to be found under an evasion that
// is reversible.
const least = 0.95

// sampled is how many positives of a detector are disguised.
const sampled = 250

func TestPersonalDataInDisguise(t *testing.T) {
	var all []positive
	for s := open(t, "detectors/pii/presidio_recognizer_cases.jsonl"); s.Scan(); {
		var row struct {
			Entities []string
			Case     map[string]any
		}
		if err := json.Unmarshal(s.Bytes(), &row); err != nil {
			t.Fatal(err)
		}
		if text, ok := row.Case["text"].(string); ok && len(row.Entities) == 1 {
			all = append(all, positive{row.Entities[0], text})
		}
	}
	disguiseAll(t, all, func(_ context.Context, text, kind string) ([]detect.Span, error) {
		return pii.Find(text, []string{kind}), nil
	})
}

func TestSecretsInDisguise(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles all patterns for secrets")
	}
	packed, err := os.ReadFile(filepath.Join(shared, "detectors/secrets/gitleaks_vectors.jsonl.xz"))
	if err != nil {
		t.Skipf("the shared data are not here: %v", err)
	}
	r, err := xz.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	var all []positive
	for d := json.NewDecoder(r); ; {
		var row struct {
			Label  bool
			RuleID string `json:"rule_id"`
			Text   string
		}
		if err := d.Decode(&row); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		if row.Label {
			all = append(all, positive{row.RuleID, row.Text})
		}
	}
	disguiseAll(t, all, func(ctx context.Context, text, _ string) ([]detect.Span, error) {
		return secret.FindContext(ctx, text, nil)
	})
}

// disguiseAll disguises what the scanner finds in the texts, alone and with the
// whole text, and counts how much of that the views show.
func disguiseAll(t *testing.T, all []positive, scan detect.Scanner) {
	r := rand.New(rand.NewPCG(6, 12))
	r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	ctx := context.Background()
	type sample struct {
		positive
		at detect.Span
	}
	var samples []sample
	for _, p := range all {
		spans, err := scan(ctx, p.text, p.kind)
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(spans, func(s detect.Span) bool { return s.Kind == p.kind })
		if i >= 0 && len(samples) < sampled {
			samples = append(samples, sample{p, spans[i]})
		}
	}
	for i := range 2 * len(evasions) {
		e, whole := evasions[i/2], i%2 == 1
		asked, found, missed := 0, 0, map[string]int{}
		for _, s := range samples {
			before, what, after := s.text[:s.at.Start], s.text[s.at.Start:s.at.End], s.text[s.at.End:]
			if whole {
				before, what, after = "", s.text, ""
			} else if endsInWord(before) || startsInWord(after) {
				continue // a part of a word: nobody could tell where what is encoded begins
			}
			asked++
			disguised := e.disguise(r, what)
			findings, err := detectIn(t, func(ctx context.Context, text, _ string) ([]detect.Span, error) {
				return scan(ctx, text, s.kind)
			}, before+disguised+after)
			start := len([]rune(before))
			end := start + len([]rune(disguised))
			if err == nil && slices.ContainsFunc(findings, func(f detect.Finding) bool { return f.Start < end && f.End > start && sameKind(f.Kind, s.kind) }) {
				found++
				continue
			}
			missed[s.kind]++
		}
		share := float64(found) / float64(asked)
		t.Logf("%-20s whole text %-5t found %.3f of %d (reversible: %t), missed %v", e.name, whole, share, asked, e.reversible, missed)
		if e.reversible && share < least {
			t.Errorf("%s, whole text %t: found %.3f, want %.2f", e.name, whole, share, least)
		}
	}
}

func endsInWord(s string) bool {
	return s != "" && isWordly(s[len(s)-1])
}

func startsInWord(s string) bool { return s != "" && isWordly(s[0]) }

func isWordly(c byte) bool {
	return c >= '0' && c <= '9' || c|' ' >= 'a' && c|' ' <= 'z' || c == '+' || c == '/' || c == '-' || c == '_'
}

// sameKind reports whether a finding tells of what it should: a secret may be
// told of by another rule.
func sameKind(got, want string) bool {
	return got == want || strings.ToLower(want) == want
}
