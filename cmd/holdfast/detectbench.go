// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"runtime"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/holdfast-dev/holdfast/detect"
	"github.com/holdfast-dev/holdfast/detect/local"
	"github.com/holdfast-dev/holdfast/internal/detectbench"
)

func detectBenchCommand() *cobra.Command {
	var o detectbench.Options
	var page string
	cmd := &cobra.Command{
		Use:   "bench [DETECTOR...]",
		Short: "Measure the detectors on labelled corpora",
		Long: `Bench prints the tables of docs/detectors.md: what of labelled data the
detectors find, how often they are wrong in clean texts, what they still find
in disguise, and how fast they are. It reads corpora from a folder, which this
program does not bring along, and what people have judged of findings from a
clone of this repository; tables whose data are not there are left out, with a
note.`,
		Example: `  holdfast detect bench --data corpora
  holdfast detect bench --untimed secrets
  holdfast detect bench --data corpora --page docs/detectors.md`,
		RunE: func(cmd *cobra.Command, args []string) error {
			var err error
			if o.Names, err = chosenDetectors(args); err != nil {
				return usageError(err)
			}
			return benchDetectors(cmd, &o, page)
		},
	}
	cmd.Flags().StringVar(&o.Data, "data", "data", "the folder of the corpora")
	cmd.Flags().StringVar(&o.Repo, "repo", ".", "a clone of this repository, for what people have judged")
	cmd.Flags().BoolVar(&o.Untimed, "untimed", false, "leave out what depends on the machine")
	cmd.Flags().StringVar(&page, "page", "", "put the tables into this page instead, between the marks that name them")
	_ = cmd.MarkFlagDirname("data")
	_ = cmd.MarkFlagDirname("repo")
	cmd.ValidArgs = slices.Sorted(maps.Keys(measured()))
	return cmd
}

func benchDetectors(cmd *cobra.Command, o *detectbench.Options, page string) error {
	o.Detectors = measured()
	o.Machine = machine()
	if cpuTime() > 0 {
		o.Clock = cpuTime
	}
	report, err := detectbench.Run(cmd.Context(), o)
	if err != nil {
		return &exitError{code: exitFailure, err: err}
	}
	for _, why := range report.Skipped {
		fmt.Fprintf(cmd.ErrOrStderr(), "holdfast: %s\n", escapeText(why))
	}
	if page == "" {
		return writeError(detectbench.Write(cmd.OutOrStdout(), report))
	}
	return fillPage(page, report)
}

// measured are the detectors of this machine, with those that are not used
// unless somebody asks for them.
func measured() map[string]detect.Detector {
	all := local.Detectors()
	maps.Copy(all, local.Scorer())
	return all
}

func fillPage(page string, report *detectbench.Report) error {
	src, err := os.ReadFile(page)
	if err != nil {
		return &exitError{code: exitFailure, err: fmt.Errorf("reading the page: %w", err)}
	}
	text, err := detectbench.Fill(string(src), report.Tables)
	if err != nil {
		return &exitError{code: exitFailure, err: fmt.Errorf("filling %s: %w", page, err)}
	}
	return writeError(os.WriteFile(page, []byte(text), 0o644))
}

// machine says what speeds depend on, as far as the system tells.
func machine() string {
	processor := "an unnamed processor"
	if said, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		if _, after, ok := bytes.Cut(said, []byte("model name\t: ")); ok {
			name, _, _ := bytes.Cut(after, []byte("\n"))
			processor = string(name)
		}
	}
	return fmt.Sprintf("%s: %s, %d cores, %s, %s/%s", time.Now().UTC().Format(time.DateOnly), processor, runtime.NumCPU(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
