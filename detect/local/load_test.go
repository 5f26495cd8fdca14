// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package local_test

import (
	"os"
	"os/exec"
	"runtime"
	"testing"

	"github.com/holdfast-dev/holdfast"
	"github.com/holdfast-dev/holdfast/detect/local"
	"github.com/holdfast-dev/holdfast/trace"
)

const everything = `
from invariant.detectors import pii, secrets, prompt_injection, unicode, semgrep, copyright
from invariant.parsers import html_code, links, images
raise "never asked" if:
    (c: ToolCall)
    c is tool:nobody_calls_this
    any(pii(c)) or any(secrets(c)) or prompt_injection(c) or any(unicode(c)) or any(semgrep(c)) or any(copyright(c))
    any(links(c)) or any(images(c)) or any(html_code(c).links)
`

// maxSetUp is what checking a trace may allocate with a policy that names all
// detectors and asks none: rules are compiled and tables unpacked for the first
// text that is looked at. The lists of rules alone come to several MiB.
const maxSetUp = 512 << 10

const freshProcess = "HOLDFAST_TEST_FRESH"

// TestNothingIsSetUpInVain runs in a process of its own, where no other test
// has asked a detector.
func TestNothingIsSetUpInVain(t *testing.T) {
	if os.Getenv(freshProcess) == "" {
		cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestNothingIsSetUpInVain$")
		cmd.Env = append(os.Environ(), freshProcess+"=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	p, err := holdfast.Compile("p.gr", []byte(everything), &holdfast.Options{Detectors: local.Detectors()})
	if err != nil {
		t.Fatal(err)
	}
	tr := &trace.Trace{Events: []*trace.Event{trace.Call("1", "send", map[string]any{"text": "hello"})}}
	if v, err := p.Analyze(t.Context(), tr, nil); err != nil || v.Decision() != holdfast.Allow {
		t.Fatal(v.Decision(), err)
	}
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; n > maxSetUp {
		t.Errorf("%d bytes were allocated, want %d at most: something is set up before it is needed", n, maxSetUp)
	} else {
		t.Logf("%d bytes", n)
	}
}
