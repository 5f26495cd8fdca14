// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package value

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math/big"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

func parse(t *testing.T, src string) *Value {
	t.Helper()
	v, err := ParseJSON(src, JSONLimits{})
	if err != nil {
		t.Fatalf("ParseJSON(%q): %v", src, err)
	}
	return v
}

func TestParseJSON(t *testing.T) {
	for _, src := range []string{
		`null`, `true`, `false`, `0`, `-1`, `9223372036854775807`, `-9223372036854775808`, `9223372036854775808`,
		`123456789012345678901234567890`, `0.5`, `1.0`, `1e+16`, `-2.5e-07`, `""`, `"a"`, `"é 😀"`, `[]`, `{}`,
		`[1,[2,[3]],"x"]`, `{"a":{"b":[null,true]},"c":""}`, `"a\"b\\c\n\u0001"`, `"0123456789abcdef\n0123456789abcdef"`,
	} {
		if got := string(AppendJSON(nil, parse(t, src))); got != src {
			t.Errorf("ParseJSON(%q) prints %q", src, got)
		}
	}
	for src, want := range map[string]string{
		" [ 1 , 2 ] ": `[1,2]`, "\t{ \"a\" :\r\n1 }": `{"a":1}`, `"\u00e9\ud83d\ude00\/"`: `"é😀/"`,
		`1E2`: `100.0`, `-0`: `0`, `-0.0`: `-0.0`, `1e-400`: `0.0`, `1.5e3`: `1500.0`, `"\b\f\u000b"`: `"\b\f\u000b"`,
		`1e0000000000002`: `100.0`,
	} {
		if got := string(AppendJSON(nil, parse(t, src))); got != want {
			t.Errorf("ParseJSON(%q) prints %q, want %q", src, got, want)
		}
	}
}

func TestParseJSONKinds(t *testing.T) {
	v := parse(t, `[1, 1.0, 99999999999999999999, "s", true, null, {}, []]`)
	want := []Kind{Int, Float, Int, Str, Bool, None, Dict, List}
	for i, it := range v.Items() {
		if it.Kind() != want[i] || it.Parent() != v || it.Index() != i || it.Root() != v {
			t.Errorf("item %d: kind %v index %d", i, it.Kind(), it.Index())
		}
	}
	n, _ := new(big.Int).SetString("99999999999999999999", 10)
	if v.Items()[2].Big().Cmp(n) != 0 {
		t.Error("a big integer is not exact")
	}
	if _, ok := v.Items()[2].Int(); ok {
		t.Error("a big integer has an int64")
	}
}

func TestParseJSONErrors(t *testing.T) {
	deep := strings.Repeat("[", 65) + strings.Repeat("]", 65)
	for _, c := range []struct {
		src, msg, path string
		offset         int
		incomplete     bool
	}{
		{"", "want a value, got the end", "", 0, true},
		{"  ", "want a value, got the end", "", 2, true},
		{"[1", "want a comma or the end of the list, got the end", "", 2, true},
		{`{"a":[1,`, "want a value, got the end", "a.2-", 8, true},
		{`{"a":[1 2]}`, "want a comma or the end of the list, got '2'", "a", 8, false},
		{`[1,]`, "want a value, got ']'", "1", 3, false},
		{`{"a":1,}`, "want a key in double quotes, got '}'", "", 7, false},
		{`{a:1}`, "want a key in double quotes, got 'a'", "", 1, false},
		{`{"a" 1}`, "want a colon after the key, got '1'", "", 5, false},
		{`[{"x":{"k":1,"k":2}}]`, `the key "k" comes twice in one object`, "0.x", 13, false},
		{`{"a.b":tru}`, "want true", `"a.b"`, 7, false},
		{"nul", "want null", "", 3, true},
		{"n", "want null", "", 1, true},
		{"not JSON", "want a value, got 'n'", "", 0, false},
		{`1 2`, "want the end after the value, got '2'", "", 2, false},
		{`01`, "a number that begins with a needless 0", "", 0, false},
		{`-`, "want a digit after the sign, got the end", "", 1, true},
		{`1.`, "want a digit after the point, got the end", "", 2, true},
		{`1.x`, "want a digit after the point, got 'x'", "", 2, false},
		{`1e`, "want a digit after the exponent, got the end", "", 2, true},
		{`[1e999]`, "a number beyond the range of a float", "0", 1, false},
		{`1e1001`, "a number with an exponent beyond 1000", "", 0, false},
		{`1e-1001`, "a number with an exponent beyond 1000", "", 0, false},
		{`1e99999999999999999999`, "a number with an exponent beyond 1000", "", 0, false},
		{strings.Repeat("9", 1001), "a number of more than 1000 digits", "", 0, false},
		{"0." + strings.Repeat("1", 1001), "a number of more than 1000 digits", "", 0, false},
		{`"abc`, "a string that does not end", "", 4, true},
		{`"abc\`, "a string that does not end", "", 5, true},
		{`"\u12`, "a string that does not end", "", 5, true},
		{`"\x"`, `an escape that JSON does not have, want one of \" \\ \/ \b \f \n \r \t \u`, "", 1, false},
		{`"\u12g4"`, `want four hexadecimal digits after \u`, "", 5, false},
		{"\"a\nb\"", `a control character in a string, want \u000a`, "", 2, false},
		{"[\"ab\xffc\"]", "a byte that is not UTF-8", "0", 4, false},
		{"{\"\xc3\": 1}", "a byte that is not UTF-8", "", 2, false},
		{"\xff", "want a value, got a byte that is not UTF-8", "", 0, false},
		{`{"\ud800":1}`, "a key with a lone surrogate", "", 1, false},
		{deep, "nested deeper than the limit allows", strings.TrimSuffix(strings.Repeat("0.", 64), "."), 64, false},
		{"\ufeff1", `want a value, got '\ufeff'`, "", 0, false},
	} {
		_, err := ParseJSON(c.src, JSONLimits{})
		var e *JSONError
		if !errors.As(err, &e) {
			t.Errorf("ParseJSON(%.40q) gave no error", c.src)
			continue
		}
		path := strings.TrimSuffix(c.path, ".2-")
		if c.path != path {
			path += ".1"
		}
		if e.Msg != c.msg || e.Offset != c.offset || e.Path != path || e.Incomplete != c.incomplete {
			t.Errorf("ParseJSON(%.40q): %q at %d (%q) incomplete %v, want %q at %d (%q) %v",
				c.src, e.Msg, e.Offset, e.Path, e.Incomplete, c.msg, c.offset, path, c.incomplete)
		}
	}
}

func TestJSONLimits(t *testing.T) {
	at := func(src string, lim JSONLimits) bool { _, err := ParseJSON(src, lim); return err == nil }
	deep := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	for _, n := range []int{1, 5, 64} {
		if !at(deep(n), JSONLimits{Depth: n}) || at(deep(n+1), JSONLimits{Depth: n}) {
			t.Errorf("depth limit %d is not kept", n)
		}
	}
	if !at(deep(64), JSONLimits{}) || at(deep(65), JSONLimits{}) {
		t.Error("the default depth is not 64")
	}
	if !at(`[1,2]`, JSONLimits{Values: 3}) || at(`[1,2,3]`, JSONLimits{Values: 3}) {
		t.Error("the limit of values is not kept")
	}
	if !at("[[1],[2]]", JSONLimits{Depth: 2}) {
		t.Error("depth counts siblings")
	}
}

func TestLoneSurrogates(t *testing.T) {
	var p JSONParser
	v, err := p.Parse(`{"a":"x\ud800y","b":["\udc00","ok","\ud83d\ud83d"]}`, JSONLimits{})
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Lone()) != 3 {
		t.Fatalf("got %d lone surrogates, want 3", len(p.Lone()))
	}
	a := v.Get("a")
	if a.Kind() != Unknown || a.Causes()[0].Reason != BadText || a.Causes()[0].At != a || a.Parent() != v {
		t.Errorf("a is %v %v", a.Kind(), a.Causes())
	}
	const want = `{"a":"x\ud800y","b":["\udc00","ok","\ud83d\ud83d"]}`
	if got := string(AppendJSON(nil, v)); got != want {
		t.Errorf("prints %s, want %s", got, want)
	}
}

func TestManyKeys(t *testing.T) {
	var b strings.Builder
	for i := range 1000 {
		b.WriteString(`,"k` + strconv.Itoa(i) + `":` + strconv.Itoa(i))
	}
	v := parse(t, "{"+b.String()[1:]+"}")
	for i := range 1000 {
		if n, ok := v.Get("k" + strconv.Itoa(i)).Int(); !ok || n != int64(i) {
			t.Fatalf("k%d is %d", i, n)
		}
	}
	if v.Get("k1000") != nil {
		t.Error("found a key that is not there")
	}
	if _, err := ParseJSON("{"+b.String()[1:]+`,"k500":1}`, JSONLimits{}); err == nil {
		t.Error("a duplicate among many keys is not seen")
	}
}

// FuzzParseJSON compares with encoding/json: everything it takes is taken with
// the same value, but for what is documented to be stricter.
func FuzzParseJSON(f *testing.F) {
	for _, s := range []string{
		`{"a":[1,2.5,"x\n",null,true]}`, `"\ud83d\ude00"`, `[1e5,-0,-0.0,1E+2]`, `{"a":1,"a":2}`, "\"\xff\"", `"\ud800"`,
		`99999999999999999999`, `[[[[]]]]`, ` {"":""} `, `{"k":{"k":{"k":0}}}`, `"\u0000"`, `01`, `1.`, `[1,]`, `tru`,
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, src string) {
		v, err := ParseJSON(src, JSONLimits{Depth: 100})
		want, ok := standard(src)
		var e *JSONError
		switch {
		case errors.As(err, &e) && ok && !stricter(e.Msg):
			t.Fatalf("refused what encoding/json takes: %v", err)
		case err == nil && !ok:
			t.Fatalf("took what encoding/json refuses")
		case err == nil && !same(v, want):
			t.Fatalf("read %s, encoding/json reads %v", AppendJSON(nil, v), want)
		}
		if err == nil {
			stable(t, v)
		}
	})
}

func standard(src string) (any, bool) {
	d := json.NewDecoder(strings.NewReader(src))
	d.UseNumber()
	var out any
	if d.Decode(&out) != nil {
		return nil, false
	}
	_, err := d.Token()
	return out, err == io.EOF
}

// stricter reports whether a text is refused for one of the documented reasons.
func stricter(msg string) bool {
	for _, s := range []string{
		"comes twice", "not UTF-8", "nested deeper", "lone surrogate", "1000 digits", "exponent beyond", "range of a float", "more values",
	} {
		if strings.Contains(msg, s) {
			return true
		}
	}
	return false
}

func same(v *Value, want any) bool {
	switch w := want.(type) {
	case nil:
		return v.Kind() == None
	case bool:
		return v.Kind() == Bool && v.Bool() == w
	case string:
		return v.Kind() == Str && v.Text() == w || v.Kind() == Unknown && strings.Contains(w, "\ufffd")
	case json.Number:
		return sameNumber(v, string(w))
	case []any:
		if v.Kind() != List || len(v.Items()) != len(w) {
			return false
		}
		for i, it := range v.Items() {
			if !same(it, w[i]) {
				return false
			}
		}
		return true
	case map[string]any:
		if v.Kind() != Dict || len(v.Keys()) != len(w) {
			return false
		}
		for k, x := range w {
			if it := v.Get(k); it == nil || !same(it, x) {
				return false
			}
		}
		return true
	}
	return false
}

func sameNumber(v *Value, s string) bool {
	if strings.ContainsAny(s, ".eE") {
		f, err := strconv.ParseFloat(s, 64)
		return err == nil && v.Kind() == Float && v.Float() == f
	}
	n, _ := new(big.Int).SetString(s, 10)
	return v.Kind() == Int && v.Big().Cmp(n) == 0
}

func stable(t *testing.T, v *Value) {
	t.Helper()
	out := AppendJSON(nil, v)
	w, err := ParseJSON(string(out), JSONLimits{Depth: 100})
	if err != nil {
		t.Fatalf("cannot read back %s: %v", out, err)
	}
	if again := AppendJSON(nil, w); !bytes.Equal(out, again) || !utf8.Valid(out) {
		t.Fatalf("%s is read back as %s", out, again)
	}
}

const benchEvent = `{"role":"assistant","content":"On it, sending the mail now.","tool_calls":[{"id":"call_17","type":"function","function":{"name":"send_email","arguments":{"to":"bob@corp.com","subject":"lunch on Friday","body":"Hi Bob,\n\nare you free on Friday at noon?\n\nBest,\nAlice","cc":[],"priority":2}}}]}`

func BenchmarkParseJSON(b *testing.B) {
	long := `{"role":"tool","tool_call_id":"call_17","content":"` + strings.Repeat("A page of plain text without escapes. ", 40) + `"}`
	escaped := `{"role":"tool","tool_call_id":"call_17","content":"` + strings.Repeat(`A line of text.\n`, 80) + `"}`
	for name, src := range map[string]string{
		"events":  "[" + strings.Repeat(benchEvent+",", 99) + benchEvent + "]",
		"event":   benchEvent,
		"text":    "[" + strings.Repeat(long+",", 99) + long + "]",
		"escapes": "[" + strings.Repeat(escaped+",", 99) + escaped + "]",
		"numbers": "[" + strings.Repeat("12345,-1.5,", 1000) + "0]",
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(src)))
			b.ReportAllocs()
			var p JSONParser
			for b.Loop() {
				if _, err := p.Parse(src, JSONLimits{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
