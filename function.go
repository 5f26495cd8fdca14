// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package holdfast

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/holdfast-dev/holdfast/diag"
	"github.com/holdfast-dev/holdfast/internal/builtin"
	"github.com/holdfast-dev/holdfast/internal/value"
	"github.com/holdfast-dev/holdfast/syntax"
)

// A Function is a function of the embedder that policies may call.
type Function struct {
	Name   string
	Params []Param
	Result Type

	// Effect says that the function asks the world: it is called once for
	// the same arguments in the life of a monitor. Without it the function
	// must give the same result for the same arguments.
	Effect bool

	// Call gets one argument for each parameter: nil, bool, int64, *big.Int,
	// float64, string, []any or map[string]any; an event as the object that
	// the input gave. An error makes the rule unknown that asked. Call may be
	// used by several monitors at once.
	Call func(ctx context.Context, args []any) (any, error)
}

// A Param is a parameter of a Function.
type Param struct {
	Name     string
	Type     Type
	Optional bool
	Default  any // of an optional one, a JSON-like Go value
}

// A Type names a type of the policy language, "any" or "" for all of them:
// "str", "int", "list", "Message", …
type Type string

func builtins(fs []Function) (map[string]*builtin.Func, error) {
	out := map[string]*builtin.Func{}
	for _, f := range fs {
		b, err := f.builtin()
		if err != nil {
			return nil, fmt.Errorf("function %q: %w", f.Name, err)
		}
		if out[f.Name] != nil {
			return nil, fmt.Errorf("function %q is there twice", f.Name)
		}
		out[f.Name] = b
	}
	return out, nil
}

func (f Function) builtin() (*builtin.Func, error) {
	if f.Name == "" || f.Call == nil {
		return nil, errors.New("name and Call are needed")
	}
	b := &builtin.Func{Name: f.Name, Module: "embedder", Kind: builtin.Pure}
	if f.Effect {
		b.Kind = builtin.Effect
	}
	var err error
	if b.Result, err = typeNamed(f.Result); err != nil {
		return nil, err
	}
	for _, p := range f.Params {
		t, err := typeNamed(p.Type)
		if err != nil {
			return nil, err
		}
		bp := builtin.Param{Name: p.Name, Type: t}
		if p.Optional {
			if bp.Default, err = fromGo(p.Default); err != nil {
				return nil, fmt.Errorf("default of %q: %w", p.Name, err)
			}
		}
		b.Params = append(b.Params, bp)
	}
	b.Impl = f.impl
	return b, nil
}

func typeNamed(t Type) (*value.Type, error) {
	if t == "" || t == "any" {
		return value.AnyType, nil
	}
	if vt := value.TypeNamed(string(t)); vt != nil {
		return vt, nil
	}
	return nil, fmt.Errorf("no type %q", t)
}

// impl calls the function. Whatever goes wrong in it is unknown.
func (f Function) impl(c *builtin.Call) (out *value.Value) {
	defer func() {
		if x := recover(); x != nil {
			out = value.Trouble(value.Failed, nil, "function "+f.Name+" panicked")
		}
	}()
	args := make([]any, len(c.Args))
	for i, a := range c.Args {
		args[i] = toGo(a)
	}
	res, err := f.Call(c.Env.Context, args)
	if err != nil {
		reason := value.Failed
		if errors.Is(err, context.DeadlineExceeded) {
			reason = value.Timeout
		}
		return value.Trouble(reason, nil, "function "+f.Name+" failed")
	}
	v, err := fromGo(res)
	if err != nil {
		return value.Trouble(value.Failed, nil, "function "+f.Name+" gave what is no value")
	}
	return v
}

// importer finds the files that `from ./lib import …` names.
type importer struct {
	opts *Options
	main *syntax.File
}

// load returns the policy file or the functions of the script that a path
// names, seen from a file.
func (im *importer) load(from *syntax.File, name string) (*syntax.File, map[string]*builtin.Func, error) {
	if im.opts.Files == nil {
		return nil, nil, errors.New("no folder to import from was given")
	}
	dir := "." // the policy stands directly in its folder, whatever it is called
	if from != im.main {
		dir = path.Dir(from.Source.Name)
	}
	full, err := resolve(dir, name)
	if err != nil {
		return nil, nil, err
	}
	src, err := fs.ReadFile(im.opts.Files, full+".gr")
	if err == nil {
		file, list := syntax.Parse(diag.NewFile(full+".gr", src))
		return file, nil, list.Err()
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return nil, nil, fmt.Errorf("reading %s.gr: %w", full, err)
	}
	return im.script(full)
}

func (im *importer) script(full string) (*syntax.File, map[string]*builtin.Func, error) {
	src, err := fs.ReadFile(im.opts.Files, full+".star")
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil, fmt.Errorf("there is neither %s.gr nor %s.star", full, full)
	case err != nil:
		return nil, nil, fmt.Errorf("reading %s.star: %w", full, err)
	case im.opts.Scripts == nil:
		return nil, nil, fmt.Errorf("%s.star is a script, and scripts are not enabled", full)
	}
	fns, err := im.opts.Scripts(full+".star", src)
	if err != nil {
		return nil, nil, err
	}
	funcs, err := builtins(fns)
	return nil, funcs, err
}

// resolve returns the path below the policy's folder, without its ending, of
// what a file in dir names.
func resolve(dir, name string) (string, error) {
	full := path.Join(dir, name)
	if !fs.ValidPath(full) || strings.ContainsAny(name, "\\:") || path.IsAbs(name) {
		return "", fmt.Errorf("%q leads out of the policy's folder", name)
	}
	return full, nil
}
