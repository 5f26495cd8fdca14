// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package builtin

import (
	recent "container/list"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/holdfast-dev/holdfast/detect"
)

// The bounds of the answers that are kept, and of the time that one takes.
const (
	maxAnswers    = 32 << 20 // bytes
	detectTimeout = 10 * time.Second
)

// Detectors are what detector functions ask, by the name of the function,
// with a memory of what they said: a text is looked at once however many
// monitors ask, also if they ask at the same time. It is safe for concurrent
// use, so that all monitors of a policy share one.
type Detectors struct {
	byName  map[string]detect.Detector
	timeout time.Duration

	mu       sync.Mutex
	versions map[string]*version
	kept     map[answerKey]*recent.Element // of answers
	order    *recent.List                  // the one that was used last in front
	size     int
	flights  map[answerKey]*flight
	rested   time.Time // until when nothing is asked about what is private
}

// NewDetectors returns detectors that remember nothing yet. A call that takes
// longer than timeout is unknown; 0 means ten seconds.
func NewDetectors(byName map[string]detect.Detector, timeout time.Duration) *Detectors {
	if timeout <= 0 {
		timeout = detectTimeout
	}
	return &Detectors{
		byName: byName, timeout: timeout,
		kept: map[answerKey]*recent.Element{}, order: recent.New(), flights: map[answerKey]*flight{},
	}
}

// answerKey is the hash of all that an answer depends on: texts are not kept.
type answerKey [sha256.Size]byte

// An answer is what a detector said.
type answer struct {
	key    answerKey
	result detect.Result
}

// size is about how many bytes a kept answer takes.
func (a *answer) size() int {
	n := 300
	for _, f := range a.result.Findings {
		n += 120 + len(f.Kind) + len(f.View) + len(f.Text)
	}
	return n
}

// A flight is a question on its way. Its result may be read once done is
// closed.
type flight struct {
	done   chan struct{}
	result detect.Result
}

// has reports whether there is a detector for a function.
func (d *Detectors) has(name string) bool { return d != nil && d.byName[name] != nil }

// errNoDetector is the answer where nobody can be asked.
var errNoDetector = errors.New("there is no such detector")

// ask answers the requests to the detector with a name, in their order.
func (d *Detectors) ask(ctx context.Context, name string, requests []detect.Request) []detect.Result {
	out := make([]detect.Result, len(requests))
	if !d.has(name) {
		for i := range out {
			out[i].Err = errNoDetector
		}
		return out
	}
	version, err := d.version(ctx, name)
	if err != nil {
		return allFailed(len(requests), err)
	}
	flights := d.board(ctx, name, version, requests, out)
	for i, f := range flights {
		if f == nil {
			continue
		}
		select {
		case <-f.done:
			out[i] = f.result
		case <-ctx.Done():
			out[i].Err = ctx.Err()
		}
	}
	return out
}

// board takes what is remembered into out and returns the flights of the other
// requests, having sent off those that were not on their way.
func (d *Detectors) board(ctx context.Context, name, version string, requests []detect.Request, out []detect.Result) []*flight {
	detector := d.byName[name]
	flights := make([]*flight, len(requests))
	var keys []answerKey
	var wanted []detect.Request
	var own []*flight
	d.mu.Lock()
	defer d.mu.Unlock()
	for i, r := range requests {
		key := keyOf(name, version, r)
		if e := d.kept[key]; e != nil {
			d.order.MoveToFront(e)
			out[i] = e.Value.(*answer).result
			continue
		}
		if flights[i] = d.flights[key]; flights[i] != nil {
			continue
		}
		flights[i] = &flight{done: make(chan struct{})}
		d.flights[key] = flights[i]
		keys, wanted, own = append(keys, key), append(wanted, r), append(own, flights[i])
	}
	if len(wanted) > 0 {
		// Others may wait for the answer too, so it does not end with the one
		// who asked first.
		go func() {
			d.fly(context.WithoutCancel(ctx), detector, keys, wanted, own)
			d.renew(name, version, keys)
		}()
	}
	return flights
}

// fly asks, and gives the answers to those who wait. Only answers are
// remembered: what failed may do better next time.
func (d *Detectors) fly(ctx context.Context, detector detect.Detector, keys []answerKey, requests []detect.Request, flights []*flight) {
	ctx, cancel := context.WithTimeout(ctx, d.timeout)
	defer cancel()
	said := make(chan []detect.Result, 1)
	go func() { said <- answersOf(ctx, detector, requests) }()
	var results []detect.Result
	select {
	case results = <-said:
	case <-ctx.Done():
		results = allFailed(len(requests), ctx.Err())
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	for i, f := range flights {
		f.result = results[i]
		delete(d.flights, keys[i])
		if f.result.Err == nil {
			d.keep(&answer{keys[i], f.result})
		}
		close(f.done)
	}
}

// renew asks a detector for its version after it was asked for something else:
// that of a server may be another by now. What was remembered of the one before
// then counts no more, nor do the answers that it gave meanwhile, of which
// nobody knows whose they are.
func (d *Detectors) renew(name, before string, keys []answerKey) {
	after, err := versionOf(d.byName[name])
	if err != nil || after == before {
		return
	}
	known := &version{done: make(chan struct{}), name: after}
	close(known.done)
	d.mu.Lock()
	defer d.mu.Unlock()
	d.versions[name] = known
	for _, key := range keys {
		if e := d.kept[key]; e != nil {
			d.size -= d.order.Remove(e).(*answer).size()
			delete(d.kept, key)
		}
	}
}

// keep remembers an answer and forgets the oldest ones for it.
func (d *Detectors) keep(a *answer) {
	d.kept[a.key] = d.order.PushFront(a)
	for d.size += a.size(); d.size > maxAnswers; {
		old := d.order.Remove(d.order.Back()).(*answer)
		delete(d.kept, old.key)
		d.size -= old.size()
	}
}

// A version is that of a detector, or why it is not known. It may be read once
// done is closed.
type version struct {
	done chan struct{}
	name string
	err  error
}

// version returns the version of a detector, as it was last said. One
// that does not say it in time has failed, this time.
func (d *Detectors) version(ctx context.Context, name string) (string, error) {
	v := d.askVersion(name)
	late := time.NewTimer(d.timeout)
	defer late.Stop()
	select {
	case <-v.done:
		return v.name, v.err
	case <-ctx.Done():
		return "", ctx.Err()
	case <-late.C:
		return "", context.DeadlineExceeded
	}
}

// askVersion asks for a version unless that is done already. What failed is
// asked again the next time.
func (d *Detectors) askVersion(name string) *version {
	d.mu.Lock()
	defer d.mu.Unlock()
	if v := d.versions[name]; v != nil {
		return v
	}
	v := &version{done: make(chan struct{})}
	if d.versions == nil {
		d.versions = map[string]*version{}
	}
	d.versions[name] = v
	go func() {
		if v.name, v.err = versionOf(d.byName[name]); v.err != nil {
			d.mu.Lock()
			delete(d.versions, name)
			d.mu.Unlock()
		}
		close(v.done)
	}()
	return v
}

// versionOf asks a detector for its version, without holding a lock.
func versionOf(detector detect.Detector) (version string, err error) {
	defer func() {
		if recover() != nil {
			err = errors.New("the detector panicked")
		}
	}()
	return detector.Version(), nil
}

// answersOf asks a detector, which is not trusted to keep its contract: it may
// change what it was given and, later, what it gave.
func answersOf(ctx context.Context, detector detect.Detector, requests []detect.Request) (out []detect.Result) {
	defer func() {
		if recover() != nil { // what it says may quote the text
			out = allFailed(len(requests), errors.New("the detector panicked"))
		}
	}()
	given := slices.Clone(requests)
	for i := range given {
		given[i].Views = slices.Clone(given[i].Views)
	}
	out, err := detector.Detect(ctx, given)
	switch {
	case err != nil:
		return allFailed(len(requests), err)
	case len(out) != len(requests):
		return allFailed(len(requests), fmt.Errorf("got %d answers, want %d", len(out), len(requests)))
	}
	out = slices.Clone(out)
	for i := range out {
		out[i].Findings = ownFindings(wantedFindings(out[i].Findings, requests[i].Views))
		if err := sound(requests[i].Text, out[i].Findings); err != nil {
			out[i] = detect.Result{Err: err}
		}
	}
	return out
}

// wantedFindings are those of the views that were asked for: where a finding
// can keep a rule from being violated, a disguise must not make one.
func wantedFindings(findings []detect.Finding, views []string) []detect.Finding {
	unwanted := func(f detect.Finding) bool {
		return f.View != "" && f.View != detect.Raw && !slices.Contains(views, f.View)
	}
	if views == nil || !slices.ContainsFunc(findings, unwanted) {
		return findings
	}
	return slices.DeleteFunc(slices.Clone(findings), unwanted)
}

// ownFindings copies findings. Their words may be pieces of the text, all of
// which they would keep in memory.
func ownFindings(findings []detect.Finding) []detect.Finding {
	out := slices.Clip(slices.Clone(findings))
	words := map[string]string{}
	own := func(word string) string {
		if _, ok := words[word]; !ok {
			word = strings.Clone(word)
			words[word] = word
		}
		return words[word]
	}
	for i := range out {
		out[i].Kind, out[i].View = own(out[i].Kind), own(out[i].View)
		out[i].Text, out[i].Severity = own(out[i].Text), own(out[i].Severity)
	}
	return out
}

// sound returns an error if findings cannot be in a text.
func sound(text string, findings []detect.Finding) error {
	if len(findings) == 0 {
		return nil
	}
	length := utf8.RuneCountInString(text)
	for _, f := range findings {
		if err := f.Check(length); err != nil {
			return err
		}
	}
	return nil
}

func allFailed(n int, err error) []detect.Result {
	out := make([]detect.Result, n)
	for i := range out {
		out[i].Err = err
	}
	return out
}

// keyOf hashes what an answer depends on, each piece with its length.
func keyOf(name, version string, r detect.Request) answerKey {
	buf := appendPiece(nil, 'n', name)
	buf = appendPiece(buf, 'v', version)
	buf = appendPiece(buf, 'p', r.Params)
	if r.Views == nil {
		buf = append(buf, '*')
	}
	for _, v := range r.Views {
		buf = appendPiece(buf, 'w', v)
	}
	return sha256.Sum256(append(append(buf, 't'), r.Text...))
}
