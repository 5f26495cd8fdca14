// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package policytest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/holdfast-dev/holdfast/detect"
)

// A stub is a detector that knows the answers for some texts and fails for all
// others: what a case did not think of must not look like "nothing found".
type stub struct {
	name    string
	answers map[question]detect.Result

	mu      sync.Mutex
	missing []string // texts that it was asked about in vain
}

// A question is a text and the parameters of a detector, "*" if they may be
// any.
type question struct{ text, params string }

const anyParams = "*"

// A stubAnswer is how the section detectors writes an answer.
type stubAnswer struct {
	Text     *string         `json:"text"`
	Params   json.RawMessage `json:"params"`
	Findings []stubFinding   `json:"findings"`
	Kinds    []string        `json:"kinds"`
	Error    string          `json:"error"`
	Timeout  bool            `json:"timeout"`
}

// A stubFinding stands for a finding at each place where its text is.
type stubFinding struct {
	Kind     string   `json:"kind"`
	Text     string   `json:"text"`
	Value    string   `json:"value"`
	Severity string   `json:"severity"`
	Score    *float64 `json:"score"`
}

// stubs reads the section detectors; nil if there is none.
func (c *Case) stubs() ([]*stub, error) {
	section := c.section(detectorsSection)
	if section == nil {
		return nil, nil
	}
	var written map[string][]stubAnswer
	if err := decodeJSON(section.text, &written); err != nil {
		return nil, fmt.Errorf("reading section detectors: %w", err)
	}
	var out []*stub
	for _, name := range slices.Sorted(maps.Keys(written)) {
		s := &stub{name: name, answers: map[question]detect.Result{}}
		for i, a := range written[name] {
			if err := s.add(a); err != nil {
				return nil, fmt.Errorf("reading section detectors: answer %d of %s: %w", i, name, err)
			}
		}
		out = append(out, s)
	}
	return out, nil
}

func (s *stub) add(a stubAnswer) error {
	if a.Text == nil {
		return errors.New(`there is no "text"`)
	}
	about, err := a.question()
	if err != nil {
		return err
	}
	if _, twice := s.answers[about]; twice {
		return fmt.Errorf("text %q is there twice", *a.Text)
	}
	var findings []detect.Finding
	for _, kind := range a.Kinds {
		a.Findings = append(a.Findings, stubFinding{Kind: kind})
	}
	for _, f := range a.Findings {
		found, err := f.in(*a.Text)
		if err != nil {
			return err
		}
		findings = append(findings, found...)
	}
	detect.Sort(findings)
	s.answers[about] = detect.Result{Findings: findings, Err: a.problem()}
	return nil
}

// question is what the answer is one to. Parameters are compared as the
// functions write them: with sorted names and no spaces.
func (a *stubAnswer) question() (question, error) {
	q := question{*a.Text, anyParams}
	if a.Params == nil {
		return q, nil
	}
	var params map[string]any
	if err := decodeJSON(a.Params, &params); err != nil {
		return q, fmt.Errorf("reading its params: %w", err)
	}
	q.params = ""
	if len(params) > 0 {
		text, err := json.Marshal(params)
		if err != nil {
			return q, fmt.Errorf("reading its params: %w", err)
		}
		q.params = string(text)
	}
	return q, nil
}

func (a *stubAnswer) problem() error {
	switch {
	case a.Timeout:
		return context.DeadlineExceeded
	case a.Error != "":
		return errors.New(a.Error)
	}
	return nil
}

// in returns the findings that f stands for; without a text of its own that is
// all of the text.
func (f stubFinding) in(text string) ([]detect.Finding, error) {
	out := detect.Finding{Kind: f.Kind, Score: 1, View: detect.Raw, Text: f.Value, Severity: f.Severity}
	if f.Score != nil {
		out.Score = *f.Score
	}
	if f.Kind == "" {
		return nil, errors.New(`a finding needs a "kind"`)
	}
	length := utf8.RuneCountInString(text)
	if f.Text == "" {
		out.End = length
		return []detect.Finding{out}, out.Check(length)
	}
	var found []detect.Finding
	at, size := 0, utf8.RuneCountInString(f.Text)
	for {
		before, rest, ok := strings.Cut(text, f.Text)
		if !ok {
			break
		}
		out.Start = at + utf8.RuneCountInString(before)
		out.End = out.Start + size
		found = append(found, out)
		at, text = out.End, rest
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("the text of the finding, %q, is not in the text", f.Text)
	}
	return found, out.Check(length)
}

// Version is any: a stub lives as long as the policy that asks it.
func (s *stub) Version() string { return "stub" }

// Detect answers by text, and by parameters where the case gives them; views do
// not matter.
func (s *stub) Detect(ctx context.Context, requests []detect.Request) ([]detect.Result, error) {
	out := make([]detect.Result, len(requests))
	for i, r := range requests {
		answer, ok := s.answers[question{r.Text, canonical(r.Params)}]
		if !ok {
			answer, ok = s.answers[question{r.Text, anyParams}]
		}
		if !ok {
			s.miss(r.Text)
			answer.Err = errors.New("the case has no answer for this text")
		}
		out[i] = detect.Result{Findings: slices.Clone(answer.Findings), Err: answer.Err}
	}
	return out, ctx.Err()
}

// canonical writes parameters as question does.
func canonical(params string) string {
	var given map[string]any
	if params == "" || decodeJSON([]byte(params), &given) != nil {
		return params
	}
	text, err := json.Marshal(given)
	if err != nil {
		return params
	}
	return string(text)
}

func (s *stub) miss(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !slices.Contains(s.missing, text) {
		s.missing = append(s.missing, text)
	}
}

// shownMissing is how many texts without an answer are named.
const shownMissing = 5

// note says which texts were asked about in vain, "" if there are none.
func note(stubs []*stub) string {
	var lines []string
	for _, s := range stubs {
		s.mu.Lock()
		for i, text := range s.missing {
			if i == shownMissing {
				lines = append(lines, fmt.Sprintf("and %d more", len(s.missing)-i))
				break
			}
			lines = append(lines, fmt.Sprintf("section detectors has no answer of %s for %q", s.name, text))
		}
		s.mu.Unlock()
	}
	return strings.Join(lines, "\n")
}
