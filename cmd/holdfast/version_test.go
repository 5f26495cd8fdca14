// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"runtime/debug"
	"testing"
)

func TestBuildIsDescribed(t *testing.T) {
	const hash, date = "0123456789abcdef0123456789abcdef01234567", "2026-01-02T03:04:05Z"
	clone := []debug.BuildSetting{
		{Key: "vcs.revision", Value: hash},
		{Key: "vcs.time", Value: date},
		{Key: "vcs.modified", Value: "true"},
	}
	for _, test := range []struct {
		name     string
		stamped  build
		recorded *debug.BuildInfo
		want     string
	}{
		{"nothing is known", build{}, nil, "holdfast (devel)  "},
		{"go install", build{}, &debug.BuildInfo{Main: debug.Module{Version: "v1.2.3"}}, "holdfast v1.2.3  "},
		{
			"go build in a clone",
			build{},
			&debug.BuildInfo{Main: debug.Module{Version: "v1.2.3+dirty"}, Settings: clone},
			"holdfast v1.2.3+dirty (" + hash + ", " + date + ", modified)  ",
		},
		{"a clone without tags", build{}, &debug.BuildInfo{Settings: clone[:1]}, "holdfast (devel) (" + hash + ")  "},
		{
			"a release, whatever the go command recorded",
			build{Version: "v1.2.4", Commit: hash, Date: date},
			&debug.BuildInfo{Main: debug.Module{Version: "(devel)"}, Settings: clone},
			"holdfast v1.2.4 (" + hash + ", " + date + ")  ",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := describe(test.stamped, test.recorded).String(); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}
