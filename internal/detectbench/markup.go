// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package detectbench

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/holdfast-dev/holdfast/detect"
)

// markupLinks counts what is found in what was said, against what a search for
// the two words finds that every address of the web begins with.
func markupLinks(b *bench) (*Table, error) {
	t := &Table{
		Title: "Links in recorded texts",
		Note:  "Addresses are the places of \"http://\" and \"https://\"; found are those that lie in a link. Others: links without these words.",
		Head:  []string{"corpus", "texts", "addresses", "found", "recall", "others", "images", "hidden texts"},
	}
	for _, c := range []corpus{dojoMessages, tauOutputs} {
		texts, err := b.read(c)
		if err != nil {
			return nil, err
		}
		var all, found, others, images, hidden int
		for _, s := range texts {
			links, err := b.ask("links", detect.Request{Text: s.text})
			if err != nil {
				return nil, err
			}
			n, m, rest := matched(s.text, links)
			all, found, others = all+n, found+m, others+rest
			images += b.count("images", "image", s.text)
			hidden += b.count("html_code", "alt_text", s.text)
		}
		t.Rows = append(t.Rows, []string{
			string(c), strconv.Itoa(len(texts)), strconv.Itoa(all), strconv.Itoa(found), share(found, all), strconv.Itoa(others), strconv.Itoa(images), strconv.Itoa(hidden),
		})
	}
	return t, nil
}

// count is how many findings of a kind a detector has, if it is there.
func (b *bench) count(detector, kind, text string) int {
	if b.Detectors[detector] == nil {
		return 0
	}
	found, _ := b.ask(detector, detect.Request{Text: text})
	n := 0
	for _, f := range found {
		n += one(f.Kind == kind)
	}
	return n
}

// matched counts the addresses in a text, those that lie in a link, and the
// links that hold none.
func matched(text string, links []detect.Finding) (all, found, others int) {
	others = len(links)
	counted := map[int]bool{}
	for _, scheme := range []string{"http://", "https://"} {
		points, at := 0, 0
		for {
			i := strings.Index(text[at:], scheme)
			if i < 0 {
				break
			}
			points += utf8.RuneCountInString(text[at : at+i])
			at += i
			all++
			for j, l := range links {
				if l.Start <= points && points < l.End {
					found++
					if !counted[j] {
						counted[j] = true
						others--
					}
					break
				}
			}
			points += len(scheme)
			at += len(scheme)
		}
	}
	return all, found, others
}

const moderationFile = "detect/scorer/testdata/sentences.tsv"

// moderationLines are the sentences of our own for the local scorer, with the
// set that each belongs to and, behind a tab, its category.
func (b *bench) moderationLines() (map[string]string, error) {
	lines, err := b.labels(moderationFile, func(f []string) (string, string) {
		if len(f) < 3 {
			return "", ""
		}
		return f[2], f[0] + "\t" + f[1]
	})
	if err != nil || lines == nil {
		return nil, missing(moderationFile, err)
	}
	return lines, nil
}

// moderatedSentences judges sentences of our own by the local scorer.
func moderatedSentences(b *bench) (*Table, error) {
	type set struct {
		tallies
		any tally
	}
	sets := map[string]*set{"words": {}, "test": {}}
	lines, err := b.moderationLines()
	if err != nil {
		return nil, err
	}
	for text, label := range lines {
		name, category, _ := strings.Cut(label, "\t")
		found, err := b.ask("moderated", detect.Request{Text: text})
		if err != nil {
			return nil, err
		}
		of := sets[name]
		of.any.count(category != "", len(found) > 0)
		for _, kind := range moderationCategories {
			// A category that another sentence also has is no false alarm.
			if category == "" || category == kind {
				of.of(kind).count(category != "", has(found, kind, 0, utf8.RuneCountInString(text)))
			}
		}
	}
	t := &Table{
		Title: fmt.Sprintf("The local scorer on %d sentences of our own", len(lines)),
		Note: "The words were chosen with the first set in view; the second was written afterwards and changed nothing: what it shows is what to expect. " +
			"Negatives are sentences of everyday life and work with words that may mean harm.",
		Head: []string{"set", "category", "positives", "found", "recall", "negatives", "false alarms"},
	}
	for _, name := range []string{"words", "test"} {
		of := sets[name]
		t.Rows = append(t.Rows, append([]string{name}, of.any.row("any")...))
		for _, kind := range moderationCategories {
			t.Rows = append(t.Rows, append([]string{name}, of.of(kind).row("`"+kind+"`")...))
		}
	}
	return t, nil
}

var moderationCategories = []string{"harassment", "harassment/threatening", "hate", "illicit", "self-harm", "sexual", "violence"}

// moderatedClean counts findings in what tools put out when nobody attacks.
func moderatedClean(b *bench) (*Table, error) {
	t := &Table{
		Title: "The local scorer on clean tool outputs and messages",
		Note:  "Nothing in them is what a moderator takes out. One alarm in the messages was seen and mended.",
		Head:  []string{"corpus", "texts", "flagged", "share", "as"},
	}
	for _, c := range []corpus{dojoOutputs, tauOutputs, dojoMessages} {
		texts, err := b.read(c)
		if err != nil {
			return nil, err
		}
		flagged, kinds := 0, tallies{}
		for _, s := range texts {
			found, err := b.ask("moderated", detect.Request{Text: s.text})
			if err != nil {
				return nil, err
			}
			flagged += one(len(found) > 0)
			for _, f := range found {
				kinds.of(f.Kind).alarms++
			}
		}
		var as []string
		for _, kind := range moderationCategories {
			if n := kinds.of(kind).alarms; n > 0 {
				as = append(as, fmt.Sprintf("`%s` %d", kind, n))
			}
		}
		t.Rows = append(t.Rows, []string{string(c), strconv.Itoa(len(texts)), strconv.Itoa(flagged), share(flagged, len(texts)), strings.Join(as, ", ")})
	}
	return t, nil
}

const topicFile = "detect/scorer/testdata/topics.tsv"

// topicTexts asks the local scorer of texts of our own about all of the topics.
func topicTexts(b *bench) (*Table, error) {
	texts, err := b.labels(topicFile, func(f []string) (string, string) {
		if len(f) < 2 {
			return f[0], "" // without its leading tab, a text about none of them
		}
		return f[1], f[0]
	})
	if err != nil || texts == nil {
		return nil, missing(topicFile, err)
	}
	var topics []string
	for _, topic := range texts {
		if topic != "" && !slices.Contains(topics, topic) {
			topics = append(topics, topic)
		}
	}
	slices.Sort(topics)
	params, err := json.Marshal(map[string][]string{"topics": topics})
	if err != nil {
		return nil, err
	}
	var right, about, wrong, pairs int
	for text, topic := range texts {
		found, err := b.ask("topic", detect.Request{Text: text, Params: string(params)})
		if err != nil {
			return nil, err
		}
		about += one(topic != "")
		for _, name := range topics {
			said := slices.ContainsFunc(found, func(f detect.Finding) bool { return f.Kind == name })
			right += one(said && name == topic)
			wrong += one(said && name != topic)
			pairs += one(name != topic)
		}
	}
	return &Table{
		Title: fmt.Sprintf("The local scorer's topics on %d texts of our own", len(texts)),
		Note:  fmt.Sprintf("Each text is asked about %d topics; it is about one of them or none. The texts were written after the words and changed nothing.", len(topics)),
		Head:  []string{"about a topic", "found", "recall", "asked about others", "false"},
		Rows:  [][]string{{strconv.Itoa(about), strconv.Itoa(right), share(right, about), strconv.Itoa(pairs), strconv.Itoa(wrong)}},
	}, nil
}

// missing is the error of a file of the repository that is not here.
func missing(name string, err error) error {
	if err != nil {
		return err
	}
	return fmt.Errorf("there is no %s: %w", name, fs.ErrNotExist)
}
