// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

//go:build faults

package difftest

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/holdfast-dev/holdfast/internal/compile"
)

// faultCases is within how many cases every fault must be found.
const faultCases = 5000

// TestFaults asks whether random cases find mistakes: for each fault it runs
// this test again, as a process that has it.
func TestFaults(t *testing.T) {
	if os.Getenv("HOLDFAST_FAULT") != "" {
		t.Skip("this process has a fault")
	}
	for _, f := range compile.Faults() {
		t.Run(f.String(), func(t *testing.T) {
			cmd := exec.Command(os.Args[0], "-test.run=^TestFaultIsFound$", "-test.v", fmt.Sprintf("-seed=%d", *seed))
			cmd.Env = append(os.Environ(), "HOLDFAST_FAULT="+f.String())
			out, err := cmd.CombinedOutput()
			if err != nil || !strings.Contains(string(out), "found:") {
				t.Errorf("not found: %v\n%s", err, out)
			}
			t.Log(firstLine(string(out[max(strings.Index(string(out), "found:"), 0):])))
		})
	}
}

// TestFaultIsFound is the other process.
func TestFaultIsFound(t *testing.T) {
	if os.Getenv("HOLDFAST_FAULT") == "" {
		t.Skip("this process has no fault")
	}
	census, failing := runAll(*seed, faultCases, 1)
	if len(failing) == 0 {
		t.Fatalf("%d cases find nothing", census.Cases)
	}
	t.Logf("found: case %d of seed %d, after %d cases: %s", failing[0].Number, *seed, census.Cases, firstLine(Run(failing[0]).Err.Error()))
}
