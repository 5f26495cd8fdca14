// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package report

import (
	"fmt"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/holdfast-dev/holdfast"
)

// An alert is one thing to say about a trace to tools that show it beside the
// file: a violation, or what could not be decided. Its texts are as they come
// from the policy and the trace.
type alert struct {
	level    level
	verb     string // "deny", "ask", "warn" or "unknown"
	rule     *holdfast.Rule
	message  string
	policy   string // where to look in the policy
	line     int
	at       string // the address of the last element of the match, "" if there is none
	bindings map[string]holdfast.Binding
	more     uint64 // violations that this one stands for beside itself

	traceLine, traceColumn int // of at in the trace's file; 0 if it is not known
}

// alertsOf lists what is to be said of a trace that was checked, with the
// places in its file.
func (o *Options) alertsOf(res Result) []alert {
	alerts := violationAlerts(res.Verdict)
	alerts = append(alerts, unknownAlerts(res.Verdict)...)
	o.placeAlerts(res, alerts)
	return alerts
}

// violationAlerts makes one of each violation that the verdict lists; the last
// of a rule stands for those beyond.
func violationAlerts(v holdfast.Verdict) []alert {
	var out []alert
	listed := map[int]uint64{}
	last := map[int]int{}
	for _, x := range v.Violations() {
		listed[x.Rule.Index]++
		last[x.Rule.Index] = len(out)
		out = append(out, alert{
			level: levelOf(x.Rule.Action), verb: x.Rule.Action, rule: x.Rule, message: x.Message,
			policy: x.Rule.Policy, line: x.Rule.Line, at: lastAddress(x.Bindings), bindings: x.Bindings,
		})
	}
	for _, c := range v.Counts() {
		if i, ok := last[c.Rule.Index]; ok && c.N > listed[c.Rule.Index] {
			out[i].more = c.N - listed[c.Rule.Index]
		}
	}
	return out
}

func unknownAlerts(v holdfast.Verdict) []alert {
	var out []alert
	passed := passes(v)
	for _, u := range v.Unknowns() {
		level, ok := passed[u.Rule.Index]
		if !ok {
			level = levelOf(u.Rule.Action)
		}
		at := u.Address
		if at == "" {
			at = lastAddress(u.Bindings)
		}
		out = append(out, alert{
			level: level, verb: "unknown", rule: u.Rule, message: fmt.Sprintf("not decided: %s (%s)", u.Detail, u.Reason),
			policy: u.Policy, line: u.Line, at: at, bindings: u.Bindings,
		})
	}
	return out
}

// lastAddress returns the address of the bound element that stands last in the
// trace, "" if none stands in it.
func lastAddress(bindings map[string]holdfast.Binding) string {
	last := ""
	for _, b := range bindings {
		if b.At != "" && (last == "" || compareAddresses(b.At, last) > 0) {
			last = b.At
		}
	}
	return last
}

// placeAlerts finds the alerts' places in the file, all in one go: it takes
// reading the record once more.
func (o *Options) placeAlerts(res Result, alerts []alert) {
	if len(alerts) == 0 || res.Record.Line == 0 || res.Path == stdin {
		return
	}
	addresses := make([]string, len(alerts))
	for i, a := range alerts {
		addresses[i] = a.at
	}
	for i, p := range res.Record.Positions(o.Decode, addresses...) {
		alerts[i].traceLine, alerts[i].traceColumn = p[0], p[1]
	}
}

// sentence says in one safe line what the alert is about.
func (a *alert) sentence() string {
	text := shortenTo(a.message, maxMessage)
	if a.more > 0 {
		text += fmt.Sprintf(" (and %s)", plural(a.more, "more violation"))
	}
	return text
}

// source says which rule it is and where, in one safe line.
func (a *alert) source() string {
	return EscapeLine(fmt.Sprintf("rule %s, %s:%d", a.rule.ID, a.policy, a.line))
}

// maxMessage is how many characters of a message are shown beside a file.
const maxMessage = 1000

// stdin is the path of standard input. It has no place that a tool could show,
// so alerts about it are shown at the rule.
const stdin = "-"

// pathOf is the path as tools want it: with slashes, and relative where it
// leads below the working directory.
func (o *Options) pathOf(path string) string {
	if o.Dir != "" && filepath.IsAbs(path) {
		if below, err := filepath.Rel(o.Dir, path); err == nil && filepath.IsLocal(below) {
			path = below
		}
	}
	return filepath.ToSlash(filepath.Clean(path))
}

// uriOf is the path as a reference by RFC 3986, relative where it is below the
// working directory.
func (o *Options) uriOf(path string) string {
	path = o.pathOf(path)
	u := url.URL{Path: path}
	if filepath.IsAbs(filepath.FromSlash(path)) {
		u.Scheme = "file"
		if !strings.HasPrefix(path, "/") {
			u.Path = "/" + path // a drive of Windows
		}
	}
	return u.String()
}
