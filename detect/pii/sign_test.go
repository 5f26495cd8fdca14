// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package pii

import (
	"os"
	"strings"
	"testing"
)

// signTexts are the texts of the kinds that are found by a sign inside them,
// set apart by "|": what is found without naming the kind, what only when it
// is named, and what never.
var signTexts = []struct{ kind, sure, named, never string }{
	{
		kind: "EMAIL_ADDRESS",
		sure: "write to ‹kim.lee@nordwind.example›, please|<‹a+b@mail.co.uk›>|mailto:‹x_y@z-1.org›?subject=1|to='‹o'brien@firm.ie›'|‹müller@bücher.de›|" +
			"?to=‹kim@firm.de›&n|‹kim@firm.com›.|\"‹kim@firm.com›\"|‹kim@xn--bcher-kva.xn--p1ai›",
		never: "kim@|@kim.com|kim@nordwind|kim@nordwind.|kim@nordwind.nosuchdomain|kim @firm.com|@app.route('/x')|kim.@firm.com|a@b",
	},
	{
		kind: "IP_ADDRESS",
		sure: "from ‹203.0.113.77›:80|(‹203.0.113.77›)|net ‹203.0.113.0/24›|[‹2001:db8:77::9›]:443|‹fe80::a1b2%en0› up|‹::ffff:203.0.113.77›|‹2001:db8::/48›|‹64:ff9b::203.0.113.7›." +
			"|‹abcd:ef01::› here|‹1:2:3:4:5:6:7:8›",
		named: "at ‹::›|‹1.2.3.4›.5.6|‹a::b›|section ‹4.2.8.2›",
		never: "203.0.113.256|203.0.113|1203.0.113.77x|x203.0.113.77|12:34:56|std::vector|1:2:3|fe80::zz1q|::1::|2001:db8::1::9|203.0.113.077",
	},
	{
		kind:  "MAC_ADDRESS",
		sure:  "at ‹3c:22:fb:07:18:82›|‹3C-22-FB-07-18-82›.|‹aa:bb:cc:dd:ee:fa›|‹3c22.fb07.1882›|‹abcd.efab.cdef›",
		never: "3c:22:fb:07:18|3c:22:fb:07:18:82:55|3c:22-fb:07:18:82|ff:ff:ff:ff:ff:ff|00-00-00-00-00-00|3c:22:fb:07:18:8g|x3c:22:fb:07:18:82|3c22.fb07.1882.0001",
	},
	{
		kind: "URL",
		sure: "see ‹https://docs.nordwind.com/a?b=c#d› now|(‹http://nordwind.io:8080/x›)|‹www.nordwind.de›.|‹nordwind.com›, they|‹nordwind.co.uk/path›|\"‹https://nordwind.org›\"|" +
			"‹HTTPS://Nordwind.COM›|‹http://203.0.113.7/x›|‹ftp://files.nordwind.net/a.zip›|‹https://bücher.example/›",
		named: "run ‹main.py› and|‹user.name› = 1|call ‹date.today›()",
		never: "www.nordwind|http://nordwind|e.g. this|3.14|v1.2.3|end.Next|kim@nordwind.com|http://|file.nosuchtype|a..com",
	},
	{
		kind: "PHONE_NUMBER",
		sure: "call ‹+1 415 555 0132›|‹(415) 555-0132› or|‹415-555-0132›|‹+442071234567›|tel. ‹020 7123 4567›|phone ‹4155550132›|mobile: ‹0171 2345678›|‹+49 (0)30 1234567›" +
			"|fax ‹030 12345678›|phone ‹+33 1 42 68 53 00›.|tel ‹612 34 56 78›|mobile ‹0412 345 678›|phone: ‹32 12 34 56›",
		named: "the ‹4155550132› thing|at ‹020 7123 4567› then",
		never: "+1 415 555|2024-05-15 10:30|05-15-2024 10|415-555-01|x415-555-0132|0123456789|111-111-1111|+999 123 456 789|12.415.555.0132|415-555-0132x|1.4155550132|612 34 56 78|32 12 34 56|phone +44 612345678",
	},
}

func TestSigns(t *testing.T) {
	for _, st := range signTexts {
		t.Run(st.kind, func(t *testing.T) {
			kinds := []string{st.kind}
			for marked := range strings.SplitSeq(st.sure, "|") {
				text, start, end := hitText(t, marked)
				for _, kinds := range [][]string{nil, kinds} {
					if found := Find(text, kinds); !seen(found, st.kind, start, end) {
						t.Errorf("%q with kinds %v: %v", marked, kinds, found)
					}
				}
			}
			for marked := range strings.SplitSeq(st.named, "|") {
				if marked == "" {
					continue
				}
				text, start, end := hitText(t, marked)
				if found := Find(text, kinds); !seen(found, st.kind, start, end) {
					t.Errorf("%q: %v", marked, found)
				}
				if found := Find(text, nil); seen(found, st.kind, start, end) {
					t.Errorf("%q is found unasked", marked)
				}
			}
			for text := range strings.SplitSeq(st.never, "|") {
				if found := Find(text, kinds); len(found) != 0 {
					t.Errorf("%q: %q", text, text[found[0].Start:found[0].End])
				}
			}
		})
	}
}

// TestContextSentences: the words before a datum raise its score, in the
// sentences that Presidio tests this with.
func TestContextSentences(t *testing.T) {
	src, err := os.ReadFile(dataFolder + "detectors/pii/context_sentences_tests.txt")
	if err != nil {
		t.Skipf("the shared data is not here: %v", err)
	}
	kind := ""
	for line := range strings.Lines(string(src)) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case line == "" || line[0] == '#':
		case kind == "":
			if kind = line; kind == "FIN" {
				kind = "SG_NRIC_FIN"
			}
		default:
			raised(t, kind, line)
			kind = ""
		}
	}
}

func raised(t *testing.T, kind, line string) {
	t.Helper()
	for _, f := range Find(line, []string{kind}) {
		alone := Find(line[f.Start:f.End], []string{kind})
		if len(alone) != 1 || f.Score <= alone[0].Score {
			t.Errorf("%s in %q: %q scores %v, without its context %v", kind, line, line[f.Start:f.End], f.Score, alone)
		}
		if f.Score < Threshold {
			t.Logf("%s in %q scores %v", kind, line, f.Score)
		}
	}
}

// TestKinds: every kind is listed once, and the names of a policy that are not
// known are told from those that are.
func TestKinds(t *testing.T) {
	kinds := Kinds()
	for i, kind := range kinds {
		if i > 0 && kinds[i-1] >= kind {
			t.Errorf("%s after %s", kind, kinds[i-1])
		}
	}
	if len(kinds) < 70 {
		t.Errorf("%d kinds", len(kinds))
	}
}
