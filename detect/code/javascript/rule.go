// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package javascript

import "github.com/holdfast-dev/holdfast/internal/coderule"

// A Rule is one thing that is reported.
type Rule = coderule.Rule

// Rules returns all rules, in the order of the documentation.
func Rules() []Rule { return rules }

// ruleOf returns the rule of a name.
func ruleOf(id string) *Rule { return coderule.Of(rules, id) }

var rules = []Rule{
	{
		ID: "javascript-eval", CWE: "CWE-95", Severity: "error",
		Description: "text is run as code",
		Match: []string{
			"eval(x)",
			"window.eval(`${a}`)",
			"new Function('a', body)",
			"setTimeout('go(' + x + ')', 5)",
			"globalThis['eval'](x)",
			"(0, eval)(x)",
			"setInterval(`f(${x})`, 9)",
			"const f = Function(code)",
			`\u0065val(x)`,
			"if (a) { eval(x",
			"x = a / b; eval(y) / c",
			"`${eval(x)}`",
			"const el = <p onClick={() => eval(x)}>don't</p>;",
			"function f(a: string): any { return eval(a) }",
			"const e = eval; e(x)",
			"let f = window.Function; new f(x)",
			"eval.call(null, x)",
			"self.eval.apply(null, [x])",
			"Reflect.apply(eval, null, [x])",
			"top['eval'](x)",
			"window['ev' + 'al'](x)",
			"[].constructor.constructor(x)()",
			"(() => {}).constructor(x)()",
			`e\u{76}al(x)`,
		},
		NoMatch: []string{
			"evaluate(x)",
			"// eval(x)",
			"'eval(x)'",
			"setTimeout(() => go('x'), 5)",
			"setTimeout(f, 5)",
			"/eval(x)/.test(y)",
			"Function('return this')()",
			"obj.eval_(x)",
			"function eval_(x) {}",
			"math.eval(x)",
			"const e = evaluate; e(x)",
			"f.call(null, x)",
			"super.constructor(x)",
			"this.constructor(x)",
		},
	},
	{
		ID: "javascript-command", CWE: "CWE-78", Severity: "error",
		Description: "a command line is run by a shell",
		Match: []string{
			"require('child_process').exec(cmd)",
			"const { exec } = require('child_process'); exec('ls ' + d)",
			"import { execSync as run } from 'node:child_process'; run(`ls ${d}`)",
			"const cp = require('child_process'); cp.spawn(c, [], { shell: true })",
			"import * as cp from 'child_process'; cp.execSync(x)",
			"const run = util.promisify(require('child_process').exec); run(x)",
			"const cp = await import('child_process'); cp.exec(x)",
			"import cp = require('child_process'); cp.exec(x)",
			"const {exec: e}: any = require('child_process'); e(x)",
			"const cp = require('child_process'); cp['exec'](x)",
			"require('child_process')['exec'](x)",
			"require('child' + '_process').exec(x)",
			"(await import('node:child_process')).exec(x)",
			"import('child_process').then(c => c.exec(x))",
			"import('child_process').then(({ exec }) => exec(x))",
			"require('child_process').exec.call(null, x)",
			"const out = execSync(`ls ${d}`)",
		},
		NoMatch: []string{
			"/a/.exec(b)",
			"const cp = require('child_process'); cp.spawn('ls', [d])",
			"regex.exec(s)",
			"db.exec(sql)",
			"require('./a' + '/b').exec(x)",
			"import('./a.js').then(c => c.exec(x))",
			"execSync('ls -l')",
			"import { execFile } from 'child_process'; execFile('ls', [d])",
		},
	},
	{
		ID: "javascript-reverse-shell", CWE: "CWE-506", Severity: "error",
		Description: "a shell is tied to a connection",
		Match: []string{
			"const net = require('net'), cp = require('child_process'); const s = require('child_process').spawn('/bin/sh', []); new net.Socket().connect(1, 'h', () => c.pipe(s.stdin))",
		},
		NoMatch: []string{"require('child_process').spawn('/bin/sh', [])"},
	},
	{
		ID: "javascript-vm", CWE: "CWE-94", Severity: "warning",
		Description: "text is run as code by the module vm, which is no sandbox",
		Match: []string{
			"const vm = require('vm'); vm.runInNewContext(code)",
			"import vm from 'node:vm'; new vm.Script(x)",
		},
		NoMatch: []string{"vm.runInNewContext('1 + 1')", "require('vm').createContext()"},
	},
	{
		ID: "javascript-html", CWE: "CWE-79", Severity: "warning",
		Description: "text becomes markup without being escaped",
		Match: []string{
			"el.innerHTML = x",
			"el.outerHTML += '<b>' + name",
			"document.write(location.hash)",
			"el.insertAdjacentHTML('beforeend', html)",
			".insertAdjacentHTML('beforeend', html)",
			"<div dangerouslySetInnerHTML={{ __html: body }} />",
			"el.innerHTML = `<b>${name}</b>`",
			"el['innerHTML'] = x",
		},
		NoMatch: []string{
			"el.innerHTML = ''",
			"el.innerHTML = '<b>x</b>'",
			"el.textContent = x",
			"el.innerHTML = DOMPurify.sanitize(x)",
			"if (el.innerHTML == x) {}",
			"document.write('x')",
		},
	},
	{
		ID: "javascript-post-message", CWE: "CWE-346", Severity: "warning",
		Description: "a message is sent to a window of any origin",
		Match:       []string{"parent.postMessage(data, '*')", `w.postMessage({ a: 1, b: [2, 3] }, "*")`},
		NoMatch:     []string{"parent.postMessage(data, origin)", "worker.postMessage('*')"},
	},
	{
		ID: "javascript-tls-off", CWE: "CWE-295", Severity: "error",
		Description: "the check of who is at the other end is turned off",
		Match: []string{
			"https.request({ rejectUnauthorized: false })",
			"process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'",
			"process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = 0",
			"new https.Agent({ checkServerIdentity: () => undefined })",
			"request({ strictSSL: false })",
		},
		NoMatch: []string{
			"https.request({ rejectUnauthorized: true })",
			"if (process.env.NODE_TLS_REJECT_UNAUTHORIZED === '0') {}",
		},
	},
	{
		ID: "javascript-weak-hash", CWE: "CWE-328", Severity: "warning",
		Description: "a hash is used that is broken",
		Match: []string{
			"crypto.createHash('md5')",
			`createHash("sha1")`,
			"CryptoJS.MD5(x)",
			"const md5 = require('md5'); md5(x)",
			"const A = 'md5'; createHash(A)",
		},
		NoMatch: []string{"crypto.createHash('sha256')", "createHash(name)"},
	},
	{
		ID: "javascript-weak-cipher", CWE: "CWE-327", Severity: "error",
		Description: "a cipher or a mode is used that is broken",
		Match: []string{
			"crypto.createCipher('aes192', k)",
			"crypto.createCipheriv('des-cbc', k, v)",
			"createCipheriv('aes-128-ecb', k, null)",
			"CryptoJS.AES.encrypt(a, b, { mode: CryptoJS.mode.ECB })",
		},
		NoMatch: []string{"crypto.createCipheriv('aes-256-gcm', k, v)", "createDecipheriv(name, k, v)"},
	},
	{
		ID: "javascript-random", CWE: "CWE-338", Severity: "warning",
		Description: "a secret is made of numbers that can be foretold",
		Match: []string{
			"const token = Math.random().toString(36)",
			"x = { resetToken: 'a' + Math.random() }",
			"function makePassword() { return Math.random() }",
		},
		NoMatch: []string{
			"const x = Math.random()",
			"const color = Math.random()",
			"token = crypto.randomUUID(); y = Math.random()",
		},
	},
	{
		ID: "javascript-sql", CWE: "CWE-89", Severity: "error",
		Description: "something is put into SQL without a parameter",
		Match: []string{
			"db.query('SELECT * FROM u WHERE id = ' + id)",
			"db.query(`SELECT * FROM u WHERE n = '${n}'`)",
			`const q = "DELETE FROM t WHERE a='" + a + "'"`,
			"`UPDATE t SET a = ${a}`",
		},
		NoMatch: []string{
			"db.query('SELECT * FROM u WHERE id = ?', [id])",
			"sql`SELECT * FROM u WHERE id = ${id}`",
			"'SELECT a ' + 'FROM b'",
			"`Select ${x} from the list`.length > 'delete ' + x",
			"Prisma.sql`SELECT * FROM u WHERE id = ${id}`",
		},
	},
	{
		ID: "javascript-dynamic-load", CWE: "CWE-829", Severity: "warning",
		Description: "what is loaded is only known when the code runs",
		Match:       []string{"require(name)", "await import(`./x/${name}.js`)", "require('./' + lang)"},
		NoMatch:     []string{"require('fs')", "import('./x.js')", "require(path.join(__dirname, 'x'))", "import x from 'y'"},
	},
	{
		ID: "javascript-deserialize", CWE: "CWE-502", Severity: "error",
		Description: "objects are made of text that can hold code",
		Match: []string{
			"require('node-serialize').unserialize(x)",
			"const s = require('node-serialize'); s.unserialize(req.body)",
		},
		NoMatch: []string{"JSON.parse(x)", "serialize(x)"},
	},
	{
		ID: "javascript-input-path", CWE: "CWE-22", Severity: "warning",
		Description: "a request names the file",
		Match:       []string{"fs.readFile(req.query.f, cb)", "res.sendFile(path.join(d, req.params.name))"},
		NoMatch:     []string{"fs.readFile(f, cb)", "fs.readFileSync('a')"},
	},
	{
		ID: "javascript-input-regex", CWE: "CWE-1333", Severity: "warning",
		Description: "a request writes the regular expression",
		Match:       []string{"new RegExp(req.query.q)"},
		NoMatch:     []string{"new RegExp(q)", "new RegExp('a')"},
	},
	{
		ID: "javascript-input-address", CWE: "CWE-918", Severity: "warning",
		Description: "a request names the address that is asked or sent to",
		Match:       []string{"res.redirect(req.query.next)", "axios.get(req.body.url)", "fetch(req.query.u)"},
		NoMatch:     []string{"res.redirect('/')", "fetch(url)", "app.get('/a', (req) => req.query)"},
	},
	{
		ID: "javascript-credential", CWE: "CWE-798", Severity: "warning",
		Description: "a password or a key stands in the code",
		Match: []string{
			"const password = 'hunter2hunter2'",
			`x = { apiKey: "a8f5f167f44f4964e6c998dee827110c" }`,
			"config.client_secret = 'Zx81-qq7-Kp'",
		},
		NoMatch: []string{
			"const password = process.env.PASSWORD",
			"x = { password: 'Password' }",
			"const passwordLabel = 'Enter 1 word'",
			"x = { password: 'your-password-1' }",
			"type = { password: string }",
		},
	},
	{
		ID: "javascript-prototype", CWE: "CWE-1321", Severity: "warning",
		Description: "the prototype of all objects is changed by a name",
		Match:       []string{"a.__proto__.isAdmin = true", "a['__proto__']['x'] = 1", "a.__proto__ = { admin: 1 }"},
		NoMatch:     []string{"x = { __proto__: null }", "B.__proto__ = A", "Object.create(null)"},
	},
	{
		ID: "javascript-cors", CWE: "CWE-942", Severity: "warning",
		Description: "every site may read answers that are somebody's own",
		Match: []string{
			"cors({ origin: '*', credentials: true })",
			"cors({ credentials: true, origin: true })",
			"res.setHeader('Access-Control-Allow-Origin', '*'); res.setHeader('Access-Control-Allow-Credentials', 'true')",
		},
		NoMatch: []string{"cors({ origin: '*' })", "cors({ origin: 'https://a.example', credentials: true })"},
	},
	{
		ID: "javascript-jwt", CWE: "CWE-347", Severity: "error",
		Description: "the signature or the age of a token is not checked",
		Match: []string{
			"jwt.verify(t, k, { algorithms: ['none'] })",
			"jwt.sign(p, '', { algorithm: 'none' })",
			`x = { alg: "none" }`,
			"jwt.verify(t, null)",
			"jwt.verify(t, k, { ignoreExpiration: true })",
		},
		NoMatch: []string{"jwt.verify(t, k, { algorithms: ['RS256'] })", "display = 'none'"},
	},
	{
		ID: "javascript-remove-root", CWE: "", Severity: "error",
		Description: "the root, a system folder or a home folder is removed",
		Match: []string{
			"const fs = require('fs'); fs.rmSync('/', { recursive: true })",
			"fs.rm(os.homedir(), { recursive: true, force: true })",
		},
		NoMatch: []string{"fs.rmSync(dir, { recursive: true })", "fs.rmSync('/')"},
	},
}
