// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !linux

package main

import "time"

// threadTime is nil where a thread cannot be asked what it has used.
var threadTime func() time.Duration
