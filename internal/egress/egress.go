// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

// Package egress is how a policy's questions leave this machine: a client of
// HTTP that reaches public hosts, and of one's own network only what is
// allowed by name or prefix. The detectors that ask a server use it.
//
// Where a connection goes is judged when it is made, on the address that is
// connected to, so that a name that means another address the second time gains
// nothing. A name of which one address is refused is refused whole. There are
// no redirects, no proxies and credentials from the environment, no cookies;
// answers are bounded in size and time.
package egress

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"syscall"
	"time"
)

// ErrRefused is wrapped by errors that say that nothing was sent, because the
// address may not be reached.
var ErrRefused = errors.New("address refused")

// ErrTooLong is wrapped by errors about answers of more bytes than are wanted.
var ErrTooLong = errors.New("the answer is too long")

// Options say what a Client may reach and what it bears. The zero value reaches
// public addresses over https.
type Options struct {
	// Hosts may be on one's own network, and asked over plain http: "name" or
	// "name:port", as in addresses. That they have a link-local address or that
	// of a cloud's metadata takes a prefix all the same.
	Hosts []string

	// Prefixes are addresses that may be reached whatever they are for. Those
	// of metadata take a prefix of that one address.
	Prefixes []netip.Prefix

	Timeout   time.Duration  // of an exchange, from looking up the name to the end of the answer; 0 is ten seconds
	MaxAnswer int64          // bytes of an answer; 0 is 8 MiB
	Resolver  Resolver       // nil: that of the system
	Roots     *x509.CertPool // who is believed about certificates; nil: whom the system believes
}

// A Resolver looks up the addresses of a name; *net.Resolver is one.
type Resolver interface {
	LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error)
}

// The bounds where Options have none, and of what nobody needs to change.
const (
	defaultTimeout = 10 * time.Second
	defaultAnswer  = 8 << 20
	maxHeader      = 64 << 10
	maxAddresses   = 16
)

// A Client posts to addresses that may be reached. It is safe for concurrent
// use.
type Client struct {
	hosts    []place
	prefixes []netip.Prefix
	resolver Resolver
	timeout  time.Duration
	max      int64
	clients  map[string]*http.Client // by scheme
}

// New returns a client. Its error says which of the options cannot be read.
func New(o *Options) (*Client, error) {
	if o == nil {
		o = &Options{}
	}
	c := &Client{prefixes: slices.Clone(o.Prefixes), resolver: o.Resolver, timeout: o.Timeout, max: o.MaxAnswer}
	for _, h := range o.Hosts {
		if addr, err := netip.ParseAddr(h); err == nil && addr.Is6() {
			h = "[" + h + "]"
		}
		p, err := readPlace(h)
		if err != nil {
			return nil, fmt.Errorf("reading the allowed host %q: %w", h, err)
		}
		c.hosts = append(c.hosts, p)
	}
	for _, p := range c.prefixes {
		if !p.IsValid() || p.Bits() == 0 {
			return nil, fmt.Errorf("got the allowed prefix %s, want one of some addresses", p)
		}
	}
	if c.resolver == nil {
		c.resolver = net.DefaultResolver
	}
	if c.timeout <= 0 {
		c.timeout = defaultTimeout
	}
	if c.max <= 0 {
		c.max = defaultAnswer
	}
	c.clients = map[string]*http.Client{"https": c.over(false, o.Roots), "http": c.over(true, nil)}
	return c, nil
}

// over returns the client of a scheme.
func (c *Client) over(plain bool, roots *x509.CertPool) *http.Client {
	return &http.Client{
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &http.Transport{
			Proxy: nil, // what the environment says is not asked
			DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
				return c.dial(ctx, network, address, plain)
			},
			TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: roots},
			DisableCompression:     true, // a short answer stays short
			MaxResponseHeaderBytes: maxHeader,
			MaxIdleConnsPerHost:    8,
			IdleConnTimeout:        30 * time.Second,
			TLSHandshakeTimeout:    c.timeout,
		},
	}
}

// Check returns an error if an address cannot be asked, whatever its name
// will mean.
func (c *Client) Check(address string) error {
	u, p, err := readURL(address)
	if err != nil {
		return err
	}
	if addr, ok := literal(p.host); ok {
		return c.permit(p.host, p.port, addr, u.Scheme == "http")
	}
	if u.Scheme == "http" && !c.named(p.host, p.port) && len(c.prefixes) == 0 {
		return refused("%s is asked over plain http and is no allowed host", p.host)
	}
	return nil
}

// An Answer is what a server said, whatever its status.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte
}

// Post sends a body to an address and reads the answer to its end. The error
// holds neither the address's query nor anything that was sent.
func (c *Client) Post(ctx context.Context, address string, header http.Header, body []byte) (*Answer, error) {
	u, p, err := readURL(address)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
	if err != nil {
		return nil, refused("the address cannot be asked")
	}
	if header != nil {
		request.Header = header.Clone()
	}
	response, err := c.clients[u.Scheme].Do(request)
	if err != nil {
		return nil, fmt.Errorf("asking %s: %w", p.host, withoutURL(err))
	}
	defer response.Body.Close() //nolint:errcheck // all that is wanted of it has been read
	answer := &Answer{Status: response.StatusCode, Header: response.Header}
	if answer.Body, err = io.ReadAll(io.LimitReader(response.Body, c.max+1)); err != nil {
		return nil, fmt.Errorf("reading the answer of %s: %w", p.host, err)
	}
	if int64(len(answer.Body)) > c.max {
		return nil, fmt.Errorf("reading the answer of %s: %w: more than %d bytes", p.host, ErrTooLong, c.max)
	}
	return answer, nil
}

// withoutURL is what is behind an error that quotes the whole address.
func withoutURL(err error) error {
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		return wrapped.Err
	}
	return err
}

// dial connects to a host by the addresses that are judged, and no others: the
// name is looked up once.
func (c *Client) dial(ctx context.Context, network, address string, plain bool) (net.Conn, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	if p, err := readPlace(address); err == nil {
		host = p.host // as allowed hosts are written
	}
	addrs, err := c.lookup(ctx, host)
	if err != nil {
		return nil, err
	}
	for _, addr := range addrs {
		if err := c.permit(host, port, addr, plain); err != nil {
			return nil, err
		}
	}
	dialer := net.Dialer{Timeout: c.timeout, Control: func(_, address string, _ syscall.RawConn) error {
		to, err := netip.ParseAddrPort(address)
		if err != nil {
			return refused("connecting to %s", address)
		}
		return c.permit(host, port, to.Addr().Unmap(), plain)
	}}
	var failed error
	for _, addr := range addrs {
		conn, err := dialer.DialContext(ctx, network, join(addr, port))
		if err == nil {
			return conn, nil
		}
		failed = err
	}
	return nil, failed
}

// lookup returns the addresses of a host.
func (c *Client) lookup(ctx context.Context, host string) ([]netip.Addr, error) {
	if addr, err := netip.ParseAddr(host); err == nil {
		return []netip.Addr{addr}, nil
	}
	addrs, err := c.resolver.LookupNetIP(ctx, "ip", host)
	switch {
	case err != nil:
		return nil, err
	case len(addrs) == 0:
		return nil, fmt.Errorf("%s has no address", host)
	case len(addrs) > maxAddresses:
		addrs = addrs[:maxAddresses]
	}
	out := make([]netip.Addr, len(addrs))
	for i, addr := range addrs {
		out[i] = addr.Unmap() // resolvers write addresses of IPv4 both ways
	}
	return out, nil
}

func refused(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrRefused, fmt.Sprintf(format, args...))
}
