// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package project

import (
	"encoding"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"

	"github.com/holdfast-dev/holdfast/detect/configured"
	"github.com/holdfast-dev/holdfast/diag"
)

// A Problem is something that a project file says and that is wrong.
type Problem struct {
	Line, Column int // from 1; 0 if it is about the file as a whole
	Message      string
	Help         string // "" if there is none
}

// An Error is all that is wrong with a project file.
type Error struct {
	Path     string
	Problems []Problem // in the order of lines
}

func (e *Error) Error() string {
	var lines []string
	for _, p := range e.Problems {
		lines = append(lines, p.In(e.Path))
	}
	return strings.Join(lines, "\n")
}

// In returns the problem as a line, as compilers print theirs.
func (p Problem) In(path string) string {
	text := path
	if p.Line > 0 {
		text += fmt.Sprintf(":%d:%d", p.Line, p.Column)
	}
	text += ": " + p.Message
	if p.Help != "" {
		text += "; " + p.Help
	}
	return text
}

// problemOf makes a problem of what the reader of YAML says.
func problemOf(err error) Problem {
	var at yaml.Error
	if !errors.As(err, &at) || at.GetToken() == nil || at.GetToken().Position == nil {
		return Problem{Message: err.Error()}
	}
	pos := at.GetToken().Position
	return Problem{Line: pos.Line, Column: pos.Column, Message: at.GetMessage()}
}

// A checker compares a file with what a File can say.
type checker struct {
	file     *File
	problems []Problem
}

func (c *checker) fail(n ast.Node, help, format string, args ...any) {
	p := Problem{Message: fmt.Sprintf(format, args...), Help: help}
	if n != nil && n.GetToken() != nil && n.GetToken().Position != nil {
		p.Line, p.Column = n.GetToken().Position.Line, n.GetToken().Position.Column
	}
	c.problems = append(c.problems, p)
}

func (c *checker) tree(tree *ast.File) {
	if len(tree.Docs) > 1 {
		c.fail(tree.Docs[1].Body, "", "want one document")
	}
	for _, d := range tree.Docs {
		if d.Body != nil && d.Body.Type() != ast.CommentType {
			c.node("", d.Body, reflect.TypeFor[File]())
		}
	}
}

var textType = reflect.TypeFor[encoding.TextUnmarshaler]()

// node compares a value with a type: its keys and kinds. What a text says is
// checked once all of it is read.
func (c *checker) node(path string, n ast.Node, t reflect.Type) {
	c.file.places[path] = n
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch n.(type) {
	case *ast.NullNode, *ast.AliasNode, *ast.AnchorNode, *ast.TagNode:
		return // nothing is said, or the reader says what is wrong
	}
	switch {
	case t.Kind() == reflect.Interface:
	case reflect.PointerTo(t).Implements(textType), t.Kind() == reflect.String:
		c.want(path, n, "a text", ast.StringType, ast.LiteralType)
	case t.Kind() == reflect.Bool:
		c.want(path, n, "true or false", ast.BoolType)
	case t.Kind() == reflect.Int:
		c.want(path, n, "a whole number", ast.IntegerType)
	case t.Kind() == reflect.Slice:
		list, ok := n.(*ast.SequenceNode)
		if !ok {
			c.want(path, n, "a list", ast.SequenceType)
			return
		}
		for i, v := range list.Values {
			c.node(fmt.Sprintf("%s[%d]", path, i), v, t.Elem())
		}
	default:
		c.mapping(path, n, t)
	}
}

// want reports a value of a wrong kind.
func (c *checker) want(path string, n ast.Node, what string, types ...ast.NodeType) {
	if !slices.Contains(types, n.Type()) {
		c.fail(n, "", "%s: want %s", path, what)
	}
}

// mapping compares the keys of a mapping with the fields of a struct, or its
// values with those of a map.
func (c *checker) mapping(path string, n ast.Node, t reflect.Type) {
	var entries []*ast.MappingValueNode
	switch n := n.(type) {
	case *ast.MappingNode:
		entries = n.Values
	case *ast.MappingValueNode:
		entries = []*ast.MappingValueNode{n}
	default:
		if path == "" {
			path = "the file"
		}
		c.fail(n, "", "%s: want a mapping", path)
		return
	}
	known := map[string]reflect.Type{}
	if t.Kind() == reflect.Struct {
		fields(t, known)
	}
	for _, e := range entries {
		key := e.Key.GetToken().Value
		at := strings.TrimPrefix(path+"."+key, ".")
		field, ok := known[key]
		switch {
		case t.Kind() == reflect.Map:
			c.node(at, e.Value, t.Elem())
		case ok:
			c.node(at, e.Value, field)
		default:
			c.unknown(path, key, e.Key, known)
		}
	}
}

func (c *checker) unknown(path, key string, at ast.Node, known map[string]reflect.Type) {
	names := slices.Sorted(maps.Keys(known))
	help := "there are " + strings.Join(names, ", ")
	if near := diag.Nearest(key, names); near != "" {
		help = fmt.Sprintf("did you mean %q?", near)
	}
	where := ""
	if path != "" {
		where = " in " + path
	}
	c.fail(at, help, "there is no key %q%s", key, where)
}

// fields returns what a struct can be told in YAML.
func fields(t reflect.Type, out map[string]reflect.Type) {
	for f := range t.Fields() {
		name, opts, _ := strings.Cut(f.Tag.Get("yaml"), ",")
		switch {
		case opts == "inline":
			fields(f.Type, out)
		case name != "" && name != "-":
			out[name] = f.Type
		}
	}
}

var codes = regexp.MustCompile(`^P[0-9]{1,4}$`)

// severities are what a code can be.
var severities = []string{"error", "warning", "off"}

// values checks what the values say, as far as that needs nothing but the file.
func (c *checker) values() {
	f := c.file
	for key, list := range map[string][]string{"select": f.Select, "ignore": f.Ignore} {
		for i, code := range list {
			if !known(code, true) {
				c.fail(c.file.places[fmt.Sprintf("%s[%d]", key, i)], nearCode(code), "%s: there is no diagnostic %s", key, code)
			}
		}
	}
	for code, severity := range f.Severities {
		at := c.file.places["severities."+code]
		switch {
		case !known(code, false):
			c.fail(at, nearCode(code), "severities: there is no diagnostic %s", code)
		case !slices.Contains(severities, severity):
			c.fail(at, "want "+strings.Join(severities, ", "), "severities.%s: there is no severity %q", code, severity)
		}
	}
	for i, p := range f.Policies {
		if p == "" {
			c.fail(c.file.places[fmt.Sprintf("policies[%d]", i)], "", "policies: want a path")
		}
	}
	for name, v := range f.Inputs {
		x, err := exact(v)
		if err != nil {
			c.fail(c.file.places["inputs."+name], "", "inputs.%s: %v", name, err)
		}
		f.Inputs[name] = x
	}
	if f.Detectors != nil && !f.named {
		c.stranger(f.Detectors)
	}
}

// known reports whether there is a diagnostic, or with prefix one that begins
// so.
func known(code string, prefix bool) bool {
	if !codes.MatchString(code) {
		return false
	}
	return slices.ContainsFunc(diag.Codes(), func(d diag.CodeDoc) bool { return d.Code == code || prefix && strings.HasPrefix(d.Code, code) })
}

func nearCode(code string) string {
	var all []string
	for _, d := range diag.Codes() {
		all = append(all, d.Code)
	}
	if near := diag.Nearest(code, all); near != "" {
		return fmt.Sprintf("did you mean %s?", near)
	}
	return "want one as P0512, or the beginning of several"
}

// ownEnv begins the names of the variables that a file which nobody named may
// have sent to a server.
const ownEnv = "HOLDFAST_"

// stranger refuses what a file that nobody named must not decide.
func (c *checker) stranger(s *configured.Settings) {
	env := func(key, name string) {
		if name != "" && !strings.HasPrefix(name, ownEnv) {
			c.fail(c.file.places["detectors."+key], "name the file by --config, or the variable "+ownEnv+"…", "detectors.%s: a file that was only found cannot have %s sent to a server", key, name)
		}
	}
	env("models.key_env", s.Models.KeyEnv)
	for key, m := range map[string]*configured.Model{"moderation": s.Models.Moderation, "embedding": s.Models.Embedding, "chat": s.Models.Chat, "injection": s.Models.Injection} {
		if m != nil {
			env("models."+key+".key_env", m.KeyEnv)
		}
	}
	for name, r := range s.Remote {
		env("remote."+name+".token_env", r.TokenEnv)
	}
	for key, path := range map[string]string{"semgrep": s.Programs.Semgrep, "tesseract": s.Programs.Tesseract} {
		if strings.ContainsAny(path, `/\`) {
			c.fail(c.file.places["detectors.programs."+key], "name the file by --config, or the program without its folder", "detectors.programs.%s: a file that was only found cannot say which program of a folder is run", key)
		}
	}
}
