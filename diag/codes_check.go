// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package diag

// checkCodes documents 02xx and 03xx: what the checker says.
var checkCodes = []CodeDoc{}
