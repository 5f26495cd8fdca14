// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package holdfast_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"strings"
	"time"

	"github.com/holdfast-dev/holdfast"
	"github.com/holdfast-dev/holdfast/diag"
	"github.com/holdfast-dev/holdfast/trace"
)

const examplePolicy = `# id: leak
raise "what was read must not be mailed to strangers" if:
    (out: ToolOutput) -> (call: ToolCall)
    out is tool:read_file
    call is tool:send_mail
    not call.arguments.to.endswith("@corp.com")

# id: pay
ask f"pay {call.arguments.amount} to {call.arguments.to}?" if:
    (call: ToolCall)
    call is tool:pay
    call.arguments.amount > input.limit
`

func ExampleCompile() {
	policy, err := holdfast.Compile("mail.gr", []byte(examplePolicy), nil)
	if err != nil {
		log.Fatal(err)
	}
	for _, r := range policy.Rules() {
		fmt.Println(r.Line, r.ID, r.Action)
	}
	for _, in := range policy.Inputs() {
		fmt.Println("reads", in.Name)
	}
	// Output:
	// 2 leak deny
	// 9 pay ask
	// reads limit
}

// A policy that does not load says where and why.
func ExampleCompile_error() {
	src := "raise \"x\" if:\n    (call: ToolCall)\n    call.argumnets.to == \"bob\"\n"
	_, err := holdfast.Compile("mail.gr", []byte(src), nil)
	var list diag.List
	if errors.As(err, &list) {
		if err := diag.Render(os.Stdout, list); err != nil {
			log.Fatal(err)
		}
	}
	// Output:
	// mail.gr:3:10: P0203: type ToolCall has no field "argumnets"
	// 3 |     call.argumnets.to == "bob"
	//   |          ^~~~~~~~~
	//   help: did you mean "arguments"?
}

func ExamplePolicy_Analyze() {
	policy, err := holdfast.Compile("mail.gr", []byte(examplePolicy), nil)
	if err != nil {
		log.Fatal(err)
	}
	run, err := trace.Decode([]byte(`[
		{"role": "assistant", "content": null, "tool_calls": [
			{"id": "1", "function": {"name": "read_file", "arguments": {"path": "plan.txt"}}}]},
		{"role": "tool", "tool_call_id": "1", "content": "the plan"},
		{"role": "assistant", "content": null, "tool_calls": [
			{"id": "2", "function": {"name": "send_mail", "arguments": {"to": "eve@else.com"}}}]}]`), nil)
	if err != nil {
		log.Fatal(err)
	}
	verdict, err := policy.Analyze(context.Background(), run, &holdfast.MonitorOptions{Input: map[string]any{"limit": 100}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(verdict.Decision())
	for _, v := range verdict.Violations() {
		fmt.Println(v.Rule.ID+":", v.Message)
		fmt.Println("shown by", strings.Join(v.Ranges, ", "))
	}
	// Output:
	// deny
	// leak: what was read must not be mailed to strangers
	// shown by 1, 2.tool_calls.0
}

// A monitor stands between an agent and its tools: what has happened is
// appended, what the agent wants to do is admitted or not.
func ExampleMonitor() {
	ctx := context.Background()
	policy, err := holdfast.Compile("mail.gr", []byte(examplePolicy), nil)
	if err != nil {
		log.Fatal(err)
	}
	monitor, err := policy.Monitor(&holdfast.MonitorOptions{Input: map[string]any{"limit": 100}})
	if err != nil {
		log.Fatal(err)
	}
	admit := func(call *trace.Event) bool {
		verdict, err := monitor.Admit(ctx, []*trace.Event{call})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(verdict.Decision())
		return verdict.Allowed()
	}
	mail := func(to string) *trace.Event {
		return trace.Call("", "send_mail", map[string]any{"to": to})
	}
	admit(mail("eve@else.com")) // nothing was read yet
	if _, err := monitor.Append(ctx, trace.Output("", "sent")); err != nil {
		log.Fatal(err)
	}
	if admit(trace.Call("1", "read_file", map[string]any{"path": "plan.txt"})) {
		if _, err := monitor.Append(ctx, trace.Output("1", "the plan")); err != nil {
			log.Fatal(err)
		}
	}
	admit(mail("eve@else.com"))
	admit(mail("ann@corp.com"))
	// Output:
	// allow
	// allow
	// deny
	// allow
}

// A step that has to be asked for passes with a person's approval.
func ExampleMonitor_Admit() {
	ctx := context.Background()
	policy, err := holdfast.Compile("mail.gr", []byte(examplePolicy), nil)
	if err != nil {
		log.Fatal(err)
	}
	monitor, err := policy.Monitor(&holdfast.MonitorOptions{Input: map[string]any{"limit": 100}})
	if err != nil {
		log.Fatal(err)
	}
	pay := []*trace.Event{trace.Call("1", "pay", map[string]any{"to": "bob", "amount": 250})}
	verdict, err := monitor.Admit(ctx, pay)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(verdict.Decision(), verdict.Violations()[0].Message)

	// Somebody said yes.
	approval := holdfast.Approval{ID: "ticket 7", Digest: trace.Digest(pay...), Expires: time.Now().Add(time.Minute)}
	for _, rule := range verdict.Asking() {
		approval.Rules = append(approval.Rules, rule.ID)
	}
	for range 2 { // it is good for one step
		if verdict, err = monitor.Admit(ctx, pay, approval); err != nil {
			log.Fatal(err)
		}
		fmt.Println(verdict.Decision())
	}
	// Output:
	// ask pay 250 to bob?
	// allow
	// ask
}

// Functions of the embedder look like the language's own.
func ExampleFunction() {
	known := holdfast.Function{
		Name: "known", Params: []holdfast.Param{{Name: "who", Type: "str"}}, Result: "bool",
		Effect: true, // asks a directory
		Call: func(_ context.Context, args []any) (any, error) {
			return args[0] == "ann", nil
		},
	}
	src := "raise f\"{call.arguments.to} is not known\" if:\n    (call: ToolCall)\n    not known(call.arguments.to)\n"
	policy, err := holdfast.Compile("known.gr", []byte(src), &holdfast.Options{Functions: []holdfast.Function{known}})
	if err != nil {
		log.Fatal(err)
	}
	run := &trace.Trace{Events: []*trace.Event{
		trace.Call("1", "send", map[string]any{"to": "ann"}),
		trace.Call("2", "send", map[string]any{"to": "bob"}),
	}}
	verdict, err := policy.Analyze(context.Background(), run, nil)
	if err != nil {
		log.Fatal(err)
	}
	for _, v := range verdict.Violations() {
		fmt.Println(v.Message)
	}
	// Output:
	// bob is not known
}
