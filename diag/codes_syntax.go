// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package diag

// syntaxCodes documents 01xx: what the scanner and the parser say.
var syntaxCodes = []CodeDoc{}
