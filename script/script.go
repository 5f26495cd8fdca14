// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

// Package script lets predicates be written in Starlark, a small dialect of
// Python, for the few conditions that the policy language cannot say.
//
// A policy takes them from a file beside it:
//
//	from ./checks import luhn
//
// reads checks.star when there is no checks.gr. Load has the shape that
// holdfast.Options.Scripts asks for:
//
//	holdfast.Compile(name, src, &holdfast.Options{Files: files, Scripts: script.Load})
//
// # What a script can do
//
// Every def at the top level whose name does not begin with an underscore
// becomes a function of the policy. Its parameters may have defaults. It gets
// strings, whole numbers of any size, floats, booleans, None, lists and
// dictionaries with string keys (an event is the dictionary of its JSON), and
// it answers with one of these. There is no load, no input or output, no
// clock and no chance: the same arguments always give the same answer.
// Globals are frozen once the file has run, and each call runs in a thread of
// its own, so functions may be called from several goroutines.
//
// # Trust and limits
//
// A script is trusted as the policy that imports it is: load scripts only
// from where you would load a policy. Its limits guard against mistakes and
// against traces that drive it further than its author thought. A call may
// take a million steps and, as a safety beside them, two seconds; a value
// that goes in or comes out may have a depth of 64, 100,000 elements and
// 1 MiB of text. Values that exist only while a call runs have no limit of
// their own beyond Starlark's: a script that multiplies strings of the trace
// with each other can use as much memory as that asks for. Whatever goes
// wrong in a call is an error, which makes the condition unknown.
package script

import (
	"context"
	"errors"
	"fmt"
	"time"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"github.com/holdfast-dev/holdfast"
)

const (
	// maxSteps is the limit that decides: it is the same on every machine.
	maxSteps = 1_000_000
	// maxTime is for single steps that take long, such as sorting a long list.
	maxTime = 2 * time.Second
)

// dialect is Starlark's own, with while loops (the steps bound them) and
// sets. Recursion stays off: its depth would be the process's stack.
var dialect = &syntax.FileOptions{Set: true, While: true}

// Load runs the Starlark file src once and returns its functions in the order
// of their definitions. The name appears in errors.
func Load(name string, src []byte) ([]holdfast.Function, error) {
	file, err := dialect.Parse(name, src, 0)
	if err != nil {
		return nil, fmt.Errorf("reading script: %w", err)
	}
	if err := refuseLoads(file); err != nil {
		return nil, err
	}
	globals, err := run(file)
	if err != nil {
		return nil, err
	}
	return functions(file, globals)
}

// refuseLoads says so at the place of the statement; Starlark itself would
// only say that nothing implements it.
func refuseLoads(file *syntax.File) error {
	for _, stmt := range file.Stmts {
		if load, ok := stmt.(*syntax.LoadStmt); ok {
			return fmt.Errorf("reading script: %s: a script cannot load another one", load.Load)
		}
	}
	return nil
}

// run executes the file's top level and freezes what it defined.
func run(file *syntax.File) (starlark.StringDict, error) {
	program, err := starlark.FileProgram(file, func(string) bool { return false })
	if err != nil {
		return nil, fmt.Errorf("reading script: %w", err)
	}
	thread, stop := newThread(context.Background(), file.Path)
	defer stop()
	globals, err := program.Init(thread, nil)
	if err != nil {
		return nil, fmt.Errorf("running script %s: %w", file.Path, cause(err))
	}
	globals.Freeze()
	return globals, nil
}

// functions picks the public definitions of the file.
func functions(file *syntax.File, globals starlark.StringDict) ([]holdfast.Function, error) {
	var fns []holdfast.Function
	for _, stmt := range file.Stmts {
		def, ok := stmt.(*syntax.DefStmt)
		if !ok || def.Name.Name[0] == '_' {
			continue
		}
		fn, ok := globals[def.Name.Name].(*starlark.Function)
		if !ok {
			continue
		}
		f, err := function(fn)
		if err != nil {
			return nil, fmt.Errorf("reading script: %s: %w", def.Def, err)
		}
		fns = append(fns, f)
	}
	return fns, nil
}

// function wraps one definition.
func function(fn *starlark.Function) (holdfast.Function, error) {
	params, err := parameters(fn)
	if err != nil {
		return holdfast.Function{}, err
	}
	return holdfast.Function{
		Name:   fn.Name(),
		Params: params,
		Result: "any",
		Call: func(ctx context.Context, args []any) (any, error) {
			return call(ctx, fn, args)
		},
	}, nil
}

// parameters describes the parameters of a definition. Only those that can
// be given by position are taken, since that is how a policy's call arrives.
func parameters(fn *starlark.Function) ([]holdfast.Param, error) {
	if fn.HasVarargs() || fn.HasKwargs() || fn.NumKwonlyParams() > 0 {
		return nil, fmt.Errorf("function %s takes *args, **kwargs or keyword-only parameters, want named parameters only", fn.Name())
	}
	params := make([]holdfast.Param, fn.NumParams())
	for i := range params {
		name, _ := fn.Param(i)
		params[i] = holdfast.Param{Name: name, Type: "any"}
		def := fn.ParamDefault(i)
		if def == nil {
			continue
		}
		v, err := fromStarlark(def)
		if err != nil {
			return nil, fmt.Errorf("default of parameter %s of %s: %w", name, fn.Name(), err)
		}
		params[i].Optional, params[i].Default = true, v
	}
	return params, nil
}

// call runs fn in a fresh thread.
func call(ctx context.Context, fn *starlark.Function, args []any) (any, error) {
	if ctx.Err() != nil {
		return nil, fmt.Errorf("calling %s: %w", fn.Name(), context.Cause(ctx))
	}
	in, err := arguments(args)
	if err != nil {
		return nil, fmt.Errorf("calling %s: %w", fn.Name(), err)
	}
	thread, stop := newThread(ctx, fn.Name())
	defer stop()
	out, err := starlark.Call(thread, fn, in, nil)
	if err != nil {
		return nil, fmt.Errorf("calling %s: %w", fn.Name(), cause(err))
	}
	result, err := fromStarlark(out)
	if err != nil {
		return nil, fmt.Errorf("result of %s: %w", fn.Name(), err)
	}
	return result, nil
}

// newThread makes a thread that stops at its limits. The caller must call
// stop, which waits for nothing.
func newThread(ctx context.Context, name string) (thread *starlark.Thread, stop func()) {
	thread = &starlark.Thread{Name: name, Print: func(*starlark.Thread, string) {}}
	thread.SetMaxExecutionSteps(maxSteps)
	thread.OnMaxSteps = func(t *starlark.Thread) {
		t.Cancel(fmt.Sprintf("more than %d steps", maxSteps))
	}
	ctx, cancel := context.WithTimeoutCause(ctx, maxTime, fmt.Errorf("more than %v", maxTime))
	unwatch := context.AfterFunc(ctx, func() { thread.Cancel(context.Cause(ctx).Error()) })
	return thread, func() {
		unwatch()
		cancel()
	}
}

// cause keeps Starlark's message and its innermost place, and drops the
// backtrace, which spans lines.
func cause(err error) error {
	var failed *starlark.EvalError
	if !errors.As(err, &failed) || len(failed.CallStack) == 0 {
		return err
	}
	for i := len(failed.CallStack) - 1; i >= 0; i-- {
		if pos := failed.CallStack[i].Pos; pos.Line > 0 {
			return fmt.Errorf("%s: %s", pos, failed.Msg)
		}
	}
	return errors.New(failed.Msg)
}
