// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package javascript

import (
	"testing"

	"github.com/holdfast-dev/holdfast/internal/coderule/ruletest"
)

var finder = ruletest.Finder(Find)

func TestRules(t *testing.T) { finder.Rules(t, "javascript-", Rules()) }

func FuzzFind(f *testing.F) { finder.Fuzz(f, Rules()) }
