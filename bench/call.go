// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

// Package bench measures Holdfast beside other policy engines, all in one
// run, so that the ratios hold whatever the machine. It is a module of its
// own: what it requires must not reach those who embed Holdfast.
//
// Two questions are asked. The first is about one call and nothing else, which
// every engine can answer: may this mail be sent? The second is about order:
// was a page fetched before this mail? Holdfast and OPA answer it, OPA from
// the whole trace each time.
//
// Every engine is prepared as its own documentation recommends, and is given
// its input in its own form; reading that form from JSON is never timed. The
// tests of the package show, before anything is timed, that all engines give
// the same answers.
package bench

import (
	"fmt"
	"strings"
)

// A Call is a tool call as the first question sees it.
type Call struct {
	Name, To, Body string
}

// Denied is the answer to the first question, in Go.
func (c Call) Denied() bool {
	return c.Name == "send_email" && !strings.HasSuffix(c.To, "@corp.com") && len(c.Body) > 10
}

// Calls returns n calls, each different: a quarter of them is denied, the
// others each miss one condition.
func Calls(n int) []Call {
	calls := make([]Call, n)
	for i := range calls {
		c := Call{Name: "send_email", To: fmt.Sprintf("user%d@example.org", i), Body: fmt.Sprintf("the report of week %d is attached", i)}
		switch i % 4 {
		case 1:
			c.Name = "read_file"
		case 2:
			c.To = fmt.Sprintf("user%d@corp.com", i)
		case 3:
			c.Body = fmt.Sprintf("ok %d", i%1000)
		}
		calls[i] = c
	}
	return calls
}
