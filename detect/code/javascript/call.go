// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package javascript

import (
	"slices"
	"strings"

	"github.com/tdewolff/parse/v2/js"
)

// token looks at what begins or ends at a token.
func (r *reader) token(i int) {
	switch k := r.kind(i); {
	case k == js.StringToken || k == js.TemplateStartToken || k == js.TemplateToken:
		r.textAt(i)
		if r.kind(i+1) == js.ColonToken || r.kind(i+1) == js.CloseBracketToken {
			r.property(i)
		}
	case k == js.ImportToken && r.kind(i+1) == js.OpenParenToken:
		r.loads(i, i+1)
	case js.IsIdentifierName(k) || k == js.PrivateIdentifierToken:
		r.nameAt(i)
	}
}

// nameAt looks at a name: what is called, what is set.
func (r *reader) nameAt(i int) {
	open := i + 1
	if r.kind(open) == js.OptChainToken {
		open++
	}
	if r.kind(open) == js.LtToken { // type arguments
		for j := i + 2; j < i+10; j++ {
			if r.kind(j) == js.GtToken && r.kind(j+1) == js.OpenParenToken {
				open = j + 1
				break
			}
		}
	}
	switch k := r.kind(open); {
	case k == js.OpenParenToken:
		r.call(i, open)
	case k == js.CommaToken && r.kind(i-1) == js.CommaToken, // (0, eval)(x)
		k == js.CloseParenToken && r.kind(open+1) == js.OpenParenToken:
		r.call(i, open+1)
	case k == js.DotToken && r.at(i) == "__proto__" && r.kind(i-1) == js.DotToken && r.kind(open+2) == js.EqToken:
		r.report("javascript-prototype", i, open+3)
	case k == js.EqToken || k == js.AddEqToken || k == js.ColonToken:
		r.property(i)
	}
}

var commands = map[string]bool{
	"child_process.exec": true, "child_process.execSync": true, "shelljs.exec": true, "execa.command": true, "execa.execaCommand": true, "execa.commandSync": true,
}

var spawners = map[string]bool{
	"child_process.spawn": true, "child_process.spawnSync": true, "child_process.execFile": true, "child_process.execFileSync": true, "child_process.fork": true,
	"execa.default": true, "execa": true, "cross-spawn": true, "Deno.Command": true, "Bun.spawn": true, "Deno.run": true,
}

// call looks at the call of the name at i, with the bracket at open.
func (r *reader) call(i, open int) {
	if r.kind(i-1) == js.FunctionToken || open >= len(r.tokens) || r.kind(open) != js.OpenParenToken {
		return
	}
	// A method that is declared is none that is called.
	if end := int(r.pairs[open]); r.kind(end+1) == js.OpenBraceToken && r.kind(i-1) != js.DotToken && r.kind(i-1) != js.NewToken {
		return
	}
	path, from := r.path(i)
	last := path[strings.LastIndexByte(path, '.')+1:]
	if !telling[last] && !telling[path] {
		return
	}
	if r.kind(from-1) == js.NewToken {
		from--
	}
	end := int(r.pairs[open]) + 1
	if path == "Math.random" {
		r.random(i, end)
	}
	args := r.arguments(open)
	if len(args) == 0 {
		return
	}
	first := args[0]
	switch root := rootOf(path); {
	case last == "call" || last == "apply":
		r.passedOn(strings.TrimSuffix(path, "."+last), first, from, end)
	case last == "constructor":
		// Of a function it is Function; nobody else calls one by this name.
		if strings.HasSuffix(path, "constructor.constructor") || r.kind(end) == js.OpenParenToken && !r.constant(args[len(args)-1]) {
			r.report("javascript-eval", from, end)
		}
	case root == "eval" || root == "execScript":
		r.report("javascript-eval", from, end)
	case root == "Function":
		if !r.constant(args[len(args)-1]) {
			r.report("javascript-eval", from, end)
		}
	case root == "setTimeout" || root == "setInterval" || root == "setImmediate":
		if _, text := r.value(first); text || r.mixed(first) && r.kind(first.to-1) != js.CloseParenToken {
			r.report("javascript-eval", from, end)
		}
	case commands[path], path == "execSync" && !r.constant(first): // the code may be cut
		r.report("javascript-command", from, end)
	case spawners[path]:
		r.spawn(args, from, end)
	case strings.HasPrefix(path, "vm.") || strings.HasPrefix(path, "vm2."):
		if !r.constant(first) {
			r.report("javascript-vm", from, end)
		}
	case root == "require":
		r.loads(from, open)
	case last == "createHash" || last == "createHmac":
		r.hash(first, from, end)
	case last == "MD5" || last == "SHA1" || path == "md5" || path == "sha1" || path == "blueimp-md5":
		r.report("javascript-weak-hash", from, end)
	case last == "createCipher" || last == "createDecipher":
		r.report("javascript-weak-cipher", from, end)
	case last == "createCipheriv" || last == "createDecipheriv":
		r.cipher(first, from, end)
	case path == "node-serialize.unserialize" || path == "serialize-to-js.deserialize" || path == "funcster.deepDeserialize" || path == "cryo.parse" || last == "unserialize":
		r.report("javascript-deserialize", from, end)
	case last == "postMessage":
		if s, ok := r.value(args[min(1, len(args)-1)]); ok && len(args) > 1 && s == "*" {
			r.report("javascript-post-message", from, end)
		}
	default:
		r.member(path, last, args, from, end)
	}
}

// passedOn looks at eval.call(…), exec.apply(…) and Reflect.apply(eval, …).
func (r *reader) passedOn(path string, first interval, from, end int) {
	if path == "Reflect" && first.to > first.from {
		path, _ = r.path(first.to - 1)
	}
	switch {
	case runsText[rootOf(path)]:
		r.report("javascript-eval", from, end)
	case commands[path]:
		r.report("javascript-command", from, end)
	}
}

// telling are the last parts of names that call looks at.
var telling = func() map[string]bool {
	m := map[string]bool{}
	for _, n := range strings.Fields(`eval execScript Function setTimeout setInterval setImmediate exec execSync command execaCommand commandSync spawn spawnSync execFile execFileSync
		fork default execa Command run runInContext runInNewContext runInThisContext compileFunction Script VM NodeVM require createHash createHmac call apply constructor MD5 SHA1 md5 sha1 blueimp-md5
		createCipher createDecipher createCipheriv createDecipheriv unserialize deserialize deepDeserialize parse random postMessage write writeln insertAdjacentHTML
		createContextualFragment readFile readFileSync createReadStream sendFile writeFile writeFileSync unlink unlinkSync RegExp redirect fetch get request axios got verify
		setHeader header rm rmSync rmdir rmdirSync encrypt decrypt cross-spawn cors`) {
		m[n] = true
	}
	return m
}()

// member looks at methods.
func (r *reader) member(path, last string, args []interval, from, end int) {
	first := args[0]
	switch last {
	case "write", "writeln":
		if (path == "document."+last || strings.HasSuffix(path, ".document."+last)) && !r.constant(first) {
			r.report("javascript-html", from, end)
		}
	case "insertAdjacentHTML":
		if len(args) > 1 && r.unsafe(args[1]) {
			r.report("javascript-html", from, end)
		}
	case "createContextualFragment":
		if r.unsafe(first) {
			r.report("javascript-html", from, end)
		}
	case "readFile", "readFileSync", "createReadStream", "sendFile", "writeFile", "writeFileSync", "unlink", "unlinkSync":
		if r.input(first) {
			r.report("javascript-input-path", from, end)
		}
	case "RegExp":
		if r.input(first) {
			r.report("javascript-input-regex", from, end)
		}
	case "redirect":
		if r.input(args[len(args)-1]) {
			r.report("javascript-input-address", from, end)
		}
	case "fetch", "get", "request", "axios", "got":
		if r.input(first) && (last != "get" || strings.HasPrefix(path, "axios") || strings.HasPrefix(path, "http") || strings.HasPrefix(path, "got")) {
			r.report("javascript-input-address", from, end)
		}
	case "verify":
		if strings.HasPrefix(path, "jsonwebtoken") || strings.HasPrefix(path, "jwt") {
			if k := r.kind(args[min(1, len(args)-1)].from); len(args) > 1 && (k == js.NullToken || k == js.FalseToken || r.at(args[1].from) == "''" || r.at(args[1].from) == `""`) {
				r.report("javascript-jwt", from, end)
			}
		}
	case "setHeader", "header":
		r.header(args, from)
	case "rm", "rmSync", "rmdir", "rmdirSync":
		r.remove(path, args, from, end)
	}
}

// spawn is a process: with a shell it is a command line.
func (r *reader) spawn(args []interval, from, end int) {
	for _, a := range args[1:] {
		for i := a.from; i < a.to && i < a.from+64; i++ {
			if r.at(i) == "shell" && r.kind(i+1) == js.ColonToken && (r.kind(i+2) == js.TrueToken || r.kind(i+2) == js.StringToken) {
				r.report("javascript-command", from, end)
				return
			}
		}
	}
	s, ok := r.value(args[0])
	if !ok {
		if r.input(args[0]) {
			r.report("javascript-command", from, end)
		}
		return
	}
	switch s {
	case "sh", "/bin/sh", "bash", "/bin/bash", "cmd", "cmd.exe", "powershell", "powershell.exe":
		if r.sockets {
			r.report("javascript-reverse-shell", from, end)
		}
		if len(args) > 1 && !r.constantList(args[1]) {
			r.report("javascript-command", from, end)
		}
	}
}

func (r *reader) constantList(v interval) bool {
	return r.kind(v.from) == js.OpenBracketToken && slices.IndexFunc(r.arguments(v.from), func(a interval) bool { return !r.constant(a) }) < 0
}

// loads is require or import() of what is only known at run time.
func (r *reader) loads(from, open int) {
	args := r.arguments(open)
	if len(args) == 0 || r.constant(args[0]) {
		return
	}
	for i := args[0].from; i < args[0].to && i < args[0].from+64; i++ {
		switch s := r.at(i); s {
		case "__dirname", "__filename", "path", "join", "resolve", ".", "(", ")", ",", "+", "process", "cwd", "url", "URL", "import", "meta", "new", "href", "pathToFileURL", "require":
		default:
			if _, constant := r.constants[s]; !constant && r.named(i) {
				r.report("javascript-dynamic-load", from, int(r.pairs[open])+1)
				return
			}
		}
	}
}

func (r *reader) hash(v interval, from, end int) {
	s, _ := r.value(v)
	switch strings.ToLower(s) {
	case "md5", "md4", "md2", "sha1", "sha-1", "ripemd160", "rsa-md5", "rsa-sha1":
		r.report("javascript-weak-hash", from, end)
	}
}

func (r *reader) cipher(v interval, from, end int) {
	s, _ := r.value(v)
	s = strings.ToLower(s)
	for _, weak := range []string{"des", "rc4", "rc2", "bf", "blowfish", "cast", "idea", "seed"} {
		if strings.HasPrefix(s, weak) {
			r.report("javascript-weak-cipher", from, end)
			return
		}
	}
	if strings.HasSuffix(s, "-ecb") {
		r.report("javascript-weak-cipher", from, end)
	}
}

// input reports whether an expression holds what a request brought.
func (r *reader) input(v interval) bool {
	for i := v.from; i+2 < v.to && i < v.from+64; i++ {
		switch r.at(i) {
		case "req", "request", "ctx", "event":
			if k := r.kind(i + 1); k != js.DotToken && k != js.OptChainToken {
				continue
			}
			switch r.at(i + 2) {
			case "query", "params", "body", "headers", "cookies", "queryStringParameters", "pathParameters":
				return true
			}
		}
	}
	return false
}

// random looks where a number that can be foretold goes: into a secret?
func (r *reader) random(i, end int) {
	for j := i - 3; j >= max(0, i-40); j-- {
		switch r.kind(j) {
		case js.SemicolonToken:
			return
		case js.EqToken, js.ColonToken:
			if sensitive(r.at(j - 1)) {
				r.report("javascript-random", i-2, end)
				return
			}
		case js.FunctionToken:
			if sensitive(r.at(j + 1)) {
				r.report("javascript-random", i-2, end)
			}
			return
		}
	}
}

// sensitive reports whether a name speaks of a secret.
func sensitive(name string) bool {
	name = strings.ToLower(strings.ReplaceAll(name, "_", ""))
	for _, w := range []string{"token", "secret", "password", "passwd", "salt", "nonce", "sessionid", "otp", "csrf", "apikey", "privatekey", "encryptionkey", "resetcode", "verificationcode"} {
		if strings.Contains(name, w) {
			return true
		}
	}
	return false
}

func (r *reader) remove(path string, args []interval, from, end int) {
	if len(args) < 2 || !strings.HasPrefix(path, "fs") {
		return
	}
	recursive := false
	for i := args[1].from; i < args[1].to && i < args[1].from+32; i++ {
		recursive = recursive || r.at(i) == "recursive" && r.kind(i+2) == js.TrueToken
	}
	s, ok := r.value(args[0])
	home := r.at(args[0].to-3) == "homedir"
	if recursive && (home || ok && (s == "/" || s == "/*" || s == "/etc" || s == "/home" || s == "/usr" || s == "/var" || s == `C:\\`)) {
		r.report("javascript-remove-root", from, end)
	}
}
