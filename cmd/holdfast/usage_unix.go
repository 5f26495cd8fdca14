// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

//go:build unix

package main

import (
	"bytes"
	"os"
	"runtime"
	"strconv"
	"syscall"
	"time"
)

// cpuTime returns what the process has used of all cores.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// peakMemory returns the most that was resident at once, in bytes. What Linux
// says in getrusage may be of the process that started this one, so there it
// is read from the process's status.
func peakMemory() int64 {
	if status, err := os.ReadFile("/proc/self/status"); err == nil {
		if _, after, ok := bytes.Cut(status, []byte("VmHWM:")); ok {
			if fields := bytes.Fields(after); len(fields) > 0 {
				n, _ := strconv.ParseInt(string(fields[0]), 10, 64)
				return n << 10
			}
		}
	}
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	if runtime.GOOS == "darwin" {
		return int64(u.Maxrss) //nolint:unconvert // on some systems it is narrower
	}
	return int64(u.Maxrss) << 10 //nolint:unconvert // see above
}
