// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package demo

import (
	"context"
	"errors"
	"net"
	"net/http"
)

// A stage is the network of one run, with those on it who remember something.
type stage struct {
	net      *network
	chat     *chat
	attacker *attacker
}

func openStage(ctx context.Context, rows []string, listen func(context.Context) (net.Listener, error)) (*stage, error) {
	n := newNetwork(listen)
	s := &stage{net: n, chat: &chat{client: n.client()}, attacker: &attacker{}}
	for _, machine := range []struct {
		host    string
		handler http.Handler
	}{{llmHost, llm()}, {sheetHost, sheet(rows)}, {chatHost, s.chat}, {attackerHost, s.attacker}} {
		if err := n.serve(ctx, machine.host, machine.handler); err != nil {
			return nil, errors.Join(err, s.close())
		}
	}
	return s, nil
}

func (s *stage) close() error { return s.net.close() }
