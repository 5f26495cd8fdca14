// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package scan

import (
	"strings"
	"sync"
)

// leastWeight is what the lightest record weighs: what there is of it beside
// its text.
const leastWeight = 2 << 10

// What a JSON value weighs when it is decoded, beside its text: a leaf in its
// container, and a container.
const (
	leafWeight      = 80
	containerWeight = 200
)

// weigh estimates from above what a trace takes in memory while it is checked.
// Counting its commas and brackets is a small part of the cost of decoding it;
// those inside of strings make the estimate larger than need be.
func weigh(text string) int64 {
	leaves := strings.Count(text, ",")
	containers := strings.Count(text, "{") + strings.Count(text, "[")
	return leastWeight + 2*int64(len(text)) + int64(leaves)*leafWeight + int64(containers)*containerWeight
}

// room bounds the weight of what is held. One goroutine takes, any may give.
type room struct {
	mu    sync.Mutex
	given sync.Cond
	limit int64
	held  int64
	gone  bool
}

func newRoom(limit int64) *room {
	if limit <= 0 {
		limit = DefaultRoom
	}
	r := &room{limit: max(limit, leastWeight)}
	r.given.L = &r.mu
	return r
}

// take waits until there is room for weight. What weighs more than there is
// room at all gets it when nothing else is held. It reports false once the room
// is closed.
func (r *room) take(weight int64) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	for !r.gone && r.held > 0 && r.held+weight > r.limit {
		r.given.Wait()
	}
	if r.gone {
		return false
	}
	r.held += weight
	return true
}

// give returns weight, or takes some without waiting if it is negative: what
// was rendered may weigh more than its trace did.
func (r *room) give(weight int64) {
	r.mu.Lock()
	r.held -= weight
	r.mu.Unlock()
	r.given.Signal()
}

// close lets nobody take any more.
func (r *room) close() {
	r.mu.Lock()
	r.gone = true
	r.mu.Unlock()
	r.given.Broadcast()
}
