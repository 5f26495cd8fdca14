// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

// Package classify has detectors that ask a model: any server that speaks as
// OpenAI's does, under /moderations, /embeddings and /chat/completions. None is
// in a default set: texts leave the process, and what a model says is a
// judgement, not a guarantee.
//
// A server that hangs, floods, breaks off, sends elsewhere or answers anything but
// what was asked for is an error, so that the rule is unknown. Texts of a trace
// go into prompts as JSON strings, apart from what the model is told to do.
package classify

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/holdfast-dev/holdfast/detect"
	"github.com/holdfast-dev/holdfast/internal/endpoint"
)

// Options describe a server and what it calls its models.
type Options struct {
	URL string // what the paths are added to: https://api.openai.com/v1
	Key string // sent as a bearer token; "" sends none

	// Model is asked where a policy names none, or the one that the public language
	// would ask anyway (openai/gpt-4o); "" is a model of OpenAI's.
	Model string

	// Models are what models that policies name are called at this server.
	// Of a name that is not in it openai/ is taken off.
	Models map[string]string

	Timeout time.Duration // of one try; 0 is five seconds
	Tries   int           // where the connection breaks or the server is busy; 0 is three

	// Hosts, "name" or "name:port", and Prefixes are what may be asked although
	// it is on one's own network, or over plain http.
	Hosts    []string
	Prefixes []netip.Prefix
}

// languageModel is the model that the public language asks where a policy names
// none, and that policies therefore name.
const languageModel = "openai/gpt-4o"

// maxAtOnce is how many texts a server is asked about at the same time.
const maxAtOnce = 4

// A detector asks a server about each text on its own.
type detector struct {
	name     string
	standard string // the model where options name none
	options  Options
	endpoint *endpoint.Endpoint
	look     func(ctx context.Context, d *detector, request detect.Request) ([]detect.Finding, error)
}

// with makes a detector.
func with(d detector, o *Options) (detect.Detector, error) {
	if o != nil {
		d.options = *o
	}
	var err error
	d.endpoint, err = endpoint.New(endpoint.Options{
		URL: d.options.URL, Token: d.options.Key, Timeout: d.options.Timeout, Tries: d.options.Tries,
		Hosts: d.options.Hosts, Prefixes: d.options.Prefixes,
	})
	if err != nil {
		return nil, fmt.Errorf("setting up the model for %s: %w", d.name, err)
	}
	return &d, nil
}

// Version names the server and the model. What models a policy names stands in
// the parameters; what these are called at the server does not change.
func (d *detector) Version() string {
	return fmt.Sprintf("%s/1 %s %s", d.name, d.options.URL, d.model(""))
}

// model is what the server calls a model that a policy names, "" if it names
// none.
func (d *detector) model(named string) string {
	if at := d.options.Models[named]; at != "" {
		return at
	}
	if named == "" || named == languageModel {
		if d.options.Model != "" {
			return d.options.Model
		}
		if named == "" {
			return d.standard
		}
	}
	return strings.TrimPrefix(named, "openai/")
}

// Detect asks about each text, some at the same time.
func (d *detector) Detect(ctx context.Context, requests []detect.Request) ([]detect.Result, error) {
	out := make([]detect.Result, len(requests))
	slots := make(chan struct{}, maxAtOnce)
	var all sync.WaitGroup
	for i, r := range requests {
		all.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			if out[i].Err = ctx.Err(); out[i].Err == nil {
				out[i] = d.one(ctx, r)
			}
		})
	}
	all.Wait()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return out, nil
}

// one asks about one text.
func (d *detector) one(ctx context.Context, r detect.Request) detect.Result {
	if !utf8.ValidString(r.Text) {
		r.Text = strings.ToValidUTF8(r.Text, "\ufffd")
	}
	findings, err := d.look(ctx, d, r)
	if err != nil {
		return detect.Result{Err: fmt.Errorf("asking the model for %s: %w", d.name, err)}
	}
	for i := range findings {
		findings[i].View = detect.Raw
	}
	detect.Sort(findings)
	return detect.Result{Findings: findings}
}

// ask posts a question and reads the answer into a value.
func (d *detector) ask(ctx context.Context, path string, question, into any) error {
	body, err := json.Marshal(question)
	if err != nil {
		return fmt.Errorf("writing the question: %w", err)
	}
	answer, err := d.endpoint.Post(ctx, path, body)
	if err != nil {
		return err
	}
	return endpoint.Decode(answer, into)
}

// readParams reads the parameters of a request. One that is not known is an
// error: passed over, it would be an answer to another question.
func readParams(params string, into any) error {
	if params == "" {
		return nil
	}
	d := json.NewDecoder(strings.NewReader(params))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return fmt.Errorf("reading the parameters: %w", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("reading the parameters: more than one value")
	}
	return nil
}

// threshold is the first of some thresholds that is given, one half if none
// is.
func threshold(given ...*float64) (float64, error) {
	for _, t := range given {
		if t == nil {
			continue
		}
		if !(*t >= 0 && *t <= 1) {
			return 0, fmt.Errorf("got the threshold %v, want 0 to 1", *t)
		}
		return *t, nil
	}
	return 0.5, nil
}

// checkScore returns an error if a score is none.
func checkScore(score float64) error {
	if !(score >= 0 && score <= 1) {
		return fmt.Errorf("got the score %v, want 0 to 1", score)
	}
	return nil
}

// whole is a finding of all of a text.
func whole(kind, text string, score float64) detect.Finding {
	return detect.Finding{Kind: kind, End: utf8.RuneCountInString(text), Score: score}
}

// notLonger returns an error if a text is longer than a model is sent.
func notLonger(text string, bytes int) error {
	if len(text) > bytes {
		return fmt.Errorf("the text is longer than %d bytes", bytes)
	}
	return nil
}

// A window is a piece of a text, by code points.
type window struct {
	text       string
	start, end int
}

// windows cuts a text into pieces of so many code points, of which each begins
// so many before the last ends.
func windows(text string, size, overlap int) []window {
	points := []rune(text)
	var out []window
	for start := 0; start < len(points); start += size - overlap {
		end := min(start+size, len(points))
		out = append(out, window{string(points[start:end]), start, end})
		if end == len(points) {
			break
		}
	}
	return out
}
