// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package builtin

import (
	"strings"

	"github.com/holdfast-dev/holdfast/internal/value"
)

// imagesIn returns the images in an argument, each by its address or its data
// as they stand: those that image gives, and texts that are an image themselves.
func imagesIn(v *value.Value) ([]part, *value.Value) {
	var urls []*value.Value
	var trouble *value.Value
	switch v.Kind() {
	case value.Str:
		if isImage(v.Text()) {
			urls = []*value.Value{v}
		}
	case value.List, value.Tuple:
		var parts []part
		for _, it := range v.Items() {
			if it.Kind() == value.Unknown {
				return nil, it
			}
			more, trouble := imagesIn(it)
			if trouble != nil {
				return nil, trouble
			}
			parts = append(parts, more...)
		}
		return parts, nil
	case value.Dict:
		if url := v.Get("url"); url != nil { // the image_url of an image
			return imagesIn(url)
		}
		return nil, wrongKind("an image is wanted", v)
	default:
		if urls, trouble = appendImages(nil, v); trouble != nil {
			return nil, trouble
		}
	}
	parts := make([]part, len(urls))
	for i, url := range urls {
		if url.Kind() != value.Str {
			return nil, wrongKind("the address of an image must be a str", url)
		}
		parts[i] = part{TextPart: value.TextPart{Text: url.Text(), At: url}}
	}
	return parts, nil
}

// minImage is how long a text of nothing but base64 must be to pass for an
// image.
const minImage = 64

// isImage reports whether a text is the data of an image or an address. Other
// texts are texts: the content of a message may be one or the other.
func isImage(text string) bool {
	text = strings.TrimSpace(text)
	switch {
	case len(text) >= 5 && strings.EqualFold(text[:5], "data:"):
		return true
	case strings.ContainsAny(text, " \t\n\r"):
		return false
	case strings.Contains(text, "://"):
		return true
	}
	return len(text) >= minImage && strings.Trim(text, base64Letters) == ""
}

const base64Letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_="
