// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !unix

package main

import (
	"runtime"
	"time"
)

// cpuTime is not known here.
func cpuTime() time.Duration { return 0 }

// peakMemory returns what the runtime has got from the system, in bytes.
func peakMemory() int64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.Sys)
}
