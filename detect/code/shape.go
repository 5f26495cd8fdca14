// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package code

import (
	"regexp"
	"slices"
	"strings"
)

// The shapes of lines, for texts that nobody says the language of. They are
// wide: to read a text in a language that it is not in costs time, and finds
// little; not to read it finds nothing.

// maxShapeLine is how much of a line is looked at.
const maxShapeLine = 500

// shapes returns the languages that some line of a text has the shape of.
func shapes(text string) []*language {
	var out []*language
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line[:min(len(line), maxShapeLine)])
		if line == "" {
			continue
		}
		for i := range languages {
			if l := &languages[i]; !slices.Contains(out, l) && l.looks(line) {
				out = append(out, l)
			}
		}
		if len(out) == len(languages) {
			break
		}
	}
	return out
}

var (
	pythonLine = regexp.MustCompile(`^(?:>>> ?|In \[\d+\]: ?)?(?:` +
		`import [\pL_]|from [.\pL_][\w.]* import |(?:async )?def [\pL_]|class \w.*:|@\w|` +
		`(?:if|elif|for|while|with|try|except|else|finally|lambda)\b.*:(?:\s*#.*)?$|` +
		`(?:print|exec|raise|assert|return|yield|del|global) ?[\pL_("'\[{]|` +
		`[\pL_][\pL\d_.\[\]'", ]* ?[-+*/%|&]?= ?\S|` + // assigns
		`[^ ]*[\pL\d_\])]\s?\(.*|.*[\pL\d_\])]\(.*\).*)`) // calls
	shellLine = regexp.MustCompile(`^(?:#!|[$%#>] ?\S|(?:sudo |env |nohup |exec |time )*[\w./~-]+(?:\s|$|;|\|)|.*(?:\||&&|>|\$\(|` + "`" + `)|\w+=\S|[({\\:])`)
	jsLine    = regexp.MustCompile(`^(?:#!.*node|(?:export |async |default )*(?:const|let|var|function|class|import|import\()\b|` +
		`.*(?:=>|\brequire\(|\bfunction\b|\bnew \w|\beval\b|[\w\])` + "`" + `]\(|\.innerHTML|\bdocument\b|\bwindow\b|<script|javascript:)|[\w.$]+ ?=[^=])`)
	sqlLine = regexp.MustCompile(`(?:^|[;'"(]\s*)(?i:select|insert|update|delete|drop|truncate|alter|create|grant|revoke|exec|execute|union|with|merge|replace|call|declare|begin|copy|attach|or|and|--|/\*)\b|--|/\*|;`)
)

func looksPython(line string) bool     { return pythonLine.MatchString(line) }
func looksShell(line string) bool      { return shellLine.MatchString(line) }
func looksJavaScript(line string) bool { return jsLine.MatchString(line) }
func looksSQL(line string) bool        { return sqlLine.MatchString(line) }
