// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package ocr

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"image"
	_ "image/gif"  // the formats
	_ "image/jpeg" // that are
	_ "image/png"  // read
	"net/url"
	"strings"
)

var (
	errAddress = errors.New("an image is read from data; addresses are not fetched")
	errNoImage = errors.New("the text is no image in base64")
)

// image returns the image that a text holds, as it is in a file, once its size
// is known to be bearable.
func (r *reader) image(text string) ([]byte, error) {
	body, err := payload(strings.TrimSpace(text))
	if err != nil {
		return nil, err
	}
	if len(body)/4*3 > r.maxBytes+3 {
		return nil, fmt.Errorf("an image of more than %d bytes", r.maxBytes)
	}
	picture, err := decode(body)
	if err != nil {
		return nil, err
	}
	if len(picture) > r.maxBytes {
		return nil, fmt.Errorf("an image of more than %d bytes", r.maxBytes)
	}
	head, _, err := image.DecodeConfig(bytes.NewReader(picture))
	switch {
	case err != nil:
		return nil, fmt.Errorf("the data are no image in PNG, JPEG or GIF: %w", err)
	case head.Width <= 0 || head.Height <= 0:
		return nil, errors.New("an image without an extent")
	case head.Width > r.maxPixels/head.Height:
		return nil, fmt.Errorf("an image of %d by %d pixels, more than %d", head.Width, head.Height, r.maxPixels)
	}
	return picture, nil
}

// payload is the base64 of a data: URI, or the text itself.
func payload(text string) (string, error) {
	scheme, _, ok := strings.Cut(text[:min(len(text), 32)], ":")
	if !ok {
		return text, nil
	}
	if !strings.EqualFold(scheme, "data") {
		return "", errAddress
	}
	rest := text[len(scheme)+1:]
	head, body, ok := strings.Cut(rest, ",")
	if !ok || !strings.HasSuffix(strings.ToLower(head), ";base64") || len(head) > 200 {
		return "", errNoImage
	}
	if strings.Contains(body, "%") {
		plain, err := url.PathUnescape(body)
		if err != nil {
			return "", errNoImage
		}
		return plain, nil
	}
	return body, nil
}

// decode reads base64 of either alphabet, padded or not, with or without line
// ends.
func decode(body string) ([]byte, error) {
	if strings.ContainsAny(body, " \t\r\n-_") {
		body = strings.NewReplacer(" ", "", "\t", "", "\r", "", "\n", "", "-", "+", "_", "/").Replace(body)
	}
	picture, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(body, "="))
	if err != nil || len(picture) == 0 {
		return nil, errNoImage
	}
	return picture, nil
}
