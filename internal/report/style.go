// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package report

// A Style colours text for a terminal, or leaves it alone.
type Style struct{ On bool }

// The colours and weights of Style.Paint.
const (
	Bold   = "1"
	Dim    = "2"
	Red    = "31"
	Green  = "32"
	Yellow = "33"
	Cyan   = "36"
)

// Paint returns text in a colour or weight. The text must be safe to print.
func (s Style) Paint(code, text string) string {
	if !s.On || text == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

// Verdict paints the name of a decision or of a rule's action.
func (s Style) Verdict(name string) string {
	code := ""
	switch name {
	case "deny":
		code = Red
	case "unknown", "ask":
		code = Yellow
	case "warn":
		code = Cyan
	case "allow":
		code = Green
	default:
		return name
	}
	return s.Paint(Bold+";"+code, name)
}
