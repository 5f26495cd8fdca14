// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package demo

import (
	"fmt"
	"net/http"
	"slices"
	"sync"
)

// The paper's attacker is www.cloudflare155.com; names under .test belong to
// nobody.
const attackerHost = "www.cloudflare155.test"

// An attacker is a web server whose owner reads its log. Whatever address is
// asked for, it answers with a page that looks like one.
type attacker struct {
	mu       sync.Mutex
	requests []string
}

func (a *attacker) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a.mu.Lock()
	a.requests = append(a.requests, fmt.Sprintf("%s http://%s%s", r.Method, r.Host, r.URL.RequestURI()))
	a.mu.Unlock()
	fmt.Fprint(w, "<!doctype html><title>Welcome</title>")
}

func (a *attacker) log() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Clone(a.requests)
}
