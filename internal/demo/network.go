// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package demo

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"sync"
	"time"
)

// patience is how long a machine of the network waits for another one. All
// are on this machine: only one that is broken takes so long.
const patience = 10 * time.Second

// A network is web servers on this machine and the names by which its clients
// find them. A client reaches these servers and nothing else: no name is looked
// up anywhere, and no proxy is asked.
type network struct {
	listen    func(context.Context) (net.Listener, error)
	addresses map[string]string // by host
	servers   []*http.Server
	transport *http.Transport

	serving     sync.WaitGroup
	connections sync.WaitGroup
}

func newNetwork(listen func(context.Context) (net.Listener, error)) *network {
	if listen == nil {
		listen = func(ctx context.Context) (net.Listener, error) {
			return (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
		}
	}
	n := &network{listen: listen, addresses: map[string]string{}}
	n.transport = &http.Transport{DialContext: n.dial}
	return n
}

// client returns a client of the network. All servers must have been opened.
func (n *network) client() *http.Client {
	return &http.Client{Transport: n.transport, Timeout: patience}
}

func (n *network) dial(ctx context.Context, protocol, address string) (net.Conn, error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	to, ok := n.addresses[host]
	if !ok {
		return nil, fmt.Errorf("there is no %s here", host)
	}
	return (&net.Dialer{}).DialContext(ctx, protocol, to)
}

// serve opens a server under a name. Its requests end with ctx.
func (n *network) serve(ctx context.Context, host string, handler http.Handler) error {
	listener, err := n.listen(ctx)
	if err != nil {
		return fmt.Errorf("opening a port for %s: %w", host, err)
	}
	server := &http.Server{
		Handler:           handler,
		BaseContext:       func(net.Listener) context.Context { return ctx },
		ConnState:         n.count,
		ReadHeaderTimeout: patience,
		ErrorLog:          log.New(io.Discard, "", 0), // a client that goes away is no news
	}
	n.addresses[host] = listener.Addr().String()
	n.servers = append(n.servers, server)
	// Serve ends when the server is closed; should it end before, whoever asks
	// the server says so.
	n.serving.Go(func() { _ = server.Serve(listener) })
	return nil
}

// count keeps account of the connections that servers have a goroutine for.
func (n *network) count(_ net.Conn, state http.ConnState) {
	switch state {
	case http.StateNew:
		n.connections.Add(1)
	case http.StateClosed, http.StateHijacked:
		n.connections.Done()
	case http.StateActive, http.StateIdle:
	}
}

// close closes the servers, after the requests under way, and waits for all
// that was started.
func (n *network) close() error {
	n.transport.CloseIdleConnections()
	// Whoever interrupts a run still wants its end to be an orderly one, so
	// this does not end with the run's context.
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	var errs []error
	for _, server := range n.servers {
		if err := server.Shutdown(ctx); err != nil {
			errs = append(errs, fmt.Errorf("closing a server: %w", err), server.Close())
		}
	}
	n.serving.Wait()
	n.connections.Wait()
	return errors.Join(errs...)
}
