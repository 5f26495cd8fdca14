// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package starter

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"

	"github.com/holdfast-dev/holdfast/policies"
)

// A named list is one that the policy has.
type namedList struct {
	name, about string
	items       []item
}

// named returns the lists that are not empty, in the order of the policy.
func (l *lists) named() []namedList {
	all := []namedList{
		{"SOURCES", "Tools that answer with texts that others wrote: what stands in these may be meant for the agent.", l.sources},
		{"SINKS", "Tools that hand what they are given to others.", l.sinks},
		{"DESTRUCTIVE", "Tools that take something away, or write over it.", l.destructive},
		{"APPROVAL", "Tools that bind the user: money, access, programs, the world outside.", l.approval},
		{"UNJUDGED", "Tools of which names and schemas do not say what they do. Move them to where they belong.", l.unjudged},
		{"OTHERS", "Tools that may be called at any time.", l.harmless},
	}
	return slices.DeleteFunc(all, func(n namedList) bool { return len(n.items) == 0 })
}

// policy writes the policy, not yet in its canonical form.
func (l *lists) policy() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, `# A first policy for %s, made of their names and schemas by "holdfast new".
# Names say little. Read the lists, what is marked "unsure" first, and move what stands in the
# wrong one; then "holdfast test --update" brings the cases up to date. Read these, too.

`, plural(len(l.all), "tool"))
	for _, n := range l.named() {
		fmt.Fprintf(&b, "# %s\n%s := [\n", n.about, n.name)
		for _, it := range n.items {
			if it.unsure != "" {
				fmt.Fprintf(&b, "    # unsure: %s\n", it.unsure)
			}
			fmt.Fprintf(&b, "    %s,\n", quote(it.tool.Name))
		}
		b.WriteString("]\n\n")
	}
	l.library(&b)
	if l.flows() {
		b.WriteString(`# id: starter/handed-on
# title: Texts of others are handed on
# severity: high
# tags: exfiltration, injection
ask f"{call.name} may hand on what {out.tool.name} answered, or do what that asks for" if:
    (out: ToolOutput) -> (call: ToolCall)
    out.tool.name in SOURCES
    call.name in SINKS

`)
	}
	l.rule(&b, l.destructive, "destructive", "Something is taken away", "high", "destructive", "{call.name} takes something away", "DESTRUCTIVE")
	l.rule(&b, l.approval, "approval", "The user is bound", "high", "approval", "{call.name} binds the user", "APPROVAL")
	l.rule(&b, l.unjudged, "unjudged", "A tool that nobody has judged", "medium", "approval", "nobody has said what {call.name} does", "UNJUDGED")
	b.WriteString(`# id: starter/unlisted
# title: A tool that is in no list
# severity: medium
# tags: mcp
ask f"{call.name} is in no list of this policy" if:
    (call: ToolCall)
`)
	for _, n := range l.named() {
		fmt.Fprintf(&b, "    not call.name in %s\n", n.name)
	}
	return b.Bytes()
}

// rule writes a rule about all calls of a list, if it is not empty.
func (l *lists) rule(b *bytes.Buffer, items []item, id, title, severity, tags, message, list string) {
	if len(items) == 0 {
		return
	}
	fmt.Fprintf(b, `# id: starter/%s
# title: %s
# severity: %s
# tags: %s
ask f"%s" if:
    (call: ToolCall)
    call.name in %s

`, id, title, severity, tags, message, list)
}

// library writes the imports of the library that fit: as far as this build has
// it.
func (l *lists) library(b *bytes.Buffer) {
	there := func(name string) bool { _, ok := policies.Find(name); return ok }
	if there("mcp") {
		b.WriteString("# Descriptions of tools that give orders, hide text, or change.\nimport \"holdfast.policies.mcp\"\n\n")
	}
	if there("secrets") && len(l.sinks) > 0 {
		b.WriteString("# Credentials stay.\nimport secrets(sinks=SINKS)\n\n")
	}
	if !there("exfiltration") {
		return
	}
	b.WriteString(`# Images and, where the tools below show a text to others, links carry data to the hosts that they
# lead to. Name your own hosts.
import exfiltration(
    domains=[],
    tools=[
`)
	for _, it := range l.chats() {
		fmt.Fprintf(b, "        %s,\n", quote(it.tool.Name))
	}
	b.WriteString("    ]\n)\n\n")
}

// chats are the sinks that show a text to others as a chat does.
func (l *lists) chats() []item {
	var out []item
	for _, it := range l.sinks {
		if has(stems(it.tool.Name), set("message channel chat dm slack discord teams tweet")) && has(stems(it.tool.Name), set("message send post reply")) {
			out = append(out, it)
		}
	}
	return out
}

// quote writes a text as the language does.
func quote(s string) string { return strconv.Quote(s) }

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
