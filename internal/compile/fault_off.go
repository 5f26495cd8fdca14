// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !faults

package compile

// Faulty reports whether the evaluation has the fault: never.
func Faulty(Fault) bool { return false }
