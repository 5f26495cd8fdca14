// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"fmt"
	"testing"
)

// Before anything is timed: all engines give the same answers.

func TestCallAgreement(t *testing.T) {
	calls := Calls(64)
	denied := 0
	for _, p := range callPeers(t, calls) {
		for i, ask := range p.questions {
			got, err := ask()
			if err != nil {
				t.Fatalf("%s: call %d: %v", p.name, i, err)
			}
			if want := calls[i].Denied(); got != want {
				t.Errorf("%s: call %+v: got denied %t, want %t", p.name, calls[i], got, want)
			}
			if got {
				denied++
			}
		}
	}
	if want := 5 * len(calls) / 4; denied != want {
		t.Errorf("%d calls were denied, want %d: a quarter for each of five", denied, want)
	}
}

func TestFlowAgreement(t *testing.T) {
	for _, n := range flowSizes {
		for _, fetched := range []bool{false, true} {
			run := Flow(n, fetched)
			if got := len(run.History) + 1; got != n {
				t.Fatalf("Flow(%d) has %d events", n, got)
			}
			for _, p := range flowPeers(t, run) {
				t.Run(fmt.Sprintf("%d/%t/%s", n, fetched, p.name), func(t *testing.T) {
					if p.before != nil {
						p.before()
					}
					got, err := p.questions[0]()
					if err != nil || got != run.Denied {
						t.Errorf("got denied %t, %v, want %t", got, err, run.Denied)
					}
				})
			}
		}
	}
}
