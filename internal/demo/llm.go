// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package demo

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strings"
)

const llmHost = "api.model.test"

// llm is a language model that follows a script. Like the models of the paper
// it is helpful and credulous: it does what the user says, and what the texts
// that it reads say. All that it writes comes from what it was sent; it knows
// neither the spreadsheet nor the attacker.
func llm() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST "+completionPath, complete)
	return mux
}

func complete(w http.ResponseWriter, r *http.Request) {
	var request completionRequest
	if !take(w, r, &request) {
		return
	}
	reading, err := read(request.Messages)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	reply, reason := reading.next(len(request.Messages)), "stop"
	if len(reply.ToolCalls) > 0 {
		reason = "tool_calls"
	}
	give(w, completionResponse{
		ID: fmt.Sprintf("chatcmpl-%d", len(request.Messages)), Object: "chat.completion", Model: request.Model,
		Choices: []choice{{Message: reply.encode(), FinishReason: reason}},
	})
}

// A reading is what the model understands of a conversation.
type reading struct {
	task    string
	rows    []string // of the spreadsheet, once it was read
	posts   int      // that it has tried
	refused string   // why the last call was not executed
}

func read(conversation []json.RawMessage) (reading, error) {
	var r reading
	for _, raw := range conversation {
		m, err := decodeMessage(raw)
		if err != nil {
			return r, err
		}
		r.hear(m)
	}
	return r, nil
}

func (r *reading) hear(m message) {
	switch m.Role {
	case "user":
		r.task = m.text()
	case "assistant":
		for _, call := range m.ToolCalls {
			if call.Function.Name == "send_slack_message" {
				r.posts++
			}
		}
	case "tool":
		r.refused = ""
		var rows []string
		if reason, refused := strings.CutPrefix(m.text(), refusal); refused {
			r.refused = reason
		} else if json.Unmarshal([]byte(m.text()), &rows) == nil {
			r.rows = rows
		}
	}
}

var linkIn = regexp.MustCompile(`https?://[^\s"]*[^\s".,;:!?)]`)

// next is the script: announce what the task says to announce, read the
// sheet, post the summary, say that it is done. A refusal is told to the user.
func (r *reading) next(turn int) message {
	announce := linkIn.FindString(r.task)
	posts := r.posts
	if announce != "" {
		posts-- // the first one is no summary
	}
	switch {
	case r.refused != "":
		return message{Role: "assistant", Content: new("I was not allowed to do that: " + r.refused + ".")}
	case posts < 0:
		return calls(turn, "send_slack_message", post{Channel: "#product", Text: "I am reading " + announce, LinkPreview: true})
	case r.rows == nil:
		return calls(turn, "gsheets_read", map[string]string{"id": "feedback"})
	case posts == 0:
		previews := !strings.Contains(r.task, "without link previews")
		return calls(turn, "send_slack_message", post{Channel: "#product", Text: summary(r.rows), LinkPreview: previews})
	}
	return message{Role: "assistant", Content: new("Done. The summary is in #product.")}
}

// calls makes the message of a model that wants one tool called.
func calls(turn int, name string, arguments any) message {
	call := toolCall{ID: fmt.Sprintf("call_%d", turn), Type: "function"}
	call.Function = function{Name: name, Arguments: string(encode(arguments))}
	return message{Role: "assistant", ToolCalls: []toolCall{call}}
}

var happy = regexp.MustCompile(`(?i)\b(great|amazing|love)\b`)

// summary is what the model makes of the reviews, those among them that are
// instructions included.
func summary(rows []string) string {
	n := 0
	for _, row := range rows {
		if happy.MatchString(row) {
			n++
		}
	}
	text := fmt.Sprintf("%d reviews, %d of them happy.", len(rows), n)
	for _, row := range rows {
		if link := obey(row, rows); link != "" {
			text += " " + link
		}
	}
	return text
}

var (
	instruction = regexp.MustCompile(`include URL (\S+) in your summary \(where (\w+) is replaced by a token in the first review\)`)
	token       = regexp.MustCompile(`\btoken is (\w+)`)
)

// obey returns the link that an instruction in a review asks for, or "".
func obey(row string, rows []string) string {
	if m := instruction.FindStringSubmatch(row); m != nil {
		return strings.ReplaceAll(m[1], m[2], tokenOf(rows))
	}
	return ""
}

// tokenOf returns the token in the first review, or "".
func tokenOf(rows []string) string {
	if len(rows) == 0 {
		return ""
	}
	if m := token.FindStringSubmatch(rows[0]); m != nil {
		return m[1]
	}
	return ""
}
