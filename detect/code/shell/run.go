// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// stmts follows statements that share their input, and returns what they write.
func (r *reader) stmts(list []*syntax.Stmt, in value) value {
	var out value
	for _, s := range list {
		out = out.joined(r.stmt(s, in), "")
	}
	return out
}

// stmt follows a statement with what it may read, and returns what it writes.
func (r *reader) stmt(s *syntax.Stmt, in value) value {
	if s == nil || s.Position.IsRecovered() || r.work < 0 {
		return value{}
	}
	if r.level++; r.level > maxLevel {
		r.work -= r.level
	}
	defer func() { r.level-- }()
	start, end := offsetOf(s.Pos()), offsetOf(s.End())
	redirected := in
	var writes []write
	for _, rd := range s.Redirs {
		v, w := r.redirect(rd, in)
		if w.path.text != "" && !standardOutput[w.path.text] {
			writes = append(writes, w)
		}
		if v != (value{}) {
			redirected = v
		}
	}
	out := r.command(s, redirected, writes)
	for _, w := range writes {
		r.write(w, out, start, end)
	}
	if len(writes) > 0 && writes[len(writes)-1].fd == "" {
		out = value{}
	}
	return out
}

// standardOutput are files that are what a command writes to anyway.
var standardOutput = map[string]bool{"/dev/stdout": true, "/dev/fd/1": true, "/proc/self/fd/1": true}

// A write is a redirection of what a command writes.
type write struct {
	path   value
	append bool
	fd     string // "" for standard output
}

// redirect returns what a redirection lets a command read, or where it writes.
func (r *reader) redirect(rd *syntax.Redirect, in value) (value, write) {
	switch rd.Op {
	case syntax.Hdoc, syntax.DashHdoc:
		v := r.text(rd.Hdoc, in)
		return v, write{}
	case syntax.WordHdoc:
		return r.text(rd.Word, in), write{}
	case syntax.RdrIn, syntax.RdrInOut:
		path := r.text(rd.Word, in)
		v := r.content(path)
		if rd.N == nil && credentialFile(path.text) {
			r.report("shell-credential-file", offsetOf(rd.Pos()), offsetOf(rd.End()))
		}
		r.socket(path, rd)
		return v, write{}
	case syntax.RdrOut, syntax.AppOut, syntax.RdrClob, syntax.AppClob, syntax.RdrAll, syntax.RdrAllClob, syntax.AppAll, syntax.AppAllClob, syntax.DplOut:
		path := r.text(rd.Word, in)
		r.socket(path, rd)
		w := write{path: path, append: rd.Op == syntax.AppOut || rd.Op == syntax.AppClob || rd.Op == syntax.AppAll || rd.Op == syntax.AppAllClob}
		if rd.N != nil && rd.N.Value != "1" {
			w.fd = rd.N.Value
		}
		if rd.Op == syntax.DplOut {
			return value{}, write{}
		}
		return value{}, w
	}
	return value{}, write{}
}

// socket reports a redirection to a machine of the network.
func (r *reader) socket(path value, rd *syntax.Redirect) {
	if strings.HasPrefix(path.text, "/dev/tcp/") || strings.HasPrefix(path.text, "/dev/udp/") {
		// A port that is only knocked at is no shell: the caller's command
		// decides, but a descriptor kept open for reading and writing, or
		// standard input from the network, is one in the making.
		if rd.Op == syntax.RdrInOut || rd.Op == syntax.RdrAll || rd.Op == syntax.DplOut {
			r.report("shell-reverse-shell", offsetOf(rd.Pos()), offsetOf(rd.End()))
		}
	}
}

// content is what a file holds, as far as one can say.
func (r *reader) content(path value) value {
	v := value{text: unknown, taint: fromFile | path.taint}
	if strings.HasPrefix(path.text, "/dev/tcp/") {
		v.taint |= fromNet
	}
	if secretFile(path.text) {
		v.taint |= credential
	}
	if strings.HasPrefix(path.text, "/proc/") && strings.HasSuffix(path.text, "/environ") {
		v.taint |= environment
	}
	if held, ok := r.files[baseName(path.text)]; ok {
		v.text, v.taint = held.text, v.taint|held.taint
	}
	return v
}

func (r *reader) command(s *syntax.Stmt, in value, writes []write) value {
	switch c := s.Cmd.(type) {
	case *syntax.CallExpr:
		return r.callExpr(c, in, writes)
	case *syntax.BinaryCmd:
		return r.binary(c, in)
	case *syntax.Block:
		return r.stmts(c.Stmts, in)
	case *syntax.Subshell:
		cwd := r.cwd
		out := r.stmts(c.Stmts, in)
		r.cwd = cwd
		return out
	case *syntax.IfClause:
		var out value
		for ; c != nil; c = c.Else {
			out = out.joined(r.stmts(c.Cond, in), "").joined(r.stmts(c.Then, in), "")
		}
		return out
	case *syntax.WhileClause:
		r.stmts(c.Cond, in)
		return r.stmts(c.Do, in)
	case *syntax.ForClause:
		return r.forClause(c, in)
	case *syntax.CaseClause:
		var out value
		r.text(c.Word, in)
		for _, item := range c.Items {
			out = out.joined(r.stmts(item.Stmts, in), "")
		}
		return out
	case *syntax.FuncDecl:
		r.function(c, s)
	case *syntax.DeclClause:
		for _, a := range c.Args {
			r.assign(a, in)
		}
	case *syntax.TimeClause:
		return r.stmt(c.Stmt, in)
	case *syntax.CoprocClause:
		return r.stmt(c.Stmt, in)
	case *syntax.TestDecl:
		return r.stmt(c.Body, in)
	}
	return value{}
}

// binary follows pipes and lists. They lean to the left, as deep as they are
// long: no recursion.
func (r *reader) binary(c *syntax.BinaryCmd, in value) value {
	type link struct {
		op syntax.BinCmdOperator
		y  *syntax.Stmt
	}
	var links []link
	var first *syntax.Stmt
	for {
		links = append(links, link{c.Op, c.Y})
		next, ok := c.X.Cmd.(*syntax.BinaryCmd)
		if !ok || len(c.X.Redirs) > 0 {
			first = c.X
			break
		}
		c = next
	}
	start := offsetOf(first.Pos())
	old := r.pipe
	r.pipe = start
	out := r.stmt(first, in)
	for i := len(links) - 1; i >= 0; i-- {
		l := links[i]
		switch l.op {
		case syntax.Pipe, syntax.PipeAll:
			piped := out
			if piped.text == "" {
				piped.text = unknown
			}
			out = r.stmt(l.y, piped)
		default:
			r.pipe = offsetOf(l.y.Pos())
			out = out.joined(r.stmt(l.y, in), "")
		}
	}
	r.pipe = old
	return out
}

func (r *reader) forClause(c *syntax.ForClause, in value) value {
	if w, ok := c.Loop.(*syntax.WordIter); ok {
		items := r.words(w.Items, in)
		v := value{text: unknown}
		if len(items) == 1 {
			v = items[0]
		}
		for _, item := range items {
			v.taint |= item.taint
		}
		if w.Name != nil {
			r.set(w.Name.Value, v)
		}
	}
	return r.stmts(c.Do, in)
}

// function follows the body of a function, and reports one that only starts
// itself, twice at a time.
func (r *reader) function(c *syntax.FuncDecl, s *syntax.Stmt) {
	if c.Body == nil {
		return
	}
	if c.Name != nil && bomb(c.Name.Value, c.Body) {
		r.report("shell-fork-bomb", offsetOf(s.Pos()), offsetOf(s.End()))
	}
	cwd := r.cwd
	r.cwd = unknown
	r.stmt(c.Body, value{})
	r.cwd = cwd
}

// bomb reports whether a body of few statements pipes a function to itself, or
// starts it twice in the background.
func bomb(name string, body *syntax.Stmt) bool {
	var list []*syntax.Stmt
	switch b := body.Cmd.(type) {
	case *syntax.Block:
		list = b.Stmts
	case *syntax.Subshell:
		list = b.Stmts
	}
	if len(list) > 4 {
		return false
	}
	calls, behind := 0, false
	for _, s := range list {
		behind = behind || s.Background
		if b, ok := s.Cmd.(*syntax.BinaryCmd); ok {
			if calledAs(b.X, name) && calledAs(b.Y, name) {
				return true
			}
		}
		if calledAs(s, name) {
			calls++
		}
	}
	return calls > 1 && behind
}

func calledAs(s *syntax.Stmt, name string) bool {
	call, ok := s.Cmd.(*syntax.CallExpr)
	return ok && len(call.Args) == 1 && call.Args[0].Lit() == name
}

// assign notes an assignment.
func (r *reader) assign(a *syntax.Assign, in value) {
	if a.Name == nil {
		if a.Value != nil {
			r.text(a.Value, in)
		}
		return
	}
	v := r.text(a.Value, in)
	if a.Array != nil {
		v = value{text: unknown}
		for _, e := range a.Array.Elems {
			if e.Value != nil {
				v.taint |= r.text(e.Value, in).taint
			}
		}
	}
	if a.Append {
		old, _ := r.variable(a.Name.Value)
		v = old.joined(v, "")
	}
	if !a.Naked {
		r.set(a.Name.Value, v)
		r.assigned(a.Name.Value, v, offsetOf(a.Pos()), offsetOf(a.End()))
	}
}
