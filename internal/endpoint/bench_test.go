// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package endpoint

import (
	"strings"
	"testing"
)

// BenchmarkDecode reads what embeddings of 64 texts look like, which is the
// longest answer there is.
func BenchmarkDecode(b *testing.B) {
	vector := `{"index":0,"embedding":[` + strings.TrimSuffix(strings.Repeat("-0.012345678,", 3072), ",") + `]},`
	body := []byte(`{"data":[` + strings.TrimSuffix(strings.Repeat(vector, 64), ",") + `]}`)
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		var into struct {
			Data []struct {
				Embedding []float64 `json:"embedding"`
			} `json:"data"`
		}
		if err := Decode(body, &into); err != nil || len(into.Data) != 64 {
			b.Fatal(err)
		}
	}
}
