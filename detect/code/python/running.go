// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package python

import (
	"regexp"
	"strings"

	"github.com/holdfast-dev/holdfast/internal/python"
)

// runningRules are about text that becomes code.
var runningRules = []rule{
	{
		Rule: Rule{
			ID: "python-eval", CWE: "CWE-94", Severity: "error",
			Description: "eval runs its argument as code",
			Match: []string{
				"eval(x)", "e = eval\ne(x)", "import builtins as b\nb.eval(x)", "getattr(__builtins__, 'ev' + 'al')(x)", "list(map(eval, lines))", "vars(__builtins__)['eval'](x)", "eval.__call__(x)", "eval('f(%s)' % x)",
				"globals()['eval'](x)", "ｅｖａｌ(x)", "    total += eval(row[", "__import__('builtins').eval(x)", "def f(eval): pass\nreturn eval(x)", "c = '1'\nc = input()\neval(c)",
			},
			NoMatch: []string{"import ast\nast.literal_eval(x)", "model.eval()", "evaluate(x)", "# eval(x)", "'eval(x)'", "frame.eval('a + b')", "eval('1 + 2')", "raises(SyntaxError, eval, '1 +')"},
		},
		calls: "eval", refs: "eval", when: runs,
	},
	{
		Rule: Rule{
			ID: "python-exec", CWE: "CWE-94", Severity: "error",
			Description: "exec runs its argument as code",
			Match: []string{
				"exec(code)", "exec code in space", "exec 'x = %d' % n", "execfile(path)", "import builtins\nbuiltins.exec(x)",
				"from six import exec_\nexec_(code)", "import runpy\nrunpy.run_path(path)", "import code\ncode.InteractiveInterpreter().runsource(x)",
			},
			NoMatch: []string{"cursor.exec_query(x)", "exec_path = 1", "app.exec_()", "os_exec(x)", "exec('a = 1', space)"},
		},
		calls: "exec execfile six.exec_ exec_ runpy.run_path .runsource .runcode", refs: "exec execfile", when: runs,
	},
	{
		Rule: Rule{
			ID: "python-compile", CWE: "CWE-94", Severity: "warning",
			Description: "compile makes code of its argument",
			Match:       []string{"compile(source, name, 'exec')", "import builtins\nbuiltins.compile(a, b, c)", "import codeop\ncodeop.compile_command(x)"},
			NoMatch:     []string{"import re\nre.compile(x)", "from re import compile\ncompile(x)", "model.compile(optimizer='adam')", "compile('a = 1', '', 'exec')", "compile_all()"},
		},
		calls: "compile codeop.compile_command", when: runs,
	},
	{
		Rule: Rule{
			ID: "python-dynamic-import", CWE: "CWE-470", Severity: "warning",
			Description: "what is imported is not fixed in the code",
			Match:       []string{"__import__(name)", "import importlib\nimportlib.import_module('plugins.' + name)", "from importlib import import_module as load\nload(x)"},
			NoMatch:     []string{"__import__('os')", "import importlib\nimportlib.import_module('json')", "import_data(x)", "__import__('a' + 'b')"},
		},
		calls: "__import__ importlib.import_module importlib.__import__ imp.load_module imp.load_source",
		when:  func(c *call) bool { return c.arg(0, "name") != nil && !c.fixed(c.arg(0, "name")) },
	},
	{
		Rule: Rule{
			ID: "python-input", CWE: "CWE-94", Severity: "warning",
			Description: "input of Python 2 runs what is typed as code",
			Match:       []string{"print 'how many?'\nn = input()"},
			NoMatch:     []string{"print('how many?')\nn = input()", "print 'how many?'\nn = raw_input()"},
		},
		calls: "input", when: func(c *call) bool { return c.file.Old },
	},
}

// runs reads constant text that is run: it is code like any other, and only
// what is not known here is unsafe by being run.
func runs(c *call) bool {
	a := c.arg(0, "source")
	if a == nil {
		return len(c.node.Kids) > 1
	}
	return !c.inner(a)
}

// commandRules are about text that becomes a command.
var commandRules = []rule{
	{
		Rule: Rule{
			ID: "python-os-system", CWE: "CWE-78", Severity: "error",
			Description: "os.system gives its argument to a shell",
			Match: []string{
				"import os\nos.system(cmd)", "from os import system as s\ns('ls ' + d)", "import os as o\no.system('ls')", "getattr(os, 'system')(x)",
				"__import__('os').system(x)", "import os\nf = os.system\nf(x)", "from os import *\nsystem(x)", "Thread(target=os.system, args=(c,))",
				"os . system (x)", "\tsystem(cmd", "import importlib\nimportlib.import_module('o' + 's').system(x)", "os.__dict__['system'](x)", "vars(os)['system'](x)", "os.system.__call__(x)",
			},
			NoMatch: []string{"import platform\nplatform.system()", "from platform import system\nsystem()", "self.system(x)", "os.systems", "'os.system(x)'", "def system(a): pass\nsystem(1)"},
		},
		calls: "os.system", refs: "os.system",
	},
	{
		Rule: Rule{
			ID: "python-os-popen", CWE: "CWE-78", Severity: "error",
			Description: "the function gives its argument to a shell",
			Match: []string{
				"import os\nos.popen('ls ' + d).read()", "import commands\ncommands.getoutput(c)", "import subprocess\nsubprocess.getstatusoutput(c)",
				"import popen2\npopen2.popen3(c)", "import asyncio\nawait asyncio.create_subprocess_shell(c)",
			},
			NoMatch: []string{"self.popen(c)", "import os\nos.popen2x(c)", "subprocess.run(['ls', d])"},
		},
		calls: "os.popen os.popen2 os.popen3 os.popen4 popen2.popen2 popen2.popen3 popen2.popen4 popen2.Popen3 popen2.Popen4 commands.getoutput " +
			"commands.getstatusoutput commands.getstatus subprocess.getoutput subprocess.getstatusoutput asyncio.create_subprocess_shell platform.popen",
		refs: "os.popen commands.getoutput subprocess.getoutput subprocess.getstatusoutput",
	},
	{
		Rule: Rule{
			ID: "python-shell-true", CWE: "CWE-78", Severity: "error",
			Description: "a command goes through a shell",
			Match: []string{
				"import subprocess\nsubprocess.call(cmd, shell=True)", "Popen(cmd, stdout=PIPE, shell=1)", "subprocess.run(c, **{'shell': True})",
				"run(c, shell=(os.name == 'nt'))", "options = dict(shell=True)", "check_output(cmd, shell=True",
			},
			NoMatch: []string{"subprocess.call(cmd, shell=False)", "subprocess.call(['a', b])", "f(shell='/bin/zsh' )", "call(cmd, shell=None)"},
		},
		any: true, when: func(c *call) bool {
			a := c.named("shell")
			return isTrue(a) && a.Kind != python.String
		},
	},
	{
		Rule: Rule{
			ID: "python-shell-argument", CWE: "CWE-78", Severity: "error",
			Description: "a command that is not fixed goes to a shell as an argument",
			Match:       []string{"import subprocess\nsubprocess.run(['bash', '-c', cmd])", "import os\nos.execl('/bin/sh', 'sh', '-c', 'ls ' + d)", "Popen(['cmd.exe', '/c', line])"},
			NoMatch:     []string{"import subprocess\nsubprocess.run(['bash', '-c', 'ls'])", "subprocess.run(['grep', '-c', word])", "subprocess.run(['sh', path])"},
		},
		calls: "subprocess.run subprocess.call subprocess.check_call subprocess.check_output subprocess.Popen asyncio.create_subprocess_exec pty.spawn " +
			"os.execl os.execlp os.execle os.execlpe os.execv os.execve os.execvp os.execvpe os.spawnl os.spawnlp os.spawnv os.spawnve os.spawnvp os.posix_spawn",
		when: shellArgument,
	},
	{
		Rule: Rule{
			ID: "python-reverse-shell", CWE: "CWE-506", Severity: "error",
			Description: "a connection or a terminal is tied to a shell",
			Match: []string{
				"import os\nos.dup2(s.fileno(), 0)", "import pty\npty.spawn('/bin/bash')", "from pty import spawn\nspawn('sh')",
			},
			NoMatch: []string{"import os\nos.dup2(log, 5)", "os.dup2(devnull, 0)", "import pty\npty.spawn('vim')"},
		},
		calls: "os.dup2 pty.spawn", when: tiesShell,
	},
}

var shellName = regexp.MustCompile(`(?i)^(?:.*[/\\])?(?:(?:ba|z|k|da|c|tc|fi|a)?sh|cmd|powershell|pwsh)(?:\.exe)?$`)

// shellArgument looks for a shell and its -c with something behind it that is
// not constant.
func shellArgument(c *call) bool {
	var words []*python.Node
	for _, a := range c.node.Args() {
		if a.Kind == python.List || a.Kind == python.Tuple {
			words = append(words, a.Kids...)
		} else {
			words = append(words, a)
		}
		if len(words) > 16 {
			break
		}
	}
	shell := false
	for i, w := range words {
		text, ok := c.constant(w)
		switch {
		case !ok:
		case shellName.MatchString(text):
			shell = true
		case shell && (strings.HasPrefix(text, "-") && strings.HasSuffix(text, "c") || strings.EqualFold(text, "/c") || strings.EqualFold(text, "-command")):
			return i+1 < len(words) && !c.fixed(words[i+1])
		}
	}
	return false
}

// tiesShell looks for a descriptor of something that becomes a standard one,
// and for a shell on a terminal.
func tiesShell(c *call) bool {
	first := c.arg(0, "fd")
	if c.name == "pty.spawn" {
		if first != nil && (first.Kind == python.List || first.Kind == python.Tuple) && len(first.Kids) > 0 {
			first = first.Kids[0]
		}
		if first == nil {
			return false
		}
		text, ok := c.constant(first)
		return ok && shellName.MatchString(text)
	}
	to := number(c.arg(1, "fd2"))
	return first != nil && first.Kind == python.Call && first.Kids[0].Kind == python.Attribute && first.Kids[0].Name == "fileno" && to >= 0 && to <= 2
}
