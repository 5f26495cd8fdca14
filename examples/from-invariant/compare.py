#!/usr/bin/env python3
# Copyright 2026 The Holdfast Authors
# SPDX-License-Identifier: Apache-2.0
"""Check the same policy and logs with the public Invariant analyzer and with Holdfast.

    pip install invariant-ai
    python3 compare.py policy.gr run.json more.jsonl

For each trace it says whether both find the same violations (message and
events), and shows both answers where they do not.

Exit codes: 0 no trace differs, 1 a trace could not be read, 2 one of the two
cannot be run, 3 a trace differs.
"""

import argparse
import contextlib
import io
import json
import logging
import re
import subprocess
import sys

NO_INVARIANT = "the Python package invariant-ai is not there; pip install invariant-ai"


def main(argv):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("policy")
    parser.add_argument("traces", nargs="+", metavar="trace", help="a JSON file, or JSON lines with a trace a line")
    parser.add_argument("--holdfast", default="holdfast", help="the command (default: the one on your path)")
    parser.add_argument("--input", action="append", default=[], metavar="NAME=VALUE", help="a parameter of the policy; JSON, else a string")
    args = parser.parse_args(argv)
    try:
        theirs = Invariant(args.policy, dict(map(parameter, args.input)))
        ours = holdfast(args)
    except Trouble as trouble:
        print(f"compare: {trouble}", file=sys.stderr)
        return 2
    return compare(theirs, ours, args)


class Trouble(Exception):
    """One of the two cannot be run."""


def parameter(text):
    name, _, value = text.partition("=")
    with contextlib.suppress(ValueError):
        value = json.loads(value)
    return name, value


# Answers. Both sides come to a dict: "refused" (the policy does not load),
# "failed" (the check ended with an error) or "violations", a list of
# (message, events); Holdfast's also has "unknown", a list of texts.


class Invariant:
    """A policy, as the public analyzer runs it."""

    def __init__(self, path, parameters):
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                from invariant.analyzer import LocalPolicy
        except ImportError as error:
            raise Trouble(f"{NO_INVARIANT} ({error})") from error
        # Its own log of a failure repeats the exception that is caught here.
        logging.getLogger("asyncio").setLevel(logging.CRITICAL)
        self.parameters, self.policy, self.refused = parameters, None, None
        with open(path, encoding="utf-8") as file:
            source = file.read()
        said = io.StringIO()
        try:
            with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
                self.policy = LocalPolicy.from_string(source)
        except SystemExit:
            self.refused = first(said.getvalue()) or "SystemExit"
        except Exception as error:
            self.refused = describe(error)

    def answer(self, trace, pending=0):
        """The answer for a trace, or for its last events as pending ones."""
        found = self.run(trace, pending)
        if isinstance(found, dict):
            return found
        entry = entries(trace)
        return {"violations": [(message, events(addresses, entry)) for message, addresses in found]}

    def run(self, trace, pending=0):
        """The violations as the analyzer gives them, message and addresses; or an answer without any."""
        if self.policy is None:
            return {"refused": self.refused}
        cut = len(trace) - pending
        said = io.StringIO()
        try:
            with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
                if pending:
                    result = self.policy.analyze_pending(trace[:cut], trace[cut:], **self.parameters)
                else:
                    result = self.policy.analyze(trace, **self.parameters)
        except SystemExit:
            return {"failed": first(said.getvalue()) or "SystemExit"}
        except Exception as error:
            return {"failed": describe(error)}
        return [(str(e.args[0]) if e.args else "", [r.json_path for r in e.ranges]) for e in result.errors]


def first(text):
    """The first line that says something. A missing dependency ends the analyzer with a message and no exception."""
    return next((line.strip() for line in text.splitlines() if line.strip()), "")


def describe(error):
    """One line about an exception; of a policy error the text under its mark."""
    lines = [line.strip(" |") for line in str(error).splitlines()]
    lines = [line for line in lines if line and not re.match(r"^(Failed to create policy|\d+\*? *\||\^)", line)]
    return f"{type(error).__name__}: {lines[0] if lines else ''}".rstrip(": ")


def entries(trace):
    """Maps an event of the analyzer, which counts each tool of a listing, to the entry of the input."""
    out = []
    for i, event in enumerate(trace):
        out += [i] * (len(event["tools"]) if isinstance(event.get("tools"), list) else 1)
    return out


def events(addresses, entry=None):
    found = {int(re.match(r"\d+", a)[0]) for a in addresses if re.match(r"\d", a)}
    return tuple(sorted(entry[n] if entry else n for n in found))


def holdfast(args):
    """Runs holdfast once and returns its answers by trace and index."""
    command = [args.holdfast, "check", "--format", "json"]
    command += [f"--input={i}" for i in args.input] + [args.policy, *args.traces]
    try:
        done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)
    except OSError as error:
        raise Trouble(f"running holdfast: {error}") from error
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    if done.returncode not in (0, 1, 2, 3) or not rows:
        raise Trouble(f"holdfast ended with exit code {done.returncode}: {done.stderr.strip()}")
    if "error" in rows[0] and rows[0]["error"] == "policy":
        found = rows[0]["diagnostics"]
        text = f'{found[0]["code"]}: {found[0]["message"]}' if found else rows[0].get("message", "")
        return lambda path, index: {"refused": text}
    answers = {(row["trace"], row.get("index", 0)): answer_of(row) for row in rows}
    return lambda path, index: answers.get((path, index), {"failed": "no answer"})


def answer_of(row):
    if "error" in row:
        return {"failed": f'{row["error"]}: {row["message"]}'}
    return {
        "violations": [(v["message"], events(v["ranges"])) for v in row["violations"]],
        "unknown": [f'{u["reason"]}: {u["detail"]}' for u in row["unknown"]],
    }


# Comparing.


def compare(theirs, ours, args):
    same = differ = unread = 0
    for path in args.traces:
        try:
            traces = read(path)
        except (OSError, ValueError) as error:
            print(f"compare: {path}: {error}", file=sys.stderr)
            unread += 1
            continue
        for index, trace in enumerate(traces):
            a, b = theirs.answer(trace), ours(path, index)
            name = path if len(traces) == 1 else f"{path} #{index}"
            if agree(a, b):
                same += 1
                print(f"{name}: same")
                continue
            differ += 1
            print(f"{name}: differs\n  invariant: {show(a)}\n  holdfast:  {show(b)}")
    print(f"{same} same, {differ} differ" + (f", {unread} not read" if unread else ""))
    return 1 if unread else 3 if differ else 0


def read(path):
    """The traces of a file: one JSON value, or JSON lines."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    try:
        values = [json.loads(text)]
    except ValueError:
        values = [json.loads(line) for line in text.splitlines() if line.strip()]
    return [value["messages"] if isinstance(value, dict) and "messages" in value else value for value in values]


def agree(a, b):
    """Whether two answers are the same. A message with a template agrees with what it fills in."""
    if "refused" in a or "refused" in b:
        return "refused" in a and "refused" in b
    if "failed" in a or "failed" in b or b["unknown"]:
        return False
    rest = list(b["violations"])
    for message, at in a["violations"]:
        pattern = re.sub(r"\\\{.*?\\\}", ".*", re.escape(message))
        match = next((v for v in rest if v[1] == at and re.fullmatch(pattern, v[0], re.DOTALL)), None)
        if match is None:
            return False
        rest.remove(match)
    return not rest


def show(answer):
    """An answer in one line."""
    if "refused" in answer:
        return f'the policy does not load: {answer["refused"]}'
    if "failed" in answer:
        return f'no answer: {answer["failed"]}'
    parts = [f"{m!r} in event {', '.join(map(str, at))}" if at else repr(m) for m, at in answer["violations"]]
    parts += [f"unknown ({u})" for u in answer.get("unknown", [])]
    return "; ".join(parts) or "no violation"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
