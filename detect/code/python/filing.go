// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package python

import (
	"strings"

	"github.com/holdfast-dev/holdfast/internal/python"
)

// fileRules are about files.
var fileRules = []rule{
	{
		Rule: Rule{
			ID: "python-temp-name", CWE: "CWE-377", Severity: "warning",
			Description: "somebody else can make the file between its naming and its opening",
			Match:       []string{"import tempfile\ntempfile.mktemp()", "from tempfile import mktemp as m\nm('.txt')", "import os\nos.tempnam()", "os.tmpnam()"},
			NoMatch:     []string{"import tempfile\ntempfile.mkstemp()", "tempfile.NamedTemporaryFile()", "self.mktemp()"},
		},
		calls: "tempfile.mktemp os.tempnam os.tmpnam", refs: "tempfile.mktemp",
	},
	{
		Rule: Rule{
			ID: "python-temp-path", CWE: "CWE-377", Severity: "info",
			Description: "a file with a fixed name is written in a folder of everybody",
			Match:       []string{"open('/tmp/out', 'w')", "open('/var/tmp/x.log', mode='ab')"},
			NoMatch:     []string{"open('/tmp/in')", "open('/home/a/tmp/x', 'w')", "open('/tmp/in', 'rb')", "open(path, 'w')"},
		},
		calls: "open io.open codecs.open", when: func(c *call) bool {
			path, mode := c.text(0, "file"), c.text(1, "mode")
			return strings.ContainsAny(mode, "wax+") && (strings.HasPrefix(path, "/tmp/") || strings.HasPrefix(path, "/var/tmp/") || strings.HasPrefix(path, "/dev/shm/"))
		},
	},
	{
		Rule: Rule{
			ID: "python-permissions", CWE: "CWE-732", Severity: "warning",
			Description: "everybody may write the file",
			Match:       []string{"import os\nos.chmod(p, 0o777)", "os.chmod(p, 0777)", "from os import chmod\nchmod(p, 0x1ff)", "path.chmod(0o666)", "os.chmod(p, stat.S_IRWXU | stat.S_IRWXO)", "os.umask(0)", "os.mkfifo(p, mode=0o622)"},
			NoMatch:     []string{"os.chmod(p, 0o755)", "os.chmod(p, mode)", "os.umask(0o077)", "path.chmod(0o600)", "os.chmod(p, stat.S_IRWXU)"},
		},
		calls: "os.chmod os.fchmod os.lchmod .chmod os.mkfifo os.umask os.mknod", when: opensToAll,
	},
	{
		Rule: Rule{
			ID: "python-extract-all", CWE: "CWE-22", Severity: "warning",
			Description: "names in the archive say where files are written",
			Match:       []string{"tarfile.open(p).extractall()", "archive.extractall(path=d)", "shutil.unpack_archive(p)"},
			NoMatch:     []string{"t.extractall(d, filter='data')", "z.extract(name, d)", "t.extractall(d, members=checked)"},
		},
		calls: ".extractall shutil.unpack_archive", when: func(c *call) bool {
			return c.named("filter") == nil && c.arg(1, "members") == nil
		},
	},
	{
		Rule: Rule{
			ID: "python-remove-tree", CWE: "CWE-73", Severity: "error",
			Description: "a root, a home or all of a disk is removed",
			Match:       []string{"import shutil\nshutil.rmtree('/')", "from shutil import rmtree\nrmtree(os.path.expanduser('~'))", "shutil.rmtree(Path.home())", "shutil.rmtree('C:\\\\')"},
			NoMatch:     []string{"shutil.rmtree(d)", "shutil.rmtree('/tmp/build')", "self.rmtree('/')"},
		},
		calls: "shutil.rmtree", when: removesRoot,
	},
}

// opensToAll looks at the permissions that are given.
func opensToAll(c *call) bool {
	mode := c.arg(1, "mode")
	switch {
	case c.name == "os.umask":
		mode = c.arg(0, "mask")
		return mode != nil && mode.Kind == python.Number && permissions(mode) == 0
	case c.name == ".chmod":
		if of := c.node.Kids[0].Kids[0]; of.Dotted() == "os" || c.arg(1, "") != nil {
			return false
		}
		mode = c.arg(0, "mode")
	}
	if mode == nil {
		return false
	}
	if mode.Kind == python.Number {
		p := permissions(mode)
		return p > 0 && p&0o002 != 0
	}
	return strings.Contains(c.file.Segment(mode), "S_IRWXO") || strings.Contains(c.file.Segment(mode), "S_IWOTH")
}

// permissions reads a mode, which begins with 0 alone in Python 2.
func permissions(n *python.Node) int64 {
	return number(n)
}

func removesRoot(c *call) bool {
	a := c.arg(0, "path")
	if a == nil {
		return false
	}
	if text, ok := c.constant(a); ok {
		switch strings.TrimRight(text, `/\*`) {
		case "", "C:", "c:", "~", "/home", "/root", "/etc", "/usr", "/var", "/bin", "/boot", "/lib", "/Users":
			return text != ""
		}
		return false
	}
	if a.Kind != python.Call {
		return false
	}
	switch callee := a.Callee(); {
	case strings.HasSuffix(callee, "expanduser"):
		args := a.Args()
		return len(args) == 1 && args[0].Kind == python.String && strings.TrimRight(args[0].Name, "/") == "~"
	case strings.HasSuffix(callee, "Path.home"):
		return true
	}
	return false
}
