// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"encoding/json"
	"fmt"
)

// A message is an entry of a trace in the wire form both engines read.
type message struct {
	Role       string     `json:"role"`
	Content    string     `json:"content"`
	ToolCalls  []toolCall `json:"tool_calls,omitempty"`
	ToolCallID string     `json:"tool_call_id,omitempty"`
}

type toolCall struct {
	ID       string   `json:"id"`
	Type     string   `json:"type"`
	Function function `json:"function"`
}

type function struct {
	Name      string         `json:"name"`
	Arguments map[string]any `json:"arguments"`
}

// A Run is an agent's run and the message it wants to send next. History and
// Pending are JSON.
type Run struct {
	History [][]byte // one message each
	Pending []byte   // an assistant message with one call
	Denied  bool     // the answer to the second question
}

// Flow returns a run of n events, the pending one included, that ends in a
// mail. If fetched, a page was fetched a third of the way in.
func Flow(n int, fetched bool) Run {
	run := Run{Denied: fetched}
	for i := 0; len(run.History) < n-1; i++ {
		tool := []string{"read_file", "list_files", "search_notes"}[i%3]
		if fetched && i == n/6 {
			tool = "fetch"
		}
		id := fmt.Sprintf("call_%d", i)
		run.History = append(run.History, callMessage(id, tool, map[string]any{"path": fmt.Sprintf("notes/%d.md", i), "limit": i}))
		if len(run.History) < n-1 {
			run.History = append(run.History, encode(message{Role: "tool", ToolCallID: id, Content: fmt.Sprintf("line %d of a text that says little", i)}))
		}
	}
	run.Pending = callMessage("call_last", "send_email", map[string]any{"to": "someone@example.org", "body": "as discussed"})
	return run
}

func callMessage(id, tool string, args map[string]any) []byte {
	return encode(message{Role: "assistant", ToolCalls: []toolCall{{ID: id, Type: "function", Function: function{Name: tool, Arguments: args}}}})
}

// encode panics on failure: the messages are ours.
func encode(m message) []byte {
	b, err := json.Marshal(m)
	if err != nil {
		panic(err)
	}
	return b
}

// Whole returns the run as one JSON array, the pending message last.
func (r Run) Whole() []byte {
	b := []byte{'['}
	for _, m := range r.History {
		b = append(append(b, m...), ',')
	}
	return append(append(b, r.Pending...), ']')
}
