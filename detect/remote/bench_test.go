// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package remote

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/holdfast-dev/holdfast/detect"
)

// BenchmarkDetect asks a server on loopback that answers at once: what is
// measured is the client, and the way there and back.
func BenchmarkDetect(b *testing.B) {
	for _, n := range []int{1, 64} {
		answer := `{"version":"1","results":[` + strings.TrimSuffix(strings.Repeat(`{"findings":[{"kind":"a","start":0,"end":5,"score":0.5}]},`, n), ",") + `]}`
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
			_, _ = io.WriteString(w, answer)
		}))
		c, err := New("moderated", s.URL, &Options{Hosts: []string{"127.0.0.1"}})
		if err != nil {
			b.Fatal(err)
		}
		requests := make([]detect.Request, n)
		for i := range requests {
			requests[i].Text = strings.Repeat("Hello, world. ", 70)
		}
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.SetBytes(int64(n * len(requests[0].Text)))
			for b.Loop() {
				if got, err := c.Detect(b.Context(), requests); err != nil || got[0].Err != nil {
					b.Fatal(got, err)
				}
			}
		})
		s.Close()
	}
}
