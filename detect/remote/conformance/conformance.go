// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

// Package conformance tries a server against the contract of remote detectors.
// The example servers pass it, and so should yours: `holdfast detect conform`
// runs it, or a test of your own.
package conformance

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/holdfast-dev/holdfast/detect"
	"github.com/holdfast-dev/holdfast/detect/remote"
	"github.com/holdfast-dev/holdfast/internal/egress"
)

// A Target is a server to try.
type Target struct {
	URL      string
	Detector string          // the name that it is asked by
	Options  *remote.Options // how it is asked; nil: as by default

	// Example is a text in which it finds something, and Params are the
	// parameters that it takes for it, as JSON. Without an example the places of
	// findings are hardly tried.
	Example, Params string

	// Observe is called with every answer of status 200; nil: with none.
	Observe func(request, answer []byte)
}

// A Result says how the server did one thing.
type Result struct {
	Name string // what the contract wants
	Err  error  // nil if the server does that
}

// A trial is one target being tried.
type trial struct {
	Target
	client *remote.Client
	raw    *egress.Client
	header http.Header
}

// Run tries a server and returns what came of it, in the order of the contract.
// The error says why nothing could be tried.
func Run(ctx context.Context, target Target) ([]Result, error) {
	if target.Options == nil {
		target.Options = &remote.Options{}
	}
	t := &trial{Target: target, header: http.Header{"Content-Type": {"application/json"}}}
	if token := target.Options.Token; token != "" {
		t.header.Set("Authorization", "Bearer "+token)
	}
	var err error
	if t.client, err = remote.New(target.Detector, target.URL, target.Options); err != nil {
		return nil, err
	}
	t.raw, err = egress.New(&egress.Options{Hosts: target.Options.Hosts, Prefixes: target.Options.Prefixes, Timeout: 30 * time.Second})
	if err != nil {
		return nil, err
	}
	var out []Result
	for _, test := range tests {
		if test.needsExample && target.Example == "" {
			continue
		}
		if err := ctx.Err(); err != nil {
			return out, err
		}
		out = append(out, Result{test.name, test.run(t, ctx)})
	}
	return out, nil
}

// A test is one thing that the contract wants.
type test struct {
	name         string
	needsExample bool
	run          func(*trial, context.Context) error
}

var tests = []test{
	{"answers one text", false, func(t *trial, ctx context.Context) error { return t.same(ctx, "Hello.") }},
	{"answers an empty batch", false, func(t *trial, ctx context.Context) error {
		return t.answersRaw(ctx, t.batch(), 0)
	}},
	{"answers an empty text", false, func(t *trial, ctx context.Context) error { return t.same(ctx, "") }},
	{"answers the same every time", false, (*trial).repeated},
	{"answers a batch in its order", true, (*trial).order},
	{"answers every kind of character", false, (*trial).characters},
	{"finds something in the example", true, func(t *trial, ctx context.Context) error {
		_, err := t.example(ctx, "")
		return err
	}},
	{"counts places in code points", true, (*trial).places},
	{"keeps to the views that are asked for", true, (*trial).views},
	{"answers a text of half a megabyte, or says that it cannot", false, (*trial).long},
	{"passes over fields that it does not know", false, (*trial).unknownFields},
	{"does not fall over a parameter that it does not know", false, (*trial).unknownParam},
	{"refuses a detector that it does not have", false, func(t *trial, ctx context.Context) error {
		return t.refuses(ctx, `{"detector":"no such detector","requests":[{"text":"Hello."}]}`)
	}},
	{"refuses what is no batch", false, (*trial).malformed},
	{"refuses who has no token", false, (*trial).token},
}

// ask asks for some texts and wants no error.
func (t *trial) ask(ctx context.Context, texts ...string) ([]detect.Result, error) {
	return t.askIn(ctx, nil, texts...)
}

func (t *trial) askIn(ctx context.Context, views []string, texts ...string) ([]detect.Result, error) {
	requests := make([]detect.Request, len(texts))
	for i, text := range texts {
		requests[i] = detect.Request{Text: text, Params: t.Params, Views: views}
	}
	results, err := t.client.Detect(ctx, requests)
	for _, r := range results {
		err = errors.Join(err, r.Err)
	}
	return results, err
}

// same asks for a text by the client, and beside it, so that Observe sees the
// answer.
func (t *trial) same(ctx context.Context, text string) error {
	if _, err := t.ask(ctx, text); err != nil {
		return err
	}
	return t.answersRaw(ctx, t.batch(text), 1)
}

// batch writes a request for some texts.
func (t *trial) batch(texts ...string) string {
	requests := []map[string]any{}
	for _, text := range texts {
		r := map[string]any{"text": text}
		if t.Params != "" {
			r["params"] = json.RawMessage(t.Params)
		}
		requests = append(requests, r)
	}
	out, err := json.Marshal(map[string]any{"detector": t.Detector, "requests": requests})
	if err != nil {
		return ""
	}
	return string(out)
}

// post sends anything.
func (t *trial) post(ctx context.Context, body string, header http.Header) (*egress.Answer, error) {
	answer, err := t.raw.Post(ctx, t.URL, header, []byte(body))
	if err == nil && answer.Status == http.StatusOK && t.Observe != nil {
		t.Observe([]byte(body), answer.Body)
	}
	return answer, err
}

// answersRaw sends a body that has to be answered with so many results.
func (t *trial) answersRaw(ctx context.Context, body string, n int) error {
	answer, err := t.post(ctx, body, t.header)
	if err != nil {
		return err
	}
	if answer.Status != http.StatusOK {
		return fmt.Errorf("got the status %d, want 200", answer.Status)
	}
	var read struct{ Results []json.RawMessage }
	if err := json.Unmarshal(answer.Body, &read); err != nil || read.Results == nil || len(read.Results) != n {
		return fmt.Errorf("got %d results, want %d", len(read.Results), n)
	}
	return nil
}

// refuses sends a body that has to be answered with a status of 400 to 499.
func (t *trial) refuses(ctx context.Context, body string) error {
	answer, err := t.post(ctx, body, t.header)
	if err != nil {
		return err
	}
	if answer.Status < 400 || answer.Status > 499 {
		return fmt.Errorf("got the status %d to %.60q, want 400 to 499", answer.Status, body)
	}
	return nil
}

// example asks for the example behind some text.
func (t *trial) example(ctx context.Context, before string) ([]detect.Finding, error) {
	results, err := t.ask(ctx, before+t.Example)
	if err != nil {
		return nil, err
	}
	if len(results[0].Findings) == 0 {
		return nil, errors.New("got no findings in the example")
	}
	return results[0].Findings, nil
}

func (t *trial) repeated(ctx context.Context) error {
	text := "Hello. " + t.Example
	first, err := t.ask(ctx, text)
	if err != nil {
		return err
	}
	version := t.client.Version()
	second, err := t.ask(ctx, text)
	if err != nil {
		return err
	}
	if !slices.Equal(first[0].Findings, second[0].Findings) || version != t.client.Version() {
		return errors.New("got another answer or another version the second time")
	}
	return nil
}

func (t *trial) order(ctx context.Context) error {
	texts := []string{"", t.Example, "Hello.", t.Example + " " + t.Example, t.Example}
	together, err := t.ask(ctx, texts...)
	if err != nil {
		return err
	}
	for i, text := range texts {
		alone, err := t.ask(ctx, text)
		if err != nil {
			return err
		}
		if !slices.Equal(alone[0].Findings, together[i].Findings) {
			return fmt.Errorf("text %d of the batch got another answer than alone", i)
		}
	}
	return nil
}

func (t *trial) characters(ctx context.Context) error {
	texts := []string{
		"\"\\/\b\f\n\r\t", "\x00\x01\x1f\x7f", "é ü ß", "e\u0301", "日本語", "😀🏳️‍🌈", "\u2028\u2029", "\ufeff", "\ufffd\uffff\U0010ffff",
		"\u202eabc", "<&>'", "{\"text\": 1}", strings.Repeat("\r\n", 100),
	}
	if _, err := t.ask(ctx, texts...); err != nil {
		return err
	}
	return t.answersRaw(ctx, t.batch(texts...), len(texts))
}

// places wants what is found in the example to be found behind characters that
// take more bytes, or more units of UTF-16, than one.
func (t *trial) places(ctx context.Context) error {
	for _, before := range []string{"aaaaaaaa. ", "éééééééé. ", "日本語日本語日. ", "😀😀😀😀😀😀😀😀. ", "\r\n\r\n\r\n\r\n. "} {
		plain, err := t.example(ctx, "aaaaaaaa. ")
		if err != nil {
			return err
		}
		found, err := t.example(ctx, before)
		if err != nil {
			return fmt.Errorf("behind %q: %w", before, err)
		}
		shift := len([]rune(before)) - len("aaaaaaaa. ")
		for i := range plain {
			plain[i].Start, plain[i].End = plain[i].Start+shift, plain[i].End+shift
		}
		if !slices.ContainsFunc(plain, func(f detect.Finding) bool { return slices.Contains(found, f) }) {
			return fmt.Errorf("behind %q got the first finding at %d to %d, want %d to %d", before, found[0].Start, found[0].End, plain[0].Start, plain[0].End)
		}
	}
	return nil
}

func (t *trial) views(ctx context.Context) error {
	_, err := t.askIn(ctx, []string{detect.Raw}, t.Example)
	return err
}

func (t *trial) long(ctx context.Context) error {
	answer, err := t.post(ctx, t.batch(strings.Repeat("Hello. ", 75_000)), t.header)
	if err != nil {
		return err
	}
	if answer.Status != http.StatusOK && answer.Status != http.StatusRequestEntityTooLarge {
		return fmt.Errorf("got the status %d, want 200 or 413", answer.Status)
	}
	return nil
}

func (t *trial) unknownFields(ctx context.Context) error {
	body := strings.TrimSuffix(t.batch("Hello."), "}") + `,"a field of tomorrow":{"a":[1,null]}}`
	return t.answersRaw(ctx, body, 1)
}

func (t *trial) unknownParam(ctx context.Context) error {
	name, err := json.Marshal(t.Detector)
	if err != nil {
		return err
	}
	return t.answersRaw(ctx, `{"detector":`+string(name)+`,"requests":[{"text":"Hello.","params":{"no such parameter":[1]}}]}`, 1)
}

func (t *trial) malformed(ctx context.Context) error {
	for _, body := range []string{"", "{", "[]", "null", `{"detector":` + strings.Repeat("[", 2000), t.batch("Hello.")[1:], "\xff\xfe", `{"requests":[{"text":"Hello."}]}`} {
		if err := t.refuses(ctx, body); err != nil {
			return err
		}
	}
	name, err := json.Marshal(t.Detector)
	if err != nil {
		return err
	}
	for _, requests := range []string{`{}`, `"Hello."`, `null`, `[{}]`, `[{"text":1}]`, `["Hello."]`} {
		if err := t.refuses(ctx, `{"detector":`+string(name)+`,"requests":`+requests+`}`); err != nil {
			return err
		}
	}
	return nil
}

func (t *trial) token(ctx context.Context) error {
	if t.Options.Token == "" {
		return nil
	}
	for _, given := range []string{"", "Bearer", "Bearer ", "Bearer x" + t.Options.Token, "Basic " + t.Options.Token} {
		header := http.Header{"Content-Type": {"application/json"}}
		if given != "" {
			header.Set("Authorization", given)
		}
		answer, err := t.post(ctx, t.batch("Hello."), header)
		if err != nil {
			return err
		}
		if answer.Status != http.StatusUnauthorized && answer.Status != http.StatusForbidden {
			return fmt.Errorf("got the status %d, want 401 or 403", answer.Status)
		}
	}
	return nil
}
