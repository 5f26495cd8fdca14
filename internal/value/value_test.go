// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package value

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unsafe"
)

func bigOf(s string) *Value { return BigOf(parseBig(s)) }

func TestSizes(t *testing.T) {
	if n := unsafe.Sizeof(Value{}); n > 56 {
		t.Errorf("a leaf takes %d bytes, want at most 56", n)
	}
}

func TestConstructors(t *testing.T) {
	for _, n := range []int64{0, 1, -16, -17, 256, 257, math.MaxInt64, math.MinInt64} {
		if got, ok := IntOf(n).Int(); !ok || got != n || IntOf(n).Index() != -1 {
			t.Errorf("IntOf(%d) is %d", n, got)
		}
	}
	if a, b := IntOf(7), IntOf(7); a != b {
		t.Error("small integers are not shared")
	}
	if v := BigOf(big.NewInt(5)); v != IntOf(5) {
		t.Error("a small big integer is not made small")
	}
	huge := new(big.Int).Lsh(big.NewInt(1), MaxBits)
	if v := BigOf(huge); v.Kind() != Unknown || v.Causes()[0].Reason != TooLarge {
		t.Errorf("an integer of 4097 bits is %v", v.Kind())
	}
	if v := BigOf(new(big.Int).Sub(huge, big.NewInt(1))); v.Kind() != Int {
		t.Errorf("an integer of 4096 bits is %v", v.Kind())
	}
	for _, f := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		if v := FloatOf(f); v.Kind() != Unknown || v.Causes()[0].Reason != Arithmetic {
			t.Errorf("FloatOf(%v) is %v", f, v.Kind())
		}
	}
	d := DictOf([]string{"a", "b", "a"}, []*Value{IntOf(1), IntOf(2), IntOf(3)})
	if got := Display(d); got != "{'a': 3, 'b': 2}" {
		t.Errorf("a dict with a key twice is %s", got)
	}
}

func TestCauses(t *testing.T) {
	v := Trouble(Missing, nil, "x")
	src := new(int)
	w := v.WithSrc(src)
	if w == v || w.Causes()[0].Src != src || v.Causes()[0].Src != nil || w.WithSrc(new(int)) != w {
		t.Error("WithSrc")
	}
	merged := MergeCauses(MergeCauses(nil, w.Causes()), append(v.Causes(), w.Causes()...))
	if len(merged) != 2 {
		t.Errorf("merged causes: %v", merged)
	}
	if TrueV.Causes() != nil || TrueV.WithSrc(src) != TrueV {
		t.Error("a known value has causes")
	}
}

// classes are values by classes of equality: all of one class are equal, those
// of two are not.
var classes = [][]*Value{
	{NoneV},
	{TrueV},
	{FalseV},
	{IntOf(0), FloatOf(0), FloatOf(math.Copysign(0, -1))},
	{IntOf(1), FloatOf(1)},
	{FloatOf(0.5)},
	{IntOf(1 << 53), FloatOf(1 << 53)},
	{IntOf(1<<53 + 1)},
	{IntOf(math.MaxInt64)},
	{bigOf("9223372036854775808"), FloatOf(1 << 63)},
	{IntOf(math.MinInt64), FloatOf(-1 << 63)},
	{bigOf("100000000000000000000"), FloatOf(1e20)},
	{bigOf("100000000000000000001")},
	{bigOf("-100000000000000000000"), FloatOf(-1e20)},
	{FloatOf(1e300)},
	{StrOf("1"), content("1"), content("", "1"), content("1", "")},
	{StrOf(""), EmptyStr, content()},
	{StrOf("ab"), content("a", "b")},
	{ListOf(nil), EmptyList},
	{TupleOf(nil)},
	{ListOf([]*Value{IntOf(1), StrOf("ab")}), ListOf([]*Value{FloatOf(1), content("a", "b")})},
	{TupleOf([]*Value{IntOf(1)})},
	{ListOf([]*Value{TrueV})},
	{EmptyDict, DictOf(nil, nil)},
	{DictOf([]string{"a", "b"}, []*Value{IntOf(1), NoneV}), DictOf([]string{"b", "a"}, []*Value{NoneV, FloatOf(1)})},
	{DictOf([]string{"a", "c"}, []*Value{IntOf(1), NoneV})},
	{RecordOf(issueType, StrOf("x"), nil), RecordOf(issueType, StrOf("x"), nil)},
	{RecordOf(issueType, StrOf("x"), IntOf(1))},
	{Trouble(Missing, nil, "x")},
	{Trouble(Missing, nil, "x")},
}

var issueType = &Type{Name: "Issue", Kind: Record, Fields: []Field{{"name", StrType}, {"line", IntType}}}

// content makes a Content of texts and one part that is no text.
func content(texts ...string) *Value {
	v := &Value{kind: List, index: -1, body: &body{}}
	for i, s := range texts {
		part := DictOf([]string{"type", "text"}, []*Value{StrOf("text"), {kind: Str, str: s}})
		text := part.body.items[1]
		text.parent, text.index = part, 1
		MakeElement(part, TextChunk, []*Value{text, part.body.items[0]}, 0)
		part.parent, part.index = v, int32(i)
		v.body.items = append(v.body.items, part)
	}
	MakeContent(v)
	return v
}

func TestEqualAndHash(t *testing.T) {
	for i, x := range classes {
		for j, y := range classes {
			for _, a := range x {
				for _, b := range y {
					if got := Equal(a, b); got != (i == j) {
						t.Errorf("Equal(%s %s, %s %s) is %v", a.kind, Display(a), b.kind, Display(b), got)
					}
					if i == j && Hash(a) != Hash(b) {
						t.Errorf("%s and %s are equal and hash apart", Display(a), Display(b))
					}
					if i != j && Hash(a) == Hash(b) {
						t.Errorf("%s %s and %s %s hash to the same", a.kind, Display(a), b.kind, Display(b))
					}
				}
			}
		}
	}
}

func TestCompare(t *testing.T) {
	order := []*Value{
		FloatOf(-1e300), bigOf("-100000000000000000001"), FloatOf(-1e20), IntOf(math.MinInt64), IntOf(-1), FloatOf(-0.5), IntOf(0),
		FloatOf(5e-324), IntOf(1), FloatOf(1.5), IntOf(1 << 53), IntOf(1<<53 + 1), FloatOf(1<<53 + 2), IntOf(math.MaxInt64), FloatOf(1 << 63),
		bigOf("9223372036854775809"), FloatOf(1e20), bigOf("100000000000000000001"), FloatOf(1e300),
	}
	for i, a := range order {
		for j, b := range order {
			got, ok := Compare(a, b)
			if want := min(max(i-j, -1), 1); !ok || got != want {
				t.Errorf("Compare(%s, %s) is %d %v, want %d", Display(a), Display(b), got, ok, want)
			}
		}
	}
	one := func(vs ...*Value) *Value { return ListOf(vs) }
	for _, c := range []struct {
		a, b *Value
		want int
		ok   bool
	}{
		{StrOf("a"), StrOf("b"), -1, true},
		{StrOf("\uffff"), StrOf("\U00010000"), -1, true},
		{StrOf("ab"), content("a", "b"), 0, true},
		{one(IntOf(1), IntOf(2)), one(IntOf(1), IntOf(3)), -1, true},
		{one(IntOf(1)), one(FloatOf(1), IntOf(0)), -1, true},
		{one(StrOf("x"), IntOf(1)), one(StrOf("x"), StrOf("y")), 0, false},
		{TupleOf(nil), one(), 0, false},
		{TrueV, FalseV, 0, false},
		{TrueV, IntOf(1), 0, false},
		{NoneV, NoneV, 0, false},
		{NoneV, IntOf(1), 0, false},
		{StrOf("1"), IntOf(1), 0, false},
		{EmptyDict, EmptyDict, 0, false},
	} {
		if got, ok := Compare(c.a, c.b); ok != c.ok || ok && got != c.want {
			t.Errorf("Compare(%s, %s) is %d %v, want %d %v", Display(c.a), Display(c.b), got, ok, c.want, c.ok)
		}
	}
}

// TestCompareMixed holds comparisons of integers with floats against exact ones.
func TestCompareMixed(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 20000 {
		n := int64(r.Uint64()) >> r.IntN(64)
		f := math.Float64frombits(r.Uint64())
		if r.IntN(2) == 0 {
			f = float64(n) + float64(r.IntN(5)-2)/2
		}
		if math.IsNaN(f) || math.IsInf(f, 0) {
			continue
		}
		want := new(big.Float).SetPrec(2000).SetInt64(n).Cmp(big.NewFloat(f))
		if got, _ := Compare(IntOf(n), FloatOf(f)); got != want {
			t.Fatalf("Compare(%d, %v) is %d, want %d", n, f, got, want)
		}
		if got, _ := Compare(FloatOf(f), IntOf(n)); got != -want {
			t.Fatalf("Compare(%v, %d) is %d, want %d", f, n, got, -want)
		}
	}
}

func TestTruth(t *testing.T) {
	image := content("")
	image.body.items[0].kind = Image
	for _, v := range []*Value{
		NoneV, FalseV, IntOf(0), FloatOf(0), FloatOf(math.Copysign(0, -1)), EmptyStr, EmptyList, TupleOf(nil), EmptyDict, content(), content("", ""),
	} {
		if Truth(v) != False {
			t.Errorf("%s %s is not false", v.kind, Display(v))
		}
	}
	for _, v := range []*Value{
		TrueV, IntOf(-1), bigOf("100000000000000000000"), FloatOf(0.1), StrOf("0"), ListOf([]*Value{NoneV}), TupleOf([]*Value{NoneV}),
		DictOf([]string{""}, []*Value{NoneV}), content("a"), image, RecordOf(issueType, nil, nil), content("").Items()[0],
	} {
		if Truth(v) != True {
			t.Errorf("%s %s is not true", v.kind, Display(v))
		}
	}
	if Truth(Trouble(Missing, nil, "")) != Unsure {
		t.Error("an unknown value has a truth")
	}
	if False.Not() != True || Unsure.Not() != Unsure || TriOf(true).String() != "true" || Unsure.String() != "unknown" {
		t.Error("Tri")
	}
}

func TestDisplay(t *testing.T) {
	for _, c := range []struct {
		v    *Value
		want string
	}{
		{NoneV, "None"},
		{TrueV, "True"},
		{IntOf(-5), "-5"},
		{bigOf("123456789012345678901234567890"), "123456789012345678901234567890"},
		{StrOf("it's"), "it's"},
		{content("a", "b"), "ab"},
		{Trouble(Missing, nil, ""), "<unknown>"},
		{
			parse(t, `["a", "it's", "\"", "'\"", "\n\t\r\\", "\u0001\u007f\u00a0é\u200b😀\u00ad", [1, 2.0], {"k": null, "b": true}, [], {}]`),
			`['a', "it's", '"', '\'"', '\n\t\r\\', '\x01\x7f\xa0é\u200b😀\xad', [1, 2.0], {'k': None, 'b': True}, [], {}]`,
		},
		{StrOf("\U000e0001"), "\U000e0001"},
		{ListOf([]*Value{StrOf("\U000e0001")}), `['\U000e0001']`},
		{TupleOf([]*Value{IntOf(1)}), "(1,)"},
		{TupleOf([]*Value{IntOf(1), StrOf("a")}), "(1, 'a')"},
		{TupleOf(nil), "()"},
		{RecordOf(issueType, StrOf("x"), nil), "Issue(name='x')"},
		{RecordOf(issueType, StrOf("x"), IntOf(2)), "Issue(name='x', line=2)"},
		{content("a").Items()[0], `{"type":"text","text":"a"}`},
	} {
		if got := Display(c.v); got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
	for f, want := range map[float64]string{
		1: "1.0", 0.1: "0.1", 1e15: "1000000000000000.0", 1e16: "1e+16", 1.5e16: "1.5e+16", 123456789.125: "123456789.125", 1e-4: "0.0001",
		1e-5: "1e-05", 1.25e-7: "1.25e-07", 1e100: "1e+100", -2.5: "-2.5", 5e-324: "5e-324", 1.7976931348623157e308: "1.7976931348623157e+308",
		9007199254740993: "9007199254740992.0", math.Copysign(0, -1): "-0.0",
	} {
		if got := Display(FloatOf(f)); got != want {
			t.Errorf("%v prints %s, want %s", f, got, want)
		}
	}
}

func TestTexts(t *testing.T) {
	texts := func(v *Value) string {
		var out []string
		for _, p := range Texts(v) {
			out = append(out, p.Text)
		}
		return strings.Join(out, "|")
	}
	for _, c := range []struct {
		v    *Value
		want string
	}{
		{StrOf("a"), "a"},
		{EmptyStr, ""},
		{NoneV, ""},
		{IntOf(1), ""},
		{content("a"), "a"},
		{content("", "a", ""), "a"},
		{content("a", "", "b"), "a|b|ab"},
		{content(), ""},
		{content("x").Items()[0], "x"},
	} {
		if got := texts(c.v); got != c.want {
			t.Errorf("%s: got %q, want %q", Display(c.v), got, c.want)
		}
	}
	if len(Texts(EmptyStr)) != 1 || len(Texts(NoneV)) != 0 || len(Texts(content(""))) != 0 {
		t.Error("numbers of texts")
	}
	if content("é", "ab").Len() != 3 || StrOf("é😀").Len() != 2 {
		t.Error("lengths are not in code points")
	}
}

func TestSpans(t *testing.T) {
	type span struct {
		part     int
		from, to int
	}
	c := content("é1", "", "2😀3", "4")
	all := Texts(c)
	joined := all[len(all)-1]
	if joined.Text != "é12😀34" {
		t.Fatalf("the concatenation is %q", joined.Text)
	}
	for _, k := range []struct {
		text string
		want []span
	}{
		{"é", []span{{0, 0, 1}}},
		{"12", []span{{0, 1, 2}, {2, 0, 1}}},
		{"😀3", []span{{2, 1, 3}}},
		{"3", []span{{2, 2, 3}}},
		{"é12😀34", []span{{0, 0, 2}, {2, 0, 3}, {3, 0, 1}}},
		{"4", []span{{3, 0, 1}}},
	} {
		start := strings.Index(joined.Text, k.text)
		var got []span
		joined.Spans(start, start+len(k.text), func(at *Value, from, to int) bool {
			got = append(got, span{at.Parent().Index(), from, to})
			return true
		})
		if !slices.Equal(got, k.want) {
			t.Errorf("%q: got %v, want %v", k.text, got, k.want)
		}
	}
	for at := range len(joined.Text) + 1 {
		n := 0
		joined.Spans(at, at, func(*Value, int, int) bool { n++; return true })
		if n != 1 {
			t.Errorf("an empty span at %d is yielded %d times", at, n)
		}
	}
	all[0].Spans(2, 3, func(at *Value, from, to int) bool {
		if at.Text() != "é1" || from != 1 || to != 2 {
			t.Errorf("a span of one part: %d-%d of %q", from, to, at.Text())
		}
		return true
	})
}

func TestSearch(t *testing.T) {
	doc := parse(t, `{"a":[1,{"b":"x","c":[true,2.5]},"\ud800"],"d":{"e":"y","f":null}}`)
	for _, c := range []struct {
		e    *Value
		t    *Type
		want string
	}{
		{doc, StrType, `"x" "\ud800" "y"`},
		{doc, IntType, `1`},
		{doc, BoolType, `true`},
		{doc, FloatType, `2.5`},
		{doc, ListType, `[1,{"b":"x","c":[true,2.5]},"\ud800"] [true,2.5]`},
		{doc.Get("d"), DictType, `{"e":"y","f":null}`},
		{doc.Get("d"), FileType, `{"e":"y","f":null}`},
		{doc, MessageType, ``},
		{NoneV, StrType, ``},
		{StrOf("s"), StrType, `"s"`},
		{IntOf(5), IntType, `5`},
		{StrOf("5"), IntType, `unknown`},
		{IntOf(5), StrType, `unknown`},
		{TrueV, IntType, `unknown`},
		{Trouble(Missing, nil, ""), IntType, `unknown`},
		{content("a", "b"), TextChunkType, `{"type":"text","text":"a"} {"type":"text","text":"b"}`},
		{content("a", "b"), StrType, `"a" "b"`},
		{TupleOf([]*Value{IntOf(1), ListOf([]*Value{IntOf(2)})}), IntType, `1 2`},
		{RecordOf(issueType, StrOf("n"), IntOf(3)), IntType, `3`},
		{RecordOf(issueType, StrOf("n"), IntOf(3)), issueType, `{"name":"n","line":3}`},
		{ListOf([]*Value{RecordOf(issueType, StrOf("n"), nil)}), issueType, `{"name":"n"}`},
	} {
		found, unknown := Search(c.e, c.t)
		var out []string
		for _, v := range found {
			out = append(out, string(AppendJSON(nil, v)))
		}
		if unknown != nil {
			out = append(out, "unknown")
		}
		if got := strings.Join(out, " "); got != c.want {
			t.Errorf("(x: %s) in %s: got %s, want %s", c.t, Display(c.e), got, c.want)
		}
	}
}

func TestTypes(t *testing.T) {
	for _, typ := range NamedTypes() {
		if TypeNamed(typ.Name) != typ || typ.String() != typ.Name {
			t.Errorf("TypeNamed(%q)", typ.Name)
		}
	}
	if TypeNamed("any") != nil || TypeNamed("message") != nil {
		t.Error("a type that no policy can name")
	}
	for typ, want := range map[*Type]string{
		MessageType:       "role content tool_calls metadata timestamp",
		ToolCallType:      "id type function metadata server name arguments timestamp",
		ToolOutputType:    "role content tool_call_id metadata server tool timestamp",
		ToolType:          "name description inputSchema server timestamp",
		ToolParameterType: "name type description required properties items enum",
		TextChunkType:     "text type", ImageType: "image_url type", FunctionType: "name arguments",
	} {
		var names []string
		for i, f := range typ.Fields {
			names = append(names, f.Name)
			if typ.Field(f.Name) != i {
				t.Errorf("%s.%s is not field %d", typ, f.Name, i)
			}
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("%s has %s, want %s", typ, got, want)
		}
	}
	if ToolCallType.Field(ToolCallType.Fields[CallArguments].Name) != CallArguments || ToolOutputType.Fields[OutputTool].Name != "tool" ||
		ToolParameterType.Fields[ParamEnum].Name != "enum" || ToolType.Fields[ToolTimestamp].Name != "timestamp" || MessageType.Field("x") != -1 {
		t.Error("field numbers")
	}
}

func TestAddresses(t *testing.T) {
	doc := parse(t, `{"role":"user","a.b":[{"":1,"x:y":2,"é-_/":3,"q\"":4,"sp ace":5}]}`)
	if _, ok := Address(doc.Get("role")); ok {
		t.Error("what is not placed has an address")
	}
	if _, ok := Position(doc.Get("role")); ok {
		t.Error("what is not placed has a position")
	}
	MakeElement(doc, Message, make([]*Value, 5), 0)
	SetPlace(doc, Place{Index: 7, Slot: 9})
	var got []string
	for _, v := range doc.Get("a.b").Items()[0].Items() {
		at, _ := Address(v)
		got = append(got, at)
	}
	want := []string{`7."a.b".0.""`, `7."a.b".0."x:y"`, `7."a.b".0.é-_/`, `7."a.b".0."q\""`, `7."a.b".0."sp ace"`}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if at, ok := Address(doc); at != "7" || !ok {
		t.Errorf("the event stands at %s", at)
	}
	if p, ok := Position(doc.Get("a.b").Items()[0]); p != 9<<32 || !ok {
		t.Errorf("position %x", p)
	}
	if _, ok := Address(StrOf("x")); ok || Placed(IntOf(1)) {
		t.Error("a computed value has an address")
	}
	if !IsSlot(doc) || IsSlot(doc.Get("role")) || SameMessage(doc, doc) {
		t.Error("slots")
	}
}

func TestLocate(t *testing.T) {
	src := ` {"a" : [ 1 , "x\"]," , {"b":[],"c":-2.5e3}], "d\\":{"e" :null}} `
	doc := parse(t, src)
	for want, v := range map[string]*Value{
		`{"a"`: doc, `[ 1`: doc.Get("a"), `1 ,`: doc.Get("a").Items()[0], `"x\"`: doc.Get("a").Items()[1], `{"b"`: doc.Get("a").Items()[2],
		`[],`: doc.Get("a").Items()[2].Get("b"), `-2.5`: doc.Get("a").Items()[2].Get("c"), `{"e"`: doc.Get(`d\`), `null`: doc.Get(`d\`).Get("e"),
	} {
		if got := Locate(src, v); got != strings.Index(src, want) {
			t.Errorf("%s is at %d, want %d", want, got, strings.Index(src, want))
		}
	}
}

func TestSchemasAreEqualByStructure(t *testing.T) {
	schema := func(src string) *Value {
		s := parse(t, src)
		for _, p := range s.Get("properties").Items() {
			MakeElement(p, ToolParameter, nil, 0)
		}
		return s
	}
	a := schema(`{"properties":{"p":{"type":"string"},"q":true}}`)
	b := schema(`{"properties":{"q":true,"p":{"type":"string"}}}`)
	c := schema(`{"properties":{"p":{"type":"string"},"q":false}}`)
	if !Equal(a, b) || Hash(a) != Hash(b) || Equal(a, c) {
		t.Error("schemas are not compared by structure")
	}
	p, q := a.Get("properties").Get("p"), b.Get("properties").Get("p")
	if Equal(p, q) || !Equal(p, p) {
		t.Error("elements are not compared by identity")
	}
	if got := string(AppendJSON(nil, a)); got != `{"properties":{"p":{"type":"string"},"q":true}}` {
		t.Errorf("prints %s", got)
	}
}
