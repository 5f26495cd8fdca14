// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package classify

import (
	"context"
	"fmt"

	"github.com/holdfast-dev/holdfast/detect"
)

// Staged asks a detector, and a second one about the texts in which the first
// found nothing. A text about which either cannot tell has that error.
func Staged(first, second detect.Detector) detect.Detector { return staged{first, second} }

type staged struct{ first, second detect.Detector }

func (s staged) Version() string {
	return fmt.Sprintf("%q, then %q", s.first.Version(), s.second.Version())
}

func (s staged) Detect(ctx context.Context, requests []detect.Request) ([]detect.Result, error) {
	out, err := ask(ctx, s.first, requests)
	if err != nil {
		return nil, err
	}
	var left []detect.Request
	var places []int
	for i, r := range out {
		if r.Err == nil && len(r.Findings) == 0 {
			left, places = append(left, requests[i]), append(places, i)
		}
	}
	if len(left) == 0 {
		return out, nil
	}
	more, err := ask(ctx, s.second, left)
	if err != nil {
		return nil, err
	}
	for i, at := range places {
		out[at] = more[i]
	}
	return out, nil
}

// ask asks one of the two, which may be somebody else's.
func ask(ctx context.Context, d detect.Detector, requests []detect.Request) ([]detect.Result, error) {
	out, err := d.Detect(ctx, requests)
	if err == nil && len(out) != len(requests) {
		err = fmt.Errorf("got %d answers, want %d", len(out), len(requests))
	}
	return out, err
}
