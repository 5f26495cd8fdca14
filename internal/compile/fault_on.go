// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

//go:build faults

package compile

import "os"

// chosen is the fault that the environment asks for. It is read once: a
// process has one fault, or none.
var chosen = chooseFault(os.Getenv("HOLDFAST_FAULT"))

func chooseFault(name string) Fault {
	for _, f := range Faults() {
		if f.String() == name {
			return f
		}
	}
	if name != "" {
		panic("HOLDFAST_FAULT: no fault is called " + name)
	}
	return NoFault
}

// Faulty reports whether the evaluation has the fault.
func Faulty(f Fault) bool { return f == chosen }

// Faults lists all faults.
func Faults() []Fault {
	var out []Fault
	for f := NoFault + 1; int(f) < len(faultNames); f++ {
		out = append(out, f)
	}
	return out
}
