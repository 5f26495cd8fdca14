// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
)

// A target is what a binary is built for.
type target struct{ os, arch string }

func (t target) String() string { return t.os + "/" + t.arch }

// executable is the name of the binary there.
func (t target) executable() string {
	if t.os == "windows" {
		return "holdfast.exe"
	}
	return "holdfast"
}

// archive is the name of the archive's kind there.
func (t target) archive() string {
	if t.os == "windows" {
		return ".zip"
	}
	return ".tar.gz"
}

// host is the target of the machine that builds.
func host() target { return target{runtime.GOOS, runtime.GOARCH} }

// allTargets are those a release has.
func allTargets() []target {
	return []target{
		{"darwin", "amd64"},
		{"darwin", "arm64"},
		{"linux", "amd64"},
		{"linux", "arm64"},
		{"windows", "amd64"},
		{"windows", "arm64"},
	}
}

func parseTargets(list string) ([]target, error) {
	if list == "all" {
		return allTargets(), nil
	}
	var out []target
	for _, name := range strings.Split(list, ",") {
		i := slices.IndexFunc(allTargets(), func(t target) bool { return t.String() == name })
		if i < 0 {
			return nil, fmt.Errorf("got the target %q, want of %v", name, allTargets())
		}
		if t := allTargets()[i]; !slices.Contains(out, t) {
			out = append(out, t)
		}
	}
	return out, nil
}

// passed are the settings of the go command that say where modules and
// compiled packages are found. They cannot change what is built: modules are
// held to go.sum, and the cache to what the sources hash to.
func passed() []string {
	return []string{
		"GOPROXY", "GONOPROXY", "GOPRIVATE", "GOSUMDB", "GONOSUMDB", "GOINSECURE", "GOVCS", "GOAUTH",
		"GOMODCACHE", "GOCACHE", "GOTMPDIR", "GOTOOLCHAIN",
	}
}

// cleanEnv is the environment for go commands: the caller's without anything
// that changes what they build, in the environment or in the file of go env -w.
func cleanEnv(ctx context.Context, caller []string) ([]string, error) {
	text, err := output(ctx, "", caller, "go", append([]string{"env", "-json"}, passed()...)...)
	if err != nil {
		return nil, err
	}
	var known map[string]string
	if err := json.Unmarshal([]byte(text), &known); err != nil {
		return nil, fmt.Errorf("reading go env: %w", err)
	}
	env := slices.DeleteFunc(slices.Clone(caller), func(pair string) bool {
		return strings.HasPrefix(pair, "GO") || strings.HasPrefix(pair, "CGO_")
	})
	for _, name := range passed() {
		if known[name] != "" {
			env = append(env, name+"="+known[name])
		}
	}
	return append(env, "GOENV=off", "GOWORK=off", "CGO_ENABLED=0"), nil
}

// environment is the process's own.
func environment() []string {
	return os.Environ() //nolint:forbidigo // what is handed on to go and git
}

// env is what a command needs beside the clean environment to build for t.
func (t target) env() []string { return []string{"GOOS=" + t.os, "GOARCH=" + t.arch} }

// output runs a command in a folder and returns what it prints. A nil
// environment is the process's own. The error holds what it complained of.
func output(ctx context.Context, dir string, env []string, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Env = dir, env
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("running %s %s: %w\n%s", name, strings.Join(args, " "), err, strings.TrimSpace(stderr.String()))
	}
	return stdout.String(), nil
}
