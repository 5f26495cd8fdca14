// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package egress

import (
	"net/netip"
	"slices"
)

// A class is what an address is for, where that is not a public host.
type class struct {
	name   string
	inward bool // a host of one's own may have it, so that naming the host allows it
}

// The classes of addresses that nothing public has.
var (
	unspecified   = class{name: "unspecified"}
	private       = class{"private", true}
	loopback      = class{"loopback", true}
	carrier       = class{"of a carrier's network (100.64.0.0/10)", true}
	unique        = class{"a unique local address", true}
	linkLocal     = class{name: "link-local"}
	protocol      = class{name: "set aside for protocols"}
	documentation = class{name: "for documentation"}
	benchmarking  = class{name: "for benchmarks"}
	multicast     = class{name: "multicast"}
	reserved      = class{name: "reserved"}
	translated    = class{name: "an IPv4 address in an IPv6 address"}
	metadata      = class{name: "that of a cloud's metadata"}
)

// A block is a range of addresses of one class.
type block struct {
	prefix netip.Prefix
	class  class
}

// blocks are the special-purpose registries of IANA, as far as they are not
// reachable or not meant for hosts, narrower ranges first. They are
// deliberately wide: of what is set aside for protocols there are a few
// addresses that may be reached, and none that a detector would have.
var blocks = []block{
	// What clouds answer questions about a machine at, its credentials
	// included. The first of them is a public address.
	in("168.63.129.16/32", metadata),
	in("169.254.169.254/32", metadata),
	in("169.254.170.2/32", metadata),
	in("169.254.170.23/32", metadata),
	in("169.254.0.23/32", metadata),
	in("169.254.42.42/32", metadata),
	in("100.100.100.200/32", metadata),
	in("192.0.0.192/32", metadata),
	in("fd00:ec2::254/128", metadata),
	in("fd00:ec2::23/128", metadata),
	in("fd00:42::42/128", metadata),
	in("fd20:ce::254/128", metadata),
	in("fe80::a9fe:a9fe/128", metadata),

	in("0.0.0.0/8", unspecified),
	in("10.0.0.0/8", private),
	in("100.64.0.0/10", carrier),
	in("127.0.0.0/8", loopback),
	in("169.254.0.0/16", linkLocal),
	in("172.16.0.0/12", private),
	in("192.0.0.0/24", protocol),
	in("192.0.2.0/24", documentation),
	in("192.31.196.0/24", protocol),
	in("192.52.193.0/24", protocol),
	in("192.88.99.0/24", protocol), // anycast of 6to4
	in("192.168.0.0/16", private),
	in("192.175.48.0/24", protocol),
	in("198.18.0.0/15", benchmarking),
	in("198.51.100.0/24", documentation),
	in("203.0.113.0/24", documentation),
	in("224.0.0.0/4", multicast),
	in("240.0.0.0/4", reserved),

	in("::/128", unspecified),
	in("::1/128", loopback),
	in("::ffff:0:0/96", translated),
	in("::/96", translated), // IPv4-compatible, long given up
	in("64:ff9b::/96", translated),
	in("64:ff9b:1::/48", translated),
	in("100::/64", reserved),    // discarded
	in("2001::/32", translated), // Teredo
	in("2001:2::/48", benchmarking),
	in("2001:db8::/32", documentation),
	in("2001::/23", protocol),
	in("2002::/16", translated), // 6to4
	in("3fff::/20", documentation),
	in("fc00::/7", unique),
	in("fe80::/10", linkLocal),
	in("fec0::/10", private), // site-local, long given up
	in("ff00::/8", multicast),
}

// global is where public hosts of IPv6 are; all the rest is reserved.
var global = netip.MustParsePrefix("2000::/3")

func in(prefix string, c class) block { return block{netip.MustParsePrefix(prefix), c} }

// classOf returns the class of an address; ok is false for a public one.
func classOf(addr netip.Addr) (c class, ok bool) {
	addr = addr.WithZone("") // no prefix has one
	for _, b := range blocks {
		if b.prefix.Contains(addr) {
			return b.class, true
		}
	}
	if addr.Is6() && !global.Contains(addr) {
		return reserved, true
	}
	return class{}, false
}

// nat64 is the prefix by which networks without IPv4 reach it.
var nat64 = netip.MustParsePrefix("64:ff9b::/96")

// permit returns an error, which wraps ErrRefused, unless an address may be
// connected to: it is public, or a host of one's own by its name, or in a
// prefix that is allowed. Plain HTTP takes one of the latter two.
func (c *Client) permit(host string, port string, addr netip.Addr, plain bool) error {
	named, listed := c.named(host, port), c.listed(addr)
	what, special := classOf(addr)
	switch {
	case special && what == metadata && !slices.Contains(c.prefixes, netip.PrefixFrom(addr, addr.BitLen())):
		return refused("%s is %s", addr, what.name) // a wide prefix does not mean it
	case special && listed && nat64.Contains(addr):
		return c.permit(host, port, embedded(addr), plain)
	case special && !listed && !(named && what.inward):
		return refused("%s is %s", addr, what.name)
	case plain && !listed && !named:
		return refused("%s is asked over plain http and is no allowed host", host)
	}
	return nil
}

// embedded is the address of IPv4 in one of NAT64.
func embedded(addr netip.Addr) netip.Addr {
	b := addr.As16()
	return netip.AddrFrom4([4]byte(b[12:]))
}

// named reports whether a host is allowed by its name.
func (c *Client) named(host, port string) bool {
	return slices.Contains(c.hosts, place{host, ""}) || slices.Contains(c.hosts, place{host, port})
}

// listed reports whether an address is in a prefix that is allowed.
func (c *Client) listed(addr netip.Addr) bool {
	return slices.ContainsFunc(c.prefixes, func(p netip.Prefix) bool { return p.Contains(addr) })
}
