// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package python

import "fmt"

// A Summary is what code consists of, as python_code of the policy language
// gives it.
type Summary struct {
	// Imports are the modules imported, each time they are: a.b of import a.b,
	// a of from .a import b, nothing of from . import b.
	Imports []string
	// Builtins are the names of Python's builtins, each time the code has one
	// of them as a name: called, passed on or assigned to.
	Builtins []string
	// FunctionCalls are what is called, as ast.unparse writes it: "open",
	// "os.path.join", "get()[0]", "', '.join". Each once, in the order of the
	// text. What is longer than a thousand bytes is left out.
	FunctionCalls []string
	// SyntaxError says that the text is not valid Python 3.13. The lists hold
	// what could be read all the same.
	SyntaxError bool
	// SyntaxErrorException is the message of the first error in CPython's form,
	// "" if there is none.
	SyntaxErrorException string
}

// maxCallee is how long a function's expression may be to count as its name:
// those of a long chain of calls contain each other.
const maxCallee = 1000

// Summarize reads code and says what it consists of. With ipython the code is
// a cell of IPython.
func Summarize(code string, ipython bool) Summary { return read(code, ipython).Summary() }

// Summary says what a text consists of.
func (f *File) Summary() Summary {
	var s Summary
	seen := map[string]bool{}
	call := func(name string) {
		if name != "" && !seen[name] {
			seen[name] = true
			s.FunctionCalls = append(s.FunctionCalls, name)
		}
	}
	f.Root.Walk(func(n *Node) bool {
		switch n.Kind {
		case Import:
			for _, alias := range n.Kids {
				s.Imports = append(s.Imports, alias.Name)
			}
			return false
		case ImportFrom:
			if module := trimDots(n.Name); module != "" {
				s.Imports = append(s.Imports, module)
			}
			return false
		case Name:
			if IsBuiltin(n.Name) {
				s.Builtins = append(s.Builtins, n.Name)
			}
		case Call:
			call(f.callee(n.Kids[0]))
		case Exec: // a statement that is a function today
			s.Builtins = append(s.Builtins, "exec")
			call("exec")
		case Print:
			s.Builtins = append(s.Builtins, "print")
			call("print")
		case Magic:
			call("get_ipython")
			call(magicCall(n.Name))
		}
		return true
	})
	if len(f.Errors) > 0 {
		s.SyntaxError, s.SyntaxErrorException = true, f.exception()
	}
	return s
}

// callee writes what is called; "" if that is too long.
func (f *File) callee(of *Node) string {
	if of.End-of.Start > maxCallee {
		return ""
	}
	if name := of.Dotted(); name != "" {
		return name
	}
	return f.Unparse(of)
}

// exception says what the first error is, as str of CPython's exception does.
func (f *File) exception() string {
	first := f.Errors[0]
	return fmt.Sprintf("%s (<unknown>, line %d)", first.Message, f.Line(first.Offset))
}

func trimDots(module string) string {
	for len(module) > 0 && module[0] == '.' {
		module = module[1:]
	}
	return module
}
