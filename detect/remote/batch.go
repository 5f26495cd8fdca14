// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package remote

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/holdfast-dev/holdfast/detect"
)

// A wireRequest is a request as it is sent.
type wireRequest struct {
	Text   string          `json:"text"`
	Params json.RawMessage `json:"params,omitempty"` // an object
	Views  []string        `json:"views,omitempty"`
}

// A batch is requests that are sent at once.
type batch struct {
	places []int    // of the requests among those that were given
	texts  [][]byte // the requests, as JSON
	size   int
}

// batches makes batches of requests. What cannot be sent gets its error in
// out and is in none.
func (c *Client) batches(requests []detect.Request, out []detect.Result) []batch {
	var all []batch
	for i, r := range requests {
		text, err := encode(r)
		if err == nil && len(text) > c.options.MaxBytes {
			err = fmt.Errorf("the text is longer than the %d bytes that the detector %s is sent", c.options.MaxBytes, c.name)
		}
		if err != nil {
			out[i].Err = err
			continue
		}
		if n := len(all); n == 0 || len(all[n-1].places) >= c.options.MaxTexts || all[n-1].size+len(text) > c.options.MaxBytes {
			all = append(all, batch{})
		}
		last := &all[len(all)-1]
		last.places, last.texts, last.size = append(last.places, i), append(last.texts, text), last.size+len(text)
	}
	return all
}

// encode writes a request. What is no UTF-8 in its text becomes U+FFFD byte by
// byte, as it counts in code points.
func encode(r detect.Request) ([]byte, error) {
	w := wireRequest{Text: r.Text, Views: r.Views}
	if r.Params != "" {
		if w.Params = json.RawMessage(r.Params); r.Params[0] != '{' || !json.Valid(w.Params) {
			return nil, errors.New("the parameters are no JSON object")
		}
	}
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	err := e.Encode(w)
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), err
}

// body is the batch as it is sent.
func (b batch) body(name, version string) []byte {
	out := append([]byte(`{"detector":`), quoted(name)...)
	if version != "" {
		out = append(append(out, `,"version":`...), quoted(version)...)
	}
	out = append(out, `,"requests":[`...)
	out = append(out, bytes.Join(b.texts, []byte(","))...)
	return append(out, "]}"...)
}

// quoted writes a string.
func quoted(s string) []byte {
	out, err := json.Marshal(s)
	if err != nil {
		panic(err) // a string can always be written
	}
	return out
}
