// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package shell

import (
	"slices"
	"strings"
)

// harm looks at a command that runs no code of its arguments.
func (c *call) harm() value {
	out, told := c.writer()
	if !told {
		out = c.passed()
	}
	switch c.name {
	case "curl", "wget", "fetch", "aria2c", "axel", "lynx", "w3m", "links", "http", "https", "xh", "httpie", "GET", "lwp-request", "lwp-download", "ftp", "tftp":
		return c.download()
	case "nc", "ncat", "netcat", "nc.traditional", "nc.openbsd", "telnet", "socat":
		return c.connection()
	case "openssl":
		if c.arg("s_client") {
			return c.connection()
		}
	case "awk", "gawk", "mawk":
		if c.has("/inet/tcp/", "/inet/udp/") {
			c.report("shell-reverse-shell")
		}
	case "scp", "rsync", "sftp", "rclone", "aws", "gsutil", "gcloud", "az", "mail", "mailx", "mutt", "sendmail", "swaks":
		c.sends(c.sendsAway())
		if c.name == "rsync" && c.flag("", "delete") {
			c.removes(c.lastOperand())
		}
	case "dig", "nslookup", "host", "drill":
		out.taint |= fromNet
		c.sends(true)
	case "ping", "traceroute":
		c.sends(true)
	case "git":
		c.git()
	case "npm", "yarn", "pnpm", "pip", "pip3", "uv":
		if c.has("--trusted-host") || c.arg("strict-ssl") && c.arg("false") {
			c.report("shell-tls-off")
		}
	case "sshpass":
		c.sshpass()
	case "mysql", "mysqldump", "mysqladmin", "mariadb":
		c.databasePassword()
	case "docker", "podman", "nerdctl", "nsenter", "kubectl":
		c.container()
	default:
		c.destroy()
	}
	if !told && c.url() != "" && c.name != "git" {
		out.taint |= fromNet
	}
	return out
}

// url returns the first address among the arguments.
func (c *call) url() string {
	for _, a := range c.args {
		t := strings.ToLower(a.text)
		if strings.HasPrefix(t, "http://") || strings.HasPrefix(t, "https://") || strings.HasPrefix(t, "ftp://") {
			return a.text
		}
	}
	return ""
}

// download is a command that fetches: to its output, or into a file.
func (c *call) download() value {
	if c.has("169.254.169.254", "metadata.google.internal", "169.254.170.2", "[fd00:ec2::254]") {
		c.report("shell-cloud-metadata")
	}
	if c.name == "curl" && c.flag("k", "insecure") || c.name == "wget" && c.flag("", "no-check-certificate") || c.name == "http" && c.arg("--verify=no", "--verify=false") {
		c.report("shell-tls-off")
	}
	c.uploads()
	if u, ok := c.option("u", "user"); ok && c.name == "curl" && u.constant() {
		if user, password, has := strings.Cut(u.text, ":"); has && user != "" && len(password) > 2 {
			c.report("shell-password-argument")
		}
	}
	out := value{text: unknown, taint: fromNet}
	file, ok := c.target()
	if !ok {
		return out
	}
	if file.text == "-" || file.text == "/dev/stdout" {
		return out
	}
	if file.proc {
		return value{}
	}
	c.r.write(write{path: file}, out, c.start, c.end)
	return value{}
}

// target is the file that a download is written to.
func (c *call) target() (value, bool) {
	switch c.name {
	case "curl":
		if file, ok := c.option("o", "output"); ok {
			return file, true
		}
		if c.flag("O", "remote-name") && c.url() != "" {
			return value{text: urlName(c.url())}, true
		}
		return value{}, false
	case "wget":
		if file, ok := c.option("O", "output-document"); ok {
			return file, true
		}
		return value{text: urlName(c.url())}, true
	case "aria2c", "axel", "http", "https", "xh", "fetch":
		return c.option("o", "output", "out")
	}
	return value{}, false
}

func urlName(u string) string {
	u, _, _ = strings.Cut(u, "?")
	return baseName(u)
}

// uploads looks at what a download sends along.
func (c *call) uploads() {
	all := c.in.taint
	sends := false
	for i, a := range c.args {
		t := a.text
		all |= a.taint
		flag, rest := "", ""
		switch {
		case strings.HasPrefix(t, "--"):
			flag, rest, _ = strings.Cut(t, "=")
		case len(t) > 1 && t[0] == '-':
			flag, rest = t[:2], t[2:]
			if len(t) > 2 && letters(t[1:]) && strings.IndexByte("dFT", t[len(t)-1]) >= 0 {
				flag, rest = "-"+t[len(t)-1:], "" // -sd, -sSfT
			}
		default:
			continue
		}
		if rest == "" && i+1 < len(c.args) {
			rest = c.args[i+1].text
		}
		switch flag {
		case "-d", "--data", "--data-binary", "--data-ascii", "--data-urlencode", "--json", "-F", "--form":
			if at := strings.IndexByte(rest, '@'); at == 0 || at > 0 && (rest[at-1] == '=' || flag == "--data-urlencode") {
				sends = true
				all |= c.fileTaint(rest[at+1:])
			}
			if at := strings.Index(rest, "=<"); at > 0 {
				sends = true
			}
		case "-T", "--upload-file", "--post-file", "--body-file":
			if c.name == "curl" && flag == "-T" || flag != "-T" {
				sends = true
				all |= c.fileTaint(rest)
			}
		}
	}
	c.sent(all, sends)
}

// fileTaint is that of a file that is sent, or of the input.
func (c *call) fileTaint(path string) taint {
	if path == "-" {
		return c.in.taint
	}
	return c.r.content(value{text: path}).taint
}

// sent reports what goes to the network.
func (c *call) sent(all taint, file bool) {
	switch {
	case all&(credential|environment) != 0:
		c.reportPipe("shell-send-credentials")
	case file:
		c.reportPipe("shell-send-file")
	}
}

// sends reports what the arguments and the input bring to the network.
func (c *call) sends(file bool) {
	all := c.taints()
	for _, a := range c.args {
		if secretFile(a.text) && !c.identity(a) {
			all |= credential
		}
	}
	c.sent(all, file)
}

// identity reports whether the argument only names the caller's key.
func (c *call) identity(a value) bool {
	key, ok := c.option("i")
	return ok && key.text == a.text || c.name == "ssh"
}

// sendsAway reports whether a copy goes to another machine.
func (c *call) sendsAway() bool {
	switch c.name {
	case "scp", "rsync":
		last := c.lastOperand().text
		at := strings.IndexByte(last, ':')
		return at > 0 && !strings.Contains(last[:at], "/")
	case "aws", "gsutil", "rclone", "gcloud", "az":
		last := c.lastOperand().text
		return c.arg("cp", "sync", "mv", "copy", "upload") && strings.Contains(last, ":") && len(c.operands("")) > 2
	case "mail", "mailx", "mutt", "sendmail", "swaks":
		return c.in.taint&fromFile != 0
	}
	return false
}

func (c *call) lastOperand() value {
	ops := c.operands("eiFPoJlcS")
	if len(ops) == 0 {
		return value{}
	}
	return ops[len(ops)-1]
}

// connection is a raw one: a shell behind it is somebody else's.
func (c *call) connection() value {
	out := value{text: unknown, taint: fromNet}
	if c.name == "socat" {
		if c.has("EXEC:", "SYSTEM:", "exec:", "system:") && c.has("TCP", "tcp", "UDP", "udp", "OPENSSL", "openssl", "SSL") {
			c.report("shell-reverse-shell")
		}
	} else if code, ok := c.option("ec", "exec", "sh-exec"); ok && c.name != "telnet" && c.name != "openssl" && code.text != "" {
		c.report("shell-reverse-shell")
	}
	if c.in.taint&ofShell != 0 {
		c.reportPipe("shell-reverse-shell")
	}
	if c.flag("z", "") || c.name == "openssl" {
		return out
	}
	c.sent(c.taints(), c.in.taint&fromFile != 0)
	return out
}

func (c *call) git() {
	if c.has("http.sslVerify=false", "http.sslverify=false") || c.has("http.sslVerify", "http.sslverify") && c.arg("false", "0") {
		c.report("shell-tls-off")
	}
}

// sshpass wraps ssh: its password is on the command line, its command goes on.
func (c *call) sshpass() {
	if v, ok := c.option("p"); ok && v.constant() && v.text != "" {
		c.report("shell-password-argument")
	}
}

func (c *call) databasePassword() {
	for _, a := range c.args {
		rest, ok := strings.CutPrefix(a.text, "--password=")
		if !ok {
			rest, ok = strings.CutPrefix(a.text, "-p")
		}
		if ok && rest != "" && a.constant() {
			c.report("shell-password-argument")
		}
	}
}

// container is a command that may give a container its host.
func (c *call) container() {
	if c.name == "nsenter" {
		if c.arg("-t1") || c.has("--target=1") || c.arg("-t", "--target") && c.arg("1") {
			c.report("shell-privileged-container")
		}
		return
	}
	root := slices.ContainsFunc(c.args, func(a value) bool {
		return strings.HasPrefix(a.text, "/:/") || strings.HasPrefix(a.text, "-v/:/") || strings.HasPrefix(a.text, "--volume=/:/") || strings.Contains(a.text, "source=/,") || strings.Contains(a.text, "src=/,")
	})
	if c.arg("run", "create", "exec") && (c.flag("", "privileged") && !c.arg("--privileged=false") || root) {
		c.report("shell-privileged-container")
	}
}
