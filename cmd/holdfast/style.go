// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"io"
	"os"

	"github.com/holdfast-dev/holdfast/internal/report"
)

// A style colours text for a terminal, or leaves it alone.
type style struct{ on bool }

// styleFor colours what goes to a terminal, unless NO_COLOR is set or the
// terminal says that it cannot.
func styleFor(w io.Writer) style {
	f, ok := w.(*os.File)
	if !ok || os.Getenv("NO_COLOR") != "" || os.Getenv("TERM") == "dumb" {
		return style{}
	}
	stat, err := f.Stat()
	return style{on: err == nil && stat.Mode()&os.ModeCharDevice != 0}
}

const (
	bold = report.Bold
	dim  = report.Dim
)

func (s style) paint(code, text string) string { return report.Style{On: s.on}.Paint(code, text) }

// escapeText makes s safe to print, keeping line ends and tabs.
func escapeText(s string) string { return report.EscapeText(s) }

// escapeLine makes s safe to print on one line.
func escapeLine(s string) string { return report.EscapeLine(s) }

// width returns how many columns of a terminal a printed string takes.
func width(s string) int { return report.Width(s) }
