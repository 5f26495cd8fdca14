// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"slices"
	"strings"
)

const (
	diffContext = 3       // lines around a change that are shown
	maxDiff     = 1 << 22 // products of numbers of lines that are compared each with each
)

// diffLines shows, line by line, what is wanted and did not come out (-), and
// what came out and is not wanted (+). It is not escaped.
func diffLines(want, got string) string {
	a, b := splitLines(want), splitLines(got)
	head := 0
	for head < min(len(a), len(b)) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < min(len(a), len(b))-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	lines := prefixed(" ", a[:head])
	lines = append(lines, changedLines(a[head:len(a)-tail], b[head:len(b)-tail])...)
	lines = append(lines, prefixed(" ", a[len(a)-tail:])...)
	wanted := "--- want"
	if want == "" {
		wanted += " (the case says nothing)"
	}
	return wanted + "\n+++ got\n" + strings.Join(nearChanges(lines), "\n") + "\n"
}

func splitLines(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}

func prefixed(mark string, lines []string) []string {
	out := make([]string, len(lines))
	for i, line := range lines {
		out[i] = mark + line
		if mark != " " && strings.TrimRight(line, " \t") != line {
			out[i] += " (ends with a blank)"
		}
	}
	return out
}

// changedLines compares by a longest common subsequence; texts that are too
// long for that differ in every line.
func changedLines(a, b []string) []string {
	if len(a)*len(b) > maxDiff {
		return append(prefixed("-", a), prefixed("+", b)...)
	}
	// common[i][j] is how many lines a[i:] and b[j:] have in common.
	common := make([][]int, len(a)+1)
	for i := range common {
		common[i] = make([]int, len(b)+1)
	}
	for i := range slices.Backward(a) {
		for j := range slices.Backward(b) {
			if common[i][j] = max(common[i+1][j], common[i][j+1]); a[i] == b[j] {
				common[i][j] = common[i+1][j+1] + 1
			}
		}
	}
	var out []string
	i, j := 0, 0
	for i < len(a) && j < len(b) {
		switch {
		case a[i] == b[j]:
			out = append(out, prefixed(" ", a[i:i+1])...)
			i, j = i+1, j+1
		case common[i+1][j] >= common[i][j+1]:
			out = append(out, prefixed("-", a[i:i+1])...)
			i++
		default:
			out = append(out, prefixed("+", b[j:j+1])...)
			j++
		}
	}
	return append(append(out, prefixed("-", a[i:])...), prefixed("+", b[j:])...)
}

// nearChanges leaves out lines that are far from a change.
func nearChanges(lines []string) []string {
	shown := make([]bool, len(lines))
	for i, line := range lines {
		if line[0] == ' ' {
			continue
		}
		for k := max(0, i-diffContext); k < min(len(lines), i+diffContext+1); k++ {
			shown[k] = true
		}
	}
	var out []string
	for i := 0; i < len(lines); {
		n := i
		for n < len(lines) && !shown[n] {
			n++
		}
		if n > i {
			out = append(out, fmt.Sprintf(" (%s alike)", plural(n-i, "line")))
			i = n
			continue
		}
		out = append(out, lines[i])
		i++
	}
	return out
}
