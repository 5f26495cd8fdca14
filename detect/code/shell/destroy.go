// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package shell

import (
	"path"
	"strings"
)

// destroy looks at commands that change this machine.
func (c *call) destroy() {
	switch c.name {
	case "rm":
		c.remove()
	case "find":
		c.find()
	case "dd":
		c.copyBlocks()
	case "shred", "wipefs", "blkdiscard", "mkswap", "badblocks", "sgdisk", "parted", "fdisk", "sfdisk", "hdparm", "nvme", "cryptsetup", "pvremove", "vgremove":
		c.wipe()
	case "chmod", "chown", "chgrp":
		c.permissions()
	case "mv", "cp", "install", "ln", "rename":
		c.copyFiles()
	case "sed", "perl":
		c.editInPlace()
	case "truncate":
		for _, o := range c.operands("sr") {
			c.r.write(write{path: o}, value{}, c.start, c.end)
		}
	case "unset":
		if c.arg("HISTFILE", "HISTSIZE") {
			c.report("shell-clear-history")
		}
	case "history":
		if c.flag("cd", "") {
			c.report("shell-clear-history")
		}
	case "journalctl":
		if v, ok := c.option("", "vacuum-time", "vacuum-size"); ok && strings.HasPrefix(v.text, "1") && len(v.text) < 3 {
			c.report("shell-clear-history")
		}
	case "crontab":
		if !c.flag("l", "") && (c.in.text != "" || c.arg("-") || len(c.operands("u")) > 0) {
			c.reportPipe("shell-persistence")
		}
	case "systemctl", "service", "launchctl", "rc-update", "update-rc.d", "chkconfig", "initctl":
		c.service()
	case "usermod", "useradd", "adduser", "gpasswd", "chpasswd", "passwd", "visudo":
		c.account()
	case "kill", "pkill", "killall":
		c.kill()
	default:
		c.security()
	}
	if strings.HasPrefix(c.name, "mkfs") || c.name == "mke2fs" {
		c.wipe()
	}
}

// remove is rm.
func (c *call) remove() {
	ops := c.operands("")
	if c.each && len(ops) == 0 {
		ops = fieldsOf(c.in)
	}
	for _, o := range ops {
		if p := o.text; strings.HasSuffix(p, "_history") || strings.HasPrefix(p, "/var/log/") && (logFile(p) || p == "/var/log/*") {
			c.report("shell-clear-history")
			return
		}
	}
	if !c.flag("rR", "recursive") && !c.arg("--no-preserve-root") {
		return
	}
	for _, o := range ops {
		c.removes(o)
	}
	if c.arg("--no-preserve-root") {
		c.report("shell-remove-root")
	}
}

// removes reports a tree that is removed, if it is one that matters.
func (c *call) removes(o value) {
	p := o.text
	if strings.HasPrefix(p, "/var/log") && strings.TrimRight(p, "/*") == "/var/log" {
		c.report("shell-clear-history")
	}
	if p == "" || strings.Contains(p, unknown) {
		return
	}
	relative := p[0] != '/' && p[0] != '~'
	if relative && c.r.cwd != "" && c.r.cwd != unknown && !strings.Contains(c.r.cwd, unknown) && p != ".." {
		p = c.r.cwd + "/" + p
		relative = false
	}
	switch {
	case !relative && rootTree(p):
		c.report("shell-remove-root")
	case relative && c.r.cwd != unknown && globTree(p):
		c.report("shell-remove-glob")
	}
}

// globTree reports whether a path is all of wherever the script stands.
func globTree(p string) bool {
	switch path.Clean(p) {
	case "*", ".*", "..", "../*", "../..", "../../*", ".", "{*,.*}", "*.*", "./*":
		return true
	}
	return false
}

// systemTrees are folders whose loss nobody wants.
var systemTrees = map[string]bool{
	"/": true, "~": true, "/etc": true, "/usr": true, "/bin": true, "/sbin": true, "/boot": true, "/lib": true, "/lib64": true, "/var": true, "/home": true,
	"/root": true, "/opt": true, "/dev": true, "/proc": true, "/sys": true, "/srv": true, "/Users": true, "/System": true, "/Library": true, "/Applications": true,
	"/usr/bin": true, "/usr/lib": true, "/usr/sbin": true, "/usr/local": true, "/var/lib": true, "/mnt": true, "/media": true, "/C": true, "/c": true, "/mnt/c": true,
	"/c/Windows": true, "/c/Users": true, "/private": true, "/Volumes": true, "/etc/ssh": true, "/var/lib/docker": true, "~/Documents": true, "~/.ssh": true,
}

// rootTree reports whether a path is the root of something that matters.
func rootTree(p string) bool {
	if p[0] == '~' && len(p) > 1 && p[1] != '/' {
		user, rest, _ := strings.Cut(p[1:], "/")
		if !letters(user) && user != "+" {
			return false
		}
		p = "~/" + rest
	}
	p = path.Clean(p)
	for strings.HasSuffix(p, "/*") || strings.HasSuffix(p, "/.*") || strings.HasSuffix(p, "/**") || strings.HasSuffix(p, "/{*,.*}") || strings.HasSuffix(p, "/.") {
		p = p[:strings.LastIndexByte(p, '/')]
		if p == "" {
			p = "/"
		}
	}
	if last := p[strings.LastIndexByte(p, '/')+1:]; strings.Contains(last, "*") && strings.Trim(last, "*?.") == "" && p[0] == '/' {
		p = path.Clean(strings.TrimSuffix(p, last)) // /?* are all that there are, too
	}
	if systemTrees[p] {
		return true
	}
	dir, name := path.Split(p)
	return (dir == "/home/" || dir == "/Users/") && name != "" && !strings.ContainsAny(name, "*?")
}

// find is find with an action that removes.
func (c *call) find() {
	at := -1
	for i, a := range c.args {
		if t := a.text; t == "-exec" || t == "-execdir" || t == "-ok" || t == "-okdir" {
			at = i
			break
		}
	}
	if at >= 0 {
		inner := *c
		inner.args, inner.each = c.args[at+1:], true
		for i, a := range inner.args {
			if a.text == ";" || a.text == "+" {
				inner.args = inner.args[:i]
				break
			}
		}
		removes := len(inner.args) > 0 && baseName(inner.args[0].text) == "rm"
		if len(inner.args) > 0 {
			inner.in = value{}
			inner.run()
		}
		if !removes {
			return
		}
	} else if !c.arg("-delete") {
		return
	}
	if c.arg("-name", "-iname", "-path", "-regex", "-mtime", "-mmin", "-newer", "-atime", "-ctime", "-empty", "-size", "-user", "-inum", "-samefile", "-lname", "-ipath", "-wholename", "-perm", "-amin", "-cmin", "-uid", "-nouser", "-prune") {
		return
	}
	for _, a := range c.args {
		if a.text == "" || a.text[0] == '-' || a.text[0] == '(' || a.text[0] == '!' {
			return
		}
		if (a.text[0] == '/' || a.text[0] == '~') && a.constant() && rootTree(a.text) {
			c.report("shell-remove-root")
			return
		}
	}
}

// copyBlocks is dd.
func (c *call) copyBlocks() {
	for _, a := range c.args {
		if to, ok := strings.CutPrefix(a.text, "of="); ok {
			c.r.write(write{path: value{text: to}}, c.in, c.start, c.end)
		}
	}
}

// wipe is a command that overwrites the device it names.
func (c *call) wipe() {
	if c.flag("l", "list") && c.name != "shred" || c.arg("print", "-p", "--print", "isLuks", "luksDump") {
		return
	}
	if (c.name == "sgdisk" && !c.flag("Zo", "zap-all")) || c.name == "hdparm" && !c.has("--security-erase") || c.name == "nvme" && !c.arg("format") ||
		c.name == "cryptsetup" && !c.arg("luksFormat", "erase", "luksErase") || c.name == "badblocks" && !c.flag("w", "") {
		return
	}
	for _, a := range c.args {
		if device(a.text) {
			c.report("shell-wipe-device")
			return
		}
		if strings.HasSuffix(a.text, "_history") || logFile(a.text) && strings.HasPrefix(a.text, "/var/log/") {
			c.report("shell-clear-history")
			return
		}
	}
}

// permissions is chmod and chown.
func (c *call) permissions() {
	ops := c.operands("")
	if len(ops) < 2 {
		return
	}
	mode := ops[0].text
	recursive := c.flag("R", "recursive")
	open := c.name == "chmod" && (strings.HasSuffix(mode, "777") || strings.HasSuffix(mode, "666") || strings.Contains(mode, "a+w") || strings.Contains(mode, "o+w") || strings.Contains(mode, "a+rwx") || mode == "+rwx" || strings.Contains(mode, "o+rwx") || strings.Contains(mode, "a=rwx"))
	suid := c.name == "chmod" && (strings.Contains(mode, "u+s") || mode == "+s" || len(mode) >= 4 && strings.IndexByte("4567", mode[len(mode)-4]) >= 0 && strings.Trim(mode, "01234567") == "")
	for _, o := range ops[1:] {
		p := o.text
		if p == "" || !o.constant() {
			continue
		}
		root := (p[0] == '/' || p[0] == '~') && rootTree(p)
		system := strings.HasPrefix(p, "/etc/") || strings.HasPrefix(p, "/boot/") || credentialFile(p) || p == "/var/run/docker.sock"
		switch {
		case open && (recursive && root || system), recursive && p == "/" && c.name != "chmod":
			c.report("shell-open-permissions")
			return
		case suid:
			switch baseName(p) {
			case "sh", "bash", "dash", "zsh", "find", "vim", "python3", "python", "perl", "cp", "env", "nmap":
				c.report("shell-privileges")
				return
			}
		}
	}
}

// copyFiles is cp and its kin: the last operand is written.
func (c *call) copyFiles() {
	ops := c.operands("tgmoS")
	if len(ops) < 2 {
		return
	}
	to := ops[len(ops)-1]
	switch {
	case c.name == "ln":
		if ops[0].text == "/dev/null" {
			c.r.write(write{path: to}, value{}, c.start, c.end)
		}
		return
	case c.name == "mv" && to.text == "/dev/null":
		for _, o := range ops[:len(ops)-1] {
			c.removes(o)
		}
		return
	}
	from := c.r.files[baseName(ops[0].text)]
	if from == (value{}) {
		from = value{text: unknown}
	}
	if ops[0].text == "/dev/null" {
		from = value{}
	}
	c.r.write(write{path: to}, from, c.start, c.end)
}

// editInPlace is sed -i.
func (c *call) editInPlace() {
	if c.name != "sed" || !c.flag("i", "in-place") {
		return
	}
	if c.has("SELINUX=disabled", "SELINUX=permissive", "PermitRootLogin yes") {
		c.report("shell-security-off")
	}
	for _, o := range c.operands("ef") {
		switch o.text {
		case "/etc/sudoers", "/etc/passwd", "/etc/shadow":
			c.report("shell-privileges")
		}
	}
}

var securityServices = []string{
	"firewalld", "ufw", "iptables", "nftables", "apparmor", "auditd", "selinux", "falcon-sensor", "clamav-daemon", "clamd", "fail2ban", "rsyslog", "syslog",
	"ossec", "wazuh-agent", "osqueryd", "crowdstrike", "mdatp", "sentinelone", "aide", "systemd-journald", "falco", "cbdaemon", "ds_agent",
}

func (c *call) service() {
	for _, a := range c.args {
		name := strings.TrimSuffix(a.text, ".service")
		for _, s := range securityServices {
			if name == s && c.arg("stop", "disable", "mask", "kill", "remove", "off") {
				c.report("shell-security-off")
				return
			}
		}
	}
}

// security is what turns protections off by itself.
func (c *call) security() {
	off := false
	switch c.name {
	case "setenforce":
		off = c.arg("0", "Permissive", "permissive")
	case "ufw":
		off = c.arg("disable", "reset")
	case "iptables", "ip6tables":
		off = c.arg("-F", "--flush") && len(c.args) == 1 || c.arg("-P") && c.arg("ACCEPT") && c.arg("INPUT")
	case "nft":
		off = c.arg("flush") && c.arg("ruleset")
	case "auditctl":
		off = c.arg("-D") || c.arg("-e") && c.arg("0") || c.arg("-e0")
	case "spctl":
		off = c.has("--master-disable", "--global-disable")
	case "csrutil":
		off = c.arg("disable")
	case "aa-teardown", "aa-disable", "aa-complain":
		off = true
	case "sysctl":
		off = c.has("randomize_va_space=0", "kernel.yama.ptrace_scope=0", "kernel.kptr_restrict=0")
	case "swapoff", "modprobe", "insmod":
	case "Set-MpPreference":
		off = c.has("Disable")
	case "netsh":
		off = c.arg("firewall", "advfirewall") && c.arg("off", "disable")
	}
	if off {
		c.report("shell-security-off")
	}
}

func (c *call) account() {
	switch c.name {
	case "usermod", "gpasswd", "adduser":
		if c.arg("sudo", "wheel", "root", "admin", "docker") && (c.flag("aG", "") || c.name == "adduser") {
			c.report("shell-privileges")
		}
	case "useradd":
		if u, ok := c.option("u", "uid"); ok && u.text == "0" {
			c.report("shell-privileges")
		}
	case "chpasswd":
		if strings.HasPrefix(c.in.text, "root:") {
			c.reportPipe("shell-privileges")
		}
	case "passwd":
		if c.flag("d", "delete") && c.arg("root") {
			c.report("shell-privileges")
		}
	}
}

func (c *call) kill() {
	if c.name == "kill" && len(c.args) > 1 && c.args[len(c.args)-1].text == "-1" {
		c.report("shell-kill-all")
		return
	}
	if c.name == "kill" {
		return
	}
	for _, a := range c.args {
		for _, s := range securityServices {
			if a.text == s {
				c.report("shell-security-off")
				return
			}
		}
	}
}

// assigned reports variables that change what programs do.
func (r *reader) assigned(name string, v value, start, end int) {
	switch name {
	case "LD_PRELOAD", "DYLD_INSERT_LIBRARIES", "LD_AUDIT":
		if v.text != "" {
			r.report("shell-preload", start, end)
		}
	case "HISTFILE":
		if v.text == "/dev/null" || v.text == "" {
			r.report("shell-clear-history", start, end)
		}
	case "HISTSIZE", "HISTFILESIZE":
		if v.text == "0" {
			r.report("shell-clear-history", start, end)
		}
	case "GIT_SSL_NO_VERIFY":
		if v.text != "" && v.text != "0" && v.text != "false" {
			r.report("shell-tls-off", start, end)
		}
	case "NODE_TLS_REJECT_UNAUTHORIZED", "PYTHONHTTPSVERIFY":
		if v.text == "0" {
			r.report("shell-tls-off", start, end)
		}
	case "BASH_ENV", "PROMPT_COMMAND":
		if v.taint&(fromNet|decoded) != 0 {
			r.report("shell-download-to-shell", start, end)
		}
	}
}
