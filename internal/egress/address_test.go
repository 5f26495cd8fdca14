// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package egress

import (
	"errors"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"testing"
)

// addressCases are hosts of addresses as somebody may write them, and whether
// a client without options asks them.
var addressCases = []struct {
	host string
	ok   bool
}{
	// Public, the first and last before and behind what is not.
	{"1.1.1.1", true},
	{"9.255.255.255", true},
	{"11.0.0.0", true},
	{"100.63.255.255", true},
	{"100.128.0.0", true},
	{"126.255.255.255", true},
	{"128.0.0.0", true},
	{"169.253.255.255", true},
	{"172.15.255.255", true},
	{"172.32.0.0", true},
	{"192.167.255.255", true},
	{"198.20.0.0", true},
	{"223.255.255.255", true},
	{"[2606:4700:4700::1111]", true},
	{"[2a00:1450:4001:800::200e]", true},
	{"example.com", true},
	{"EXAMPLE.com.", true},
	{"1e100.net", true},

	// Of one's own network.
	{"10.0.0.1", false},
	{"10.255.255.255", false},
	{"172.16.0.1", false},
	{"172.31.255.255", false},
	{"192.168.0.1", false},
	{"100.64.0.1", false},
	{"100.127.255.255", false},
	{"[fc00::1]", false},
	{"[fdff:ffff::1]", false},
	{"[fec0::1]", false},

	// Of this machine.
	{"127.0.0.1", false},
	{"127.255.255.254", false},
	{"0.0.0.0", false},
	{"0.1.2.3", false},
	{"[::]", false},
	{"[::1]", false},
	{"localhost", false},
	{"LOCALHOST.", false},
	{"a.localhost", false},

	// Link-local and metadata.
	{"169.254.0.1", false},
	{"169.254.169.254", false},
	{"169.254.170.2", false},
	{"168.63.129.16", false},
	{"100.100.100.200", false},
	{"192.0.0.192", false},
	{"[fe80::1]", false},
	{"[febf::1]", false},
	{"[fe80::1%25eth0]", false},
	{"[fd00:ec2::254]", false},
	{"[fd20:ce::254]", false},

	// For documents, benchmarks, protocols, groups; nobody's.
	{"192.0.2.1", false},
	{"198.51.100.1", false},
	{"203.0.113.1", false},
	{"198.18.0.1", false},
	{"198.19.255.255", false},
	{"192.0.0.1", false},
	{"192.88.99.1", false},
	{"224.0.0.1", false},
	{"239.255.255.255", false},
	{"240.0.0.1", false},
	{"255.255.255.255", false},
	{"[2001:db8::1]", false},
	{"[3fff::1]", false},
	{"[2001:2::1]", false},
	{"[2001:10::1]", false},
	{"[100::1]", false},
	{"[ff02::1]", false},
	{"[4000::1]", false},
	{"[5f00::1]", false},

	// IPv4 in IPv6, public or not.
	{"[::ffff:127.0.0.1]", false},
	{"[::ffff:7f00:1]", false},
	{"[::ffff:1.1.1.1]", false},
	{"[::127.0.0.1]", false},
	{"[64:ff9b::127.0.0.1]", false},
	{"[64:ff9b::1.1.1.1]", false},
	{"[64:ff9b:1::a9fe:a9fe]", false},
	{"[2002:7f00:1::]", false},
	{"[2001::7f00:1]", false},

	// What only some read as an address.
	{"2130706433", false},
	{"0x7f000001", false},
	{"0x7f.0.0.1", false},
	{"0X7F.1", false},
	{"0177.0.0.1", false},
	{"127.1", false},
	{"127.0.1", false},
	{"1.1.1.1.1", false},
	{"256.1.1.1", false},
	{"1.1.1.01", false},
	{"foo.0x", false},
	{"１２７.0.0.1", false},
	{"127。0。0。1", false},
	{"ⓛocalhost", false},
	{"%31%32%37.0.0.1", false},
	{"a..b", false},
	{"", false},
}

func TestAddresses(t *testing.T) {
	c, err := New(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range addressCases {
		for _, port := range []string{"", ":8443"} {
			err := c.Check("https://" + test.host + port + "/detect")
			if (err == nil) != test.ok || err != nil && !errors.Is(err, ErrRefused) {
				t.Errorf("%s%s: got %v, want allowed %t", test.host, port, err, test.ok)
			}
		}
	}
}

// Whole ranges, by both ends, so that no bound is off by one.
func TestEndsOfBlocks(t *testing.T) {
	for _, b := range blocks {
		last := b.prefix.Addr().AsSlice()
		for i := b.prefix.Bits(); i < 8*len(last); i++ {
			last[i/8] |= 1 << (7 - i%8)
		}
		end, _ := netip.AddrFromSlice(last)
		for _, addr := range []netip.Addr{b.prefix.Addr(), end, end.WithZone("eth0")} {
			if _, special := classOf(addr); !special {
				t.Errorf("%s of %s counts as public", addr, b.prefix)
			}
		}
	}
}

// What options allow, and what they do not.
func TestAllowed(t *testing.T) {
	prefixes := func(list ...string) (out []netip.Prefix) {
		for _, p := range list {
			out = append(out, netip.MustParsePrefix(p))
		}
		return out
	}
	for _, test := range []struct {
		address string
		options Options
		ok      bool
	}{
		{"https://127.0.0.1:8000/", Options{Hosts: []string{"127.0.0.1"}}, true},
		{"https://127.0.0.1:8000/", Options{Hosts: []string{"127.0.0.1:8000"}}, true},
		{"https://127.0.0.1:8001/", Options{Hosts: []string{"127.0.0.1:8000"}}, false},
		{"https://127.0.0.1/", Options{Hosts: []string{"127.0.0.1:443"}}, true},
		{"http://127.0.0.1/", Options{Hosts: []string{"127.0.0.1:443"}}, false},
		{"http://127.0.0.1/", Options{Hosts: []string{"127.0.0.1:80"}}, true},
		{"https://127.0.0.2/", Options{Hosts: []string{"127.0.0.1"}}, false},
		{"https://[::1]:8000/", Options{Hosts: []string{"::1"}}, true},
		{"https://[0::1]:8000/", Options{Hosts: []string{"[::1]:8000"}}, true},
		{"https://localhost/", Options{Hosts: []string{"LocalHost."}}, true},
		{"https://10.1.2.3/", Options{Prefixes: prefixes("10.1.0.0/16")}, true},
		{"https://10.2.2.3/", Options{Prefixes: prefixes("10.1.0.0/16")}, false},
		{"https://[fd00::1]/", Options{Prefixes: prefixes("fd00::/8")}, true},

		// Names do not allow what no host of one's own has.
		{"https://169.254.1.1/", Options{Hosts: []string{"169.254.1.1"}}, false},
		{"https://169.254.1.1/", Options{Prefixes: prefixes("169.254.0.0/16")}, true},
		{"https://0.0.0.0/", Options{Hosts: []string{"0.0.0.0"}}, false},
		{"https://[::ffff:10.0.0.1]/", Options{Hosts: []string{"[::ffff:10.0.0.1]"}}, false},

		// Metadata takes its own prefix.
		{"https://169.254.169.254/", Options{Prefixes: prefixes("169.254.0.0/16")}, false},
		{"https://169.254.169.254/", Options{Prefixes: prefixes("169.254.169.254/32")}, true},
		{"https://100.100.100.200/", Options{Hosts: []string{"100.100.100.200"}, Prefixes: prefixes("100.64.0.0/10")}, false},
		{"https://[fd00:ec2::254]/", Options{Prefixes: prefixes("fd00::/8")}, false},
		{"https://[fd00:ec2::23]/", Options{Hosts: []string{"fd00:ec2::23"}}, false},
		{"https://[fd00:42::42]/", Options{Hosts: []string{"fd00:42::42"}, Prefixes: prefixes("fc00::/7")}, false},
		{"https://169.254.42.42/", Options{Prefixes: prefixes("169.254.0.0/16")}, false},
		{"https://169.254.170.23/", Options{Prefixes: prefixes("169.254.0.0/16")}, false},
		{"https://169.254.0.23/", Options{Prefixes: prefixes("169.254.0.0/16")}, false},

		// Behind NAT64 what is inside counts, too.
		{"https://[64:ff9b::101:101]/", Options{Prefixes: prefixes("64:ff9b::/96")}, true},
		{"https://[64:ff9b::7f00:1]/", Options{Prefixes: prefixes("64:ff9b::/96")}, false},
		{"https://[64:ff9b::a9fe:a9fe]/", Options{Prefixes: prefixes("64:ff9b::/96")}, false},
		{"https://[64:ff9b::a00:1]/", Options{Prefixes: prefixes("64:ff9b::/96", "10.0.0.0/8")}, true},

		// Plain HTTP takes an allowed host or address, a public one as well.
		{"http://127.0.0.1/", Options{Hosts: []string{"127.0.0.1"}}, true},
		{"http://1.1.1.1/", Options{}, false},
		{"http://1.1.1.1/", Options{Hosts: []string{"1.1.1.1"}}, true},
		{"http://1.1.1.1/", Options{Prefixes: prefixes("1.1.1.0/24")}, true},
		{"http://example.com/", Options{}, false},
		{"http://example.com/", Options{Hosts: []string{"example.com"}}, true},
	} {
		c, err := New(&test.options)
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Check(test.address); (err == nil) != test.ok {
			t.Errorf("%s with %v %v: got %v, want allowed %t", test.address, test.options.Hosts, test.options.Prefixes, err, test.ok)
		}
	}
}

func TestAddressesThatAreNone(t *testing.T) {
	c, err := New(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, address := range []string{
		"", "example.com", "//example.com", "ftp://example.com", "file:///etc/passwd", "https:example.com", "https://",
		"https://user:secret@example.com", "https://secret@example.com", "https://example.com#part", "https://example.com:0", "https://example.com:99999",
		"https://example.com:080", "https://exa mple.com", "https://example.com:", "https://[::1", "https://[1.1.1.1]", "gopher://1.1.1.1",
		"https://1.1.1.1\x00.example.com", "https://ex\tample.com",
	} {
		err := c.Check(address)
		if !errors.Is(err, ErrRefused) {
			t.Errorf("%q: got %v", address, err)
		} else if text := err.Error(); len(text) > 200 || contains(text, "secret") {
			t.Errorf("%q: the error says %q", address, text)
		}
	}
	for _, o := range []Options{
		{Hosts: []string{""}},
		{Hosts: []string{"http://example.com"}},
		{Hosts: []string{"*.example.com"}},
		{Hosts: []string{"0x7f.1"}},
		{Prefixes: []netip.Prefix{{}}},
		{Prefixes: []netip.Prefix{netip.MustParsePrefix("0.0.0.0/0")}},
	} {
		if _, err := New(&o); err == nil {
			t.Errorf("the options %v are taken", o)
		}
	}
}

// FuzzCheck: what may be asked is, as net/url reads it, a public address or a
// name in plain letters that nobody takes for a number.
func FuzzCheck(f *testing.F) {
	for _, test := range addressCases {
		f.Add("https://" + test.host + "/")
		f.Add("https://" + test.host + ":8443")
	}
	f.Add("https://example.com@127.0.0.1/")
	f.Add("https://example.com\\@127.0.0.1/")
	f.Add("https://[::ffff:1.1.1.1%25a]/")
	c, err := New(nil)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, address string) {
		if c.Check(address) != nil {
			return
		}
		u, err := url.Parse(address)
		if err != nil || u.User != nil {
			t.Fatalf("%q is allowed: %v", address, err)
		}
		host := strings.TrimSuffix(strings.ToLower(u.Hostname()), ".")
		if addr, err := netip.ParseAddr(host); err == nil {
			if what, special := classOf(addr); special {
				t.Errorf("%q is allowed, which is %s", address, what.name)
			}
			return
		}
		last := host[strings.LastIndexByte(host, '.')+1:]
		_, decimal := strconv.ParseFloat(last, 64)
		_, hex := strconv.ParseUint(strings.TrimPrefix(last, "0x"), 16, 64)
		if decimal == nil && strings.Trim(last, "0123456789") == "" || hex == nil && strings.HasPrefix(last, "0x") || strings.Trim(host, "abcdefghijklmnopqrstuvwxyz0123456789-_.") != "" {
			t.Errorf("%q is allowed", address)
		}
	})
}
