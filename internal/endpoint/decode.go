// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package endpoint

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// The bounds of an answer's form.
const (
	maxDepth = 32
	maxKeys  = 1000 // of an object

	// Of commas, and so of values: one that takes two bytes of an answer takes a
	// hundred in memory. Sixty vectors of eight thousand numbers fit.
	maxValues = 1 << 19
)

// Decode reads an answer. Beside what encoding/json wants, an answer is UTF-8,
// and has no key twice, in whatever case: encoding/json would take the last,
// and somebody else the first. Fields that nobody knows are passed over. The
// error does not quote the answer.
func Decode(body []byte, into any) error {
	if !utf8.Valid(body) {
		return errors.New("the answer is not UTF-8")
	}
	if !json.Valid(body) {
		return errors.New("the answer is not JSON, or not all of it")
	}
	if err := distinct(body); err != nil {
		return err
	}
	if err := json.Unmarshal(body, into); err != nil {
		var wrong *json.UnmarshalTypeError
		if errors.As(err, &wrong) {
			return fmt.Errorf("the answer has no %s at %s", wrong.Type, wrong.Field)
		}
		return errors.New("the answer cannot be read")
	}
	return nil
}

// distinct returns an error if an object of a valid JSON text has a key twice
// or very many, is nested too deep
// or has very many values.
func distinct(text []byte) error {
	var open []map[string]bool // the keys of each list and object that is open, made when there is one
	values := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '{', '[':
			if open = append(open, nil); len(open) > maxDepth {
				return errors.New("the answer is nested too deep")
			}
		case '}', ']':
			open = open[:len(open)-1]
		case ',':
			if values++; values > maxValues {
				return errors.New("the answer has too many values")
			}
		case '"':
			end := stringEnd(text, i)
			if isKey(text, end) {
				if err := note(&open[len(open)-1], keyOf(text[i:end])); err != nil {
					return err
				}
			}
			i = end - 1
		}
	}
	return nil
}

// note adds a key to those of an object.
func note(keys *map[string]bool, key string) error {
	switch {
	case *keys == nil:
		*keys = map[string]bool{}
	case (*keys)[key]:
		return errors.New("the answer has a key twice")
	case len(*keys) >= maxKeys:
		return errors.New("the answer has an object of too many keys")
	}
	(*keys)[key] = true
	return nil
}

// stringEnd returns where the string that begins at start ends, exclusive.
func stringEnd(text []byte, start int) int {
	for i := start + 1; ; i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
}

// isKey reports whether a string that ends there is a key.
func isKey(text []byte, end int) bool {
	for ; end < len(text); end++ {
		switch text[end] {
		case ' ', '\t', '\r', '\n':
			continue
		}
		return text[end] == ':'
	}
	return false
}

// keyOf is a key, so that those that encoding/json takes for one are the same.
func keyOf(quoted []byte) string {
	var key string
	if err := json.Unmarshal(quoted, &key); err != nil {
		return string(quoted)
	}
	return strings.ToUpper(strings.ToLower(key))
}
