// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

// Package remote asks detectors that are servers. They speak one small contract
// over HTTP, which docs/remote-detectors.md tells and package conformance tests:
// texts go out as a batch in JSON, findings come back in their order.
//
// What is not exactly an answer is an error, so that the rule is unknown:
// silence, another length, a place outside the text, a flood.
package remote

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"sync/atomic"
	"time"

	"github.com/holdfast-dev/holdfast/detect"
	"github.com/holdfast-dev/holdfast/internal/endpoint"
)

// Options say how a server is asked. The zero value asks one of the public
// internet, over https.
type Options struct {
	Token   string        // sent as a bearer token; "" sends none
	Version string        // of the detector that must have answered; "" takes any
	Timeout time.Duration // of one try; 0 is five seconds
	Tries   int           // where the connection breaks or the server is busy; 0 is three

	// MaxTexts and MaxBytes bound a batch, the latter as JSON; 0 is 64 texts
	// and a mebibyte. A text that is longer on its own is not sent, and unknown.
	MaxTexts, MaxBytes int

	// Hosts, "name" or "name:port", and Prefixes are what may be asked although
	// it is on one's own network, or over plain http.
	Hosts    []string
	Prefixes []netip.Prefix
}

// The bounds where Options have none.
const (
	maxTexts = 64
	maxBytes = 1 << 20
)

// A Client is a detector that is a server. It is safe for concurrent use.
type Client struct {
	name     string
	options  Options
	endpoint *endpoint.Endpoint
	identity string                 // of what is asked, in the version
	seen     atomic.Pointer[string] // the version that was named last
}

// New returns the detector with a name at an address. It asks nothing yet; the
// error says why it never could.
func New(name, address string, o *Options) (*Client, error) {
	c := &Client{name: name, identity: "remote/1 " + name + " " + address}
	if o != nil {
		c.options = *o
	}
	if c.options.MaxTexts <= 0 {
		c.options.MaxTexts = maxTexts
	}
	if c.options.MaxBytes <= 0 {
		c.options.MaxBytes = maxBytes
	}
	if name == "" {
		return nil, errors.New("the detector has no name")
	}
	var err error
	c.endpoint, err = endpoint.New(endpoint.Options{
		URL: address, Token: c.options.Token, Timeout: c.options.Timeout, Tries: c.options.Tries,
		Hosts: slices.Clone(c.options.Hosts), Prefixes: slices.Clone(c.options.Prefixes),
	})
	if err != nil {
		return nil, fmt.Errorf("setting up the detector %s: %w", name, err)
	}
	return c, nil
}

// Version names the server and the version that it said last. When that
// changes, what was remembered of the one before is not used any more.
func (c *Client) Version() string {
	if seen := c.seen.Load(); seen != nil {
		return c.identity + " " + *seen
	}
	return c.identity + " " + c.options.Version
}

// Detect asks the server, in as many batches as it takes, one after the other.
// What goes wrong with a batch is the error of each of its texts.
func (c *Client) Detect(ctx context.Context, requests []detect.Request) ([]detect.Result, error) {
	out := make([]detect.Result, len(requests))
	for _, b := range c.batches(requests, out) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		results, err := c.ask(ctx, b, requests)
		for i, at := range b.places {
			if err != nil {
				out[at].Err = err
				continue
			}
			out[at] = results[i]
		}
	}
	return out, nil
}

// ask sends a batch.
func (c *Client) ask(ctx context.Context, b batch, requests []detect.Request) ([]detect.Result, error) {
	body, err := c.endpoint.Post(ctx, "", b.body(c.name, c.options.Version))
	if err != nil {
		return nil, fmt.Errorf("asking the detector %s: %w", c.name, err)
	}
	asked := make([]detect.Request, len(b.places))
	for i, at := range b.places {
		asked[i] = requests[at]
	}
	version, results, err := readAnswer(body, asked)
	if err == nil && c.options.Version != "" && version != c.options.Version {
		err = fmt.Errorf("got version %.40q, want %q", version, c.options.Version)
	}
	if err != nil {
		return nil, fmt.Errorf("reading the answer of the detector %s: %w", c.name, err)
	}
	c.seen.Store(&version)
	return results, nil
}
