// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package demo

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
)

// These are the parts of OpenAI's chat completions that the agent and the
// model use.

const completionPath = "/v1/chat/completions"

type completionRequest struct {
	Model    string            `json:"model"`
	Messages []json.RawMessage `json:"messages"`
	Tools    []json.RawMessage `json:"tools"`
}

type completionResponse struct {
	ID      string   `json:"id"`
	Object  string   `json:"object"`
	Model   string   `json:"model"`
	Choices []choice `json:"choices"`
}

type choice struct {
	Index        int             `json:"index"`
	Message      json.RawMessage `json:"message"`
	FinishReason string          `json:"finish_reason"`
}

// A message is what the agent needs to know of one. What it sends on is raw,
// the message as it came, so that the guard judges what was said, not what
// the agent made of it.
type message struct {
	Role       string     `json:"role"`
	Content    *string    `json:"content"` // null beside calls
	ToolCalls  []toolCall `json:"tool_calls,omitempty"`
	ToolCallID string     `json:"tool_call_id,omitempty"`

	raw json.RawMessage
}

type toolCall struct {
	ID       string   `json:"id"`
	Type     string   `json:"type"`
	Function function `json:"function"`
}

type function struct {
	Name      string `json:"name"`
	Arguments string `json:"arguments"` // JSON
}

func decodeMessage(raw json.RawMessage) (message, error) {
	m := message{raw: raw}
	if err := json.Unmarshal(raw, &m); err != nil {
		return message{}, fmt.Errorf("reading a message: %w", err)
	}
	return m, nil
}

// text returns the content, "" if it is null.
func (m message) text() string {
	if m.Content == nil {
		return ""
	}
	return *m.Content
}

func (m message) encode() json.RawMessage { return encode(m) }

// encode writes v, which is one of the types of this package and encodes.
func encode(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// maxBody bounds what is read of a request or response.
const maxBody = 1 << 20

// send posts a question as JSON and reads the answer.
func send(ctx context.Context, c *http.Client, url string, question, answer any) error {
	return receive(ctx, c, http.MethodPost, url, bytes.NewReader(encode(question)), answer)
}

// receive makes a request and reads the answer, which is JSON.
func receive(ctx context.Context, c *http.Client, method, url string, body io.Reader, answer any) error {
	request, err := http.NewRequestWithContext(ctx, method, url, body)
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := c.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close() //nolint:errcheck // it was only read
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s", url, response.Status)
	}
	return json.NewDecoder(io.LimitReader(response.Body, maxBody)).Decode(answer)
}

// take reads the JSON of a request, or answers it with an error.
func take(w http.ResponseWriter, r *http.Request, question any) bool {
	err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxBody)).Decode(question)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
	}
	return err == nil
}

// give answers a request with JSON.
func give(w http.ResponseWriter, answer any) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(encode(answer)) // a client that went away reads no error
}
