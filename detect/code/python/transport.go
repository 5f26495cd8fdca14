// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package python

import (
	"strings"

	"github.com/holdfast-dev/holdfast/internal/python"
)

// transportRules are about connections.
var transportRules = []rule{
	{
		Rule: Rule{
			ID: "python-tls-unverified", CWE: "CWE-295", Severity: "error",
			Description: "the other side of a TLS connection is not verified",
			Match: []string{
				"requests.get(url, verify=False)", "import ssl\nctx.verify_mode = ssl.CERT_NONE", "ssl._create_default_https_context = ssl._create_unverified_context",
				"from ssl import _create_unverified_context as c\nurlopen(u, context=c())", "session.verify = False", "ctx.check_hostname = False", "aiohttp.TCPConnector(verify_ssl=False)",
				"f(cert_reqs='CERT_NONE')", "client.tls_insecure_set(True)", "httpx.Client(**{'verify': False})", "ssl.wrap_socket(s)", "session.get(url, ssl=False)",
			},
			NoMatch: []string{
				"requests.get(url, verify=True)", "requests.get(url, verify='ca.pem')", "ctx.verify_mode = ssl.CERT_REQUIRED", "verify(False)", "ssl.wrap_socket(s, cert_reqs=ssl.CERT_REQUIRED)",
				"client.tls_insecure_set(False)", "ssl.create_default_context()",
			},
		},
		any: true, when: unverified, refs: "ssl.CERT_NONE ssl._create_unverified_context",
	},
	{
		Rule: Rule{
			ID: "python-tls-old", CWE: "CWE-327", Severity: "error",
			Description: "the version of TLS is broken",
			Match:       []string{"ssl.wrap_socket(s, ssl_version=ssl.PROTOCOL_SSLv3)", "from ssl import PROTOCOL_TLSv1\nSSLContext(PROTOCOL_TLSv1)", "ctx.minimum_version = ssl.TLSVersion.TLSv1", "SSL.Context(SSL.SSLv2_METHOD)"},
			NoMatch:     []string{"ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)", "ctx.minimum_version = ssl.TLSVersion.TLSv1_2", "SSL.Context(SSL.TLS_METHOD)"},
		},
		refs: "ssl.PROTOCOL_SSLv2 ssl.PROTOCOL_SSLv3 ssl.PROTOCOL_SSLv23 ssl.PROTOCOL_TLSv1 ssl.PROTOCOL_TLSv1_1 ssl.TLSVersion.SSLv3 ssl.TLSVersion.TLSv1 ssl.TLSVersion.TLSv1_1 " +
			"SSL.SSLv2_METHOD SSL.SSLv3_METHOD SSL.SSLv23_METHOD SSL.TLSv1_METHOD SSL.TLSv1_1_METHOD OpenSSL.SSL.SSLv2_METHOD OpenSSL.SSL.SSLv3_METHOD OpenSSL.SSL.SSLv23_METHOD OpenSSL.SSL.TLSv1_METHOD OpenSSL.SSL.TLSv1_1_METHOD",
	},
	{
		Rule: Rule{
			ID: "python-ssh-host-key", CWE: "CWE-295", Severity: "error",
			Description: "the key of an SSH server is taken unseen",
			Match: []string{
				"client.set_missing_host_key_policy(paramiko.AutoAddPolicy())", "from paramiko import AutoAddPolicy as p\nc.set_missing_host_key_policy(p)",
				"import paramiko\nc.set_missing_host_key_policy(paramiko.client.WarningPolicy)", "asyncssh.connect(h, known_hosts=None)",
			},
			NoMatch: []string{"client.set_missing_host_key_policy(paramiko.RejectPolicy())", "asyncssh.connect(h, known_hosts='hosts')"},
		},
		calls: "paramiko.AutoAddPolicy paramiko.WarningPolicy paramiko.client.AutoAddPolicy paramiko.client.WarningPolicy asyncssh.connect",
		refs:  "paramiko.AutoAddPolicy paramiko.WarningPolicy paramiko.client.AutoAddPolicy paramiko.client.WarningPolicy",
		when: func(c *call) bool {
			return c.name != "asyncssh.connect" || c.named("known_hosts") != nil && isFalse(c.named("known_hosts"))
		},
	},
	{
		Rule: Rule{
			ID: "python-cleartext", CWE: "CWE-319", Severity: "info",
			Description: "the connection is not encrypted",
			Match:       []string{"import telnetlib\ntelnetlib.Telnet(host)", "from ftplib import FTP\nFTP(host)"},
			NoMatch:     []string{"from ftplib import FTP_TLS\nFTP_TLS(host)", "import telnetlib3\ntelnetlib3.open_connection(h)"},
		},
		calls: "telnetlib.Telnet ftplib.FTP",
	},
	{
		Rule: Rule{
			ID: "python-jwt-unverified", CWE: "CWE-347", Severity: "error",
			Description: "the signature of a token is not verified",
			Match:       []string{"jwt.decode(t, options={'verify_signature': False})", "jwt.decode(t, k, algorithms=['none'])", "import jwt as j\nj.decode(t, k, verify=False)"},
			NoMatch:     []string{"jwt.decode(t, k, algorithms=['HS256'])", "jwt.decode(t, k, options={'verify_exp': False})"},
		},
		calls: "jwt.decode jose.jwt.decode", when: unsigned,
	},
}

// unverified looks for the ways to switch verification off that are arguments
// of calls.
func unverified(c *call) bool {
	for _, name := range [...]string{"verify", "verify_ssl", "ssl_verify", "verify_certs", "validate_certs", "verify_certificate", "check_hostname", "ssl"} {
		if a := c.named(name); a != nil && a.Kind == python.Constant && a.Name == "False" {
			return name != "verify" || !strings.HasSuffix(c.node.Callee(), "jwt.decode")
		}
	}
	if a := c.named("cert_reqs"); a != nil && a.Kind == python.String && a.Name == "CERT_NONE" {
		return true
	}
	switch callee := c.node.Kids[0]; {
	case callee.Kind != python.Attribute:
	case callee.Name == "tls_insecure_set":
		return isTrue(c.arg(0, "value"))
	case callee.Name == "wrap_socket":
		return callee.Dotted() == "ssl.wrap_socket" && c.named("cert_reqs") == nil
	}
	return false
}

// setting looks at what attributes and items are set to.
func (k *look) setting(n *python.Node, name string, value *python.Node) {
	if n.Kind != python.Assign && n.Kind != python.Pair || value.Kind != python.Constant || value.Name != "False" {
		return
	}
	switch name {
	case "verify", "check_hostname", "verify_ssl", "verify_certs", "validate_certs":
		if n.Kind == python.Pair || n.Kids[0].Kind == python.Attribute {
			k.report(k.table.byID["python-tls-unverified"], n.Start, n.End)
		}
	}
}

// unsigned looks for what switches the check of a signature off.
func unsigned(c *call) bool {
	if isFalse(c.named("verify")) {
		return true
	}
	if o := c.arg(3, "options"); o != nil && o.Kind == python.Dict {
		for _, p := range o.Kids {
			if p.Kind == python.Pair && len(p.Kids) == 2 && p.Kids[0].Name == "verify_signature" && isFalse(p.Kids[1]) {
				return true
			}
		}
	}
	a := c.arg(2, "algorithms")
	if a == nil {
		return false
	}
	for _, kid := range append([]*python.Node{a}, a.Kids...) {
		if kid.Kind == python.String && strings.EqualFold(kid.Name, "none") {
			return true
		}
	}
	return false
}
