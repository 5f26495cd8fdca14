// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package local_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/holdfast-dev/holdfast"
	"github.com/holdfast-dev/holdfast/detect/local"
)

// TestCanary walks what a verdict says: a secret and a personal datum are in
// no byte of it.
func TestCanary(t *testing.T) {
	const policy = `
from holdfast.detectors import pii, secrets
raise "a secret leaves" if:
    (m: Message)
    any(secrets(m))
raise PolicyViolation("kinds", kinds=[secrets(m), pii(m)]) if:
    (m: Message)
    len(secrets(m)) + len(pii(m)) > 0
raise f"found {secrets(m)} and {pii(m)}" if:
    (m: Message)
    any(pii(m))
raise "not told" if:
    (m: Message)
    any(secrets(m, views=["sideways"]))
raise "of no type" if:
    (m: Message)
    any(pii(m.content.a))
`
	canaries := []string{token, token[:12], "eve.adams"}
	v := judged(t, policy, `[{'role': 'user', 'content': 'mail eve.adams@example.org the key `+token+`'}]`, local.Detectors())
	if v.Decision() != holdfast.Deny || len(v.Violations()) != 3 || len(v.Unknowns()) != 2 {
		t.Fatalf("got %v with %d violations and %d unknown", v.Decision(), len(v.Violations()), len(v.Unknowns()))
	}
	for what, said := range spoken(v) {
		for _, canary := range canaries {
			if strings.Contains(said, canary) {
				t.Errorf("%s tells what was found: %s", what, said)
			}
		}
	}
}

// spoken are the parts of a verdict that are made to be shown anywhere.
func spoken(v holdfast.Verdict) map[string]string {
	out := map[string]string{"the reason": v.Reason(), "the verdict in a log": fmt.Sprintf("%v %+v %#v", v, v, v)}
	for i, x := range v.Violations() {
		kwargs, _ := json.Marshal([]any{x.Kwargs, x.Bindings}) // they are JSON values
		out[fmt.Sprint("violation in a log ", i)] = fmt.Sprintf("%v %+v %#v", x, x, x)
		out[fmt.Sprint("violation ", i)] = x.Message + strings.Join(x.Args, " ") + string(kwargs) + strings.Join(x.Ranges, " ")
	}
	for i, x := range v.Unknowns() {
		out[fmt.Sprint("unknown in a log ", i)] = fmt.Sprintf("%v %+v %#v", x, x, x)
		out[fmt.Sprint("unknown ", i)] = x.Reason + x.Detail + x.Address + x.Span
	}
	return out
}
