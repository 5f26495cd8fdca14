// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package classify

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"github.com/holdfast-dev/holdfast/detect"
)

// FuzzAnswers gives all detectors any answer at all: there is no panic, and
// what they find is in the text.
func FuzzAnswers(f *testing.F) {
	for _, v := range []any{moderations([]string{"attack"}), embeddings([]string{"a", "b"}), chat("yes"), chat(`{"score":1}`), chat(`{"allowed":false,"reason":""}`), chat(`{"scores":[1]}`)} {
		seed, err := json.Marshal(v)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(seed)
	}
	f.Add([]byte(`{"data":[{"embedding":[1e308,1e308]},{"embedding":[-1e308,0]}]}`))
	var body atomic.Pointer[[]byte]
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(*body.Load()) }))
	f.Cleanup(s.Close)
	var detectors []detect.Detector
	for _, c := range detectorCases {
		d, err := c.make(&Options{URL: s.URL, Hosts: []string{"127.0.0.1"}, Tries: 1})
		if err != nil {
			f.Fatal(err)
		}
		detectors = append(detectors, d)
	}
	f.Fuzz(func(t *testing.T, answer []byte) {
		body.Store(&answer)
		for i, d := range detectors {
			request := detectorCases[i].request
			got, err := d.Detect(t.Context(), []detect.Request{request})
			if err != nil || len(got) != 1 {
				t.Fatal(got, err)
			}
			for _, found := range got[0].Findings {
				if err := found.Check(len([]rune(request.Text))); err != nil || got[0].Err != nil {
					t.Errorf("%s: %v, %v beside %v", detectorCases[i].name, found, err, got[0].Err)
				}
			}
		}
	})
}
