// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package syntax

import "strings"

// requoted returns a string literal as the canonical form spells it: between
// double quotes if that takes no more escapes than were written. Its value is
// the same, and so are its prefix and what stands in the fields of a template.
func (p *parser) requoted(t token) string {
	text := p.text(t)
	seg := p.stringSegment(t)
	body := seg.span.Text()
	n := int(t.end) - seg.span.End // one quote or three
	prefix, single := text[:len(text)-len(body)-2*n], text[len(text)-1] == '\''
	double := strings.Repeat(`"`, n)
	switch {
	case n == 3:
		// Quotes at the end would close the literal too early.
		if single && !strings.Contains(body, double) && !strings.HasSuffix(body, `"`) {
			return prefix + double + body + double
		}
		return text
	case seg.raw:
		if single && !strings.Contains(body, `"`) {
			return prefix + double + body + double
		}
		return text
	}
	units := quoteUnits(body, seg.fstr)
	quote := `"`
	if single && !doubles(units) {
		quote = `'`
	}
	return prefix + quote + spell(units, quote) + quote
}

// quoteUnits cuts the text of a literal into what is kept together: escapes,
// the fields of a template with their braces, single bytes.
func quoteUnits(body string, template bool) []string {
	var units []string
	for i := 0; i < len(body); {
		n := 1
		switch c := body[i]; {
		case c == '\\':
			n = min(2, len(body)-i)
		case !template || c != '{':
		case strings.HasPrefix(body[i:], "{{"):
			n = 2
		default:
			n = splitField([]byte(body), i+1).end - i
		}
		units = append(units, body[i:i+n])
		i += n
	}
	return units
}

// doubles reports whether a text between single quotes takes no more escapes
// between double ones. A quote in a field cannot be escaped.
func doubles(units []string) bool {
	bare, escaped := 0, 0
	for _, u := range units {
		switch {
		case u == `"`:
			bare++
		case u == `\'`:
			escaped++
		case u[0] == '{' && strings.ContainsAny(u, `"\`):
			return false
		}
	}
	return bare <= escaped
}

// spell writes a text so that it can stand between the given quotes, with no
// escape before the other kind.
func spell(units []string, quote string) string {
	var b strings.Builder
	for _, u := range units {
		switch {
		case u == quote:
			b.WriteString(`\` + quote)
		case u == `\'` && quote == `"`, u == `\"` && quote == `'`:
			b.WriteString(u[1:])
		default:
			b.WriteString(u)
		}
	}
	return b.String()
}
