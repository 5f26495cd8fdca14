// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package python

import (
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"encoding/hex"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/holdfast-dev/holdfast/internal/python"
)

// constant returns the text that an expression comes to, if it is of constants
// and of names that were given constants somewhere.
func (k *look) constant(n *python.Node) (string, bool) { return k.evaluate(n, maxSteps) }

// literal reports whether an expression is of constants alone. What a name
// holds where it is used is not known: names may only give rise to findings,
// never prevent them.
func (k *look) literal(n *python.Node) bool {
	names := k.known
	k.known = nil
	_, ok := k.constant(n)
	k.known = names
	return ok
}

// Bounds of constants.
const (
	maxSteps  = 16      // how deep they are
	maxEffort = 8 << 20 // bytes that are made for all of a text
)

// evaluate does that so many steps deep.
func (k *look) evaluate(n *python.Node, steps int) (string, bool) {
	if steps == 0 || k.spent.effort > maxEffort {
		return "", false
	}
	steps--
	switch n.Kind {
	case python.String:
		return n.Name, true
	case python.Name:
		text, ok := k.known[n.Name]
		return text, ok
	case python.FString:
		return k.joined(n.Kids, "", steps)
	case python.BinOp:
		if n.Op == python.Add {
			return k.joined(n.Kids, "", steps)
		}
	case python.Subscript: // "lave"[::-1]
		if strings.ReplaceAll(k.file.Segment(n.Kids[len(n.Kids)-1]), " ", "") == "::-1" {
			text, ok := k.evaluate(n.Kids[0], steps)
			r := []rune(text)
			slices.Reverse(r)
			return string(r), ok
		}
	case python.Call:
		return k.decoded(n, steps)
	}
	return "", false
}

// joined puts constants together.
func (k *look) joined(parts []*python.Node, sep string, steps int) (string, bool) {
	var out []string
	size := 0
	for _, p := range parts {
		text, ok := k.evaluate(p, steps)
		size += len(text)
		k.spent.effort += len(text) + 16
		if !ok || size > maxSpent {
			return "", false
		}
		out = append(out, text)
	}
	return strings.Join(out, sep), true
}

// decoded returns what a call makes of constant text.
func (k *look) decoded(n *python.Node, steps int) (string, bool) {
	callee, args := n.Kids[0], n.Args()
	if callee.Kind == python.Attribute {
		switch callee.Name {
		case "decode", "encode", "strip", "lower":
			if text, ok := k.evaluate(callee.Kids[0], steps); ok {
				if len(args) == 1 && callee.Name == "decode" {
					return k.decode(text, args[0], steps)
				}
				return text, true
			}
		case "join":
			if sep, ok := k.evaluate(callee.Kids[0], steps); ok && len(args) == 1 && (args[0].Kind == python.List || args[0].Kind == python.Tuple) {
				return k.joined(args[0].Kids, sep, steps)
			}
		}
	}
	if len(args) == 0 {
		return "", false
	}
	switch name := callee.Dotted(); name[strings.LastIndexByte(name, '.')+1:] {
	case "chr":
		c, err := strconv.ParseInt(args[0].Name, 0, 32)
		return string(rune(c)), err == nil && args[0].Kind == python.Number
	case "str", "bytes", "bytearray", "dedent":
		return k.evaluate(args[0], steps)
	case "b64decode", "urlsafe_b64decode", "standard_b64decode", "decodebytes", "decodestring", "a2b_base64":
		return k.through(args[0], steps, "base64")
	case "unhexlify", "a2b_hex", "fromhex":
		return k.through(args[0], steps, "hex")
	case "decompress":
		return k.through(args[0], steps, "zlib")
	case "decode":
		if len(args) == 2 {
			if text, ok := k.evaluate(args[0], steps); ok {
				return k.decode(text, args[1], steps)
			}
		}
	}
	return "", false
}

// decode does what bytes.decode and codecs.decode do; a coding that only says
// which characters bytes are changes nothing here.
func (k *look) decode(text string, coding *python.Node, steps int) (string, bool) {
	name, _ := k.evaluate(coding, steps)
	k.spent.effort += len(text)
	return unpack(text, strings.NewReplacer("_", "", "-", "", "codec", "").Replace(strings.ToLower(name)))
}

func (k *look) through(n *python.Node, steps int, coding string) (string, bool) {
	text, ok := k.evaluate(n, steps)
	if !ok {
		return "", false
	}
	k.spent.effort += 4 * len(text)
	return unpack(text, coding)
}

// unpack decodes a text; one that cannot be is not known.
func unpack(text, coding string) (string, bool) {
	switch coding {
	case "base64":
		text = strings.TrimRight(strings.NewReplacer("\n", "", " ", "", "-", "+", "_", "/").Replace(text), "=")
		out, err := base64.RawStdEncoding.DecodeString(text)
		return string(out), err == nil
	case "hex":
		out, err := hex.DecodeString(strings.Join(strings.Fields(text), ""))
		return string(out), err == nil
	case "rot13":
		return strings.Map(rot13, text), true
	case "zlib", "zip":
		r, err := zlib.NewReader(bytes.NewReader([]byte(text)))
		if err != nil {
			return "", false
		}
		out, err := io.ReadAll(io.LimitReader(r, maxSpent+1))
		return string(out), err == nil && len(out) <= maxSpent
	}
	return text, true
}

func rot13(c rune) rune {
	switch {
	case 'a' <= c && c <= 'z':
		return 'a' + (c-'a'+13)%26
	case 'A' <= c && c <= 'Z':
		return 'A' + (c-'A'+13)%26
	}
	return c
}
