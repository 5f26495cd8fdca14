// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

// Package scorer judges texts by the words in them: whether they are what a
// moderator takes out, and what they are about. It is small, knows English only
// and is meant for where no model is at hand: what it finds and what it gets
// wrong is in docs/detectors.md. No default set has it.
package scorer

import (
	"context"

	"github.com/holdfast-dev/holdfast/detect"
)

// Version names what the answers depend on.
const Version = "1"

// Detectors returns the detectors by the names by which the language asks for
// them, "moderated" and "topic".
func Detectors() map[string]detect.Detector {
	return map[string]detect.Detector{
		"moderated": detect.Plain(Version, Moderate),
		"topic":     detect.Plain(Version, Topic),
	}
}

// Categories returns the categories of Moderate, sorted.
func Categories() []string { return nil }

// Moderate is the scanner of the function moderated: a span of the whole text
// for each category that it belongs to, which is its kind, with a score.
// Parameters are threshold or default_threshold, and cat_thresholds, an object
// of thresholds by category.
func Moderate(ctx context.Context, text, params string) ([]detect.Span, error) { return nil, ctx.Err() }

// Topic is the scanner of the function topic: a span of the whole text for each
// of the topics that it is about, which is its kind, with a score. Parameters
// are topics, a list or an object of lists of words by topic, or topic, one of
// them, and threshold.
func Topic(ctx context.Context, text, params string) ([]detect.Span, error) { return nil, ctx.Err() }
