// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package diag

// runCodes documents 04xx: what can go wrong while a policy runs.
var runCodes = []CodeDoc{}
