// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package shell

import (
	"path"
	"strings"
)

// credentialPaths are files of credentials, by what their paths contain.
var credentialPaths = []string{
	"/.ssh/id_", "/.aws/credentials", "/.netrc", "/.docker/config.json", "/.kube/config", "/.git-credentials", "/.pgpass",
	"/.gnupg/private-keys", "/.gnupg/secring", "/gcloud/credentials.db", "/gcloud/application_default_credentials.json", "/gcloud/access_tokens.db",
	"/gcloud/legacy_credentials", "/.azure/accessTokens.json", "/.azure/msal_token_cache", "/etc/shadow", "/etc/gshadow", "/etc/master.passwd",
	"/Login Data", "/cookies.sqlite", "/logins.json", "/key4.db", "/Library/Keychains/", "/.password-store/", "/wallet.dat", "/.vault-token",
	"/etc/krb5.keytab", "/var/run/secrets/kubernetes.io/serviceaccount/token", "/run/secrets/kubernetes.io/serviceaccount/token",
	"/.config/gh/hosts.yml", "/.terraform.d/credentials", "/.cargo/credentials", "/.gem/credentials", "/.mozilla/firefox/", "/google-chrome/Default/Cookies",
	"/.bitcoin/", "/.electrum/wallets", "/.ethereum/keystore", "/.config/solana/id.json", "/SAM", "/NTDS.dit",
}

// quietPaths hold credentials often enough for sending them to matter, and are
// read by everybody.
var quietPaths = []string{"/.env", "/.npmrc", "/.pypirc", "/.ssh", "/.aws", "/.gnupg", "/.config/gcloud", "/.azure", "/.kube", "/.docker", "/.bash_history", "/.zsh_history", "/.mysql_history", "/.psql_history"}

// knownFiles are what wild cards are tried on.
var knownFiles = []string{"/etc/shadow", "/etc/gshadow", "~/.ssh/id_rsa", "~/.ssh/id_ed25519", "~/.aws/credentials", "~/.netrc", "~/.docker/config.json", "~/.kube/config", "~/.git-credentials"}

// credentialFile reports whether a path is one of a file of credentials.
func credentialFile(p string) bool {
	if len(p) < 4 || len(p) > 4096 || strings.HasSuffix(p, ".pub") || strings.HasPrefix(p, "-") && !strings.Contains(p, "=") {
		return false
	}
	if strings.Contains(p, "//") || strings.Contains(p, "/.") {
		p = path.Clean(p) // the same file by other ways
	}
	full := p
	if p[0] == '.' || p[0] != '/' && p[0] != '~' {
		full = "/" + p
	}
	for _, c := range credentialPaths {
		if i := strings.Index(full, c); i >= 0 && !(c == "/SAM" && i+4 != len(full)) {
			return !strings.ContainsAny(full[i:], "\n=<>") // a path, not a sentence
		}
	}
	if strings.ContainsAny(p, "*?[") {
		for _, k := range knownFiles {
			if ok, err := path.Match(p, k); ok && err == nil && strings.Trim(p, "/*?") != "" {
				return strings.Count(p, "*") < 3
			}
		}
	}
	return false
}

// secretFile reports whether what is in a file should not be sent away.
func secretFile(p string) bool {
	if credentialFile(p) {
		return true
	}
	p = strings.TrimRight(strings.TrimSuffix(p, "/*"), "/")
	for _, q := range quietPaths {
		if strings.HasSuffix(p, q) || p == q[1:] {
			return true
		}
	}
	return false
}

// readers are commands that show, copy or pack what is in files.
var readers = map[string]bool{
	"cat": true, "tac": true, "less": true, "more": true, "head": true, "tail": true, "nl": true, "od": true, "xxd": true, "hexdump": true, "strings": true,
	"base64": true, "base32": true, "cp": true, "tar": true, "zip": true, "gzip": true, "7z": true, "rsync": true, "scp": true, "curl": true, "wget": true,
	"nc": true, "grep": true, "egrep": true, "awk": true, "sed": true, "cut": true, "sort": true, "dd": true, "openssl": true, "bat": true, "view": true,
	"vi": true, "vim": true, "nano": true, "jq": true, "yq": true, "paste": true, "rev": true, "xz": true, "bzip2": true, "john": true, "unshadow": true,
	"hashcat": true, "sqlite3": true, "install": true, "ln": true, "pbcopy": true, "xclip": true, "rclone": true, "aws": true, "gsutil": true,
}

// packers are commands that take folders with all that is in them.
var packers = map[string]bool{"tar": true, "zip": true, "7z": true}

// keyFolder reports whether a path is that of a folder of keys.
func keyFolder(p string) bool {
	p = strings.TrimRight(strings.TrimSuffix(p, "/*"), "/")
	return strings.HasSuffix(p, "/.ssh") || strings.HasSuffix(p, "/.aws") || strings.HasSuffix(p, "/.gnupg")
}

// credential reports whether a path, from where the script stands, is one of a
// file of credentials.
func (r *reader) credential(p string) bool {
	if credentialFile(p) {
		return true
	}
	if p == "" || p[0] == '/' || p[0] == '~' || p[0] == '-' || r.cwd == "" || strings.Contains(r.cwd, unknown) || strings.ContainsAny(p, " \n=<>") {
		return false
	}
	return credentialFile(r.cwd + "/" + p)
}

// credentials reports a command that reads a file of credentials.
func (c *call) credentials() {
	if !readers[c.name] {
		return
	}
	for i, a := range c.args {
		t := a.text
		if at := strings.LastIndexAny(t, "=@"); at >= 0 && (strings.HasPrefix(t, "if=") || strings.Contains(t, "@")) {
			t = t[at+1:]
		}
		if !c.r.credential(t) && !(packers[c.name] && keyFolder(t)) || c.name == "scp" && c.identity(a) {
			continue
		}
		// What is written there is no secret read.
		if i == len(c.args)-1 && i > 0 && (c.name == "cp" || c.name == "install" || c.name == "ln" || c.name == "rsync") || c.name == "sed" && c.flag("i", "in-place") {
			continue
		}
		if (c.name == "curl" || c.name == "wget") && i > 0 && (c.args[i-1].text == "-o" || c.args[i-1].text == "-O" || c.args[i-1].text == "--netrc-file") {
			continue
		}
		c.report("shell-credential-file")
		return
	}
}

// write notes what a file holds from now on, and reports the files that give
// power over the machine.
func (r *reader) write(w write, out value, start, end int) {
	p := w.path.text
	name := baseName(p)
	if name != "" && name != unknown && !strings.HasPrefix(p, "/dev/") && w.fd == "" {
		held := out
		if w.append {
			held = r.files[name].joined(out, "")
		}
		if _, ok := r.files[name]; ok || len(r.files) < maxVars {
			r.files[name] = held
		}
	}
	if id := written(p, w, out); id != "" {
		r.report(id, start, end)
	}
}

// written returns what is wrong with writing to a path.
func written(p string, w write, out value) string {
	has := func(parts ...string) bool {
		for _, part := range parts {
			if strings.Contains(p, part) {
				return true
			}
		}
		return false
	}
	switch {
	case len(p) < 4 || len(p) > 4096:
		return ""
	case device(p):
		return "shell-wipe-device"
	case strings.HasSuffix(p, ".ssh/authorized_keys") || strings.HasSuffix(p, ".ssh/authorized_keys2"):
		return "shell-authorized-keys"
	case p == "/etc/sudoers" || strings.HasPrefix(p, "/etc/sudoers.d/"):
		return "shell-privileges"
	case p == "/etc/passwd" || p == "/etc/shadow" || p == "/etc/group":
		return "shell-privileges"
	case p == "/etc/ld.so.preload":
		return "shell-preload"
	case strings.HasPrefix(p, "/etc/cron") || strings.HasPrefix(p, "/var/spool/cron"),
		p == "/etc/rc.local", strings.HasPrefix(p, "/etc/profile.d/"), p == "/etc/profile", p == "/etc/bash.bashrc", p == "/etc/zsh/zshrc",
		strings.HasPrefix(p, "/etc/init.d/"), strings.HasPrefix(p, "/etc/systemd/system/"), strings.HasPrefix(p, "/lib/systemd/system/"),
		has("/.config/systemd/user/", "/.config/autostart/", "Library/LaunchAgents/", "Library/LaunchDaemons/", "/.git/hooks/"), shellStart(p):
		return "shell-persistence"
	case has("_history") && strings.Contains(baseName(p), "_history") && !w.append,
		strings.HasPrefix(p, "/var/log/") && !w.append && strings.TrimSpace(out.text) == "" && logFile(p):
		return "shell-clear-history"
	case p == "/proc/sys/kernel/randomize_va_space", p == "/sys/fs/selinux/enforce", p == "/etc/selinux/config":
		return "shell-security-off"
	case p == "/proc/sysrq-trigger":
		return "shell-wipe-device"
	}
	return ""
}

func logFile(p string) bool {
	switch baseName(p) {
	case "auth.log", "syslog", "messages", "secure", "wtmp", "btmp", "lastlog", "audit.log", "kern.log", "faillog", "utmp":
		return true
	}
	return false
}

// shellStart reports whether a shell reads the file when it starts.
func shellStart(p string) bool {
	if !strings.HasPrefix(p, "~") && !strings.HasPrefix(p, "/root/") && !strings.HasPrefix(p, "/home/") && !strings.HasPrefix(p, unknown+"/") {
		return false
	}
	switch baseName(p) {
	case ".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".profile", ".zshrc", ".zprofile", ".zshenv", ".zlogin", "config.fish":
		return true
	}
	return false
}

// device reports whether a path is a disk.
func device(p string) bool {
	name, ok := strings.CutPrefix(p, "/dev/")
	if !ok {
		return false
	}
	for _, d := range []string{"sd", "hd", "vd", "xvd", "nvme", "mmcblk", "disk", "rdisk", "mapper/", "dm-", "md", "mem", "kmem", "port"} {
		rest, ok := strings.CutPrefix(name, d)
		if !ok {
			continue
		}
		switch d {
		case "sd", "hd", "vd", "xvd":
			return rest != "" && (rest[0] >= 'a' && rest[0] <= 'z' || rest[0] == '*' || rest[0] == '?' || rest[0] == '[')
		case "mem", "kmem", "port":
			return rest == ""
		case "mapper/":
			return true
		}
		return rest != "" && rest[0] >= '0' && rest[0] <= '9' || rest == "*"
	}
	return false
}
