// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package policies_test

import (
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/holdfast-dev/holdfast"
	"github.com/holdfast-dev/holdfast/detect/local"
	"github.com/holdfast-dev/holdfast/internal/layout"
	"github.com/holdfast-dev/holdfast/internal/source"
	"github.com/holdfast-dev/holdfast/policies"
	"github.com/holdfast-dev/holdfast/trace"
)

var update = flag.Bool("update", false, "write the tables of the pages from the runs")

// recorded is where the recorded runs are, if they are there at all.
const recorded = "../../shared/data"

// setups are parameters that somebody would give who has these agents, for
// policies that are nothing without: the domains of the house, and what its
// own pages are called.
var setups = map[string]map[string]any{
	"exfiltration": {"passed_on": true},
	"mail":         {"domains": []any{"bluesparrowtech.com"}},
	"payments":     {"limit": 2500.0, "free": 1000.0, "most": 10},
}

// A suite is a set of runs in which nobody attacks and the task was done.
type suite struct {
	name string
	runs []*trace.Trace
}

// TestHindered holds each page to the share of benign runs that its policy
// hinders:
//
//	go test ./policies -run Hindered -update
func TestHindered(t *testing.T) {
	if _, err := os.Stat(recorded); err != nil {
		t.Skipf("the recorded runs are not there: %v", err)
	}
	if testing.Short() {
		t.Skip("it checks 1,011 runs with each policy")
	}
	suites := benign(t)
	for _, name := range policies.Names() {
		t.Run(name, func(t *testing.T) {
			table := hindered(t, name, suites)
			path := filepath.Join(name, "README.md")
			page, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			const begin, end = "<!-- begin: measured -->\n", "<!-- end: measured -->\n"
			head, rest, ok := strings.Cut(string(page), begin)
			old, tail, ok2 := strings.Cut(rest, end)
			switch {
			case !ok || !ok2:
				t.Fatal("its page has no place for the table")
			case *update:
				if err := os.WriteFile(path, []byte(head+begin+table+end+tail), 0o644); err != nil {
					t.Fatal(err)
				}
			case old != table:
				t.Errorf("got\n%s\nbut its page has\n%s", table, old)
			}
		})
	}
}

// hindered is the table of one policy.
func hindered(t *testing.T, name string, suites []suite) string {
	t.Helper()
	setup := setups[name]
	var b strings.Builder
	b.WriteString("| benign runs | n | stopped | share | asked |")
	rule := "|---|--:|--:|--:|--:|"
	if setup != nil {
		b.WriteString(" set up: stopped | share | asked |")
		rule += "--:|--:|--:|"
	}
	b.WriteString("\n" + rule + "\n")
	for _, s := range suites {
		fmt.Fprintf(&b, "| %s | %d | %s |", s.name, len(s.runs), s.count(t, name, nil))
		if setup != nil {
			fmt.Fprintf(&b, " %s |", s.count(t, name, setup))
		}
		b.WriteString("\n")
	}
	return b.String()
}

// count checks the runs of a suite.
func (s *suite) count(t *testing.T, name string, input map[string]any) string {
	t.Helper()
	src, err := policies.Read(name + "/" + name + ".gr")
	if err != nil {
		t.Fatal(err)
	}
	p, err := holdfast.Compile(name+".gr", src, &holdfast.Options{Detectors: local.Detectors(), Input: input})
	if err != nil {
		t.Fatal(err)
	}
	stopped, asked := 0, 0
	for _, run := range s.runs {
		v, err := p.Analyze(t.Context(), run, &holdfast.MonitorOptions{Input: input})
		if err != nil {
			t.Fatal(err)
		}
		switch v.Decision() {
		case holdfast.Deny, holdfast.Unknown:
			stopped++
			if testing.Verbose() {
				for _, x := range v.Violations() {
					t.Logf("%s: %s %v", s.name, x.Rule.ID, x.Kwargs)
				}
				for _, u := range v.Unknowns() {
					t.Logf("%s: unknown %s %v", s.name, u.Rule.ID, u.Reason)
				}
			}
		case holdfast.Ask:
			asked++
		case holdfast.Allow:
		}
	}
	return fmt.Sprintf("%d | %.3f | %d", stopped, float64(stopped)/float64(max(len(s.runs), 1)), asked)
}

// benign reads the runs: of AgentDojo those of user tasks without an attack
// that were done, by suite; of tau-bench all.
func benign(t *testing.T) []suite {
	t.Helper()
	bySuite := map[string][]*trace.Trace{}
	plain := &source.Options{}
	read(t, filepath.Join(recorded, "agentdojo"), plain, func(r source.Record) {
		var l struct {
			Suite     string          `json:"suite_name"`
			User      string          `json:"user_task_id"`
			Injection string          `json:"injection_task_id"`
			Attack    string          `json:"attack_type"`
			Error     json.RawMessage `json:"error"`
			Utility   bool            `json:"utility"`
		}
		if err := json.Unmarshal([]byte(r.Text), &l); err != nil {
			t.Fatalf("%s:%d: %v", r.Path, r.Line, err)
		}
		failed := len(l.Error) > 0 && string(l.Error) != "null"
		attacked := l.Injection != "" && l.Attack != ""
		if failed || attacked || !l.Utility || !strings.HasPrefix(l.User, "user_task") {
			return
		}
		bySuite["AgentDojo, "+l.Suite] = append(bySuite["AgentDojo, "+l.Suite], decode(t, plain, r))
	})
	mapping, err := layout.Read("tau-bench.json", []byte(`{"messages": "/traj"}`))
	if err != nil {
		t.Fatal(err)
	}
	mapped := &source.Options{Mapping: mapping}
	read(t, filepath.Join(recorded, "tau-bench", "gpt-4o-airline.json.xz"), mapped, func(r source.Record) {
		bySuite["tau-bench, airline"] = append(bySuite["tau-bench, airline"], decode(t, mapped, r))
	})
	var out []suite
	for name, runs := range bySuite {
		out = append(out, suite{name, runs})
	}
	slices.SortFunc(out, func(a, b suite) int { return cmp.Compare(a.name, b.name) })
	return out
}

func read(t *testing.T, path string, opts *source.Options, each func(source.Record)) {
	t.Helper()
	if _, err := os.Stat(path); err != nil {
		t.Skipf("the recorded runs are not there: %v", err)
	}
	for r := range source.Records(t.Context(), []string{path}, opts) {
		each(r)
	}
}

func decode(t *testing.T, opts *source.Options, r source.Record) *trace.Trace {
	t.Helper()
	tr, err := opts.Decode(r)
	if err != nil {
		t.Fatalf("%s:%d: %v", r.Path, r.Line, err)
	}
	return tr
}
