// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package diag

// syntaxCodes documents 01xx: what the scanner and the parser say.
var syntaxCodes = []CodeDoc{
	{Code: "P0101", Since: "0.1", Title: "the file is not UTF-8", Explanation: `A policy is UTF-8 text, with or without a byte order mark. The first byte that does not fit is shown. Save the file as UTF-8.
`},
	{Code: "P0102", Since: "0.1", Title: "the file is too large", Explanation: `A policy file has at most 1 MiB. Split a larger one: predicates and constants can be imported from files beside it.

    from ./lists import TRUSTED_DOMAINS
`},
	{Code: "P0103", Since: "0.1", Title: "a character that has no meaning here", Explanation: `The character begins no name, number, string or operator. Word processors make typographic quotes and no-break spaces of plain ones; a backslash at a line's end joins nothing; a carriage return alone ends no line.

Wrong:

    msg.content == “stop”

Right:

    msg.content == "stop"

A condition goes on in the next line inside brackets, after a binary operator, or when that line begins with "and" or "or".
`},
	{Code: "P0104", Since: "0.1", Title: "a malformed string", Explanation: `A string ends on its line with the quote it began with. A string of several lines stands between three quotes. Before the quote may stand r (no escapes) and f (fields in braces).

Wrong:

    msg.content == "stop

Right:

    msg.content == "stop"
`},
	{Code: "P0105", Since: "0.1", Title: "a malformed escape in a string", Explanation: `Escapes are Python's: \n \t \\ \" \' \a \b \f \r \v, up to three octal digits, \x with two hexadecimal digits, \u with four, \U with eight. The number must be that of a character. Characters cannot be escaped by name. A backslash before any other letter stays, so patterns like "\d+" work.

Wrong:

    "\x4" in msg.content

Right:

    "\x04" in msg.content
`},
	{Code: "P0106", Since: "0.1", Title: "a malformed number", Explanation: `Whole numbers are decimal, or begin with 0x, 0o or 0b; underscores may stand between digits; a decimal number does not begin with 0 unless it is 0. They have at most 4,096 bits. Decimal numbers are doubles and must fit into one.

Wrong:

    call.arguments.n > 1__000

Right:

    call.arguments.n > 1_000
`},
	{Code: "P0107", Since: "0.1", Title: "tabs and spaces mixed", Explanation: `Whether the line belongs to the block depends on how wide a tab is. Indent with spaces only, or with tabs only. A file may use both as long as the depth of every line is the same at any tab width.
`},
	{Code: "P0108", Since: "0.1", Title: "an indent that fits nothing", Explanation: `The conditions of a block are all indented alike, deeper than the line that opens it. Only rules (if:), predicates (:=) and quantifiers (count(…):) open blocks.

Wrong:

    raise "mail" if:
        (call: ToolCall)
          call is tool:send_email

Right:

    raise "mail" if:
        (call: ToolCall)
        call is tool:send_email
`},
	{Code: "P0109", Since: "0.1", Title: "a body that is not indented", Explanation: `The conditions of a rule or predicate stand below it and are indented deeper than it.

Wrong:

    raise "mail" if:
    (call: ToolCall)
    call is tool:send_email

Right:

    raise "mail" if:
        (call: ToolCall)
        call is tool:send_email
`},
	{Code: "P0110", Since: "0.1", Title: "nothing where a condition or value must be", Explanation: `A rule, a predicate and a quantifier need at least one condition below them, indented deeper. A name that is bound needs a value.

Wrong:

    raise "mail" if:

Right:

    raise "mail" if:
        (call: ToolCall)
        call is tool:send_email
`},
	{Code: "P0111", Since: "0.1", Title: "something else is wanted here", Explanation: `What stands here does not go on from what stands before it. The message says what was read and what could stand in its place.

Wrong:

    (call: ToolCall, out: ToolOutput)

Right:

    (call: ToolCall)
    (out: ToolOutput)
`},
	{Code: "P0112", Since: "0.1", Title: "brackets that do not match", Explanation: `A bracket that was opened is not closed, or another one closes it, or one closes nothing. The note shows the other place.

Wrong:

    call is tool:send_email({to: "bob"}

Right:

    call is tool:send_email({to: "bob"})
`},
	{Code: "P0113", Since: "0.1", Title: "comparisons in a chain", Explanation: `A comparison has two operands: a < b < c is refused, because it reads differently in different languages. Flows do chain: (a: T) -> (b: T) -> (c: T); but a flow is no operand of a comparison.

Wrong:

    1 < call.arguments.n < 5

Right:

    1 < call.arguments.n and call.arguments.n < 5
`},
	{Code: "P0114", Since: "0.1", Title: "an operator of another language", Explanation: `The language writes and, or, not, ==, != and := where others write &&, ||, !, =, <> and =.

Wrong:

    call is tool:send_email && call.arguments.to = "bob"

Right:

    call is tool:send_email and call.arguments.to == "bob"
`},
	{Code: "P0115", Since: "0.1", Title: "a line that is no statement", Explanation: `At the top level stand imports, constants (NAME := value), predicates (name(x: T) := condition) and rules (raise "…" if:, ask, warn). Conditions stand in blocks. There is no else, no loop and no def.

Wrong:

    def mail(call: ToolCall):
        return call is tool:send_email

Right:

    mail(call: ToolCall) :=
        call is tool:send_email
`},
	{Code: "P0116", Since: "0.1", Title: "a statement inside a block", Explanation: `Rules, imports and predicates stand at the top level. To draw two conclusions, write two rules; conditions they share go into a predicate.

Wrong:

    raise "a" if:
        (call: ToolCall)
        raise "b" if:
            call is tool:send_email

Right:

    raise "b" if:
        (call: ToolCall)
        call is tool:send_email
`},
	{Code: "P0117", Since: "0.1", Title: "an argument pattern, or part of one, out of place", Explanation: `The argument pattern of a tool is a dict in parentheses whose keys are names or strings. Inside it, and only there, * stands for any value and <EMAIL_ADDRESS> for a value of that class.

Wrong:

    call.arguments.to == <EMAIL_ADDRESS>

Right:

    call is tool:send_email({to: <EMAIL_ADDRESS>})
`},
	{Code: "P0118", Since: "0.1", Title: "too deep", Explanation: `Blocks and brackets stand in one another at most 200 deep, and an expression joins at most 1,000 operations in a row. Give the inner part a name with a predicate or a constant; write a long row of comparisons with == as in [...].
`},
	{Code: "P0119", Since: "0.1", Title: "a malformed first line of a block", Explanation: `A rule's first line is its verb, a message and if:, a quantifier's is count(min=1, max=2):, forall: or exists:. Their conditions stand on the lines below. Only count takes arguments.

Wrong:

    raise "mail":
        (call: ToolCall)

Right:

    raise "mail" if:
        (call: ToolCall)
`},
	{Code: "P0120", Since: "0.1", Title: "a malformed f-string", Explanation: `In an f-string, {expression} or {expression:format} is replaced by its value; {{ and }} are the characters themselves. Conversions (!r), comments, backslashes and fields within a format are not part of the language.

Wrong:

    raise f"too long: {len(m.content)" if:
        (m: Message)

Right:

    raise f"too long: {len(m.content)}" if:
        (m: Message)
`},
	{Code: "P0121", Since: "0.1", Title: "a malformed name of a tool", Explanation: `After tool: stands, without a space, the tool's name. A name that holds anything but letters, digits and underscores stands in quotes. Names are exact, never patterns.

Wrong:

    call is tool:send-email

Right:

    call is tool:"send-email"
`},
	{Code: "P0122", Since: "0.1", Title: "a binding to something that is no name", Explanation: `A binding gives a name to an expression: name := expression. It stands on a line of its own. A typed variable ranges over what follows "in".

Wrong:

    (to: str) := call.arguments.to

Right:

    to := call.arguments.to
`},
}
