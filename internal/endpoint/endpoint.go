// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

// Package endpoint asks one server over HTTP, on behalf of a detector: JSON out,
// JSON in. It tries again where that may help, leaves a server alone that keeps
// failing, and takes nothing but a whole and well-formed answer for one. What
// may be reached at all is for package egress to say.
package endpoint

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"github.com/cenkalti/backoff/v5"
	"github.com/sony/gobreaker/v2"

	"github.com/holdfast-dev/holdfast/internal/egress"
)

// Options describe a server.
type Options struct {
	URL      string         // the address to ask, or what paths are added to
	Token    string         // sent as a bearer token; "" sends none
	Hosts    []string       // see egress.Options
	Prefixes []netip.Prefix // see egress.Options
	Timeout  time.Duration  // of one try; 0 is five seconds
	Tries    int            // 0 is three
	Resolver egress.Resolver
}

// The bounds of what is tried.
const (
	defaultTries   = 3
	defaultTimeout = 5 * time.Second
	maxAnswer      = 8 << 20
	firstPause     = 100 * time.Millisecond
	maxPause       = 2 * time.Second
	maxRetryAfter  = 5 * time.Second
	tripAfter      = 5                // failures one after the other
	restFor        = 10 * time.Second // until one question is let through again
)

// An Endpoint is a server to ask. It is safe for concurrent use.
type Endpoint struct {
	url     string // without what is behind its path
	query   string
	header  http.Header
	tries   uint
	post    func(ctx context.Context, address string, header http.Header, body []byte) (*egress.Answer, error)
	breaker *gobreaker.CircuitBreaker[*egress.Answer]
}

// New returns an endpoint. It asks nothing yet; the error says why it never
// could.
func New(o Options) (*Endpoint, error) {
	if o.Timeout <= 0 {
		o.Timeout = defaultTimeout
	}
	client, err := egress.New(&egress.Options{
		Hosts: o.Hosts, Prefixes: o.Prefixes, Timeout: o.Timeout, MaxAnswer: maxAnswer, Resolver: o.Resolver,
	})
	if err != nil {
		return nil, err
	}
	if err := client.Check(o.URL); err != nil {
		return nil, err
	}
	if strings.ContainsFunc(o.Token, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return nil, errors.New("the token has other signs in it than letters, digits and punctuation")
	}
	return over(o, client.Post), nil
}

// over makes an endpoint that posts in a way of the caller's.
func over(o Options, post func(context.Context, string, http.Header, []byte) (*egress.Answer, error)) *Endpoint {
	e := &Endpoint{tries: defaultTries, post: post, header: http.Header{
		"Content-Type": {"application/json"}, "Accept": {"application/json"}, "User-Agent": {"holdfast"},
	}}
	e.url, e.query, _ = strings.Cut(o.URL, "?")
	e.url = strings.TrimSuffix(e.url, "/")
	if o.Tries > 0 {
		e.tries = uint(o.Tries)
	}
	if o.Token != "" {
		e.header.Set("Authorization", "Bearer "+o.Token)
	}
	e.breaker = gobreaker.NewCircuitBreaker[*egress.Answer](gobreaker.Settings{
		Timeout:      restFor,
		ReadyToTrip:  func(c gobreaker.Counts) bool { return c.ConsecutiveFailures >= tripAfter },
		IsSuccessful: alive,
		IsExcluded: func(err error) bool { // these say nothing of the server
			return errors.Is(err, context.Canceled) || errors.Is(err, egress.ErrRefused)
		},
	})
	return e
}

// A statusError is an answer that is none.
type statusError struct {
	status int
	after  time.Duration // when to come again, 0 if it was not said
}

func (e *statusError) Error() string {
	return "the server answered with the status " + strconv.Itoa(e.status)
}

// alive reports whether a server that gave an error still is in order: a
// question may be wrong without the next one being so.
func alive(err error) bool {
	var answered *statusError
	if errors.As(err, &answered) {
		return answered.status >= 400 && answered.status < 500 && answered.status != http.StatusTooManyRequests
	}
	return err == nil
}

// Post sends a body to a path of the endpoint, "" for its own address, and
// returns the body of an answer with status 200. Anything else is an error,
// which quotes neither of the two. It ends when ctx does, and before it waits
// for a try that would come too late.
func (e *Endpoint) Post(ctx context.Context, path string, body []byte) ([]byte, error) {
	pauses := backoff.NewExponentialBackOff()
	pauses.InitialInterval, pauses.MaxInterval = firstPause, maxPause
	options := []backoff.RetryOption{backoff.WithBackOff(pauses), backoff.WithMaxTries(e.tries)}
	if end, ok := ctx.Deadline(); ok {
		options = append(options, backoff.WithMaxElapsedTime(max(time.Until(end), 1)))
	}
	return backoff.Retry(ctx, func() ([]byte, error) {
		answer, err := e.breaker.Execute(func() (*egress.Answer, error) { return e.once(ctx, path, body) })
		if err != nil {
			return nil, retried(ctx, err)
		}
		return answer.Body, nil
	}, options...)
}

// once asks once.
func (e *Endpoint) once(ctx context.Context, path string, body []byte) (*egress.Answer, error) {
	address := e.url + path
	if e.query != "" {
		address += "?" + e.query
	}
	answer, err := e.post(ctx, address, e.header, body)
	if err == nil && answer.Status != http.StatusOK {
		err = &statusError{answer.Status, retryAfter(answer.Header.Get("Retry-After"))}
	}
	return answer, err
}

// retried says of an error whether and when to try again.
func retried(ctx context.Context, err error) error {
	var answered *statusError
	switch {
	case errors.As(err, &answered):
		if answered.status != http.StatusTooManyRequests && answered.status != http.StatusServiceUnavailable {
			return backoff.Permanent(err)
		}
		if answered.after > 0 {
			return &laterError{err, &backoff.RetryAfterError{Duration: min(answered.after, maxRetryAfter)}}
		}
		return err
	case errors.Is(err, gobreaker.ErrOpenState), errors.Is(err, gobreaker.ErrTooManyRequests):
		return backoff.Permanent(fmt.Errorf("the server failed too often: it is left alone for a while: %w", err))
	case errors.Is(err, egress.ErrRefused), errors.Is(err, egress.ErrTooLong), errors.Is(err, context.DeadlineExceeded), ctx.Err() != nil:
		return backoff.Permanent(err)
	}
	return err // there was no connection, or it broke
}

// A laterError is an error with a time to try again, as package backoff looks
// for it.
type laterError struct {
	error
	later error
}

func (e *laterError) Unwrap() []error { return []error{e.error, e.later} }

// retryAfter reads the header of the name; 0 if it says nothing that counts.
func retryAfter(header string) time.Duration {
	if seconds, err := strconv.Atoi(header); err == nil {
		return time.Duration(min(max(seconds, 0), 3600)) * time.Second
	}
	at, err := http.ParseTime(header)
	if err != nil {
		return 0
	}
	return max(time.Until(at), 0)
}
