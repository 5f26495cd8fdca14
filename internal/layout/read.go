// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package layout

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/holdfast-dev/holdfast/internal/value"
)

// Open returns the mapping that is built in under the name given ("agentdojo",
// "openai") or, if there is none, reads the file of that name.
func Open(name string) (*Mapping, error) {
	for _, m := range []*Mapping{agentDojo, openAI} {
		if m.name == name {
			return m, nil
		}
	}
	src, err := readMapping(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("mapping %s: there is no such file, and the mappings that are built in are agentdojo and openai", name)
	case err != nil:
		return nil, fmt.Errorf("mapping %w", err)
	}
	return Read(name, src)
}

// maxMapping is how long a mapping may be.
const maxMapping = 1 << 20

// readMapping reads a file that is to be a mapping, and may have no end.
func readMapping(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // it was only read
	src, err := io.ReadAll(io.LimitReader(f, maxMapping+1))
	if err == nil && len(src) > maxMapping {
		err = fmt.Errorf("%s is longer than %d bytes", name, maxMapping)
	}
	return src, err
}

// Read reads a mapping, see docs/mapping.md. Errors name the file and the part
// of the mapping that they are about.
func Read(name string, src []byte) (*Mapping, error) {
	doc, err := value.ParseJSON(string(src), value.JSONLimits{})
	if err != nil {
		return nil, fmt.Errorf("mapping %s: %w", name, located(src, err))
	}
	m := &Mapping{name: name, message: messageParts(), call: callParts(), part: partParts(), ignored: make(map[string]bool)}
	m.messages = pointer{text: "/messages", path: []string{"messages"}}
	m.tools = pointer{text: "/tools", path: []string{"tools"}}
	if err := m.read(doc); err != nil {
		return nil, fmt.Errorf("mapping %s: %w", name, err)
	}
	m.message.fill()
	m.call.fill()
	m.part.fill()
	if err := m.check(); err != nil {
		return nil, fmt.Errorf("mapping %s: %w", name, err)
	}
	return m, nil
}

// located adds the line to an error of parsing.
func located(src []byte, err error) error {
	var e *value.JSONError
	if errors.As(err, &e) {
		line := 1 + strings.Count(string(src[:min(e.Offset, len(src))]), "\n")
		return fmt.Errorf("line %d: %s", line, e.Msg)
	}
	return err
}

// The keys of a mapping.
var mappingKeys = []string{"traces", "messages", "tools", "message", "call", "part", "roles", "ids", "ignore"}

func (m *Mapping) read(doc *value.Value) error {
	if doc.Kind() != value.Dict {
		return errors.New("want an object whose values are JSON pointers")
	}
	for i, key := range doc.Keys() {
		v := doc.Items()[i]
		var err error
		switch key {
		case "traces":
			m.traces, err = readPointer(key, v, true)
		case "messages":
			m.messages, err = readPointer(key, v, true)
		case "tools":
			m.tools, err = readPointer(key, v, false)
		case "message":
			err = readParts(key, v, &m.message)
		case "call":
			err = readParts(key, v, &m.call)
		case "part":
			err = readParts(key, v, &m.part)
		case "roles":
			err = m.readRoles(v)
		case "ids":
			err = m.readIDs(v)
		case "ignore":
			err = m.readIgnored(v)
		default:
			err = unknownKey("", key, mappingKeys)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// unknownKey is the error for a key that an object within a mapping does not
// have.
func unknownKey(where, key string, known []string) error {
	msg := "unknown key " + strconv.Quote(key)
	if where != "" {
		msg += " in " + strconv.Quote(where)
	}
	for _, k := range known {
		if near(key, k) {
			return fmt.Errorf("%s, did you mean %q?", msg, k)
		}
	}
	return fmt.Errorf("%s, want one of %s", msg, strings.Join(known, ", "))
}

// near reports whether a was meant to be b: other case, a letter more, less or
// another, or the same beginning.
func near(a, b string) bool {
	a, b = strings.ToLower(a), strings.ToLower(b)
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	ra, rb := a[n:], b[n:]
	switch {
	case len(ra) == len(rb):
		return ra == "" || ra[1:] == rb[1:]
	case len(ra) > len(rb):
		return ra[1:] == rb
	}
	return rb[1:] == ra
}

// readPointer reads the pointer v, the value of key. One to the whole, "", is
// refused unless it may be.
func readPointer(key string, v *value.Value, mayBeWhole bool) (pointer, error) {
	if v.Kind() != value.Str {
		return pointer{}, fmt.Errorf("%q is no JSON pointer: want a string", key)
	}
	p, err := parsePointer(v.Text())
	switch {
	case err != nil:
		return p, fmt.Errorf("%q: %w", key, err)
	case len(p.path) == 0 && !mayBeWhole:
		return p, fmt.Errorf(`%q: the pointer "" is to the whole, want one to a part of it`, key)
	}
	return p, nil
}

// parsePointer reads a JSON pointer.
func parsePointer(text string) (pointer, error) {
	p := pointer{set: true, text: text, path: []string{}}
	if text == "" {
		return p, nil
	}
	if text[0] != '/' {
		return p, fmt.Errorf("the JSON pointer %q does not begin with a slash; did you mean %q?", text, "/"+text)
	}
	for _, token := range strings.Split(text[1:], "/") {
		plain := strings.ReplaceAll(strings.ReplaceAll(token, "~0", ""), "~1", "")
		if strings.Contains(plain, "~") {
			return p, fmt.Errorf("in the JSON pointer %q, a ~ is not followed by 0 or 1: ~ itself is written ~0, / is written ~1", text)
		}
		p.path = append(p.path, strings.ReplaceAll(strings.ReplaceAll(token, "~1", "/"), "~0", "~"))
	}
	return p, nil
}

// readParts reads pointers to the parts of one kind of object.
func readParts(where string, v *value.Value, into *parts) error {
	if v.Kind() != value.Dict {
		return fmt.Errorf("%q: want an object whose values are JSON pointers", where)
	}
	for i, key := range v.Keys() {
		p := into.get(key)
		if p == nil {
			return unknownKey(where, key, into.names())
		}
		var err error
		was := p.text
		if p.pointer, err = readPointer(where+"."+key, v.Items()[i], false); err != nil {
			return err
		}
		if was == "" {
			was = "/" + key
		}
		into.moved = into.moved || p.text != was
	}
	return nil
}

func (p *parts) names() []string {
	var names []string
	for _, it := range p.list {
		names = append(names, it.name)
	}
	return names
}

// ourRoles are the roles that a trace has.
var ourRoles = []string{"system", "developer", "user", "assistant", "tool", "function"}

func (m *Mapping) readRoles(v *value.Value) error {
	if v.Kind() != value.Dict {
		return errors.New(`"roles": want an object that names our role for each of theirs`)
	}
	m.roles = make(map[string]string)
	for i, theirs := range v.Keys() {
		ours := v.Items()[i].Text()
		if !slices.Contains(ourRoles, ours) {
			return fmt.Errorf(`"roles": %q is to be %s, want one of %s`, theirs, value.AppendJSON(nil, v.Items()[i]), strings.Join(ourRoles, ", "))
		}
		m.roles[theirs] = ours
	}
	return nil
}

func (m *Mapping) readIDs(v *value.Value) error {
	switch v.Text() {
	case "given":
	case "order":
		m.byOrder = true
	default:
		return errors.New(`"ids": want "given" (an output answers the call it names) or "order" (without a useful id, the call that has waited longest)`)
	}
	return nil
}

func (m *Mapping) readIgnored(v *value.Value) error {
	if v.Kind() != value.List {
		return errors.New(`"ignore": want a list of JSON pointers`)
	}
	for i, it := range v.Items() {
		p, err := readPointer("ignore."+strconv.Itoa(i), it, false)
		if err != nil {
			return err
		}
		m.ignored[p.text] = true
	}
	return nil
}

// check refuses a mapping that takes one thing for two.
func (m *Mapping) check() error {
	for where, parts := range map[string]*parts{"message": &m.message, "call": &m.call} {
		for i, a := range parts.list {
			for _, b := range parts.list[i+1:] {
				if (a.set || b.set) && (within(a.path, b.path) || within(b.path, a.path)) {
					return fmt.Errorf("%q: %s (%s) and %s (%s) are in one another", where, a.name, a.text, b.name, b.text)
				}
			}
		}
	}
	if a, b := m.messages.path, m.tools.path; within(b, a) && len(a) > 0 || within(a, b) {
		return fmt.Errorf("messages (%s) and tools (%s) are in one another", m.messages.text, m.tools.text)
	}
	if m.traces.set && m.traces.text == "" {
		return errors.New(`"traces": the pointer "" is to the whole document; a document that is a list of traces needs no "traces"`)
	}
	return nil
}

// within reports whether the path a is b or leads to something in it.
func within(a, b []string) bool {
	return len(a) >= len(b) && slices.Equal(a[:len(b)], b)
}
