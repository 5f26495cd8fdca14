// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

// Package local is the set of detectors that need nothing but this machine:
// no network, no model, no file. The command uses it, and so do embedders,
// with holdfast.Options.Detectors.
//
// Those of personal data, credentials, injections and licences look at all
// views of a text, see package view. The others look at the text as it stands: what is
// encoded does not run as code and is no link, and hidden characters are what
// unicode looks for.
package local

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/holdfast-dev/holdfast/detect"
	"github.com/holdfast-dev/holdfast/detect/code"
	"github.com/holdfast-dev/holdfast/detect/inject"
	"github.com/holdfast-dev/holdfast/detect/licence"
	"github.com/holdfast-dev/holdfast/detect/markup"
	"github.com/holdfast-dev/holdfast/detect/pii"
	"github.com/holdfast-dev/holdfast/detect/scorer"
	"github.com/holdfast-dev/holdfast/detect/secret"
	"github.com/holdfast-dev/holdfast/detect/view"
)

// Detectors returns the detectors by the names by which the language asks for
// them. The caller may change the map.
func Detectors() map[string]detect.Detector {
	return map[string]detect.Detector{
		"pii":              view.Over(pii.Version, personalData, nil),
		"secrets":          view.Over(secret.Version, secrets, nil),
		"prompt_injection": view.Over(inject.Version, inject.Injection, nil),
		"unicode":          detect.Plain(inject.Version, inject.Unicode),
		"semgrep":          detect.Plain(code.Version, code.Scan),
		"copyright":        view.Over(licence.Version, licence.Scan, nil),
		"html_code":        detect.Plain(markup.Version, markup.HTML),
		"links":            detect.Plain(markup.Version, markup.Links),
		"images":           detect.Plain(markup.Version, markup.Images),
	}
}

// Scorer returns the detectors that judge texts by words, "moderated" and
// "topic", which are to be asked for: see package scorer.
func Scorer() map[string]detect.Detector {
	return map[string]detect.Detector{
		"moderated": view.Over(scorer.Version, scorer.Moderate, nil),
		"topic":     detect.Plain(scorer.Version, scorer.Topic),
	}
}

// personalData scans for personal data, of the kinds named by the parameter
// entities or, without it, of those that are likely enough.
func personalData(_ context.Context, text, params string) ([]detect.Span, error) {
	var given struct{ Entities []string }
	if params != "" {
		if err := json.Unmarshal([]byte(params), &given); err != nil {
			return nil, fmt.Errorf("reading the parameters of pii: %w", err)
		}
	}
	for _, kind := range given.Entities {
		if !slices.Contains(pii.Kinds(), kind) {
			return nil, fmt.Errorf("there is no kind %q of personal data", kind)
		}
	}
	return pii.Find(text, given.Entities), nil
}

// secrets scans for credentials.
func secrets(ctx context.Context, text, _ string) ([]detect.Span, error) {
	return secret.FindContext(ctx, text, nil)
}
