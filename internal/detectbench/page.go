// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package detectbench

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// Write prints a report for people.
func Write(w io.Writer, r *Report) error {
	var out strings.Builder
	for i := range r.Tables {
		t := &r.Tables[i]
		fmt.Fprintf(&out, "%s\n", t.Title)
		if t.Note != "" {
			fmt.Fprintf(&out, "%s\n", wrap(t.Note, 100))
		}
		out.WriteString(t.plain())
		out.WriteByte('\n')
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// plain lays the table out in columns.
func (t *Table) plain() string {
	widths := make([]int, len(t.Head))
	rows := append([][]string{t.Head}, t.Rows...)
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(bare(cell)))
		}
	}
	var out strings.Builder
	for _, row := range rows {
		var line strings.Builder
		for i, cell := range row {
			cell = bare(cell)
			fmt.Fprintf(&line, "  %s%s", cell, strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell)))
		}
		out.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	return out.String()
}

// bare is a cell without what is for pages.
func bare(cell string) string { return strings.ReplaceAll(cell, "`", "") }

// wrap breaks a text into lines of about so many bytes.
func wrap(text string, width int) string {
	var out strings.Builder
	at := 0
	for i, word := range strings.Fields(text) {
		switch {
		case i == 0:
		case at+1+len(word) > width:
			out.WriteByte('\n')
			at = 0
		default:
			out.WriteByte(' ')
			at++
		}
		out.WriteString(word)
		at += len(word)
	}
	return out.String()
}

// markdown is the table as a page shows it.
func (t *Table) markdown() string {
	var out strings.Builder
	fmt.Fprintf(&out, "**%s.**", t.Title)
	if t.Note != "" {
		out.WriteString(" " + t.Note)
	}
	fmt.Fprintf(&out, "\n\n| %s |\n|%s\n", strings.Join(t.Head, " | "), strings.Repeat("---|", len(t.Head)))
	for _, row := range t.Rows {
		cells := make([]string, len(row))
		for i, cell := range row {
			cells[i] = strings.ReplaceAll(cell, "|", `\|`)
		}
		fmt.Fprintf(&out, "| %s |\n", strings.Join(cells, " | "))
	}
	return out.String()
}

// Fill puts tables into a page, each between the lines <!-- NAME --> and
// <!-- end -->. What the page has of other tables stays. An error is a mark
// without its end.
func Fill(page string, tables []Table) (string, error) {
	for i := range tables {
		t := &tables[i]
		mark := "<!-- " + t.Name + " -->\n"
		before, rest, ok := strings.Cut(page, mark)
		if !ok {
			continue
		}
		_, after, ok := strings.Cut(rest, "<!-- end -->\n")
		if !ok {
			return "", fmt.Errorf("the page has no end of %s", t.Name)
		}
		page = before + mark + t.markdown() + "<!-- end -->\n" + after
	}
	return page, nil
}
