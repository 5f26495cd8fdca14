// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package egress

import (
	"net"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
)

// A place is a host as it is written, in lower case and without a dot at its
// end, with its port; "" is any port.
type place struct{ host, port string }

// readURL reads an address that may be asked. It refuses what different
// readers of addresses read differently: user names, zones, numbers that some
// take for addresses of IPv4.
func readURL(raw string) (*url.URL, place, error) {
	u, err := url.Parse(raw)
	switch {
	case err != nil:
		return nil, place{}, refused("the address is no URL") // what url says quotes it, and with it a password
	case u.Scheme != "https" && u.Scheme != "http":
		return nil, place{}, refused("got the scheme %q, want https or http", u.Scheme)
	case u.User != nil:
		return nil, place{}, refused("the address has a user in it")
	case u.Fragment != "" || u.Opaque != "":
		return nil, place{}, refused("the address has a part that nothing is asked for")
	}
	p, err := readPlace(u.Host)
	if err == nil && p.port == "" {
		p.port = map[string]string{"https": "443", "http": "80"}[u.Scheme]
	}
	return u, p, err
}

// readPlace reads a host with or without a port, as it stands in an address.
func readPlace(raw string) (place, error) {
	host, port := raw, ""
	if i := strings.LastIndexByte(raw, ':'); i >= 0 && !strings.HasSuffix(raw, "]") {
		host, port = raw[:i], raw[i+1:]
		if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 || port[0] == '0' {
			return place{}, refused("got the port %q, want 1 to 65535", port)
		}
	}
	if inner, ok := strings.CutPrefix(host, "["); ok {
		addr, err := netip.ParseAddr(strings.TrimSuffix(inner, "]"))
		if err != nil || !addr.Is6() || !strings.HasSuffix(host, "]") || addr.Zone() != "" {
			return place{}, refused("%q is no address of IPv6", host)
		}
		return place{addr.String(), port}, nil
	}
	host, err := readHost(host)
	return place{host, port}, err
}

// readHost reads a name or an address of IPv4.
func readHost(raw string) (string, error) {
	host := strings.ToLower(strings.TrimSuffix(raw, "."))
	if len(host) == 0 || len(host) > 253 {
		return "", refused("the address has no host")
	}
	labels := strings.Split(host, ".")
	for _, label := range labels {
		if !plainLabel(label) {
			return "", refused("%q is no name of a host in plain letters", raw)
		}
	}
	if numeric(labels[len(labels)-1]) {
		if _, err := netip.ParseAddr(host); err != nil {
			return "", refused("%q is a number, and not an address as it is usually written", raw)
		}
	}
	return host, nil
}

// plainLabel reports whether all of a label of a name is what it looks like.
func plainLabel(label string) bool {
	for _, r := range label {
		if !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '-' || r == '_') {
			return false
		}
	}
	return label != "" && len(label) <= 63
}

// numeric reports whether somebody may read a name that ends in a label as an
// address: 127.1, 0x7f000001, 0177.0.0.1 all were ways to write one.
func numeric(label string) bool {
	if hex, ok := strings.CutPrefix(label, "0x"); ok {
		return strings.Trim(hex, "0123456789abcdef") == ""
	}
	return strings.Trim(label, "0123456789") == ""
}

// literal returns the address that a host is; ok is false for a name. The names
// that are this machine by definition count as what they stand for.
func literal(host string) (addr netip.Addr, ok bool) {
	if addr, err := netip.ParseAddr(host); err == nil {
		return addr, true
	}
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return netip.AddrFrom4([4]byte{127, 0, 0, 1}), true
	}
	return netip.Addr{}, false
}

// join writes an address to dial.
func join(addr netip.Addr, port string) string { return net.JoinHostPort(addr.String(), port) }
