// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package ocr

import (
	"errors"
	"strconv"
	"strings"
	"unicode/utf8"
)

// The columns of tesseract's table that are read.
const (
	columnLevel  = 0
	columnPage   = 1 // page, block, paragraph and line
	columnWord   = 5
	columnScore  = 10
	columnText   = 11
	columns      = 12
	levelOfWords = "5"
)

var errGarbage = errors.New("the program that reads images answers what is no table of words")

// A line is a line of words and how sure the program is of the least sure.
type line struct {
	text  string
	score float64
}

// parse reads tesseract's table: a head, then a row for each part of the page,
// of which the words count.
func parse(said []byte) ([]line, error) {
	head, rest, _ := strings.Cut(string(said), "\n")
	if !utf8.Valid(said) || !strings.HasPrefix(head, "level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\t") {
		return nil, errGarbage
	}
	var out []line
	place := ""
	for row := range strings.Lines(rest) {
		fields := strings.SplitN(strings.TrimRight(row, "\r\n"), "\t", columns)
		if len(fields) < columns-1 {
			return nil, errGarbage
		}
		if fields[columnLevel] != levelOfWords || len(fields) < columns {
			continue
		}
		score, err := strconv.ParseFloat(fields[columnScore], 64)
		if err != nil || !(score >= -1 && score <= 100) {
			return nil, errGarbage
		}
		word := strings.TrimSpace(fields[columnText])
		if word == "" {
			continue
		}
		score = max(score, 0) / 100
		if at := strings.Join(fields[columnPage:columnWord], " "); at != place {
			place = at
			out = append(out, line{word, score})
			continue
		}
		last := &out[len(out)-1]
		last.text += " " + word
		last.score = min(last.score, score)
	}
	return out, nil
}
