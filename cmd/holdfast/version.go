// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
)

// What a release stamps into its binaries, through the linker: see
// internal/release. In any other build they are empty.
var (
	stampedVersion string
	stampedCommit  string
	stampedDate    string // RFC 3339, in UTC
)

// A build says where a binary comes from. Its JSON is a promise to scripts.
type build struct {
	Version  string `json:"version"`
	Commit   string `json:"commit,omitempty"`
	Date     string `json:"date,omitempty"`     // of the commit
	Modified bool   `json:"modified,omitempty"` // files differed from the commit
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

func versionCommand() *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version of this binary",
		Long: `Version prints what this binary was built from: its version, the commit and its
time where they are known, the version of Go and the platform.`,
		Example: `  holdfast version
  holdfast version --format json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return printVersion(cmd.OutOrStdout(), format)
		},
	}
	cmd.Flags().StringVar(&format, "format", "text", "what to print: text, or json")
	_ = cmd.RegisterFlagCompletionFunc("format", cobra.FixedCompletions([]cobra.Completion{"text", "json"}, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

func printVersion(w io.Writer, format string) error {
	b := thisBuild()
	switch format {
	case "text":
		_, err := fmt.Fprintln(w, b)
		return writeError(err)
	case "json":
		e := json.NewEncoder(w)
		e.SetEscapeHTML(false)
		return writeError(e.Encode(b))
	}
	return usageError(fmt.Errorf("got --format %s, want text or json", format))
}

// String is the build in one line.
func (b build) String() string {
	origin := []string{b.Commit}
	if b.Date != "" {
		origin = append(origin, b.Date)
	}
	if b.Modified {
		origin = append(origin, "modified")
	}
	where := ""
	if b.Commit != "" {
		where = " (" + strings.Join(origin, ", ") + ")"
	}
	return fmt.Sprintf("holdfast %s%s %s %s", b.Version, where, b.Go, b.Platform)
}

// version is the version alone.
func version() string { return thisBuild().Version }

// thisBuild is that of the running binary.
func thisBuild() build {
	recorded, _ := debug.ReadBuildInfo()
	b := describe(build{Version: stampedVersion, Commit: stampedCommit, Date: stampedDate}, recorded)
	b.Go = runtime.Version()
	b.Platform = runtime.GOOS + "/" + runtime.GOARCH
	return b
}

// describe completes what a release stamped, if it did, by what the go command
// recorded: the version of the module, as go install chose it or as the tag of
// the clone says, and the state of the clone.
func describe(stamped build, recorded *debug.BuildInfo) build {
	b := stamped
	if b.Version != "" {
		return b // a stamp is whole
	}
	b.Version = "(devel)"
	if recorded == nil {
		return b
	}
	if recorded.Main.Version != "" {
		b.Version = recorded.Main.Version
	}
	for _, s := range recorded.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Commit = s.Value
		case "vcs.time":
			b.Date = s.Value
		case "vcs.modified":
			b.Modified = s.Value == "true"
		}
	}
	return b
}
