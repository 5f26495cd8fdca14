// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package demo

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

// toolSpecs describes the agent's tools to the model.
func toolSpecs() []json.RawMessage {
	return []json.RawMessage{
		json.RawMessage(`{"type": "function", "function": {"name": "gsheets_read", "description": "Read a spreadsheet.",
			"parameters": {"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]}}}`),
		json.RawMessage(`{"type": "function", "function": {"name": "send_slack_message", "description": "Post a message.",
			"parameters": {"type": "object", "properties": {"channel": {"type": "string"}, "text": {"type": "string"},
				"link_preview": {"type": "boolean"}}, "required": ["channel", "text"]}}}`),
	}
}

// use executes a call and returns what the tool gives back. A call that the
// tool cannot make sense of is an output too: it is the model's mistake.
func (a *agent) use(ctx context.Context, call toolCall) (string, error) {
	arguments := []byte(call.Function.Arguments)
	switch call.Function.Name {
	case "gsheets_read":
		var of struct {
			ID string `json:"id"`
		}
		if err := json.Unmarshal(arguments, &of); err != nil {
			return err.Error(), nil //nolint:nilerr // the model is told of its mistake
		}
		return a.readSheet(ctx, of.ID)
	case "send_slack_message":
		var p post
		if err := json.Unmarshal(arguments, &p); err != nil {
			return err.Error(), nil //nolint:nilerr // the model is told of its mistake
		}
		return a.post(ctx, p)
	}
	return "there is no tool " + call.Function.Name, nil
}

func (a *agent) readSheet(ctx context.Context, id string) (string, error) {
	var rows json.RawMessage
	err := receive(ctx, a.client, http.MethodGet, "http://"+sheetHost+"/api/"+id, nil, &rows)
	return string(rows), err
}

func (a *agent) post(ctx context.Context, p post) (string, error) {
	var done posted
	if err := send(ctx, a.client, "http://"+chatHost+postPath, p, &done); err != nil {
		return "", err
	}
	for _, title := range done.Previews {
		a.tell(step{who: "chat", text: fmt.Sprintf("fetched %s for a preview: %q", title.URL, title.Title)})
	}
	return strings.TrimSpace("posted " + done.ID), nil
}
