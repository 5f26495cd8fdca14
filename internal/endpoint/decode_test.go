// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package endpoint

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

type answer struct {
	Version string    `json:"version"`
	Scores  []float64 `json:"scores"`
	Inner   *answer   `json:"inner"`
}

func TestDecode(t *testing.T) {
	for _, good := range []string{
		`{"version": "1", "scores": [0.5, 1]}`,
		` {"version":"1","unknown":{"version":"2","a":[{"version":"3"},{"version":"4"}]}}` + "\n",
		`{"version":"a:b\":","inner":{"version":"\\"}}`,
		`{"version":"é\u00e9\ud83d\ude00"}`,
	} {
		var a answer
		if err := Decode([]byte(good), &a); err != nil || a.Version == "" {
			t.Errorf("%s: got %v, %v", good, a, err)
		}
	}
	var a answer
	if err := Decode([]byte(manyKeys(maxKeys)), &a); err != nil {
		t.Error(err)
	}
	if err := Decode([]byte(`{"scores":[`+strings.Repeat("1,", maxValues)+`1]}`), &a); err != nil {
		t.Error(err)
	}
	for _, bad := range []string{
		"", " ", "nonsense", "{", `{"version":"1"`, `{"version":"1"} {}`, `{"version":"1"}]`, "null x", "{\"version\":\"\xff\"}", "\xef\xbb\xbf{}",
		`{"version":1}`, `{"scores":["a"]}`, `{"scores":[1e999]}`, `{"scores":[NaN]}`,
		`{"version":"1","version":"2"}`, `{"version":"1","Version":"2"}`, `{"version":"1","ver\u0073ion":"2"}`, `{"scores":[],"ſcores":[]}`,
		`{"inner":{"a":1,"b":{},"a":2}}`, `[{"a":1, "a" : 2}]`,
		strings.Repeat("[", maxDepth+1) + strings.Repeat("]", maxDepth+1),
		strings.Repeat("[", 1<<20),
		`"not an object"`,
		manyKeys(maxKeys + 1),
		`{"scores":[` + strings.Repeat("1,", maxValues) + `1,1]}`,
		`{"a":[` + strings.Repeat("null,", maxValues) + `null],"b":[1,2]}`,
	} {
		var a answer
		if err := Decode([]byte(bad), &a); err == nil {
			t.Errorf("%.60q is taken", bad)
		} else if len(err.Error()) > 100 {
			t.Errorf("%.60q: the error is %q", bad, err)
		}
	}
}

// manyKeys is an object of so many keys.
func manyKeys(n int) string {
	var keys []string
	for i := range n {
		keys = append(keys, fmt.Sprintf(`"k%d":1`, i))
	}
	return "{" + strings.Join(keys, ",") + "}"
}

// Decode takes nothing that encoding/json does not, does not panic, and gives
// what it gives.
func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"version":"1","scores":[1],"inner":{}}`))
	f.Add([]byte(`{"a":{"b":[{"\\\"":":"}]}}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		var got, want any
		if Decode(body, &got) != nil {
			return
		}
		if err := json.Unmarshal(body, &want); err != nil {
			t.Fatal(err)
		}
	})
}
