// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package egress

import (
	"context"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

var contains = strings.Contains

// fakeResolver answers with one list after the other, and the last again.
type fakeResolver struct {
	answers [][]string
	asked   atomic.Int64
}

func (r *fakeResolver) LookupNetIP(_ context.Context, _, _ string) ([]netip.Addr, error) {
	i := min(int(r.asked.Add(1))-1, len(r.answers)-1)
	var out []netip.Addr
	for _, a := range r.answers[i] {
		out = append(out, netip.MustParseAddr(a))
	}
	return out, nil
}

// served starts a server on loopback and returns its port, and the address of
// a path on a name that a resolver makes up.
func served(t *testing.T, handler http.HandlerFunc) (port, address string) {
	t.Helper()
	s := httptest.NewServer(handler)
	t.Cleanup(s.Close)
	u, err := url.Parse(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	return u.Port(), "http://detector.example:" + u.Port() + "/ask?key=hidden"
}

func client(t *testing.T, o Options) *Client {
	t.Helper()
	c, err := New(&o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

var here = []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}

func echo(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Connection", "close") // the next request looks the name up again
	_, _ = io.Copy(w, r.Body)
}

// A name that means an address of one's own network the second time is refused
// then, and the address that was judged is the one that is connected to.
func TestRebinding(t *testing.T) {
	_, address := served(t, echo)
	for _, second := range []string{"127.0.0.2", "10.0.0.1", "169.254.169.254", "::1", "::ffff:169.254.169.254", "fd00::1", "64:ff9b::7f00:1"} {
		r := &fakeResolver{answers: [][]string{{"127.0.0.1"}, {second}}}
		c := client(t, Options{Prefixes: here, Resolver: r})
		got, err := c.Post(t.Context(), address, nil, []byte("hello"))
		if err != nil || string(got.Body) != "hello" {
			t.Fatal(got, err)
		}
		if n := r.asked.Load(); n != 1 {
			t.Errorf("the name was looked up %d times for one connection", n)
		}
		if _, err := c.Post(t.Context(), address, nil, nil); !errors.Is(err, ErrRefused) {
			t.Errorf("%s: got %v", second, err)
		}
	}
}

// One address that is refused among others refuses the name.
func TestMixedAnswers(t *testing.T) {
	_, address := served(t, echo)
	for _, answer := range [][]string{{"127.0.0.1", "10.0.0.1"}, {"10.0.0.1", "127.0.0.1"}, {"127.0.0.1", "1.1.1.1", "::1"}} {
		c := client(t, Options{Prefixes: here, Resolver: &fakeResolver{answers: [][]string{answer}}})
		if _, err := c.Post(t.Context(), address, nil, nil); !errors.Is(err, ErrRefused) {
			t.Errorf("%v: got %v", answer, err)
		}
	}
	c := client(t, Options{Prefixes: here, Resolver: &fakeResolver{answers: [][]string{{}}}})
	if _, err := c.Post(t.Context(), address, nil, nil); err == nil || errors.Is(err, ErrRefused) {
		t.Errorf("without addresses: got %v", err)
	}
	c = client(t, Options{Prefixes: here, Resolver: &fakeResolver{answers: [][]string{{"::ffff:127.0.0.1"}}}})
	if _, err := c.Post(t.Context(), address, nil, nil); err != nil {
		t.Errorf("a resolver that writes IPv4 as IPv6: %v", err)
	}
}

func TestNamedHost(t *testing.T) {
	port, address := served(t, echo)
	r := &fakeResolver{answers: [][]string{{"127.0.0.1"}}}
	if _, err := client(t, Options{Hosts: []string{"detector.example:" + port}, Resolver: r}).Post(t.Context(), address, nil, nil); err != nil {
		t.Error(err)
	}
	for _, hosts := range [][]string{nil, {"detector.example:1"}, {"other.example"}, {"example"}} {
		if _, err := client(t, Options{Hosts: hosts, Resolver: r}).Post(t.Context(), address, nil, nil); !errors.Is(err, ErrRefused) {
			t.Errorf("%v: got %v", hosts, err)
		}
	}
	// By its name it may not have an address that no host of one's own has.
	r = &fakeResolver{answers: [][]string{{"169.254.169.254"}}}
	if _, err := client(t, Options{Hosts: []string{"detector.example"}, Resolver: r}).Post(t.Context(), address, nil, nil); !errors.Is(err, ErrRefused) {
		t.Errorf("got %v", err)
	}
}

// Nothing goes along that nobody asked for, and nothing leads elsewhere.
func TestNothingAmbient(t *testing.T) {
	var reached atomic.Bool
	trap := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached.Store(true) }))
	defer trap.Close()
	for _, name := range []string{"HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY"} {
		t.Setenv(name, trap.URL)
	}
	var seen []http.Header
	_, address := served(t, func(w http.ResponseWriter, r *http.Request) {
		seen = append(seen, r.Header.Clone())
		w.Header().Set("Set-Cookie", "a=b")
		http.Redirect(w, r, trap.URL, http.StatusTemporaryRedirect)
	})
	c := client(t, Options{Prefixes: here, Resolver: &fakeResolver{answers: [][]string{{"127.0.0.1"}}}})
	for range 2 {
		got, err := c.Post(t.Context(), address, http.Header{"Content-Type": {"application/json"}}, []byte("{}"))
		if err != nil || got.Status != http.StatusTemporaryRedirect {
			t.Fatal(got, err)
		}
	}
	if reached.Load() {
		t.Error("a proxy or the target of a redirect was asked")
	}
	for _, h := range seen {
		for name := range h {
			if !slices.Contains([]string{"Content-Type", "Content-Length", "User-Agent"}, name) {
				t.Errorf("the header %s was sent", name)
			}
		}
	}
}

func TestBounds(t *testing.T) {
	release := make(chan struct{})
	_, flood := served(t, func(w http.ResponseWriter, _ *http.Request) {
		for range 10 << 4 {
			if _, err := w.Write(make([]byte, 64<<10)); err != nil {
				return
			}
		}
	})
	_, hang := served(t, func(_ http.ResponseWriter, r *http.Request) { hangUp(r, release) })
	_, stop := served(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, "a")
		_ = http.NewResponseController(w).Flush()
		hangUp(r, release)
	})
	_, short := served(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "100")
		_, _ = io.WriteString(w, "short")
	})
	_, headers := served(t, func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("A", strings.Repeat("a", 1<<20)) })
	_, fits := served(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(make([]byte, 1000)) })
	defer close(release)
	o := Options{Prefixes: here, Resolver: &fakeResolver{answers: [][]string{{"127.0.0.1"}}}, MaxAnswer: 1000}
	c := client(t, o)
	o.Timeout = 200 * time.Millisecond
	hasty := client(t, o)
	if got, err := c.Post(t.Context(), fits, nil, nil); err != nil || len(got.Body) != 1000 {
		t.Error("an answer that fits:", err)
	}
	if _, err := c.Post(t.Context(), flood, nil, nil); !errors.Is(err, ErrTooLong) {
		t.Error("a flood:", err)
	}
	for _, address := range []string{hang, stop} {
		if _, err := hasty.Post(t.Context(), address, nil, nil); !errors.Is(err, context.DeadlineExceeded) {
			t.Error("one that hangs:", err)
		}
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	for _, address := range []string{hang, stop} {
		if _, err := c.Post(gone, address, nil, nil); !errors.Is(err, context.Canceled) {
			t.Error("after the end:", err)
		}
	}
	if _, err := c.Post(t.Context(), short, nil, nil); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Error("one that is cut:", err)
	}
	if _, err := c.Post(t.Context(), headers, nil, nil); err == nil || strings.Contains(err.Error(), "hidden") {
		t.Error("a flood of headers:", err)
	}
}

// hangUp waits until the client or the test is gone.
func hangUp(r *http.Request, release chan struct{}) {
	select {
	case <-r.Context().Done():
	case <-release:
	}
}

// A server that is not there is no refusal: it may be there next time.
func TestNoServer(t *testing.T) {
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := l.Addr().(*net.TCPAddr).Port
	address := netip.AddrPortFrom(netip.MustParseAddr("127.0.0.1"), uint16(port)).String()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	_, err = client(t, Options{Prefixes: here}).Post(t.Context(), "http://"+address+"/?key=hidden", nil, nil)
	if err == nil || errors.Is(err, ErrRefused) || strings.Contains(err.Error(), "hidden") {
		t.Errorf("got %v", err)
	}
}

// Certificates count, and are those of the name.
func TestCertificates(t *testing.T) {
	s := httptest.NewTLSServer(http.HandlerFunc(echo))
	defer s.Close()
	s.Config.ErrorLog = nil
	roots := x509.NewCertPool()
	roots.AddCert(s.Certificate())
	u, err := url.Parse(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	r := &fakeResolver{answers: [][]string{{"127.0.0.1"}}}
	post := func(host string, roots *x509.CertPool) error {
		_, err := client(t, Options{Prefixes: here, Resolver: r, Roots: roots}).Post(t.Context(), "https://"+host+":"+u.Port(), nil, nil)
		return err
	}
	if err := post("example.com", roots); err != nil {
		t.Error(err)
	}
	if post("example.com", nil) == nil || post("example.net", roots) == nil {
		t.Error("a certificate of nobody's or of another name is taken")
	}
}
