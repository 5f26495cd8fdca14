// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

// Command embed shows an agent loop that a policy guards: each step of the
// model is admitted before it is executed, and a denied step never happens.
package main

import (
	"context"
	_ "embed"
	"fmt"
	"io"
	"log"
	"os"

	"github.com/holdfast-dev/holdfast"
	"github.com/holdfast-dev/holdfast/trace"
)

//go:embed policy.gr
var source []byte

func main() {
	if err := run(context.Background(), os.Stdout); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, out io.Writer) error {
	policy, err := holdfast.Compile("policy.gr", source, nil)
	if err != nil {
		return err
	}
	monitor, err := policy.Monitor(nil)
	if err != nil {
		return err
	}
	for _, step := range model {
		pending, err := trace.DecodeEvent([]byte(step.message), nil)
		if err != nil {
			return err
		}
		verdict, err := monitor.Admit(ctx, []*trace.Event{pending})
		if err != nil {
			return err
		}
		if !verdict.Allowed() {
			fmt.Fprintf(out, "%s %s: %s\n", step.tool, verdict.Decision(), verdict.Reason())
			continue // a real agent would tell the model and ask it again
		}
		result, err := trace.DecodeEvent([]byte(step.result), nil) // here the tool runs
		if err != nil {
			return err
		}
		if _, err := monitor.Append(ctx, result); err != nil {
			return err
		}
		fmt.Fprintf(out, "%s done\n", step.tool)
	}
	return nil
}
