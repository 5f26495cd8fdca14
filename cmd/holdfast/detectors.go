// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/holdfast-dev/holdfast/detect"
	"github.com/holdfast-dev/holdfast/detect/configured"
	"github.com/holdfast-dev/holdfast/detect/local"
	"github.com/holdfast-dev/holdfast/internal/egress"
)

// detectorFlags are the flags of commands that evaluate policies, about who
// answers the functions that look into texts. Without them nothing leaves this
// machine.
type detectorFlags struct {
	file    string
	servers []string
	models  string
	allow   []string

	base *configured.Settings // those of the project file, which flags go before; nil if it has none
}

// Where keys come from: the arguments of a command are there for all to read.
const (
	modelKeyEnv      = "HOLDFAST_API_KEY"
	detectorTokenEnv = "HOLDFAST_DETECTOR_TOKEN"
)

func (f *detectorFlags) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.file, "detectors", "", "settings of detectors: a `file` of YAML or JSON, see docs/remote-detectors.md")
	flags.StringArrayVar(&f.servers, "detector", nil, "ask a server for a function, as `name=URL`; its token is in "+detectorTokenEnv+" (repeatable)")
	flags.StringVar(&f.models, "model-endpoint", "", "ask models at this `URL`, as of OpenAI's /v1; its key is in "+modelKeyEnv)
	flags.StringArrayVar(&f.allow, "allow-host", nil, "let a `host, host:port or prefix` of your own network be asked, over plain http, too (repeatable)")
	_ = cmd.RegisterFlagCompletionFunc("detectors", cobra.FixedCompletions([]cobra.Completion{"yaml", "yml", "json"}, cobra.ShellCompDirectiveFilterFileExt))
	for _, name := range []string{"detector", "model-endpoint", "allow-host"} {
		_ = cmd.RegisterFlagCompletionFunc(name, cobra.NoFileCompletions)
	}
}

// detectors returns those of this machine and those that the flags set up.
func (f *detectorFlags) detectors() (map[string]detect.Detector, error) {
	s, err := f.settings()
	if err != nil {
		return nil, err
	}
	out, err := configured.Detectors(local.Detectors(), s, os.LookupEnv)
	if errors.Is(err, egress.ErrRefused) {
		err = fmt.Errorf("%w (--allow-host lets a host of your own network be asked, over plain http, too)", err)
	}
	if err != nil {
		return nil, fmt.Errorf("setting up detectors: %w", err)
	}
	return out, nil
}

// settings are those of the file, with what the other flags say.
func (f *detectorFlags) settings() (*configured.Settings, error) {
	s := &configured.Settings{}
	if f.base != nil {
		s = f.base
	}
	if f.file != "" {
		text, err := readSettings(f.file)
		if err != nil {
			return nil, fmt.Errorf("reading --detectors: %w", err)
		}
		if s, err = configured.Read(text); err != nil {
			return nil, fmt.Errorf("%s: %w", f.file, err)
		}
	}
	s.Allow = append(s.Allow, f.allow...)
	if f.models != "" && f.models != s.Models.URL {
		s.Models.Model = configured.Model{URL: f.models, KeyEnv: ifSet(modelKeyEnv)}
	}
	named := map[string]bool{}
	for _, server := range f.servers {
		name, url, ok := strings.Cut(server, "=")
		switch {
		case !ok || name == "" || url == "":
			return nil, errors.New("got a --detector without a name or an address, want name=URL") // it may have a password in it
		case named[name]:
			return nil, fmt.Errorf("--detector names %s twice", name)
		case s.Remote == nil:
			s.Remote = map[string]configured.Remote{}
		}
		named[name] = true
		s.Remote[name] = configured.Remote{URL: url, TokenEnv: ifSet(detectorTokenEnv)}
	}
	return s, nil
}

// maxSettings is how much is read of a file of settings.
const maxSettings = 1 << 20

// readSettings reads a file of settings, which may be a pipe.
func readSettings(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // it was only read
	text, err := io.ReadAll(io.LimitReader(f, maxSettings+1))
	if err == nil && len(text) > maxSettings {
		err = fmt.Errorf("%s is longer than %d bytes, so it has no settings", path, maxSettings)
	}
	return text, err
}

// ifSet returns the name of an environment variable, "" if it is not set.
func ifSet(name string) string {
	if os.Getenv(name) == "" {
		return ""
	}
	return name
}
