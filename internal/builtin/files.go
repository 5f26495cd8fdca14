// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package builtin

import (
	"errors"
	"io"
	"io/fs"
	"path"
	"strings"
	"unicode/utf8"

	"github.com/holdfast-dev/holdfast/internal/value"
)

// The bounds of what functions read of a workspace. Beyond them a call is
// unknown.
const (
	maxFiles    = 10_000
	maxContents = 16 << 20 // bytes of the files that one list holds
	maxScanned  = 64 << 20 // bytes of those that is_sensitive_dir looks through
)

// fileModule is `invariant.files`.
func fileModule() *Module {
	none := value.NoneV
	root, where, pattern := param("workspace_path"), optional("path", value.StrOf(".")), optional("pattern", none)
	tree, views := optional("tree", value.TrueV), optional(ViewsParam, none)
	reading := func(f *Func) *Func {
		f.Needs = Workspace
		return f
	}
	return module("invariant.files", []*value.Type{value.FileType},
		reading(effect("get_files", value.ListType, listFiles, root, where, pattern)),
		reading(effect("get_tree_files", value.ListType, listFiles, root, where, pattern)),
		reading(effect("get_file_content", value.FileType, fileContent, root, param("file_path"))),
		reading(effect("get_file_contents", value.ListType, fileContents, root, where, pattern, tree)),
		reading(effect("is_dir", value.BoolType, isDir, param("path"))),
		&Func{Name: "is_sensitive", Result: value.BoolType, Kind: Detector, Impl: isSensitive, Params: []Param{param("file"), function("func"), views}},
		reading(effect("is_sensitive_dir", value.BoolType, isSensitiveDir, root, function("funcs"), where, pattern, tree, views)))
}

// listFiles is get_files and get_tree_files: the paths of the files in a
// folder, or in all below it too.
func listFiles(c *Call) *value.Value {
	names, trouble := c.files(c.Args[0], c.Args[1], c.Args[2], c.Func.Name == "get_tree_files")
	if trouble != nil {
		return trouble
	}
	return c.Env.listOf(namesOf(names).Items())
}

// fileContent is get_file_content.
func fileContent(c *Call) *value.Value {
	name, trouble := c.inWorkspace(c.Args[0], c.Args[1])
	if trouble != nil {
		return trouble
	}
	content := c.read(name)
	if content.Kind() == value.Unknown {
		return content
	}
	return fileOf(name, content)
}

// fileContents is get_file_contents. A file that cannot be read has a content
// that is unknown.
func fileContents(c *Call) *value.Value {
	tree, trouble := flag(c.Args[3], "tree")
	if trouble != nil {
		return trouble
	}
	names, trouble := c.files(c.Args[0], c.Args[1], c.Args[2], tree)
	if trouble != nil {
		return trouble
	}
	items := make([]*value.Value, len(names))
	size := 0
	for i, name := range names {
		content := c.read(name)
		if size += len(content.Text()); size > maxContents {
			return value.Trouble(value.TooLarge, nil, "the files hold more than is read at once")
		}
		items[i] = fileOf(name, content)
	}
	return c.Env.listOf(items)
}

// fileOf is a File.
func fileOf(name string, content *value.Value) *value.Value {
	return value.DictOf([]string{"path", "content"}, []*value.Value{value.StrOf(name), content})
}

// isDir is is_dir. What is not there is no folder.
func isDir(c *Call) *value.Value {
	name, trouble := c.inWorkspace(value.StrOf("."), c.Args[0])
	if trouble != nil {
		return trouble
	}
	info, err := fs.Stat(c.Env.Workspace, name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return value.FalseV
	case err != nil:
		return unreadable()
	}
	return value.BoolOf(info.IsDir())
}

// isSensitive is is_sensitive: whether a function says so of a file's content.
func isSensitive(c *Call) *value.Value {
	file := c.Args[0]
	if file.Kind() != value.Dict {
		return wrongKind("a File is wanted", file)
	}
	content := file.Get("content")
	switch {
	case content == nil:
		return value.Trouble(value.Missing, file, "the file has no content")
	case content.Kind() == value.Unknown:
		return content
	}
	return c.sensitive(content, c.Args[2])
}

// sensitive is true if one of the functions that were named finds something in
// a content, or says yes to it.
func (c *Call) sensitive(content, views *value.Value) *value.Value {
	result := value.FalseV
	for _, f := range c.Func.given {
		said := Apply(f, onContent(f, content, views), c.Env)
		switch k := said.Kind(); {
		case k == value.List:
			said = value.BoolOf(len(said.Items()) > 0)
		case k != value.Bool && k != value.Unknown:
			said = wrongKind("the function must give a bool or a list", said)
		}
		if said == value.TrueV {
			return said
		}
		if said.Kind() == value.Unknown {
			result = said
		}
	}
	return result
}

// onContent are the arguments of a function for a content.
func onContent(f *Func, content, views *value.Value) []*value.Value {
	args := make([]*value.Value, len(f.Params))
	for i, p := range f.Params {
		switch {
		case i == 0 && p.Rest:
			args[i] = value.ArgsOf([]*value.Value{content})
		case i == 0:
			args[i] = content
		case p.Rest:
			args[i] = value.ArgsOf(nil)
		case p.Name == ViewsParam:
			args[i] = views
		default:
			args[i] = p.Default
		}
	}
	return args
}

// isSensitiveDir is is_sensitive_dir. One file that is sensitive settles it;
// without one, a file that cannot be read leaves it open.
func isSensitiveDir(c *Call) *value.Value {
	tree, trouble := flag(c.Args[4], "tree")
	if trouble != nil {
		return trouble
	}
	names, trouble := c.files(c.Args[0], c.Args[2], c.Args[3], tree)
	if trouble != nil {
		return trouble
	}
	result, size := value.FalseV, 0
	for _, name := range names {
		said := c.read(name)
		if size += len(said.Text()); size > maxScanned {
			return value.Trouble(value.TooLarge, nil, "the files hold more than is read at once")
		}
		if said.Kind() != value.Unknown {
			said = c.sensitive(said, c.Args[5])
		}
		if said == value.TrueV {
			return said
		}
		if said.Kind() == value.Unknown {
			result = said
		}
	}
	return result
}

func flag(v *value.Value, name string) (bool, *value.Value) {
	if v.Kind() != value.Bool {
		return false, wrongKind(name+" is True or False", v)
	}
	return v == value.TrueV, nil
}

// inWorkspace returns the name in the workspace of a path in a folder of it.
// Paths lead to it, not out of it: the workspace is all that there is, its own
// path "." or "/".
func (c *Call) inWorkspace(folder, at *value.Value) (string, *value.Value) {
	if c.Env == nil || c.Env.Workspace == nil {
		return "", value.Trouble(value.NotProvided, nil, "no workspace is set up for the function "+c.Func.Name)
	}
	root, trouble := text(folder, "the path of a workspace")
	if trouble != nil {
		return "", trouble
	}
	below, trouble := text(at, "a path")
	if trouble != nil {
		return "", trouble
	}
	root = path.Clean(root)
	if root == "/" {
		root = "."
	}
	name := path.Join(root, below)
	if path.IsAbs(root) || path.IsAbs(below) || strings.ContainsAny(root+below, "\\\x00") || !within(root, name) {
		return "", value.Trouble(value.Failed, nil, "the path leads out of the workspace")
	}
	return name, nil
}

// within reports whether a clean path is a folder or below it.
func within(folder, name string) bool {
	if !fs.ValidPath(folder) || !fs.ValidPath(name) {
		return false
	}
	return folder == "." || name == folder || strings.HasPrefix(name, folder+"/")
}

// files returns the names of the files in a folder that match a pattern,
// sorted. Links to folders are not followed: what they lead to in the workspace
// is found at its own place.
func (c *Call) files(folder, at, pattern *value.Value, tree bool) ([]string, *value.Value) {
	top, trouble := c.inWorkspace(folder, at)
	if trouble != nil {
		return nil, trouble
	}
	glob := ""
	if pattern.Kind() != value.None {
		if glob, trouble = text(pattern, "a pattern"); trouble != nil {
			return nil, trouble
		}
		if _, err := path.Match(glob, ""); err != nil {
			return nil, value.Trouble(value.BadPattern, pattern, "the pattern is malformed")
		}
	}
	var names []string
	met := 0
	err := fs.WalkDir(c.Env.Workspace, top, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if name == top {
			if !d.IsDir() {
				return errNoFolder
			}
			return nil
		}
		if met++; met > maxFiles {
			return errTooMany
		}
		if d.IsDir() {
			if !tree {
				return fs.SkipDir
			}
			return nil
		}
		ok, err := c.isFile(name, d)
		if ok && fits(glob, name) {
			names = append(names, name)
		}
		return err
	})
	switch {
	case errors.Is(err, errTooMany):
		return nil, value.Trouble(value.TooLarge, nil, "there are more files than are looked at")
	case err != nil:
		return nil, unreadable()
	}
	return names, nil
}

var (
	errTooMany  = errors.New("too many files")
	errNoFolder = errors.New("no folder")
)

// isFile reports whether an entry is a file, or a link to one. A link to
// nothing is none; one that leads out of the workspace is an error.
func (c *Call) isFile(name string, d fs.DirEntry) (bool, error) {
	if d.Type()&fs.ModeSymlink == 0 {
		return d.Type().IsRegular(), nil
	}
	info, err := fs.Stat(c.Env.Workspace, name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return false, err
	}
	return info.Mode().IsRegular(), nil
}

// fits reports whether the last elements of a path match those of a pattern,
// as Python's Path.match has it; "" matches all.
func fits(pattern, name string) bool {
	if pattern == "" {
		return true
	}
	wanted, elements := strings.Split(pattern, "/"), strings.Split(name, "/")
	if len(wanted) > len(elements) {
		return false
	}
	for i, want := range wanted {
		if ok, err := path.Match(want, elements[len(elements)-len(wanted)+i]); !ok || err != nil {
			return false
		}
	}
	return true
}

// read returns the text of a file.
func (c *Call) read(name string) *value.Value {
	// Opening a pipe would wait for its other end.
	if info, err := fs.Stat(c.Env.Workspace, name); err != nil || !info.Mode().IsRegular() {
		return unreadable()
	}
	f, err := c.Env.Workspace.Open(name)
	if err != nil {
		return unreadable()
	}
	defer f.Close() //nolint:errcheck // it was only read
	most := c.Env.limits().value()
	src, err := io.ReadAll(io.LimitReader(f, int64(most)+1))
	c.Env.spend(len(src))
	switch {
	case err != nil:
		return unreadable()
	case len(src) > most:
		return value.Trouble(value.TooLarge, nil, "the file is larger than a text may be")
	case !utf8.Valid(src):
		return value.Trouble(value.BadText, nil, "the file is no text in UTF-8")
	}
	return value.StrOf(string(src))
}

func unreadable() *value.Value {
	return value.Trouble(value.Failed, nil, "the workspace cannot be read there")
}
