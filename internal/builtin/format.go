// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package builtin

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/holdfast-dev/holdfast/internal/value"
)

// A layout is a format spec: [[fill]align][sign][0][width][,][.precision][type].
type layout struct {
	fill      string
	align     byte // < > ^ =; 0: that of the kind
	sign      byte // + - or space
	width     int
	group     bool
	precision int // -1: none
	verb      byte
}

// Format is Env.Format within the default limits.
func Format(v *value.Value, spec string) *value.Value { return (*Env)(nil).Format(v, spec) }

// Format returns v as an f-string or format() prints it, by a subset of
// Python's format specs: fill, align, sign, 0, width, `,`, precision, and the
// types d s x X o b e E f F g G %. Any other spec is unknown.
func (e *Env) Format(v *value.Value, spec string) *value.Value {
	if spec == "" {
		return e.textOf(value.DisplayUpTo(v, e.limits().value()))
	}
	l, ok := parseLayout(spec)
	if !ok {
		return badSpec()
	}
	if l.width > e.limits().value() || l.precision > 1000 && !isText(v) {
		return tooLarge()
	}
	switch {
	case isText(v):
		return formatText(v, l, e)
	case v.Kind() == value.Int && strings.IndexByte("dxXob\x00", l.verb) >= 0:
		return formatInt(v, l, e)
	case isNumber(v) && strings.IndexByte("eEfFgG%\x00", l.verb) >= 0:
		return formatFloat(v, l, e)
	}
	return wrongKind("the format is for another kind of value", v)
}

func badSpec() *value.Value {
	return value.Trouble(value.TypeError, nil, "this format is not supported")
}

// parseLayout reads a spec.
func parseLayout(spec string) (layout, bool) {
	l := layout{precision: -1}
	if _, w := utf8.DecodeRuneInString(spec); w < len(spec) && strings.IndexByte("<>^=", spec[w]) >= 0 {
		l.fill, l.align, spec = spec[:w], spec[w], spec[w+1:]
	} else if strings.IndexByte("<>^=", spec[0]) >= 0 {
		l.align, spec = spec[0], spec[1:]
	}
	if spec != "" && strings.IndexByte("+- ", spec[0]) >= 0 {
		l.sign, spec = spec[0], spec[1:]
	}
	if strings.HasPrefix(spec, "0") {
		if l.fill == "" {
			l.fill = "0"
			if l.align == 0 {
				l.align = '0' // `=` for numbers, `<` for texts
			}
		}
		spec = spec[1:]
	}
	digits, spec := cutDigits(spec)
	if digits != "" {
		l.width = formatCount(digits)
	}
	if strings.HasPrefix(spec, ",") {
		l.group, spec = true, spec[1:]
	}
	if strings.HasPrefix(spec, ".") {
		if digits, spec = cutDigits(spec[1:]); digits == "" {
			return l, false
		}
		l.precision = formatCount(digits)
	}
	if spec != "" && strings.IndexByte("dsxXobeEfFgG%", spec[0]) >= 0 {
		l.verb, spec = spec[0], spec[1:]
	}
	if l.group && (l.align == '0' || l.align == '=') {
		return l, false // Python groups the zeros it fills in; nobody needs that
	}
	return l, spec == ""
}

func cutDigits(s string) (digits, rest string) {
	i := 0
	for i < len(s) && isDigit(s[i]) {
		i++
	}
	return s[:i], s[i:]
}

func formatCount(digits string) int {
	n, err := strconv.Atoi(digits)
	if err != nil {
		return math.MaxInt32
	}
	return n
}

func formatText(v *value.Value, l layout, env *Env) *value.Value {
	if l.verb != 0 && l.verb != 's' || l.sign != 0 || l.group || l.align == '=' {
		return wrongKind("the format is for another kind of value", v)
	}
	s, _ := value.Concat(v)
	if l.precision >= 0 {
		s = s[:byteOffset(s, l.precision)]
	}
	if l.align == 0 || l.align == '0' {
		l.align = '<'
	}
	return env.textOf(l.pad("", s))
}

func formatInt(v *value.Value, l layout, env *Env) *value.Value {
	if l.precision >= 0 {
		return badSpec()
	}
	base := map[byte]int{'x': 16, 'X': 16, 'o': 8, 'b': 2}[l.verb]
	if base == 0 {
		base = 10
	} else if l.group {
		return badSpec()
	}
	s := v.Big().Text(base)
	if l.verb == 'X' {
		s = strings.ToUpper(s)
	}
	return env.textOf(l.number(s))
}

func formatFloat(v *value.Value, l layout, env *Env) *value.Value {
	f := toFloat64(v)
	if math.IsInf(f, 0) {
		return value.FloatOf(f)
	}
	var s string
	switch l.verb {
	case 0:
		s = value.Display(value.FloatOf(f))
		if l.precision >= 0 {
			s = general(f, l.precision, true)
		}
	case 'g', 'G':
		s = general(f, sixth(l.precision), false)
	case 'e', 'E':
		s = strconv.FormatFloat(f, 'e', sixth(l.precision), 64)
	case '%':
		s = strconv.FormatFloat(f*100, 'f', sixth(l.precision), 64) + "%"
	default:
		s = strconv.FormatFloat(f, 'f', sixth(l.precision), 64)
	}
	if l.verb == 'E' || l.verb == 'G' {
		s = strings.ToUpper(s)
	}
	return env.textOf(l.number(s))
}

// sixth is the precision of a float where none is given.
func sixth(precision int) int {
	if precision < 0 {
		return 6
	}
	return precision
}

// general is Python's `g`; plain is that of a float without a type, which
// keeps a digit behind the point.
func general(f float64, precision int, plain bool) string {
	precision = max(precision, 1)
	s := strconv.FormatFloat(f, 'e', precision-1, 64)
	mantissa, exponent, _ := strings.Cut(s, "e")
	exp, err := strconv.Atoi(exponent)
	if err != nil {
		return s
	}
	limit := precision
	if plain {
		limit--
	}
	if exp < -4 || exp >= limit {
		return trimZeros(mantissa) + "e" + exponent
	}
	s = trimZeros(strconv.FormatFloat(f, 'f', max(precision-1-exp, 0), 64))
	if plain && !strings.Contains(s, ".") {
		s += ".0"
	}
	return s
}

func trimZeros(s string) string {
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s
}

// number lays out a number that begins with a minus sign or a digit.
func (l layout) number(s string) string {
	sign := ""
	if s[0] == '-' {
		sign, s = "-", s[1:]
	} else if l.sign == '+' || l.sign == ' ' {
		sign = string(l.sign)
	}
	if l.group {
		s = thousands(s)
	}
	switch l.align {
	case 0:
		l.align = '>'
	case '0':
		l.align = '='
	}
	return l.pad(sign, s)
}

// thousands puts commas between the digits before the point.
func thousands(s string) string {
	digits, rest := cutDigits(s)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits + rest
}

// pad fills a text up to the width; `=` fills between sign and digits.
func (l layout) pad(sign, s string) string {
	if l.fill == "" {
		l.fill = " "
	}
	gap := l.width - utf8.RuneCountInString(sign) - utf8.RuneCountInString(s)
	if gap <= 0 {
		return sign + s
	}
	switch l.align {
	case '=':
		return sign + strings.Repeat(l.fill, gap) + s
	case '<':
		return sign + s + strings.Repeat(l.fill, gap)
	case '^':
		return strings.Repeat(l.fill, gap/2) + sign + s + strings.Repeat(l.fill, gap-gap/2)
	}
	return strings.Repeat(l.fill, gap) + sign + s
}

// formatMethod is str.format with positional fields: {}, {0}, {0.name},
// {0[key]}, {0!r}, {0:spec}.
func formatMethod(s *value.Value, args []*value.Value, env *Env) *value.Value {
	f := &formatter{args: args[0].Items(), env: env}
	var b strings.Builder
	for rest := s.Text(); rest != ""; {
		i := strings.IndexAny(rest, "{}")
		if i < 0 {
			b.WriteString(rest)
			break
		}
		b.WriteString(rest[:i])
		brace := rest[i]
		rest = rest[i+1:]
		if strings.HasPrefix(rest, string(brace)) {
			b.WriteByte(brace)
			rest = rest[1:]
			continue
		}
		end := strings.IndexByte(rest, '}')
		if brace == '}' || end < 0 || strings.Contains(rest[:end], "{") {
			return value.Trouble(value.TypeError, nil, "format(): a brace on its own, or one inside a field")
		}
		v := f.field(rest[:end])
		if v.Kind() == value.Unknown {
			return v
		}
		b.WriteString(v.Text())
		if rest = rest[end+1:]; b.Len() > env.limits().value() {
			return tooLarge()
		}
	}
	return env.textOf(b.String())
}

// A formatter fills in the fields of one format() call.
type formatter struct {
	args []*value.Value
	env  *Env
	next int // of the fields without a number
	mode byte
}

// field returns the text of one replacement field.
func (f *formatter) field(field string) *value.Value {
	field, spec, _ := strings.Cut(field, ":")
	field, conv, converts := strings.Cut(field, "!")
	v := f.argument(field)
	if v.Kind() == value.Unknown {
		return v
	}
	switch {
	case converts && conv == "r":
		v = f.env.textOf(value.ReprUpTo(v, f.env.limits().value()))
	case converts && conv == "s":
		v = f.env.textOf(value.DisplayUpTo(v, f.env.limits().value()))
	case converts:
		return badSpec()
	}
	if v.Kind() == value.Unknown {
		return v
	}
	return f.env.Format(v, spec)
}

// argument resolves what a field names.
func (f *formatter) argument(field string) *value.Value {
	digits, path := cutDigits(field)
	mode, n := byte('n'), 0
	if digits == "" {
		mode, n = 'a', f.next
		f.next++
	} else {
		n = formatCount(digits)
	}
	if f.mode != 0 && f.mode != mode {
		return value.Trouble(value.TypeError, nil, "format(): fields with and without numbers do not mix")
	}
	f.mode = mode
	if path != "" && path[0] != '.' && path[0] != '[' {
		return value.Trouble(value.TypeError, nil, "format(): there are no fields with names; write an f-string")
	}
	if n >= len(f.args) {
		return value.Trouble(value.Missing, nil, "format(): there are fewer values than fields")
	}
	return f.follow(f.args[n], path)
}

// follow reads `.name` and `[key]` behind a field's number.
func (f *formatter) follow(v *value.Value, path string) *value.Value {
	for path != "" && v.Kind() != value.Unknown {
		if path[0] == '[' {
			key, rest, ok := strings.Cut(path[1:], "]")
			if !ok || key == "" {
				return badSpec()
			}
			i := value.StrOf(key)
			if digits, more := cutDigits(key); more == "" {
				i = value.IntOf(int64(formatCount(digits)))
			}
			v, path = IndexOf(v, i, f.env), rest
			continue
		}
		if path[0] != '.' {
			return badSpec()
		}
		name := path[1:]
		path = ""
		if i := strings.IndexAny(name, ".["); i >= 0 {
			name, path = name[:i], name[i:]
		}
		v = noKeyText(Member(v, name, f.env), v)
	}
	return v
}
