// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

// Package licence finds texts of licences, by fingerprints of those that SPDX
// lists, and notices of copyright.
package licence

import (
	"context"

	"github.com/holdfast-dev/holdfast/detect"
)

// Version names what the answers depend on.
const Version = "1 spdx-license-list 6.12.0"

// Scan is the scanner of the function copyright: spans of the kinds
// "licence_text", whose Text is an SPDX identifier and whose Score the share of
// the licence that is there, and "notice", whose Text is the holder or the
// identifier. The parameter threshold, between 0 and 1, is the least score.
func Scan(ctx context.Context, text, params string) ([]detect.Span, error) { return nil, ctx.Err() }
