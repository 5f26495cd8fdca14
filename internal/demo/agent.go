// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package demo

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"github.com/holdfast-dev/holdfast"
)

// maxTurns bounds how often the agent asks the model.
const maxTurns = 8

// An agent does a task: it asks the model what to do, does it, tells the model
// what came of it, and so on until the model has nothing more to do.
type agent struct {
	client       *http.Client
	guard        *guard            // nil: what the model wants is done
	conversation []json.RawMessage // as the model sees it
	run          *Run
}

// A step is something to tell about a run.
type step struct {
	who     string
	text    string
	call    *toolCall         // that the model wants
	verdict *holdfast.Verdict // that is not allow
	pending json.RawMessage   // what the verdict is about
	before  int               // how many messages had happened
}

// do does the task. This loop is what guarding an agent comes to: ask before
// a message of the model has consequences, and refuse all of it or nothing.
func (a *agent) do(ctx context.Context, task string) error {
	a.tell(step{who: "user", text: task})
	if goOn, err := a.happened(ctx, message{Role: "user", Content: &task}); err != nil || !goOn {
		return err
	}
	for range maxTurns {
		reply, err := a.ask(ctx)
		if err != nil {
			return err
		}
		allowed, err := a.allowed(ctx, reply)
		if err != nil {
			return err
		}
		if allowed {
			a.run.Happened = append(a.run.Happened, reply.raw)
			if goOn, err := a.execute(ctx, reply.ToolCalls); err != nil || !goOn {
				return err
			}
		}
		if len(reply.ToolCalls) == 0 {
			return nil
		}
	}
	return errors.New("the model does not come to an end")
}

// allowed asks the guard about a message of the model before anything of it
// happens, and refuses what is not allowed.
func (a *agent) allowed(ctx context.Context, m message) (bool, error) {
	if a.guard == nil {
		return true, nil
	}
	verdict, err := a.guard.admit(ctx, m.raw)
	if err != nil {
		return false, err
	}
	if !verdict.Allowed() {
		a.refuse(m, verdict)
	}
	return verdict.Allowed(), nil
}

// execute runs the calls one after the other. It reports whether the run may
// go on.
func (a *agent) execute(ctx context.Context, calls []toolCall) (bool, error) {
	for _, call := range calls {
		output, err := a.use(ctx, call)
		if err != nil {
			return false, fmt.Errorf("executing %s: %w", call.Function.Name, err)
		}
		a.tell(step{who: "tool", text: output})
		goOn, err := a.happened(ctx, message{Role: "tool", ToolCallID: call.ID, Content: &output})
		if err != nil || !goOn {
			return goOn, err
		}
	}
	return true, nil
}

// happened enters a message that cannot be prevented into the run, and
// reports whether the run may go on.
func (a *agent) happened(ctx context.Context, m message) (bool, error) {
	raw := m.encode()
	before := len(a.run.Happened)
	a.run.Happened = append(a.run.Happened, raw)
	a.conversation = append(a.conversation, raw)
	if a.guard == nil {
		return true, nil
	}
	verdict, err := a.guard.happened(ctx, raw)
	if err == nil && !verdict.Allowed() {
		a.run.Stopped = true
		a.tell(step{who: "holdfast", text: "the model does not get to see this, the run ends", verdict: &verdict, pending: raw, before: before})
	}
	return verdict.Allowed(), err
}

// refuse answers the calls of a message in place of their tools. The monitor
// hears nothing of it: neither the calls nor these answers happened.
func (a *agent) refuse(m message, verdict holdfast.Verdict) {
	a.run.Refused = true
	a.tell(step{who: "holdfast", text: "this is not executed", verdict: &verdict, pending: m.raw, before: len(a.run.Happened)})
	for _, call := range m.ToolCalls {
		output := refusal + verdict.Reason()
		a.tell(step{who: "tool", text: output})
		a.conversation = append(a.conversation, message{Role: "tool", ToolCallID: call.ID, Content: &output}.encode())
	}
}

// refusal begins the answer to a call that was not executed.
const refusal = "not executed, by policy: "

// ask asks the model what to do next.
func (a *agent) ask(ctx context.Context) (message, error) {
	request := completionRequest{Model: "scripted", Messages: a.conversation, Tools: toolSpecs()}
	var response completionResponse
	if err := send(ctx, a.client, "http://"+llmHost+completionPath, request, &response); err != nil {
		return message{}, fmt.Errorf("asking the model: %w", err)
	}
	if len(response.Choices) != 1 {
		return message{}, fmt.Errorf("asking the model: got %d choices, want 1", len(response.Choices))
	}
	reply, err := decodeMessage(response.Choices[0].Message)
	if err != nil {
		return message{}, fmt.Errorf("asking the model: %w", err)
	}
	a.conversation = append(a.conversation, reply.raw)
	for _, call := range reply.ToolCalls {
		a.tell(step{who: "model", call: &call})
	}
	if len(reply.ToolCalls) == 0 {
		a.tell(step{who: "model", text: reply.text()})
	}
	return reply, nil
}

func (a *agent) tell(s step) { a.run.steps = append(a.run.steps, s) }
