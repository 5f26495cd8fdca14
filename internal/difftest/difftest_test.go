// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package difftest

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"testing"
)

var (
	cases    = flag.Uint64("cases", 3000, "how many random cases to run")
	seed     = flag.Uint64("seed", 1, "seed of the random cases")
	only     = flag.Int64("only", -1, "run only the case of this number")
	writeTo  = flag.String("write", "", "write the failing cases, made small, into this directory")
	failures = flag.Int("failures", 1, "how many failing cases to make small and report")
	counts   = flag.Bool("counts", false, "print what the cases were made of")
)

// TestEngineEqualsSpec runs random cases. A failing one is printed as a case of
// the corpus, see testdata/spec/regress.
func TestEngineEqualsSpec(t *testing.T) {
	if *only >= 0 {
		report(t, Generate(*seed, uint64(*only)))
		return
	}
	defer debug.SetGCPercent(debug.SetGCPercent(400)) // cases are small and many
	census, failing := runAll(*seed, *cases, *failures)
	for _, c := range failing {
		report(t, c)
	}
	for _, s := range census.Short() {
		t.Error(s)
	}
	if *counts {
		t.Log(census)
	}
}

// TestCorpus holds the two evaluations against each other on the cases of the
// corpus, cut into steps in several ways.
func TestCorpus(t *testing.T) {
	files, err := filepath.Glob("../../testdata/spec/*/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no corpus: %v", err)
	}
	ran := 0
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		c, ok := ReadCase(src)
		if !ok {
			continue
		}
		for c.steps = range 8 {
			o := Run(c)
			if o.Load != nil || errors.Is(o.Err, errTrace) {
				break // a case about what is refused
			}
			ran++
			if o.Err != nil {
				t.Errorf("%s: %v", file, o.Err)
				break
			}
		}
	}
	if ran < 500 {
		t.Errorf("ran %d, want most of the corpus", ran)
	}
}

// runAll runs n cases on all processors; it stops when so many have failed.
func runAll(seed, n uint64, failures int) (*Census, []*Case) {
	var (
		next   atomic.Uint64
		wait   sync.WaitGroup
		lock   sync.Mutex
		all    = NewCensus()
		failed []*Case
	)
	for range runtime.GOMAXPROCS(0) {
		wait.Go(func() {
			census := NewCensus()
			for i := next.Add(1) - 1; i < n; i = next.Add(1) - 1 {
				c := Generate(seed, i)
				o := Run(c)
				census.Add(&o)
				if o.Err != nil {
					lock.Lock()
					if failed = append(failed, c); len(failed) >= failures {
						next.Store(n)
					}
					lock.Unlock()
				}
			}
			lock.Lock()
			defer lock.Unlock()
			all.Merge(census)
		})
	}
	wait.Wait()
	return all, failed[:min(len(failed), failures)]
}

func report(t *testing.T, c *Case) {
	t.Helper()
	o := Run(c)
	if o.Err == nil {
		t.Logf("case %d of seed %d: load %v\n%s\n%s", c.Number, c.Seed, o.Load, c.Policy, c.Trace())
		return
	}
	small := Shrink(c)
	a := Archive(small, Run(small).Err)
	t.Errorf("case %d of seed %d: the evaluations differ:\n%s", c.Number, c.Seed, a)
	if *writeTo == "" {
		return
	}
	file := filepath.Join(*writeTo, fmt.Sprintf("random-%d-%d.txtar", c.Seed, c.Number))
	if err := os.WriteFile(file, a, 0o644); err != nil {
		t.Error(err)
	}
}
