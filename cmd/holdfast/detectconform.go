// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/netip"
	"os"

	"github.com/spf13/cobra"

	"github.com/holdfast-dev/holdfast/detect/remote"
	"github.com/holdfast-dev/holdfast/detect/remote/conformance"
)

// conformFlags are those of detect conform.
type conformFlags struct {
	name, example, params string
	allow                 []string
}

func detectConformCommand() *cobra.Command {
	var flags conformFlags
	cmd := &cobra.Command{
		Use:   "conform URL",
		Short: "Try a server against the contract of remote detectors",
		Long: `Conform asks a server what a policy might ask it, and what it should refuse, and
prints a line for each thing that the contract wants of it. With --example, a
text in which it finds something, the places of findings are tried, too. Its
token is taken from ` + detectorTokenEnv + `. docs/remote-detectors.md has the contract.

Exit codes: 0 it keeps the contract; 1 it does not; 2 wrong usage.`,
		Example: `  holdfast detect conform https://detectors.example/ask --name moderated --example "you idiot"
  holdfast detect conform http://127.0.0.1:8000/detect --allow-host 127.0.0.1 --name moderated`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return conform(cmd, args[0], &flags) },
	}
	cmd.Flags().StringVar(&flags.name, "name", "", "the detector to ask for, as the function is called")
	cmd.Flags().StringVar(&flags.example, "example", "", "a text in which it finds something")
	cmd.Flags().StringVar(&flags.params, "params", "", "the parameters to ask with, a JSON object")
	cmd.Flags().StringArrayVar(&flags.allow, "allow-host", nil, "let a `host, host:port or prefix` of your own network be asked, over plain http, too (repeatable)")
	cmd.ValidArgsFunction = cobra.NoFileCompletions
	for _, name := range []string{"name", "example", "params", "allow-host"} {
		_ = cmd.RegisterFlagCompletionFunc(name, cobra.NoFileCompletions)
	}
	return cmd
}

func conform(cmd *cobra.Command, url string, flags *conformFlags) error {
	if flags.name == "" {
		return usageError(errors.New("got no --name, want that of a detector"))
	}
	if flags.params != "" && !json.Valid([]byte(flags.params)) {
		return usageError(errors.New("got --params that are no JSON"))
	}
	o := &remote.Options{Token: os.Getenv(detectorTokenEnv)}
	for _, entry := range flags.allow {
		if p, err := netip.ParsePrefix(entry); err == nil {
			o.Prefixes = append(o.Prefixes, p)
		} else {
			o.Hosts = append(o.Hosts, entry)
		}
	}
	results, err := conformance.Run(cmd.Context(), conformance.Target{
		URL: url, Detector: flags.name, Options: o, Example: flags.example, Params: flags.params,
	})
	if err != nil {
		return usageError(err)
	}
	failed := 0
	for _, r := range results {
		line := "ok      " + r.Name
		if r.Err != nil {
			failed++
			line = "FAILED  " + r.Name + ": " + r.Err.Error()
		}
		if _, err := fmt.Fprintln(cmd.OutOrStdout(), escapeLine(line)); err != nil {
			return writeError(err)
		}
	}
	if failed > 0 {
		return &exitError{code: exitFailure, err: fmt.Errorf("%s of %d failed", plural(failed, "thing"), len(results))}
	}
	return nil
}
