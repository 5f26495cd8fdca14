// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package explain

import (
	"fmt"
	"strings"

	"github.com/holdfast-dev/holdfast"
)

// String is the report as explain prints it.
func (r *Report) String() string {
	var b strings.Builder
	for _, s := range r.Rules {
		s.write(&b)
	}
	for _, x := range r.Blocked {
		x.write(&b)
	}
	if r.More > 0 {
		fmt.Fprintf(&b, "\nand %d more that do not pass\n", r.More)
	}
	return b.String()
}

func (s *Standing) write(b *strings.Builder) {
	fmt.Fprintf(b, "\n%s:%d: %s: ", s.Rule.Policy, s.Rule.Line, s.Rule.ID)
	switch s.State {
	case "violated":
		least := ""
		if s.AtLeast {
			least = "at least "
		}
		fmt.Fprintf(b, "violated %s%s\n", least, times(s.Count))
		for _, m := range s.Matches {
			m.write(b)
		}
		if n := s.Count - uint64(len(s.Matches)); n > 0 {
			fmt.Fprintf(b, "  and %d more\n", n)
		}
		return
	case "unknown":
		b.WriteString("not decided\n")
	default:
		s.Near.write(b)
	}
	for _, c := range s.Causes {
		fmt.Fprintf(b, "  line %d: %s (%s)", c.Line, c.Detail, c.Reason)
		if c.Address != "" {
			fmt.Fprintf(b, ", at %s", c.Address)
		}
		if c.Count > 1 {
			fmt.Fprintf(b, ", %s", times(uint64(c.Count)))
		}
		b.WriteString("\n")
		writeElements(b, c.Elements)
	}
}

func times(n uint64) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

func (m *Match) write(b *strings.Builder) {
	fmt.Fprintf(b, "  %s\n", m.Message)
	writeElements(b, m.Elements)
	if len(m.Ranges) > 0 {
		shown := m.Ranges[:min(len(m.Ranges), 8)]
		more := ""
		if n := len(m.Ranges) - len(shown); n > 0 {
			more = fmt.Sprintf(" and %d more", n)
		}
		fmt.Fprintf(b, "    evidence: %s%s\n", strings.Join(shown, " "), more)
	}
}

func writeElements(b *strings.Builder, elements []Element) {
	for _, e := range elements {
		at := ""
		if e.At != "" {
			at = " at " + e.At
		}
		fmt.Fprintf(b, "    %s%s: %s\n", e.Name, at, e.Text)
	}
}

func (n *Near) write(b *strings.Builder) {
	if n.None != "" {
		fmt.Fprintf(b, "not violated: %s\n", n.None)
		return
	}
	fmt.Fprintf(b, "not violated: at most %d of %d conditions hold", n.Held, n.Of)
	if n.More {
		fmt.Fprintf(b, " under the first %d assignments", n.Looked)
	}
	b.WriteString("\n")
	writeElements(b, n.Elements)
	if n.Failed != "" {
		fmt.Fprintf(b, "    does not hold: %s (line %d)\n", n.Failed, n.Line)
	}
	for _, v := range n.Values {
		fmt.Fprintf(b, "      %s is %s\n", v.Name, v.Value)
	}
}

// decisionWords are what becomes of an event.
var decisionWords = map[holdfast.Decision]string{
	holdfast.Deny: "denied", holdfast.Unknown: "blocked, since it cannot be decided,", holdfast.Ask: "held until a person approves,",
}

func (x *Blocked) write(b *strings.Builder) {
	fmt.Fprintf(b, "\n%s: %s: %s by %s\n", x.At, strings.Join(x.Calls, ", "), decisionWords[x.Decision], strings.Join(x.Rules, ", "))
	switch {
	case x.Edits != nil:
		b.WriteString("  it passes with\n")
		for _, e := range x.Edits {
			switch {
			case e.Old == e.New || e.New == hiddenText:
				fmt.Fprintf(b, "    %s: another value than %s; --reveal shows which\n", e.Path, e.Old)
			case e.Old == "":
				fmt.Fprintf(b, "    %s: %s put in\n", e.Path, e.New)
			case e.New == "":
				fmt.Fprintf(b, "    %s: %s left out\n", e.Path, e.Old)
			default:
				fmt.Fprintf(b, "    %s: %s instead of %s\n", e.Path, e.New, e.Old)
			}
		}
	case x.Certain != "" && len(x.Past) > 0:
		fmt.Fprintf(b, "  no arguments let it pass: %s does not look at them, and this has happened\n", x.Certain)
		writeElements(b, x.Past)
	case x.Certain != "":
		fmt.Fprintf(b, "  no arguments let it pass: %s does not look at them\n", x.Certain)
	default:
		fmt.Fprintf(b, "  none of %d changes of its arguments lets it pass\n", x.Tried)
		if len(x.Past) > 0 {
			b.WriteString("  it stands against what has happened\n")
			writeElements(b, x.Past)
		}
	}
}

// String is what eval prints.
func (v *Values) String() string {
	var b strings.Builder
	for _, r := range v.Results {
		for _, e := range r.Elements {
			at := e.At
			if at == "" {
				at = e.Text
			}
			fmt.Fprintf(&b, "%s = %s\n", e.Name, at)
		}
		indent := ""
		if len(r.Elements) > 0 {
			indent = "  "
		}
		if len(r.Causes) == 0 {
			fmt.Fprintf(&b, "%s%s\n", indent, r.Value)
		}
		for _, c := range r.Causes {
			fmt.Fprintf(&b, "%sunknown: %s (%s)", indent, c.Detail, c.Reason)
			if c.Address != "" {
				fmt.Fprintf(&b, ", at %s", c.Address)
			}
			b.WriteString("\n")
		}
		if len(r.Ranges) > 0 {
			fmt.Fprintf(&b, "%sevidence: %s\n", indent, strings.Join(r.Ranges, " "))
		}
	}
	if v.None != "" {
		fmt.Fprintf(&b, "no result: %s\n", v.None)
	}
	if v.More {
		b.WriteString("there are more, which are not shown\n")
	}
	return b.String()
}
