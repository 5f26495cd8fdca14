// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package python

import (
	"regexp"
	"strings"

	"github.com/holdfast-dev/holdfast/detect"
	"github.com/holdfast-dev/holdfast/internal/python"
)

// secretRules are about credentials that stand in the code.
var secretRules = []rule{
	{
		Rule: Rule{
			ID: "python-hardcoded-secret", CWE: "CWE-798", Severity: "warning",
			Description: "a credential stands in the code",
			Match: []string{
				"password = 'hunter2'", "self.password = 'password'", "self.db_password = 'x1'", "config['api_key'] = '3842240593'", "connect(user='u', passwd='p4ss')", "{'client_secret': 'abc123'}",
				"def f(password='letmein'): pass", "if password == 'opensesame': pass", "SECRET_KEY = b'0123456789abcdef'", "AUTH_TOKEN: str = '8f14e45fceea167a'",
				"apiKey = 'k-11223344'", "aws_secret_access_key = 'wJalrXUtnFEMI' + 'K7MDENGbPxRfiCY'",
			},
			NoMatch: []string{
				"password = getpass()", "password = ''", "password_label = 'Password'", "password = 'Enter your password: '", "token = '('", "token_url = 'https://a.example/t'",
				"password = os.environ['PASSWORD']", "api_key = '<your key>'", "secret_name = 'db'", "password = '${PASSWORD}'", "password = None", "tokens = 'a b'", "passwords = []",
				"password = '********'", "password_reset_template = 'auth/reset.html'", "key = 'name'", "PASSWORD = 'password'\n",
			},
		},
	},
	{
		Rule: Rule{
			ID: "python-token-literal", CWE: "CWE-798", Severity: "error",
			Description: "a token of a known service stands in the code",
			Match:       []string{"x = 'AKIA2E0A8F3B244C9986'", "h = {'Authorization': 'Bearer ya29.a0AfH6SMBxExampleExampleExample12'}", "k = 'AIzaSyA1234567890abcdefghijklmnopqrstuv'"},
			NoMatch:     []string{"x = 'AKIAshort'", "k = 'AIza'", "ya29 = 3"},
		},
	},
	{
		Rule: Rule{
			ID: "python-private-key", CWE: "CWE-312", Severity: "error",
			Description: "a private key stands in the code",
			Match:       []string{"k = '''-----BEGIN RSA PRIVATE KEY-----\nMIIB'''", "-----BEGIN PRIVATE KEY-----", "k = b'-----BEGIN OPENSSH PRIVATE KEY-----'", "'-----BEGIN ENCRYPTED PRIVATE KEY-----'"},
			NoMatch:     []string{"k = '-----BEGIN PUBLIC KEY-----'", "k = '-----BEGIN CERTIFICATE-----'", "'BEGIN PRIVATE KEY'"},
		},
	},
}

var (
	privateKey = regexp.MustCompile(`-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----`)
	tokens     = regexp.MustCompile(`\b(?:(?:AKIA|ASIA)[0-9A-Z]{16}\b|AIza[0-9A-Za-z_-]{35}|ya29\.[0-9A-Za-z_-]{20,}|gh[pousr]_[0-9A-Za-z]{36}|` +
		`github_pat_[0-9A-Za-z_]{60,}|glpat-[0-9A-Za-z_-]{20}|xox[abprs]-[0-9A-Za-z-]{20,}|(?:sk|rk)_live_[0-9A-Za-z]{20,}|sk-ant-[0-9A-Za-z_-]{40,}|SG\.[0-9A-Za-z_-]{20,}\.[0-9A-Za-z_-]{20,})`)
)

// beginnings are what tokens begin with: where none of them stands there is no
// token.
var beginnings = []string{"AKIA", "ASIA", "AIza", "ya29.", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-", "xox", "k_live_", "sk-ant-", "SG."}

// literals finds what is a credential by its own form, wherever it stands.
func (t *table) literals(text string) []detect.Span {
	k := &look{table: t}
	if strings.Contains(text, "-----BEGIN ") {
		for _, at := range privateKey.FindAllStringIndex(text, -1) {
			k.report(k.table.byID["python-private-key"], at[0], at[1])
		}
	}
	for _, b := range beginnings {
		if strings.Contains(text, b) {
			for _, at := range tokens.FindAllStringIndex(text, -1) {
				k.report(k.table.byID["python-token-literal"], at[0], at[1])
			}
			break
		}
	}
	return k.found
}

// value looks at what a name is given: a credential, or a setting that is
// unsafe. Names that say so make what is below a secret.
func (k *look) value(n *python.Node, at *place) {
	if len(n.Kids) == 0 {
		return
	}
	value := n.Kids[len(n.Kids)-1]
	targets := n.Kids[:len(n.Kids)-1]
	switch n.Kind {
	case python.Compare:
		if n.Name != "==" && n.Name != "!=" || len(n.Kids) != 2 {
			return
		}
	case python.Keyword, python.Param:
		targets = nil
		k.given(n, strings.TrimLeft(n.Name, "*"), value, at)
	}
	for _, t := range targets {
		k.given(n, k.targetName(t), value, at)
	}
}

// targetName is the name of what is assigned to, the last one of several.
func (k *look) targetName(t *python.Node) string {
	switch t.Kind {
	case python.Name, python.Attribute:
		return t.Name
	case python.String:
		return t.Name
	case python.Subscript:
		if len(t.Kids) == 2 && t.Kids[1].Kind == python.String {
			return t.Kids[1].Name
		}
	}
	return ""
}

func (k *look) given(n *python.Node, name string, value *python.Node, at *place) {
	if name == "" || len(name) > 100 {
		return
	}
	if n.Kind != python.Compare && secretive(name) {
		at.secret = true
	}
	k.setting(n, name, value)
	text, ok := "", value.Kind == python.String
	if ok {
		text = value.Name
	} else if value.Kind == python.BinOp && value.Op == python.Add {
		text, ok = k.constant(value)
		ok = ok && k.literal(value)
	}
	if ok && isCredential(name, text) {
		k.report(k.table.byID["python-hardcoded-secret"], n.Start, n.End)
	}
}

// words takes a name apart: api_key, apiKey and API-KEY are api and key.
func words(name string) []string {
	var out []string
	from := 0
	put := func(to int) {
		if from < to {
			out = append(out, strings.ToLower(name[from:to]))
		}
	}
	for i := range len(name) {
		c := name[i]
		switch {
		case c == '_' || c == '-' || c == '.' || c == ' ' || c == ':' || c == '/':
			put(i)
			from = i + 1
		case i > 0 && 'A' <= c && c <= 'Z' && 'a' <= name[i-1] && name[i-1] <= 'z':
			put(i)
			from = i
		}
	}
	put(len(name))
	return out
}

// A strength says how much a name speaks for a credential.
const (
	noSecret    = iota
	maybeSecret // a token may be one of a parser
	sureSecret
)

var secretNouns = map[string]int{
	"password": sureSecret, "passwords": sureSecret, "passwd": sureSecret, "pwd": sureSecret, "passphrase": sureSecret, "passcode": sureSecret, "pass": maybeSecret, "pw": maybeSecret,
	"secret": sureSecret, "secrets": maybeSecret, "token": maybeSecret, "apikey": sureSecret, "secretkey": sureSecret, "accesskey": sureSecret, "privatekey": sureSecret, "credential": maybeSecret,
	"credentials": maybeSecret, "authtoken": sureSecret, "authkey": sureSecret, "apitoken": sureSecret, "accesstoken": sureSecret, "apisecret": sureSecret, "userpassword": sureSecret, "dbpassword": sureSecret, "passw": sureSecret,
}

// keyOwners stand before key in the name of one that is secret.
var keyOwners = map[string]bool{
	"api": true, "access": true, "secret": true, "private": true, "auth": true, "encryption": true, "signing": true, "master": true, "aes": true, "hmac": true,
	"jwt": true, "client": true, "consumer": true, "app": true, "application": true, "session": true, "license": true, "crypto": true, "cipher": true, "account": true, "storage": true, "oauth": true, "service": true, "enc": true,
}

// trailers may stand behind the noun without making it something else.
var trailers = map[string]bool{
	"key": true, "value": true, "default": true, "string": true, "str": true, "text": true, "hash": true, "plain": true, "plaintext": true, "bytes": true, "again": true,
	"confirm": true, "confirmation": true, "repeat": true, "verify": true, "new": true, "old": true, "raw": true, "test": true, "prod": true, "dev": true, "1": true, "2": true, "3": true,
	"id": false, "encoded": true, "b64": true, "hex": true, "admin": true, "user": true, "root": true, "db": true,
}

// strength judges a name.
func strength(name string) int {
	list := words(name)
	for len(list) > 0 {
		last := strings.TrimRight(list[len(list)-1], "0123456789")
		if s := secretNouns[last]; s != noSecret {
			return s
		}
		if last == "key" && len(list) > 1 && (keyOwners[list[len(list)-2]] || secretNouns[list[len(list)-2]] != noSecret) {
			return sureSecret
		}
		if last != "" && !trailers[list[len(list)-1]] {
			return noSecret
		}
		list = list[:len(list)-1]
	}
	return noSecret
}

// maxCredential is the length of the longest text that is taken for one.
const maxCredential = 512

var placeholder = regexp.MustCompile(`(?i)^(?:.*(?:\$\{|\{\{|%\(|<[^>]*>|\{\w*\}).*|%s|x{3,}|\*+|\.{2,}|-+|_+|none|null|nil|true|false|undefined|your.*|.*(?:placeholder|redacted|change.?me|example[ _-]?key).*|` +
	`credentials?|username|user|text|string|str|hidden|bearer|basic|env|file|prompt|input|` +
	`.*(?:[:?]|\.\.\.)\s*|(?:https?|file)://.*|.*[/\\].*\.(?:html?|txt|json|ya?ml|py|pem|key|conf|cfg|ini|xml))$`)

// isCredential judges what a name is given.
func isCredential(name, text string) bool {
	s := strength(name)
	if s == noSecret || text == "" || len(text) > maxCredential || strings.ContainsAny(strings.TrimSpace(text), " \t\n") || placeholder.MatchString(text) {
		return false
	}
	if name == strings.ToUpper(name) && strings.Contains(name, strings.ToUpper(text)) {
		return false // the name of a field, as a constant
	}
	if s == maybeSecret {
		return len(text) >= 8 && strings.ContainsAny(text, "0123456789")
	}
	return strings.ContainsFunc(text, func(c rune) bool {
		return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c > 0x7f
	})
}

var secretWords = map[string]bool{
	"password": true, "passwd": true, "pwd": true, "passphrase": true, "passcode": true, "secret": true, "token": true, "key": true, "salt": true, "nonce": true, "otp": true, "pin": true, "csrf": true,
	"session": true, "sessionid": true, "auth": true, "credential": true, "credentials": true, "iv": true, "captcha": true, "cookie": true, "apikey": true, "passw": true, "challenge": true, "voucher": true, "verification": true,
}

// secretive reports whether what has the name must not be guessed.
func secretive(name string) bool {
	for _, w := range words(name) {
		if secretWords[w] {
			return true
		}
	}
	return false
}
