// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package holdfast

import "github.com/holdfast-dev/holdfast/internal/check"

// Checked returns the trees of the policy and what the checker knows of them.
// It is for the tools of this module that look at policies; nobody may change
// what it returns.
func (p *Policy) Checked() *check.Program { return p.program.Check }
