// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package demo

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/holdfast-dev/holdfast"
)

// says is a model that says the same, whatever it is asked.
func says(raw string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		give(w, completionResponse{Choices: []choice{{Message: json.RawMessage(raw)}}})
	})
}

// try lets an agent with a model of its own do a task on a stage.
func try(t *testing.T, model http.Handler, policy *holdfast.Policy) (*Run, error) {
	t.Helper()
	n := newNetwork(nil)
	s := &stage{net: n, chat: &chat{client: n.client()}, attacker: &attacker{}}
	for host, handler := range map[string]http.Handler{llmHost: model, sheetHost: sheet(Feedback()), chatHost: s.chat} {
		if err := n.serve(t.Context(), host, handler); err != nil {
			t.Fatal(err)
		}
	}
	defer func() {
		if err := s.close(); err != nil {
			t.Error(err)
		}
	}()
	a := &agent{client: n.client(), run: &Run{}}
	if policy != nil {
		var err error
		if a.guard, err = newGuard(policy); err != nil {
			t.Fatal(err)
		}
	}
	err := a.do(t.Context(), "do it")
	a.run.Posts = s.chat.texts()
	return a.run, err
}

const twoCalls = `{"role": "assistant", "content": null, "tool_calls": [
	{"id": "1", "type": "function", "function": {"name": "send_slack_message", "arguments": "{\"text\": \"harmless\"}"}},
	{"id": "2", "type": "function", "function": {"name": "send_slack_message", "arguments": "{\"text\": \"evil\"}"}}]}`

func TestMessageIsRefusedWhole(t *testing.T) {
	policy := compile(t, "raise \"evil\" if:\n    (c: ToolCall)\n    c.arguments.text == \"evil\"\n")
	run, err := try(t, says(twoCalls), policy)
	if err == nil || !strings.Contains(err.Error(), "does not come to an end") {
		t.Errorf("got error %v, want that the model does not come to an end", err)
	}
	if !run.Refused || len(run.Posts) > 0 || len(run.Happened) != 1 {
		t.Errorf("got posts %q and %d messages, want none and the task", run.Posts, len(run.Happened))
	}
	refused := 0
	for _, s := range run.steps {
		if s.who == "tool" && s.text == refusal+"evil" {
			refused++
		}
	}
	if refused != 2*maxTurns {
		t.Errorf("got %d refusals, want one for each call", refused)
	}
}

func TestWithoutAGuardAllCallsAreExecuted(t *testing.T) {
	run, _ := try(t, says(twoCalls), nil)
	if got, want := len(run.Posts), 2*maxTurns; got != want {
		t.Errorf("got %d posts, want %d", got, want)
	}
}

func TestMistakesOfTheModelAreOutputs(t *testing.T) {
	for call, want := range map[string]string{
		`{"name": "rm", "arguments": "{}"}`:                          "there is no tool rm",
		`{"name": "gsheets_read", "arguments": "{\"id\": 1}"}`:       "json: cannot unmarshal number",
		`{"name": "gsheets_read", "arguments": ""}`:                  "unexpected end of JSON input",
		`{"name": "send_slack_message", "arguments": "[]"}`:          "json: cannot unmarshal array",
		`{"name": "send_slack_message", "arguments": "{\"text\":1}"`: "", // no JSON at all: an error
	} {
		run, err := try(t, says(`{"role": "assistant", "tool_calls": [{"id": "1", "function": `+call+`}]}`), nil)
		if want == "" {
			if err == nil || !strings.Contains(err.Error(), "asking the model") {
				t.Errorf("%s: got error %v, want one of asking the model", call, err)
			}
			continue
		}
		if got := string(run.Happened[2]); !strings.Contains(got, want) {
			t.Errorf("%s: got output %s, want %q", call, got, want)
		}
	}
}

func TestModelThatFails(t *testing.T) {
	for name, model := range map[string]http.Handler{
		"no server error": http.NotFoundHandler(),
		"no choice":       http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { give(w, completionResponse{}) }),
		"no JSON":         http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("hello")) }),
		"no message":      says(`[]`),
		"a huge answer":   says(`{"role": "assistant", "content": "` + strings.Repeat("a", maxBody) + `"}`),
	} {
		if _, err := try(t, model, nil); err == nil || !strings.HasPrefix(err.Error(), "asking the model: ") {
			t.Errorf("%s: got error %v, want one of asking the model", name, err)
		}
	}
}

// A message that the guard cannot read is not executed.
func TestUnreadableMessageIsNotExecuted(t *testing.T) {
	model := says(`{"role": "assistant", "role": "user", "tool_calls": [{"id": "1", "type": "function",
		"function": {"name": "send_slack_message", "arguments": "{\"text\": \"evil\"}"}}]}`)
	run, err := try(t, model, compile(t, PolicyText))
	if err == nil || len(run.Posts) > 0 {
		t.Errorf("got error %v and posts %q, want an error and none", err, run.Posts)
	}
}

func TestModelSpeaksChatCompletions(t *testing.T) {
	server := httptest.NewServer(llm())
	defer server.Close()
	ask := func(body string) (int, map[string]any) {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL+completionPath, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close() //nolint:errcheck // it was only read
		var answer map[string]any
		_ = json.NewDecoder(response.Body).Decode(&answer)
		return response.StatusCode, answer
	}
	_, answer := ask(`{"model": "m", "messages": [{"role": "user", "content": "Read it."}]}`)
	got, err := json.Marshal(answer)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"choices":[{"finish_reason":"tool_calls","index":0,"message":{"content":null,"role":"assistant",` +
		`"tool_calls":[{"function":{"arguments":"{\"id\":\"feedback\"}","name":"gsheets_read"},"id":"call_1","type":"function"}]}}],` +
		`"id":"chatcmpl-1","model":"m","object":"chat.completion"}`
	if string(got) != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	for _, body := range []string{``, `[]`, `{"messages": ["hi"]}`, `{"messages": "` + strings.Repeat("a", maxBody) + `"}`} {
		if status, _ := ask(body); status != http.StatusBadRequest {
			t.Errorf("%.40s: got status %d, want %d", body, status, http.StatusBadRequest)
		}
	}
}

func TestChatPreviewsOnlyWhenAsked(t *testing.T) {
	a := &attacker{}
	n := newNetwork(nil)
	c := &chat{client: n.client()}
	for host, handler := range map[string]http.Handler{chatHost: c, attackerHost: a} {
		if err := n.serve(t.Context(), host, handler); err != nil {
			t.Fatal(err)
		}
	}
	defer func() {
		if err := n.close(); err != nil {
			t.Error(err)
		}
	}()
	text := "see http://" + attackerHost + "/a?b=c, https://example.com/ and http://" + attackerHost
	var done posted
	for _, previews := range []bool{false, true} {
		if len(a.log()) > 0 {
			t.Errorf("got requests %q without previews", a.log())
		}
		if err := send(t.Context(), n.client(), "http://"+chatHost+postPath, post{Text: text, LinkPreview: previews}, &done); err != nil {
			t.Fatal(err)
		}
	}
	want := "GET http://www.cloudflare155.test/a?b=c\nGET http://www.cloudflare155.test/"
	if got := strings.Join(a.log(), "\n"); got != want {
		t.Errorf("got requests\n%s\nwant\n%s", got, want)
	}
	if len(done.Previews) != 3 || done.Previews[1].Title != "" {
		t.Errorf("got previews %+v, want three, the second one without a title", done.Previews)
	}
	if err := send(t.Context(), n.client(), "http://"+chatHost+"/elsewhere", post{}, &done); err == nil {
		t.Error("want an error from another path")
	}
}

func TestNothingLeavesTheNetwork(t *testing.T) {
	t.Setenv("HTTP_PROXY", "http://127.0.0.1:1")
	n := newNetwork(nil)
	defer func() {
		if err := n.close(); err != nil {
			t.Error(err)
		}
	}()
	for _, url := range []string{"http://example.com/", "http://127.0.0.1:80/", "http://localhost/", "https://1.1.1.1/"} {
		err := receive(t.Context(), n.client(), http.MethodGet, url, nil, nil)
		if err == nil || !strings.Contains(err.Error(), "there is no ") {
			t.Errorf("%s: got error %v, want that there is no such host", url, err)
		}
	}
}

// A request under way ends when the run is interrupted, and the server with
// it.
func TestInterruptedRequest(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	n := newNetwork(nil)
	var ended atomic.Bool
	err := n.serve(ctx, llmHost, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		cancel()
		<-r.Context().Done()
		ended.Store(true)
	}))
	if err != nil {
		t.Fatal(err)
	}
	a := &agent{client: n.client(), run: &Run{}}
	if err := a.do(ctx, "wait"); err == nil {
		t.Error("want an error")
	}
	if err := n.close(); err != nil {
		t.Error(err)
	}
	if !ended.Load() {
		t.Error("the server is closed and a request goes on")
	}
}
