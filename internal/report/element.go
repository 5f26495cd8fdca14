// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package report

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/holdfast-dev/holdfast"
	"github.com/holdfast-dev/holdfast/detect"
	"github.com/holdfast-dev/holdfast/internal/value"
	"github.com/holdfast-dev/holdfast/trace"
)

// maxSummary is how many runes of an element a report shows.
const maxSummary = 100

// nameOf is the name of a trace in reports.
func nameOf(path string, index int) string {
	path = PlainPath(path)
	if index == 0 {
		return path
	}
	return fmt.Sprintf("%s (trace %d)", path, index+1)
}

// PlainPath returns a path that may begin a line, which a CI system would take
// for a command if it began with two colons.
func PlainPath(path string) string {
	if strings.HasPrefix(path, "::") {
		return "./" + path
	}
	return path
}

// summary describes what a variable is bound to, in one safe line. With
// brief the element's text is left to the marks that follow.
func (o *Options) summary(t *trace.Trace, b holdfast.Binding, brief bool) string {
	if b.At == "" && b.Value == nil {
		return "nothing"
	}
	node, of := nodeAt(t, b.At), eventsAt(t, b.At)
	if node == nil {
		return shorten(jsonText(b.Value))
	}
	switch node.Kind() {
	case value.Message:
		return o.messageSummary(node, of, brief)
	case value.ToolOutput:
		return o.outputSummary(node, of, brief)
	case value.ToolCall:
		return o.callSummary(node, of)
	case value.Tool:
		return "tool " + o.shorten(childText(node, "name"), of)
	}
	return shorten(jsonText(b.Value))
}

func (o *Options) messageSummary(node *value.Value, of []*trace.Event, brief bool) string {
	role := o.shorten(childText(node, "role"), of) + " message"
	content := childText(node, "content")
	if brief || content == "" {
		return role
	}
	return role + ": " + o.shorten(content, of)
}

func (o *Options) outputSummary(node *value.Value, of []*trace.Event, brief bool) string {
	what := "output"
	if call := node.Link(); call != nil {
		what = "output of " + o.shorten(callName(call), of)
	}
	content := childText(node, "content")
	if brief || content == "" {
		return what
	}
	return what + ": " + o.shorten(content, of)
}

// callSummary writes a call as code.
func (o *Options) callSummary(node *value.Value, of []*trace.Event) string {
	arguments := child(callBody(node), "arguments")
	text := ""
	if arguments != nil && arguments.Kind() == value.Str {
		text = arguments.Text()
	} else if arguments != nil {
		text = string(value.AppendJSON(nil, arguments))
	}
	return "call " + o.shorten(fmt.Sprintf("%s(%s)", callName(node), text), of)
}

func callName(node *value.Value) string { return childText(callBody(node), "name") }

// callBody is the object that has a call's name: its function, or the entry
// itself.
func callBody(node *value.Value) *value.Value {
	for _, key := range []string{"function", "function_call"} {
		if f := child(node, key); f != nil {
			return f
		}
	}
	return node
}

// maxMasked bounds, in bytes, how much of a text is looked at for what must
// not be shown, when the beginning is.
const maxMasked = 64 << 10

// shorten makes a text of events safe to show, and cuts it to one short line.
func (o *Options) shorten(s string, of []*trace.Event) string {
	if len(s) > maxMasked {
		s = strings.ToValidUTF8(s[:maxMasked], "")
	}
	return shorten(o.masked(s, of...).Text)
}

// masked hides in a text of the trace, and of events of it, what must not be
// shown.
func (o *Options) masked(s string, of ...*trace.Event) detect.Masked {
	if o.Policy == nil {
		return detect.Masked{Text: s}
	}
	return o.Policy.Masked(s, of...)
}

// eventsAt returns the event that an address leads into; none if it does not.
func eventsAt(t *trace.Trace, address string) []*trace.Event {
	first, _, _ := strings.Cut(address, ".")
	i, err := strconv.Atoi(first)
	if err != nil || t == nil || i < 0 || i >= len(t.Events) {
		return nil
	}
	return t.Events[i : i+1]
}

// address makes an address safe to show: keys of arguments are texts of the
// trace too. One with something hidden no longer leads to its element.
func (o *Options) address(at string) string {
	for step := range strings.SplitSeq(at, ".") {
		step, _, _ = strings.Cut(step, ":")
		if len(step) >= leastKey && !steps[step] {
			return o.masked(at).Text
		}
	}
	return at
}

// leastKey is how many characters a key has that may have to be hidden.
const leastKey = 6

// steps are the longer keys that every trace has.
var steps = map[string]bool{
	"content": true, "tool_calls": true, "function": true, "arguments": true, "function_call": true, "metadata": true,
	"description": true, "inputSchema": true, "parameters": true, "properties": true, "image_url": true, "required": true,
}

// addresses makes several safe to show.
func (o *Options) addresses(all []string) []string {
	out := make([]string, len(all))
	for i, at := range all {
		out[i] = o.address(at)
	}
	return out
}

// shorten makes s safe and cuts it to one short line.
func shorten(s string) string { return shortenTo(s, maxSummary) }

// shortenTo makes s safe and cuts it to one line of n characters.
func shortenTo(s string, n int) string {
	if len(s) > 4*n {
		s = s[:4*n] + " " // more than enough, whatever the size of s
	}
	s = EscapeLine(s)
	if runes := []rune(s); len(runes) > n {
		return string(runes[:n]) + "…"
	}
	return s
}

func jsonText(x any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(x) != nil {
		return fmt.Sprint(x)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// textAt returns the text at an address of the trace.
func textAt(t *trace.Trace, address string) (string, bool) {
	node := nodeAt(t, address)
	if node == nil {
		return "", false
	}
	return value.Concat(node)
}

// nodeAt follows an address from the trace's events to a value; nil if it
// does not lead to one.
func nodeAt(t *trace.Trace, address string) *value.Value {
	_, rest, _ := strings.Cut(address, ".")
	for _, e := range eventsAt(t, address) {
		return descend(e.Root(), rest)
	}
	return nil
}

func descend(node *value.Value, path string) *value.Value {
	if path == "" || node == nil {
		return node
	}
	if len(node.Keys()) > 0 {
		return descendKey(node, path)
	}
	step, rest, _ := strings.Cut(path, ".")
	i, err := strconv.Atoi(step)
	if err != nil || i < 0 || i >= len(node.Items()) {
		return nil
	}
	return descend(node.Items()[i], rest)
}

// descendKey compares keys as addresses print them: those with dots in them
// stand in quotes.
func descendKey(node *value.Value, path string) *value.Value {
	for i, key := range node.Keys() {
		rest, ok := strings.CutPrefix(path, string(value.AppendKey(nil, key)))
		if !ok || (rest != "" && rest[0] != '.') {
			continue
		}
		if found := descend(node.Items()[i], strings.TrimPrefix(rest, ".")); found != nil {
			return found
		}
	}
	return nil
}

// child returns the value of an object's key, or nil.
func child(node *value.Value, key string) *value.Value {
	if node == nil {
		return nil
	}
	for i, k := range node.Keys() {
		if k == key {
			return node.Items()[i]
		}
	}
	return nil
}

// childText returns the text of an object's key, or "".
func childText(node *value.Value, key string) string {
	c := child(node, key)
	if c == nil {
		return ""
	}
	text, _ := value.Concat(c)
	return text
}

// compareAddresses orders addresses as their elements stand in the trace;
// those without one come last.
func compareAddresses(a, b string) int {
	if (a == "") != (b == "") {
		return cmp.Compare(b, a)
	}
	as, bs := strings.Split(a, "."), strings.Split(b, ".")
	for i := range min(len(as), len(bs)) {
		if c := compareSteps(as[i], bs[i]); c != 0 {
			return c
		}
	}
	return cmp.Compare(len(as), len(bs))
}

func compareSteps(a, b string) int {
	x, errA := strconv.Atoi(a)
	y, errB := strconv.Atoi(b)
	if errA == nil && errB == nil {
		return cmp.Compare(x, y)
	}
	return cmp.Compare(a, b)
}
