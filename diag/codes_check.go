// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package diag

// checkCodes documents 02xx and 03xx: what the checker says.
var checkCodes = []CodeDoc{
	{Code: "P0201", Since: "0.1", Title: "a name is not defined", Explanation: `Every name in a condition must be a variable of the rule, a binding, a constant, a predicate, or a function that is always there or imported. Variables are declared with their type, in any line of the block.

Wrong:

    raise "mail" if:
        (call: ToolCall)
        cal is tool:send_email

Right:

    raise "mail" if:
        (call: ToolCall)
        call is tool:send_email
`},
	{Code: "P0202", Since: "0.1", Title: "a type is not known", Explanation: `After the colon of a variable or parameter stands one of the language's types (ToolCall, Message, str, …) or a record type that was imported.

Wrong:

    (call: Toolcall)

Right:

    (call: ToolCall)
`},
	{Code: "P0203", Since: "0.1", Title: "a type has no such member", Explanation: `The members of events and of their parts are fixed; a name that is none of them could never be read. What a call is given stands below its arguments and is not checked.

Wrong:

    call.function.argumnets.to == "x"

Right:

    call.function.arguments.to == "x"
`},
	{Code: "P0204", Since: "0.1", Title: "a module is not known", Explanation: `Policies import the standard library (invariant and holdfast, which are the same tree, and json) and policy files beside them. There is no way to import anything else.

Wrong:

    import os

Right:

    import json
`},
	{Code: "P0205", Since: "0.1", Title: "a module has no such name", Explanation: `The module was found but holds nothing of this name. If another module of the standard library has it, the help says which.

Wrong:

    from invariant.detectors import pi

Right:

    from invariant.detectors import pii
`},
	{Code: "P0206", Since: "0.1", Title: "an imported file cannot be read", Explanation: `"from ./lib import p" reads lib.gr beside the policy. The file is not there, cannot be read, or this policy was loaded without a folder.

Wrong:

    from ./nothere import p

Right:

    from ./lib import p
`},
	{Code: "P0207", Since: "0.1", Title: "an import leads outside the policy's folder", Explanation: `Policies can only read files in their own folder and below it, so that a policy is whole when its folder is.

Wrong:

    from ../shared import p

Right:

    from ./shared import p
`},
	{Code: "P0208", Since: "0.1", Title: "files import each other", Explanation: `A file that imports itself, directly or through others, has no first definition to begin with. Move what both need into a third file.

Wrong:

    # in a.gr
    from ./b import p
    # in b.gr
    from ./a import q

Right:

    # in a.gr and in b.gr
    from ./common import p
`},
	{Code: "P0209", Since: "0.1", Title: "a name is defined twice", Explanation: `Constants, predicates and imported names of a file share one scope, and each name stands for one thing.

Wrong:

    LIMIT := 3
    LIMIT := 4

Right:

    LIMIT := 3
    HARD_LIMIT := 4
`},
	{Code: "P0210", Since: "0.1", Title: "a name is bound twice in a rule", Explanation: `A binding is not an assignment: lines may stand in any order, so a name stands for one expression and a variable is declared once. Blocks see the names around them and may not hide them.

Wrong:

    raise "x" if:
        (m: Message)
        t := m.content
        t := t.lower()
        "a" in t

Right:

    raise "x" if:
        (m: Message)
        t := m.content
        low := t.lower()
        "a" in low
`},
	{Code: "P0211", Since: "0.1", Title: "a definition uses itself", Explanation: `A constant or binding stands for its expression. If the expression names it again, directly or through others, it stands for nothing. Inside a binding's expression its own name is the binding, also where a function of that name exists.

Wrong:

    size := size + len(msg.content)

Right:

    size := input.size + len(msg.content)
`},
	{Code: "P0212", Since: "0.1", Title: "a predicate calls itself", Explanation: `Predicates are not recursive, directly or through others: every evaluation must end. Typed variables and quantifiers look at any number of elements without recursion.

Wrong:

    deep(c: ToolCall) := deep(c) or c is tool:a

Right:

    deep(c: ToolCall) := c is tool:a
`},
	{Code: "P0213", Since: "0.1", Title: "a name is not a value", Explanation: `Functions, predicates, modules, types and "input" are used in their own ways: functions and predicates are called, modules are taken apart with a dot, types declare variables, parameters of the policy are read as input.name.

Wrong:

    raise "x" if:
        (m: Message)
        len > 3

Right:

    raise "x" if:
        (m: Message)
        len(m.content) > 3
`},
	{Code: "P0214", Since: "0.1", Title: "something that is no function is called", Explanation: `Only functions, predicates and methods can be called. A variable, binding or constant that has the name of a function hides it.

Wrong:

    raise "x" if:
        (text: str)
        text(text)

Right:

    raise "x" if:
        (t: str)
        text(t)
`},
	{Code: "P0215", Since: "0.1", Title: "a call has too many or too few arguments", Explanation: `The help shows how the function is called; parameters with a default may be left out.

Wrong:

    match("a.*")

Right:

    match("a.*", msg.content)
`},
	{Code: "P0216", Since: "0.1", Title: "an argument by that name does not exist, or is given twice", Explanation: `Arguments given by name must be parameters of the function, and each parameter takes one argument.

Wrong:

    match(pattern="a.*", txt=msg.content)

Right:

    match(pattern="a.*", s=msg.content)
`},
	{Code: "P0217", Since: "0.1", Title: "there is no such method", Explanation: `Text and dicts have a fixed set of methods. "x.name(" is always a method; a function takes the value as its argument.

Wrong:

    msg.content.lowercase()

Right:

    msg.content.lower()
`},
	{Code: "P0218", Since: "0.1", Title: "a value of this type has no such method", Explanation: `The method exists, but not for what stands before the dot.

Wrong:

    "abc".keys()

Right:

    {"a": 1}.keys()
`},
	{Code: "P0219", Since: "0.1", Title: "`is` compares with the wrong thing", Explanation: `"is" and "is not" compare with None, True, False or a tool pattern. Values are compared with == and !=.

Wrong:

    msg.role is "user"

Right:

    msg.role == "user"
`},
	{Code: "P0220", Since: "0.1", Title: "a tool pattern stands alone", Explanation: `A tool pattern is a question about a call and only means something after "is" or "is not". It is not a value, so it cannot be bound, compared or listed.

Wrong:

    call is tool:a or tool:b

Right:

    call is tool:a or call is tool:b
`},
	{Code: "P0221", Since: "0.1", Title: "a tool pattern is asked of something that is no call", Explanation: `Only calls and outputs belong to a tool. A message carries calls, which are elements of their own.

Wrong:

    raise "x" if:
        (m: Message)
        m is tool:send_email

Right:

    raise "x" if:
        (m: Message)
        (call: ToolCall) in m.tool_calls
        call is tool:send_email
`},
	{Code: "P0223", Since: "0.1", Title: "a value class is not known", Explanation: `Value classes name what a detector recognises; the help names the nearest one.

Wrong:

    call is tool:send_email({to: <EMAIL>})

Right:

    call is tool:send_email({to: <EMAIL_ADDRESS>})
`},
	{Code: "P0224", Since: "0.1", Title: "a pattern cannot be used", Explanation: `Patterns are RE2, read with the meaning they have in Python. Look-around and back-references do not exist there, apart from a leading negative look-ahead "^(?!A)B", which means "B and not A". The help shows how to write it otherwise.

Wrong:

    match("(?<=a)b", msg.content)

Right:

    match("ab", msg.content)
`},
	{Code: "P0225", Since: "0.1", Title: "a rule raises something that is no text", Explanation: `After raise, ask or warn stands a text, an f-string, or Violation("text", key=value).

Wrong:

    raise 42 if:
        (m: Message)

Right:

    raise "forty-two" if:
        (m: Message)
`},
	{Code: "P0226", Since: "0.1", Title: "an operation that can never succeed", Explanation: `The kinds of the operands decide the result before the policy runs: values of different kinds are never equal and have no order, and arithmetic on them is unknown. An unknown rule blocks by default, so this is most likely not what was meant.

Wrong:

    len(msg.content) > "10"

Right:

    len(msg.content) > 10
`},
	{Code: "P0227", Since: "0.1", Title: "an argument of the wrong type", Explanation: `The argument can never be what the function or predicate takes, so the call is unknown wherever the parameter is used.

Wrong:

    sends(c: ToolCall) := c is tool:send_email
    raise "x" if:
        (o: ToolOutput)
        sends(o)

Right:

    sends(c: ToolCall) := c is tool:send_email
    raise "x" if:
        (o: ToolOutput)
        sends(o.tool)
`},
	{Code: "P0228", Since: "0.1", Title: "an argument pattern holds what it cannot match", Explanation: `An argument pattern is made of literals, "*" and value classes, in dicts and lists. Keys are literals too. What is computed is compared in a condition of its own.

Wrong:

    call is tool:send_email({to: input.owner})

Right:

    call is tool:send_email
    call.arguments.to == input.owner
`},
	{Code: "P0229", Since: "0.1", Title: "a method that is not called", Explanation: `"x.name" without parentheses is always the key "name", also if there is a method of that name. A text answers a key by the JSON that it holds, and is unknown if it holds none.

Wrong:

    "urgent" in msg.content.lower

Right:

    "urgent" in msg.content.lower()
`},
	{Code: "P0230", Since: "0.1", Title: "a policy that does not exist", Explanation: `"import" with a name in quotes brings the rules of a policy: of the library, by its name, or of a file, by a path that begins with "./" or "../".

Wrong:

    import "holdfast.policies.exfiltrate"
    import "lib/mail.gr"

Right:

    import "holdfast.policies.exfiltration"
    import "./lib/mail.gr"
`},
	{Code: "P0231", Since: "0.1", Title: "a parameter without a value", Explanation: `The imported policy declares a parameter without a default, so whoever imports its rules has to give a value.

Wrong:

    import "./mail.gr"  # which says: input domains: list[str]

Right:

    import "./mail.gr"(domains=["corp.com"])
`},
	{Code: "P0232", Since: "0.1", Title: "an unknown parameter", Explanation: `An import gives a value to a parameter that the policy does not declare, or a file that declares parameters reads one that it does not. A file that declares one parameter declares all that it reads, so that a misspelt name is found.

Wrong:

    input domains: list[str]
    raise "x" if:
        (c: ToolCall)
        c.arguments.domain in input.domain

Right:

    input domains: list[str]
    raise "x" if:
        (c: ToolCall)
        c.arguments.domain in input.domains
`},
	{Code: "P0233", Since: "0.1", Title: "a parameter of another type", Explanation: `A default, or the value that an import gives, must have the type that is declared. An int will do for a float, nothing else for anything else.

Wrong:

    input domains: list[str] = "corp.com"

Right:

    input domains: list[str] = ["corp.com"]
`},
	{Code: "P0234", Since: "0.1", Title: "a parameter whose value is not known at load", Explanation: `Defaults, and the values that an import gives, are made of literals, constants of the file and operators. An import may also hand on a parameter of its own, which must be declared and stand alone: domains=input.domains.

Wrong:

    input words: list[str] = "a b".split(" ")

Right:

    input words: list[str] = ["a", "b"]
`},
	{Code: "P0235", Since: "0.1", Title: "a parameter declared twice", Explanation: `A parameter is declared once in a file. A policy, the files whose names it imports with "from", and policies that are loaded together share their parameters: each may declare one, with the same type.

Wrong:

    input limit: int
    input limit: float

Right:

    input limit: float
`},
	{Code: "P0236", Since: "0.1", Title: "no type of a parameter", Explanation: `The types of parameters are str, int, float, bool, list and dict. A list may say what its items are: list[str], list[int], list[float], list[bool], list[dict].

Wrong:

    input domains: strings

Right:

    input domains: list[str]
`},
	{Code: "P0301", Since: "0.1", Title: "a rule without a condition", Explanation: `Bindings are always true, so a rule or block of nothing else would always hold.

Wrong:

    raise "x" if:
        a := 1

Right:

    raise "x" if:
        (m: Message)
        m.role == "user"
`},
	{Code: "P0302", Since: "0.1", Title: "a condition that is no boolean", Explanation: `It counts as Python would count it: empty text, empty collections, zero and None are false, everything else is true. Say which question is asked.

Wrong:

    pii(out.content)

Right:

    any(pii(out.content))
`},
	{Code: "P0303", Since: "0.1", Title: "a list of truth values as a condition", Explanation: `A list on the left of "in" asks for each of its elements and gives a list of answers; such a list is neither true nor false. any(…) and all(…) make a condition of it.

Wrong:

    ["Cf", "Co"] in unicode(out)

Right:

    any(["Cf", "Co"] in unicode(out))
`},
	{Code: "P0304", Since: "0.1", Title: "a typed variable where none can be declared", Explanation: `A variable of a rule ranges over the whole trace: every assignment is tried. Under "not", in a conditional, in a comprehension or inside any(…) and all(…) that would not mean what it says. A quantifier block says it.

Wrong:

    raise "unapproved" if:
        (c: ToolCall)
        not ((ok: ToolCall) is tool:approve)

Right:

    raise "unapproved" if:
        (c: ToolCall)
        not exists:
            (ok: ToolCall) -> c
            ok is tool:approve
`},
	{Code: "P0305", Since: "0.1", Title: "a computed value in a flow", Explanation: `"->" and "~>" order elements of the trace by where they stand. A literal, the result of a function or a piece of a split text stands nowhere.

Wrong:

    raise "x" if:
        (m: Message)
        (w: str) in m.content.split(" ")
        w -> (c: ToolCall)

Right:

    raise "x" if:
        (m: Message)
        (w: str) in m.content.split(" ")
        m -> (c: ToolCall)
        w == "send"
`},
	{Code: "P0306", Since: "0.1", Title: "variables that are taken from each other", Explanation: `"(x: T) in e" takes x from e, so e must be known first and cannot mention x, directly or through bindings and other variables.

Wrong:

    (a: str) in b
    (b: list) in a

Right:

    (b: list)
    (a: str) in b
`},
	{Code: "P0307", Since: "0.1", Title: "a quantifier with the wrong arguments", Explanation: `count takes min, max or both, as whole numbers that are known at load: written out, constants, int parameters that have a default or are given by an import, or computed from such, not negative, and min not above max. forall and exists take nothing.

Wrong:

    count(min=3, max=2):
        (c: ToolCall)

Right:

    count(min=2, max=3):
        (c: ToolCall)
`},
	{Code: "P0308", Since: "0.1", Title: "a variable that nothing uses", Explanation: `The variable still ranges: every match of the other variables is repeated once for each of its elements, and there is none if there are no such elements.

Wrong:

    raise "x" if:
        (c: ToolCall)
        (m: Message)
        c is tool:send_email

Right:

    raise "x" if:
        (c: ToolCall)
        c is tool:send_email
`},
	{Code: "P0309", Since: "0.1", Title: "matches of a rule can go away again", Explanation: `The marked part can turn false when the trace grows. The rule is right over a whole trace; online it cannot be judged by what is new alone and is judged anew at every step, whatever the step is. Tying the variables of the block to one of the rule's makes it look at the past only; a forall must be written as not exists: of the contrary for that, because every element that does not come before makes it false.

Wrong:

    raise "unapproved" if:
        (c: ToolCall)
        c is tool:send_email
        not exists:
            (ok: ToolCall)
            ok is tool:approve

Right:

    raise "unapproved" if:
        (c: ToolCall)
        c is tool:send_email
        not exists:
            (ok: ToolCall) -> c
            ok is tool:approve
`},
	{Code: "P0310", Since: "0.1", Title: "a rule that can only report", Explanation: `A verdict can stop a call before it is made and an assistant's message before it is sent on. The last element of this rule's matches is neither: a tool's output or a user's message has happened when it is seen. The violation is still raised, and what follows can be stopped by other rules.

Wrong:

    raise "injected" if:
        (out: ToolOutput)
        "ignore previous" in out.content

Right:

    raise "injected" if:
        (out: ToolOutput) -> (call: ToolCall)
        "ignore previous" in out.content
`},
	{Code: "P0311", Since: "0.1", Title: "an id that cannot be one", Explanation: `"# id: name" in the comment block above a rule names it in verdicts and reports. An id is 1 to 64 letters, digits and . _ - / without spaces.

Wrong:

    # id: no mail after inbox
    raise "no mail after the inbox was read" if:
        (c: ToolCall)

Right:

    # id: no-mail-after-inbox
    raise "no mail after the inbox was read" if:
        (c: ToolCall)
`},
	{Code: "P0312", Since: "0.1", Title: "two rules with one id", Explanation: `Verdicts, reports and settings name rules by their id.

Wrong:

    # id: mail
    raise "a" if:
        (c: ToolCall)
    # id: mail
    raise "b" if:
        (c: ToolCall)

Right:

    # id: mail-a
    raise "a" if:
        (c: ToolCall)
    # id: mail-b
    raise "b" if:
        (c: ToolCall)
`},
	{Code: "P0313", Since: "0.1", Title: "on_unknown with an unknown word", Explanation: `"# on_unknown: word" in the comment block above a rule says what happens when the rule is unknown: allow, ask, deny or warn. By default it is what the rule does when it is violated.

Wrong:

    # on_unknown: ignore
    raise "x" if:
        (c: ToolCall)

Right:

    # on_unknown: allow
    raise "x" if:
        (c: ToolCall)
`},
	{Code: "P0314", Since: "0.1", Title: "a detector that looks at the raw text alone", Explanation: `A detector looks at a text as it stands and at other views of it: with look-alike letters folded, invisible characters removed, encoded parts decoded. Where more findings can only make a rule stricter it looks at all of them. Under a negation, or where a finding can otherwise keep the rule from being violated, it looks at the text as it stands: whoever writes the text must not be able to hide behind a view of it.

This is a warning. A parameter views names the views to look at and silences it.

Wrong:

    raise "no address given" if:
        (c: ToolCall)
        c is tool:send_mail
        not is_pii(c.arguments.to, entities=["EMAIL_ADDRESS"])

Right:

    raise "no address given" if:
        (c: ToolCall)
        c is tool:send_mail
        not is_pii(c.arguments.to, entities=["EMAIL_ADDRESS"], views=["raw"])
`},
	{Code: "P0315", Since: "0.1", Title: "a function that nobody answers for", Explanation: `The function is known by name and its call is checked, but there is no detector or implementation behind it where the policy is loaded. Calling it is unknown, and an unknown rule blocks unless its on_unknown says otherwise. An embedder sets detectors up with Options.Detectors.

This is a warning.

Wrong:

    raise "personal data in a reply" if:
        (m: AgentMessage)
        is_pii(m.content) # loaded without a detector for "pii"

Right:

    raise "an address in a reply" if:
        (m: AgentMessage)
        match(r".*@.*", m.content)
`},
	{Code: "P0316", Since: "0.1", Title: "a rule that a model alone decides", Explanation: `A model judges texts, and whoever writes the texts can talk it round; it may also answer otherwise tomorrow. A rule with no other condition makes no guarantee. It is fine as one layer of several; what must not happen belongs in a rule over tools, arguments and their order.

This is a warning.

Wrong:

    from invariant.detectors import prompt_injection
    raise "the page gives orders" if:
        (out: ToolOutput)
        prompt_injection(out.content)

Right:

    raise "mail to a stranger after reading a page" if:
        (out: ToolOutput) -> (call: ToolCall)
        out is tool:read_page
        call is tool:send_mail
        not call.arguments.to.endswith("@corp.example")
`},
	{Code: "P0317", Since: "0.1", Title: "a setting above a rule that cannot be", Explanation: `"# severity:" is low, medium, high or critical. A setting has a value, and all but refs and tags are said once. What is wrong counts as not said; an id or on_unknown that cannot be is an error of its own.

This is a warning.

Wrong:

    # severity: urgent
    raise "x" if:
        (c: ToolCall)

Right:

    # severity: critical
    raise "x" if:
        (c: ToolCall)
`},
	{Code: "P0318", Since: "0.1", Title: "an import of rules that brings none", Explanation: `"import" with a path brings rules, and the file has none: nothing is checked that was not checked before. Predicates and constants are imported with "from".

This is a warning.

Wrong:

    import "./lib"

Right:

    from ./lib import internal
`},
	{Code: "P0319", Since: "0.1", Title: "a misspelt setting above a rule", Explanation: `The comment block above a rule sets id, title, severity, refs, tags and on_unknown. This line looks like one of them and is none, so it says nothing. Prose may stand there, too: begin it with a capital letter, or leave an empty line.

This is a warning.

Wrong:

    # severty: high
    raise "x" if:
        (c: ToolCall)

Right:

    # severity: high
    raise "x" if:
        (c: ToolCall)
`},
	{Code: "P0320", Since: "0.1", Title: "too many rules", Explanation: `A policy may have 10,000 rules, and import 1,000 policies of 8 MiB together. Split it, and load the parts as policies of their own.

Wrong:

    10,001 rules in one file

Right:

    two files of 5,001 and 5,000 rules
`},
	{Code: "P0321", Since: "0.1", Title: "too many typed variables", Explanation: `A rule with its quantifiers, or a predicate, may declare 32 typed variables. Each of them multiplies the combinations of elements to try.

Wrong:

    (c1: ToolCall) -> (c2: ToolCall) -> … -> (c33: ToolCall)

Right:

    (c1: ToolCall)
    count(min=32):
        c1 -> (c: ToolCall)
`},
	{Code: "P0322", Since: "0.1", Title: "quantifiers nested too deep", Explanation: `Quantifiers may stand eight deep in one another. A predicate can hold the inner ones.

Wrong:

    exists:
        exists:
            … # nine of them
                (c: ToolCall)

Right:

    exists:
        (c: ToolCall)
`},
}
