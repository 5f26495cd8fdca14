// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package trace

import (
	"fmt"

	"github.com/holdfast-dev/holdfast/internal/value"
)

// content returns the content of the message or output v: a text, None (also if
// there is none, as beside calls) or parts.
func (d *decoder) content(v *value.Value) (*value.Value, *Error) {
	c := v.Get("content")
	if c == nil {
		return value.NoneV, nil
	}
	switch c.Kind() {
	case value.Str, value.Unknown:
		return d.bounded(c), nil
	case value.None:
		return c, nil
	case value.List:
		return d.parts(c)
	}
	return nil, d.fail(c, `"content" is %s, want a string, null or a list of parts`, describe(c))
}

// parts makes a Content of the list c. If one of its texts is unknown, so is
// what they are together; the parts stay elements.
func (d *decoder) parts(c *value.Value) (*value.Value, *Error) {
	var causes []value.Cause
	size := 0
	for _, p := range c.Items() {
		if err := d.part(p); err != nil {
			return nil, err
		}
		if t := p.Field(value.ChunkText); p.Kind() == value.TextChunk {
			causes = value.MergeCauses(causes, t.Causes())
			size += len(t.Text())
		}
	}
	value.MakeContent(c)
	if causes == nil && size > d.opts.MaxElement {
		msg := fmt.Sprintf("longer than %d bytes", d.opts.MaxElement)
		d.problem(c, value.TooLarge, msg)
		causes = []value.Cause{{Reason: value.TooLarge, Detail: msg, At: c}}
	}
	if causes != nil {
		return value.UnknownPart(c, causes), nil
	}
	return c, nil
}

// part makes one part of a content. Parts of a type that is not known stay the
// objects they are.
func (d *decoder) part(p *value.Value) *Error {
	if p.Kind() != value.Dict {
		return d.fail(p, `a part of the content is %s, want an object with "type"`, describe(p))
	}
	if err := d.variants(p, partKeys); err != nil {
		return err
	}
	t := p.Get("type")
	if t == nil || t.Kind() != value.Str {
		return d.fail(p, `a part of the content without "type", a string`)
	}
	switch t.Text() {
	case "text":
		return d.textPart(p, t)
	case "image_url":
		return d.imagePart(p, t)
	}
	return nil
}

func (d *decoder) textPart(p, typ *value.Value) *Error {
	t := p.Get("text")
	if err := d.text(p, t, "text"); err != nil {
		return err
	}
	f := d.json.Fields(2)
	f[value.ChunkText], f[value.ChunkType] = d.bounded(t), typ
	value.MakeElement(p, value.TextChunk, f, 0)
	return nil
}

// imagePart makes an Image. What it holds may be of any size: pictures are
// large and nothing searches them.
func (d *decoder) imagePart(p, typ *value.Value) *Error {
	u := p.Get("image_url")
	switch {
	case u == nil:
		return d.fail(p, `want "image_url", an object with "url"`)
	case u.Kind() == value.Dict:
		if err := d.variants(u, imageKeys); err != nil {
			return err
		}
		if err := d.text(u, u.Get("url"), "url"); err != nil {
			return err
		}
	case u.Kind() != value.Str && u.Kind() != value.Unknown:
		return d.fail(u, `"image_url" is %s, want an object with "url"`, describe(u))
	}
	f := d.json.Fields(2)
	f[value.ImageURL], f[value.ImageKind] = u, typ
	value.MakeElement(p, value.Image, f, 0)
	return nil
}
