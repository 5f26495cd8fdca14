// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package diag

// vetCodes documents what `holdfast vet` says of policies that load, P0501 and
// on. All are warnings.
var vetCodes = []CodeDoc{
	{Code: "P0501", Since: "0.1", Title: "a rule that can never be violated", Explanation: `No trace violates the rule: its conditions contradict each other, or one of them contradicts itself. A rule that protects nobody looks like one that does. Where it can still be unknown it blocks, for no reason that the policy states.

Texts are compared by automata, numbers by intervals, elements by their order; the notes show two conditions that never hold together, where two suffice.

Avoid:

    raise "two tools at once" if:
        (c: ToolCall)
        c is tool:send_mail
        c is tool:send_message

Prefer:

    raise "either tool" if:
        (c: ToolCall)
        c is tool:send_mail or c is tool:send_message
`},
	{Code: "P0502", Since: "0.1", Title: "a rule that is always violated", Explanation: `Whatever the variables stand for, the conditions are true or unknown, never false: every trace with such an event is blocked. If that is meant, the variables alone say it. More often a comparison is one that always holds.

Avoid:

    raise "strangers" if:
        (m: Message)
        m.role != "user" or m.role != "assistant"

Prefer:

    raise "strangers" if:
        (m: Message)
        m.role != "user" and m.role != "assistant"
`},
	{Code: "P0503", Since: "0.1", Title: "a part of a rule that can never hold", Explanation: `An operand of "or" that never holds beside the rule's other conditions, or the body of a quantifier or predicate that contradicts itself. The rule works without it, so what it was written for is not seen.

Avoid:

    raise "payment" if:
        (c: ToolCall)
        c is tool:pay
        c.arguments.amount > 100 or c is tool:transfer

Prefer:

    raise "payment" if:
        (c: ToolCall)
        (c is tool:pay and c.arguments.amount > 100) or c is tool:transfer
`},
	{Code: "P0504", Since: "0.1", Title: "a rule that another one implies", Explanation: `Whatever violates the rule violates the other one too, which does at least as much; and where it is unknown the other is unknown or violated. So it changes no verdict. Two rules that say the same drift apart when one of them is edited; or the wider one says more than was meant.

Avoid:

    raise "payments" if:
        (c: ToolCall)
        c is tool:pay
        c.arguments.amount > 100
    raise "large payments" if:
        (c: ToolCall)
        c is tool:pay
        c.arguments.amount > 1000

Prefer:

    ask "payments" if:
        (c: ToolCall)
        c is tool:pay
        c.arguments.amount > 100
    raise "large payments" if:
        (c: ToolCall)
        c is tool:pay
        c.arguments.amount > 1000
`},
	{Code: "P0505", Since: "0.1", Title: "a binding that nothing uses", Explanation: `A binding gives a name to an expression and is always true. One that nothing uses asks nothing; often == was meant. A name that begins with _ is left alone.

Avoid:

    raise "x" if:
        (c: ToolCall)
        c is tool:send_mail
        to := c.arguments.to

Prefer:

    raise "x" if:
        (c: ToolCall)
        c is tool:send_mail
        to := c.arguments.to
        to != "me@corp.example"
`},
	{Code: "P0506", Since: "0.1", Title: "a predicate that nothing calls", Explanation: `A predicate does something only where a rule calls it. One that is left over, or whose call was forgotten, protects nobody. Files without rules are libraries: theirs are for others. A name that begins with _ is left alone.

Avoid:

    large(c: ToolCall) := c.arguments.amount > 100
    raise "x" if:
        (c: ToolCall)
        c is tool:pay

Prefer:

    large(c: ToolCall) := c.arguments.amount > 100
    raise "x" if:
        (c: ToolCall)
        c is tool:pay
        large(c)
`},
	{Code: "P0507", Since: "0.1", Title: "a constant that nothing uses", Explanation: `A constant that nothing uses is left over, or another one is used in its place. Files without rules are libraries: theirs are for others. A name that begins with _ is left alone.

Avoid:

    LIMIT := 100
    raise "x" if:
        (c: ToolCall)
        c is tool:pay
        c.arguments.amount > 1000

Prefer:

    LIMIT := 100
    raise "x" if:
        (c: ToolCall)
        c is tool:pay
        c.arguments.amount > LIMIT
`},
	{Code: "P0508", Since: "0.1", Title: "an import that nothing uses", Explanation: `Nothing in the file mentions the name. "holdfast vet --fix" removes it; no verdict changes.

Avoid:

    from invariant.detectors import pii, secrets
    raise "x" if:
        (m: AgentMessage)
        any(pii(m))

Prefer:

    from invariant.detectors import pii
    raise "x" if:
        (m: AgentMessage)
        any(pii(m))
`},
	{Code: "P0509", Since: "0.1", Title: "a parameter that its predicate does not use", Explanation: `The predicate answers the same whatever stands in the parameter's place, so callers believe that it looks at something which it does not. A name that begins with _ is left alone.

Avoid:

    above(c: ToolCall, limit) := c is tool:pay and c.arguments.amount > 100
    raise "x" if:
        (c: ToolCall)
        above(c, 50)

Prefer:

    above(c: ToolCall, limit) := c is tool:pay and c.arguments.amount > limit
    raise "x" if:
        (c: ToolCall)
        above(c, 50)
`},
	{Code: "P0510", Since: "0.1", Title: "an argument is read of calls of any tool", Explanation: `Reading an argument that a call does not have is unknown, and an unknown rule blocks unless it says otherwise. No condition of the rule is false of the calls of other tools, so each of them makes it unknown. A condition on the tool guards the access wherever it stands; so does asking whether the argument is there.

Avoid:

    raise "delete" if:
        (c: ToolCall)
        "rm -rf" in c.arguments.command

Prefer:

    raise "delete" if:
        (c: ToolCall)
        c is tool:run_shell
        "rm -rf" in c.arguments.command
`},
	{Code: "P0511", Since: "0.1", Title: "a test of a host, address or path that is open at an end", Explanation: `The test lets a call pass, and is open where the name could go on: who registers a host that begins or ends like the trusted one passes, too. match() is anchored at the start only, find() not at all; startswith, endswith and "in" compare as much as they are given.

Avoid:

    raise "other hosts" if:
        (c: ToolCall)
        c is tool:fetch
        not match("https://corp\.example", c.arguments.url)

Prefer:

    raise "other hosts" if:
        (c: ToolCall)
        c is tool:fetch
        not match("https://corp\.example/", c.arguments.url)
`},
	{Code: "P0512", Since: "0.1", Title: "a dot that is not escaped", Explanation: `In a pattern a dot matches any character. Between the labels of a host or before the ending of a file a dot alone is meant: "corp.example" as a pattern also takes "corp-example". "holdfast vet --fix" escapes it, which makes the pattern narrower, so verdicts can change.

Avoid:

    raise "other hosts" if:
        (c: ToolCall)
        c is tool:send_mail
        not match(".*@corp.example$", c.arguments.to)

Prefer:

    raise "other hosts" if:
        (c: ToolCall)
        c is tool:send_mail
        not match(".*@corp\.example$", c.arguments.to)
`},
	{Code: "P0513", Since: "0.1", Title: "a pattern that matches everything", Explanation: `Every text matches, so the condition asks nothing, or at most whether there is a text. Often a star is one too many, or an alternative is empty. To ask only that an argument is there, write * in an argument pattern.

Avoid:

    raise "x" if:
        (c: ToolCall)
        c is tool:run({command: ".*"})

Prefer:

    raise "x" if:
        (c: ToolCall)
        c is tool:run({command: *})
`},
	{Code: "P0515", Since: "0.1", Title: "a finding that keeps a rule from being violated", Explanation: `The rule is violated where a detector finds nothing. Whoever writes the text decides what stands in it, and can add something that is found; a detector is made to see what is there, and its silence proves little. Ask for what must be found, or decide by something that the writer does not choose. What the user or the operator wrote, a UserMessage or SystemMessage, may decide.

Where the load warns of the same call (P0314) vet says nothing more.

Avoid:

    raise "no name given" if:
        (c: ToolCall)
        c is tool:send_mail
        not is_pii(c.arguments.body, views=["raw"])

Prefer:

    raise "a name is given" if:
        (c: ToolCall)
        c is tool:send_mail
        is_pii(c.arguments.body)
`},
	{Code: "P0516", Since: "0.1", Title: "flows against the order of a trace", Explanation: `"a -> b" holds if a comes before b. The flows of the rule would put an element before itself: a flow and its contrary, a circle, an element before the message that it is a part of, an output before its call. The rule can never be violated.

Avoid:

    raise "x" if:
        (a: ToolCall) -> (b: ToolCall)
        b -> a
        a is tool:read

Prefer:

    raise "x" if:
        (a: ToolCall) -> (b: ToolCall)
        a is tool:read
`},
	{Code: "P0520", Since: "0.1", Title: "a tool that the agent does not have", Explanation: `The rule asks for a tool that is not among those of --tools. Names are exact: a rule about a misspelt tool is never violated.

Avoid (with the tools send_mail and fetch):

    raise "x" if:
        (c: ToolCall)
        c is tool:send_email

Prefer:

    raise "x" if:
        (c: ToolCall)
        c is tool:send_mail
`},
	{Code: "P0521", Since: "0.1", Title: "an argument that the tool does not have", Explanation: `By its schema the tool has no such argument. A call without it makes the condition unknown, or an argument pattern false: a rule about a misspelt argument blocks everything or nothing.

Avoid (with a tool send_mail of the arguments to and body):

    raise "x" if:
        (c: ToolCall)
        c is tool:send_mail
        c.arguments.recipient == "eve"

Prefer:

    raise "x" if:
        (c: ToolCall)
        c is tool:send_mail
        c.arguments.to == "eve"
`},
	{Code: "P0522", Since: "0.1", Title: "a value that the argument never has", Explanation: `The schema of the tool lists the values of the argument, or says of which type they are, and this is none of them, so the comparison never succeeds.

Avoid (with an argument mode that is "read" or "write"):

    raise "x" if:
        (c: ToolCall)
        c is tool:open
        c.arguments.mode == "w"

Prefer:

    raise "x" if:
        (c: ToolCall)
        c is tool:open
        c.arguments.mode == "write"
`},
	{Code: "P0523", Since: "0.1", Title: "a tool that no rule names", Explanation: `A tool of --tools is in no rule: neither by name nor by a pattern that its name is compared with. Rules over all calls do not count, since they say nothing of what this tool does. It stands in the file of the tools.

Avoid (with the tools send_mail and delete_file):

    raise "x" if:
        (c: ToolCall)
        c is tool:send_mail

Prefer:

    raise "x" if:
        (c: ToolCall)
        c is tool:send_mail
    ask "y" if:
        (c: ToolCall)
        c is tool:delete_file
`},
	{Code: "P0530", Since: "0.1", Title: "a suppression without code or reason", Explanation: `"# holdfast:ignore P0512 reason" suppresses a warning on its line or, alone on a line, in the statement or condition below; above a rule in all of it. It names one or more codes that exist, and says why: whoever reads the policy later has to know. Errors cannot be suppressed.

Avoid:

    raise "x" if:
        (c: ToolCall)
        c is tool:open
        "tmp" in c.arguments.path # holdfast:ignore P0511

Prefer:

    raise "x" if:
        (c: ToolCall)
        c is tool:open
        "tmp" not in c.arguments.path # holdfast:ignore P0511 only paths that the agent made itself
`},
	{Code: "P0531", Since: "0.1", Title: "a suppression that suppresses nothing", Explanation: `Nothing on the line, or in what stands below, gives the diagnostic. What was suppressed has been mended, or has moved; a suppression that stays would hide the next one. "holdfast vet --fix" removes it.

Avoid:

    raise "x" if:
        (c: ToolCall)
        c is tool:open # holdfast:ignore P0510 the tool is known

Prefer:

    raise "x" if:
        (c: ToolCall)
        c is tool:open
`},
}
