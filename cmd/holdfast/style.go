// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"io"
	"os"
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
	bold   = "1"
	dim    = "2"
	red    = "31"
	green  = "32"
	yellow = "33"
	cyan   = "36"
)

func (s style) paint(code, text string) string {
	if !s.on || text == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

// verdict paints the name of a decision or of a rule's action.
func (s style) verdict(name string) string {
	code, ok := map[string]string{"deny": red, "unknown": yellow, "ask": yellow, "warn": cyan, "allow": green}[name]
	if !ok {
		return name
	}
	return s.paint(bold+";"+code, name)
}
