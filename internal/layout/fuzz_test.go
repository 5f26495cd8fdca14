// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package layout_test

import (
	"strings"
	"testing"

	"github.com/holdfast-dev/holdfast/internal/layout"
	"github.com/holdfast-dev/holdfast/trace"
)

// FuzzArrange reads any document under any mapping. What comes out is a trace
// that is written as one of our own, and places can be asked for.
func FuzzArrange(f *testing.F) {
	dojo := `{"suite_name":"s","pipeline_name":"p","user_task_id":"u","messages":[{"role":"assistant","content":[{"type":"text","content":"a"}],` +
		`"tool_calls":[{"function":"f","args":{"a":1}},{"function":"f","args":"{\"b\":[1]}","id":"\ud800"}]},{"role":"tool","content":"x"}],"x":1}`
	for _, mapping := range []string{
		``, `{}`, `{"messages":""}`, `{"messages":"/a/b","tools":"/c","message":{"role":"/r","content":"/m/c","tool_calls":"/m/t/0","timestamp":"/t"},` +
			`"call":{"name":"/f/n","arguments":"/f/a"},"part":{"text":"/content"},"roles":{"x":"tool"},"ids":"order","ignore":["/q"]}`,
		`{"call":{"name":"/function","arguments":"/args"},"ids":"order"}`,
	} {
		f.Add(dojo, mapping)
		f.Add(`{"a":{"b":[{"r":"x","m":{"c":"a","t":[{"f":{"n":"g","a":{}}}],"content":1},"q":1}]},"c":[{"name":"t"}]}`, mapping)
		f.Add(`[{"role":"tool","content":[{"type":"text","text":"a"}],"tool_call_id":""},{"function":{"name":"f"}}]`, mapping)
	}
	f.Fuzz(func(t *testing.T, src, mapping string) {
		l := layout.Recognised()
		if mapping != "" {
			m, err := layout.Read("m.json", []byte(mapping))
			if err != nil {
				return
			}
			l = m.Layout()
		}
		got := decoded(src, l)
		if _, err := trace.Decode([]byte(src), &trace.DecodeOptions{Layout: l}); err != nil {
			return
		}
		if again := decoded("["+strings.ReplaceAll(got, "\n", ",")+"]", nil); got != again {
			t.Errorf("written as %s, read again as %s", got, again)
		}
		rec := trace.Record{Text: src, Line: 1, Column: 1}
		rec.Positions(&trace.DecodeOptions{Layout: l}, "0", "0.content.0.text:1-2", "0.tool_calls.0.function.arguments.a", "1.content")
	})
}
