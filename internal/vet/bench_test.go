// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package vet_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/holdfast-dev/holdfast/internal/vet"
)

// hundred is a policy of 100 rules of the kinds that policies have, most of
// them about the same few tools.
func hundred() string {
	tools := []string{"send_mail", "fetch", "pay", "run_shell", "open_file", "post", "delete_file", "search"}
	var b strings.Builder
	b.WriteString("from invariant.detectors import pii\n")
	for i := range 100 {
		tool := tools[i%len(tools)]
		if i%3 == 0 {
			tool += fmt.Sprint(i)
		}
		fmt.Fprintf(&b, "raise \"r%d\" if:\n", i)
		switch i % 5 {
		case 0:
			fmt.Fprintf(&b, "    (call: ToolCall)\n    call is tool:%s\n    call.arguments.amount > %d\n    not match(r\"[a-z]+@corp%d\\.example$\", call.arguments.to)\n", tool, 7*i, i)
		case 1:
			fmt.Fprintf(&b, "    (out: ToolOutput) -> (call: ToolCall)\n    out is tool:fetch\n    call is tool:%s({to: \"^(?!.*@corp%d\\.example$).*\"})\n", tool, i)
		case 2:
			fmt.Fprintf(&b, "    (call: ToolCall)\n    call is tool:%s\n    any(find(r\"(?i)\\b(?:rm|dd|mkfs%d)\\s+-[rf]+\", call.arguments.command))\n    not exists:\n        (ok: ToolCall) -> call\n        ok is tool:approve\n", tool, i)
		case 3:
			fmt.Fprintf(&b, "    (m: AgentMessage)\n    any(pii(m)) or \"secret %d.\" in m.content\n", i)
		case 4:
			fmt.Fprintf(&b, "    (call: ToolCall)\n    call.name in [\"%s\", \"b%d\"]\n    call.arguments.get(\"path\", \"\").startswith(\"/etc/%d/\")\n", tool, i, i)
		}
	}
	return b.String()
}

func BenchmarkVet(b *testing.B) {
	_, prog := compile(b, hundred())
	b.ReportAllocs()
	for b.Loop() {
		vet.Vet(prog, nil)
	}
}
