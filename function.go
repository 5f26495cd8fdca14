// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package holdfast

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/big"
	"path"
	"slices"
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
	Result Type // what Call gives; anything else makes the call unknown

	// Effect says that the function asks the world: it is called once for
	// the same arguments in the life of a monitor, and what it said then holds,
	// its failure too. Without it the function must give the same result for
	// the same arguments, and may be called any number of times.
	Effect bool

	// Call gets one argument for each parameter: nil, bool, int64, *big.Int,
	// float64, string, []any or map[string]any; an event as the object that
	// the input gave. An argument has the type of its parameter (a float may
	// be given as an int, a content in parts to a str as all its text), or is
	// nil where the policy has None; with any other the call is unknown, and
	// so it is when Call gives an error, panics, or gives what is no value of
	// type Result. Call should end when ctx does: nothing else stops it. It may
	// be used by several monitors at once.
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

// maxDefault bounds the text of a parameter's default.
const maxDefault = 1 << 20

// builtins makes the functions callable. Those of one module remember their
// results apart from those of another.
func builtins(module string, fs []Function) (map[string]*builtin.Func, error) {
	out := map[string]*builtin.Func{}
	for _, f := range fs {
		b, err := f.builtin(module)
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

func (f Function) builtin(module string) (*builtin.Func, error) {
	if !isName(f.Name) || f.Call == nil {
		return nil, errors.New("a name that policies can write, and Call, are needed")
	}
	b := &builtin.Func{Name: f.Name, Module: module, Kind: builtin.Pure}
	if f.Effect {
		b.Kind = builtin.Effect
	}
	var err error
	if b.Result, err = typeNamed(f.Result); err != nil {
		return nil, err
	}
	for i, p := range f.Params {
		bp, err := p.builtin()
		if err != nil {
			return nil, fmt.Errorf("parameter %q: %w", p.Name, err)
		}
		if i > 0 && bp.Default == nil && b.Params[i-1].Default != nil {
			return nil, fmt.Errorf("parameter %q comes after an optional one", p.Name)
		}
		if slices.ContainsFunc(b.Params, func(o builtin.Param) bool { return o.Name == p.Name }) {
			return nil, fmt.Errorf("parameter %q is there twice", p.Name)
		}
		b.Params = append(b.Params, bp)
	}
	b.Impl = f.impl
	return b, nil
}

func (p Param) builtin() (builtin.Param, error) {
	if !isName(p.Name) {
		return builtin.Param{}, errors.New("no name that policies can write")
	}
	t, err := typeNamed(p.Type)
	if err != nil {
		return builtin.Param{}, err
	}
	out := builtin.Param{Name: p.Name, Type: t}
	if p.Optional {
		if out.Default, err = fromGo(p.Default, maxDefault); err != nil {
			return builtin.Param{}, fmt.Errorf("default: %w", err)
		}
		if !fits(out.Default, t) {
			return builtin.Param{}, fmt.Errorf("default: want %s", t.Name)
		}
	}
	return out, nil
}

// isName reports whether a policy can call s by a name.
func isName(s string) bool {
	file, list := syntax.Parse(diag.NewFile("name", []byte(s+" := 1\n")))
	if list.Err() != nil || len(file.Stmts) != 1 {
		return false
	}
	c, ok := file.Stmts[0].(*syntax.Const)
	return ok && c.Name.Name == s
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

// fits reports whether a value may stand where a type is asked for.
func fits(v *value.Value, t *value.Type) bool {
	switch {
	case v.Kind() == value.None || value.HasType(v, t):
		return true
	case t == value.FloatType && v.Kind() == value.Int:
		return !math.IsInf(asFloat(v), 0)
	case t == value.StrType:
		return v.Kind() == value.Content
	case t == value.ListType:
		return v.Kind() == value.Tuple || v.Kind() == value.Content
	}
	return false
}

// impl calls the function. Whatever goes wrong in it is unknown.
func (f Function) impl(c *builtin.Call) (out *value.Value) {
	args := make([]any, len(c.Args))
	for i, a := range c.Args {
		t := c.Func.Params[i].Type
		if !fits(a, t) {
			return value.Trouble(value.TypeError, a, fmt.Sprintf("function %s: argument %q is no %s", f.Name, f.Params[i].Name, t.Name))
		}
		args[i] = argument(a, t)
	}
	defer func() {
		if recover() != nil { // what it says may quote the trace
			out = value.Trouble(value.Failed, nil, "function "+f.Name+" panicked")
		}
	}()
	res, err := f.Call(c.Env.Context, args)
	if err != nil {
		return f.failed(err)
	}
	v, err := fromGo(res, c.Env.Limits.Value)
	if err != nil {
		return value.Trouble(value.Failed, nil, "function "+f.Name+" gave what is no value: "+err.Error())
	}
	if !fits(v, c.Func.Result) {
		return value.Trouble(value.Failed, nil, "function "+f.Name+" gave no "+c.Func.Result.Name)
	}
	return v
}

func (f Function) failed(err error) *value.Value {
	if errors.Is(err, context.DeadlineExceeded) {
		return value.Trouble(value.Timeout, nil, "function "+f.Name+" timed out")
	}
	return value.Trouble(value.Failed, nil, "function "+f.Name+" failed")
}

// argument is a value that fits t as Call gets it.
func argument(v *value.Value, t *value.Type) any {
	x := toGo(v)
	switch {
	case t == value.StrType && v.Kind() == value.Content:
		text, _ := value.Concat(v)
		return text
	case t == value.FloatType && v.Kind() == value.Int:
		return asFloat(v)
	}
	return x
}

func asFloat(v *value.Value) float64 {
	f, _ := new(big.Float).SetInt(v.Big()).Float64()
	return f
}

// importer finds the files that `from ./lib import …` and `import "./lib"` name.
type importer struct {
	files   fs.FS
	scripts func(name string, src []byte) ([]Function, error)
	main    *syntax.File
	read    map[string]*diag.File // one for all parses, so that a mistake is said once
	paths   map[*diag.File]string // below the policy's folder
}

// load returns the policy file or the functions of the script that a path
// names, seen from a file.
func (im *importer) load(from *syntax.File, name string) (*syntax.File, map[string]*builtin.Func, error) {
	if im.files == nil {
		return nil, nil, errors.New("no folder to import from was given")
	}
	dir := "." // the policy stands directly in its folder, whatever it is called
	if from != im.main {
		dir = path.Dir(im.paths[from.Source])
	}
	full, err := resolve(dir, name)
	if err != nil {
		return nil, nil, err
	}
	src, err := fs.ReadFile(im.files, full+".gr")
	if err == nil {
		if im.read[full] == nil {
			im.read[full] = diag.NewFile(path.Join(path.Dir(im.main.Source.Name), full+".gr"), src)
			im.paths[im.read[full]] = full
		}
		file, list := syntax.Parse(im.read[full])
		return file, nil, list.Err()
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return nil, nil, fmt.Errorf("reading %s.gr: %w", full, err)
	}
	return im.script(full)
}

func (im *importer) script(full string) (*syntax.File, map[string]*builtin.Func, error) {
	src, err := fs.ReadFile(im.files, full+".star")
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil, fmt.Errorf("there is neither %s.gr nor %s.star", full, full)
	case err != nil:
		return nil, nil, fmt.Errorf("reading %s.star: %w", full, err)
	case im.scripts == nil:
		return nil, nil, fmt.Errorf("%s.star is a script, and scripts are not enabled", full)
	}
	fns, err := im.scripts(full+".star", src)
	if err != nil {
		return nil, nil, err
	}
	// Policies of different folders may have scripts of the same name.
	funcs, err := builtins(im.main.Source.Name+": "+full+".star", fns)
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
