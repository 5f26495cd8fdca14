// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package program

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/holdfast-dev/holdfast/detect"
)

// An answer is what the program says, as far as it matters here.
type answer struct {
	Results *[]result `json:"results"`
	Errors  []struct {
		Level string `json:"level"`
		Type  any    `json:"type"`
	} `json:"errors"`
}

type result struct {
	ID    string   `json:"check_id"`
	Start position `json:"start"`
	End   position `json:"end"`
	Extra struct {
		Message  string `json:"message"`
		Severity string `json:"severity"`
	} `json:"extra"`
}

type position struct {
	Line   int `json:"line"`
	Offset int `json:"offset"`
}

// maxMessage is how much of a description is kept.
const maxMessage = 2000

// read makes spans of what the program says about a text. An error of the
// program's own, of which parts of the text that it could not read are one, is
// an error.
func read(said []byte, text string) ([]detect.Span, error) {
	var a answer
	if err := json.Unmarshal(said, &a); err != nil {
		return nil, fmt.Errorf("reading what the program that looks at code says: %w", err)
	}
	if a.Results == nil {
		return nil, errors.New("the program that looks at code gives no results")
	}
	for _, e := range a.Errors {
		if e.Level == "error" || e.Level == "" {
			return nil, errors.New("the program that looks at code reports an error of its own")
		}
	}
	lines := lineStarts(text)
	out := make([]detect.Span, 0, len(*a.Results))
	for _, r := range *a.Results {
		start, end, err := r.place(text, lines)
		if err != nil {
			return nil, err
		}
		if r.ID == "" {
			return nil, errors.New("the program that looks at code names no rule")
		}
		message := strings.ToValidUTF8(r.Extra.Message[:min(len(r.Extra.Message), maxMessage)], "")
		out = append(out, detect.Span{Kind: r.ID, Start: start, End: end, Score: 1, Text: message, Severity: severity(r.Extra.Severity)})
	}
	return out, nil
}

// severity says the program's severity in the words of this house.
func severity(s string) string {
	switch strings.ToUpper(s) {
	case "ERROR", "HIGH", "CRITICAL":
		return "error"
	case "INFO", "LOW", "INVENTORY":
		return "info"
	}
	return "warning"
}

// place finds a result in the text. Offsets are bytes or characters, as the
// version has it: they are used where that is the same, and else whole lines.
func (r *result) place(text string, lines []int) (start, end int, err error) {
	start, end = r.Start.Offset, r.End.Offset
	if !ascii(text) {
		if r.Start.Line < 1 || r.End.Line < r.Start.Line || r.End.Line >= len(lines) {
			return 0, 0, errors.New("the program that looks at code names a line that is not there")
		}
		start, end = lines[r.Start.Line-1], lines[r.End.Line]
	}
	if start < 0 || end < start || end > len(text) {
		return 0, 0, errors.New("the program that looks at code names a place that is not there")
	}
	return start, end, nil
}

func ascii(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// lineStarts lists where lines begin, and where the text ends.
func lineStarts(text string) []int {
	out := []int{0}
	for line := range strings.Lines(text) {
		out = append(out, out[len(out)-1]+len(line))
	}
	return out
}
