// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package diag

// compileCodes documents what is found when plans are made, P0350 and on.
var compileCodes = []CodeDoc{
	{
		Code:  "P0350",
		Title: "rule too large",
		Since: "0.1",
		Explanation: `A predicate stands for its body wherever it is called. Predicates that call
predicates several times can make a few lines ask for millions of conditions;
a rule that needs more than 200,000 is refused.

Wrong, if p1 calls p0 twice, p2 calls p1 twice, and so on up to p40:

    raise "x" if:
        (c: ToolCall)
        p40(c)

Right: call each predicate once and combine what it asks for with and and or,
or split the rule.`,
	},
}
