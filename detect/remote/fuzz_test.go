// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package remote

import (
	"bytes"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/holdfast-dev/holdfast/detect"
)

// FuzzReadAnswer holds the reader to what it promises: no panic, findings
// that are in the text, and nothing taken that the schema of the contract
// refuses.
func FuzzReadAnswer(f *testing.F) {
	for _, test := range answerCases {
		f.Add([]byte(test.answer))
	}
	schema, err := jsonschema.NewCompiler().Compile("../../docs/remote-response.schema.json")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		version, results, err := readAnswer(body, []detect.Request{{Text: "é😀"}})
		if err != nil {
			return
		}
		if version == "" || len(results) != 1 {
			t.Fatalf("got version %q and %d results", version, len(results))
		}
		for _, found := range results[0].Findings {
			if err := found.Check(2); err != nil || found.Kind == "" || found.View == "" {
				t.Errorf("%v: %v", found, err)
			}
		}
		if bytes.ContainsAny(body, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") || bytes.Contains(body, []byte("null")) || bytes.ContainsRune(body, '\\') {
			return // encoding/json takes keys in any case, and null for nothing
		}
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
		if err == nil {
			err = schema.Validate(value)
		}
		if err != nil {
			t.Errorf("%s is taken, and refused by the schema: %v", body, err)
		}
	})
}

// The schema and the reader agree on the cases, but for what only one of them
// can see.
func TestSchemaAgrees(t *testing.T) {
	schema, err := jsonschema.NewCompiler().Compile("../../docs/remote-response.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range answerCases {
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader([]byte(test.answer)))
		if err == nil {
			err = schema.Validate(value)
		}
		if test.ok && err != nil && !bytes.Contains([]byte(test.answer), []byte("null")) {
			t.Errorf("%s: %v", test.answer, err)
		}
	}
}
