// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package difftest

import (
	"flag"
	"testing"
)

var (
	cases  = flag.Uint64("cases", 3000, "how many random cases to run")
	seed   = flag.Uint64("seed", 1, "seed of the random cases")
	only   = flag.Int64("only", -1, "run only the case with this number, and print it")
	keep   = flag.String("write", "", "write failing cases, shrunk, into this directory")
	failed = flag.Int("failures", 1, "how many failing cases to report")
)

func TestEngineEqualsSpec(t *testing.T) {
	loaded, viol, unk, large := 0, 0, 0, 0
	errs := 0
	for i := range *cases {
		c := Generate(*seed, i)
		o := Run(c)
		if o.Err != nil {
			errs++
			if errs <= *failed {
				c = Shrink(c)
				o = Run(c)
				t.Errorf("case %d: %v\n%s\n%s\n%s", i, o.Err, c.Policy, c.input, c.Trace())
			}
			continue
		}
		if o.Load != nil {
			if i < 300 {
				t.Logf("%v\n%s", o.Load, c.Policy)
			}
			continue
		}
		loaded++
		if o.TooLarge {
			large++
		}
		if o.Violated {
			viol++
		}
		if o.Unknown {
			unk++
		}
	}
	t.Logf("loaded %d of %d, errs %d, large %d, violated %d, unknown %d", loaded, *cases, errs, large, viol, unk)
}
