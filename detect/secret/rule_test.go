// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package secret

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/holdfast-dev/holdfast/detect"
)

// TestOwnRules runs the texts that every rule of our own carries.
func TestOwnRules(t *testing.T) {
	for i := range ownRules {
		r := &ownRules[i]
		if len(r.Match) < 1 || len(r.NoMatch) < 2 || r.Description == "" || !r.own {
			t.Errorf("%s: a rule of our own has a description, texts that match and near misses", r.ID)
		}
		only := &Options{Kinds: []string{r.ID}}
		for _, text := range r.Match {
			if len(Find(text, only)) == 0 {
				t.Errorf("%s finds nothing in %q", r.ID, text)
			}
			if len(Find(text, nil)) == 0 {
				t.Errorf("all rules find nothing in %q", text)
			}
		}
		for _, text := range r.NoMatch {
			for _, f := range Find(text, only) {
				t.Errorf("%s finds %q in %q", r.ID, text[f.Start:f.End], text)
			}
		}
	}
}

// TestLiterals: every pattern compiles, IDs are distinct, groups exist, and
// keywords are in lower case.
func TestLiterals(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range Rules() {
		if seen[r.ID] || r.ID == "" {
			t.Errorf("rule %q twice or without a name", r.ID)
		}
		seen[r.ID] = true
		if re := regexp.MustCompile(r.pattern); r.group > re.NumSubexp() {
			t.Errorf("%s: the pattern has no group %d", r.ID, r.group)
		}
		regexp.MustCompile(r.path)
		if r.pattern == "" != (len(r.keywords) == 0) {
			t.Errorf("%s: a pattern needs keywords: %q", r.ID, r.keywords)
		}
		for _, k := range r.keywords {
			if k != strings.ToLower(k) || k == "" {
				t.Errorf("%s: keyword %q", r.ID, k)
			}
		}
		for _, a := range r.allowed {
			regexp.MustCompile(a.pattern)
			regexp.MustCompile(a.path)
		}
	}
	if len(gitleaksRules) != 222 {
		t.Errorf("%d rules of gitleaks, want 222", len(gitleaksRules))
	}
}

// TestKeywordsDecide: all rules but a few, named here, are looked at only
// where a keyword stands; the few have another sign or need the whole text.
func TestKeywordsDecide(t *testing.T) {
	want := []string{
		"airtable-personnal-access-token by a sign", "facebook-access-token by a sign", "sidekiq-sensitive-url by a sign",
		"slack-config-access-token", "slack-webhook-url", "sourcegraph-access-token",
	}
	var got []string
	for _, l := range all().live {
		if l.pattern == "" || !l.shaped().loose {
			continue
		}
		if len(l.shaped().splits) > 0 {
			got = append(got, l.ID+" by a sign")
		} else {
			got = append(got, l.ID)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// made counts the patterns that have been compiled.
func (s *rules) made() int {
	n := 0
	count := func(l *lazy) {
		if l.re != nil {
			n++
		}
	}
	for _, l := range s.live {
		count(&l.pat)
		count(&l.inner)
		count(&l.where)
		for i := range l.allow {
			count(&l.allow[i].pat)
			count(&l.allow[i].where)
		}
	}
	for i := range s.general {
		count(&s.general[i].pat)
		count(&s.general[i].where)
	}
	return n
}

// TestNothingCompiles: a text without candidates compiles no pattern, one
// candidate compiles those that it takes.
func TestNothingCompiles(t *testing.T) {
	set := newRules()
	run := func(text string) []found {
		s := &scan{rules: set, walker: walker{text: text}}
		return s.run()
	}
	for _, text := range []string{
		"", "Hello, world.", "They asked for the key to the house; no token, no password, no secret was given. curl it.",
		`{"id": 17, "auth": null, "token": "", "api_key": "?", "url": "https://example.com/a?b=c"}`,
		strings.Repeat("access token key secret password -----BEGIN https:// ey sk s. ", 100),
	} {
		if run(text); set.made() != 0 {
			t.Fatalf("%d patterns were compiled for %s", set.made(), brief(text))
		}
	}
	if len(run("ghp_aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5")) != 2 {
		t.Error("a token is not found")
	}
	if n := set.made(); n < 2 || n > 6 {
		t.Errorf("one token compiles %d patterns", n)
	}
}

func TestOptions(t *testing.T) {
	text := "a=1 ghp_aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5"
	for _, test := range []struct {
		name string
		text string
		opts *Options
		want string
	}{
		{"all", text, nil, "GITHUB_TOKEN[4:44] github-pat[4:44]"},
		{"one kind", text, &Options{Kinds: []string{"GITHUB_TOKEN"}}, "GITHUB_TOKEN[4:44]"},
		{"no kinds", text, &Options{Kinds: []string{}}, ""},
		{"unknown kind", text, &Options{Kinds: []string{"nothing"}}, ""},
		{"path that is allowed for all", text, &Options{Path: "web/node_modules/x/y.js"}, ""},
		{"path that is allowed for one", text, &Options{Path: "x/@octokit/auth-token/README.md"}, "GITHUB_TOKEN[4:44]"},
		{"path alone", "", &Options{Path: "keys/site.p12"}, "pkcs12-file[0:0]"},
		{"path of a rule", `"secret_key" => "sk_aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW"`, &Options{Path: "a.php"}, "freemius-secret-key[17:49]"},
		{"path of another", `"secret_key" => "sk_aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW"`, &Options{Path: "a.txt"}, "generic-api-key[17:49]"},
		{"specific before generic", `github_token = "ghp_aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5"`, nil, "GITHUB_TOKEN[16:56] github-pat[16:56]"},
		{"long s", "api_ſecret = \"7f3kQ9zL2mX8vB4nT6yR1cW5\"", nil, "generic-api-key[15:39]"},
		{"behind a letter of three bytes", "\u212a ghp_aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5", nil, "GITHUB_TOKEN[4:44] github-pat[4:44]"},
	} {
		if got := kindsOf(Find(test.text, test.opts)); got != test.want {
			t.Errorf("%s: got %s, want %s", test.name, got, test.want)
		}
	}
}

func TestFindContext(t *testing.T) {
	text := strings.Repeat("token = \"7f3kQ9zL2mX8vB4nT6yR1cW5\"; ", 1000)
	if found, err := FindContext(t.Context(), text, nil); err != nil || len(found) != 1000 {
		t.Errorf("%d findings, %v", len(found), err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if found, err := FindContext(ctx, text, nil); !errors.Is(err, context.Canceled) || found != nil {
		t.Errorf("%d findings, %v", len(found), err)
	}
}

func kindsOf(findings []detect.Span) string {
	var out []string
	for _, f := range findings {
		out = append(out, fmt.Sprintf("%s[%d:%d]", f.Kind, f.Start, f.End))
	}
	return strings.Join(out, " ")
}

// TestPublicNames: the four texts of the public language's own example about
// secrets are found under their public names, its near misses are not.
func TestPublicNames(t *testing.T) {
	for _, name := range []string{"GITHUB_TOKEN", "AWS_ACCESS_KEY", "AZURE_STORAGE_KEY", "SLACK_TOKEN"} {
		i := slices.IndexFunc(ownRules, func(r Rule) bool { return r.ID == name })
		for _, text := range ownRules[i].Match {
			if got := kindsOf(Find(text, nil)); !strings.Contains(got, name) {
				t.Errorf("%q: %s", text, got)
			}
		}
	}
}

func TestConcurrent(t *testing.T) {
	var wg sync.WaitGroup
	want := kindsOf(Find(ownRules[5].Match[0], nil))
	for range 8 {
		wg.Go(func() {
			for i := range ownRules {
				for _, text := range ownRules[i].Match {
					Find(text, nil)
				}
			}
			if got := kindsOf(Find(ownRules[5].Match[0], nil)); got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		})
	}
	wg.Wait()
}

func TestEntropy(t *testing.T) {
	for text, want := range map[string]float64{"": 0, "aaaa": 0, "abab": 1, "abcd": 2, "éé": 0.5} {
		if got := entropyOf(text); math.Abs(got-want) > 1e-9 {
			t.Errorf("%q has %g bits, want %g", text, got, want)
		}
	}
}

func TestAutomaton(t *testing.T) {
	words := []string{"he", "she", "his", "hers", "s.", "he"}
	a := newAutomaton(words)
	var got []string
	a.each("uSHErs. hi", func(found []int32, end int) {
		for _, n := range found {
			got = append(got, fmt.Sprintf("%s@%d", words[n], end))
		}
	})
	want := []string{"she@4", "he@4", "he@4", "hers@6", "s.@7"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if !a.any("xxHIS") || a.any("hi") {
		t.Error("any is wrong")
	}
}

// TestDifferences: testdata/differences.txt names how the findings of the
// rules of gitleaks differ from those of gitleaks itself, a paragraph each;
// here is a text that shows each of them.
func TestDifferences(t *testing.T) {
	token := "ghp_aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5"
	shown := map[string]bool{
		"allow-comment":      len(Find(token+" // gitleaks:allow", &Options{Kinds: []string{"github-pat"}})) == 1,
		"long-s":             len(Find("api_ſecret = \"7f3kQ9zL2mX8vB4nT6yR1cW5\"", &Options{Kinds: []string{"generic-api-key"}})) == 1,
		"own-before-generic": kindsOf(Find(`api_key = "AKIAIOSFODNN7EXAMPLE"`, nil)) == "AWS_ACCESS_KEY[11:31]",
		"crowded-line":       !strings.Contains(crowded(3), "generic") && strings.Contains(crowded(70), "generic"),
		"no-decoding":        len(Find("Z2hwX2FCM2RFNWZHN2hKOWtMMW1OM3BRNXJTN3RVOXZXMXhZM3pBNQ==", &Options{Kinds: []string{"github-pat"}})) == 0,
	}
	text, err := os.ReadFile("testdata/differences.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, paragraph := range strings.Split(strings.TrimSpace(string(text)), "\n\n") {
		name, reason, _ := strings.Cut(paragraph, ": ")
		if strings.HasPrefix(name, "#") {
			continue
		}
		if ok, known := shown[name]; !ok || !known || len(reason) < 40 {
			t.Errorf("difference %q: known %t, shown %t, reason %q", name, known, ok, reason)
		}
		delete(shown, name)
	}
	for name := range shown {
		t.Errorf("difference %q is not written down", name)
	}
}

// crowded returns what is found on a line with a token at one end, what is a
// part of it at the other, and n tokens between.
func crowded(n int) string {
	var b strings.Builder
	for i := range n + 1 {
		a := uint64(i+1) * 0x9e3779b97f4a7c15
		fmt.Fprintf(&b, "glptt-%016x%016x%08x ", a, a*0xd1342543de82ef95, uint32(a>>7))
	}
	first, _, _ := strings.Cut(b.String(), " ")
	return kindsOf(Find(b.String()+`key = "`+strings.TrimPrefix(first, "glptt-")[:38]+`"`, &Options{Kinds: []string{"gitlab-ptt", "generic-api-key"}}))
}
