#!/usr/bin/env python3
# Copyright 2026 The Holdfast Authors
# SPDX-License-Identifier: Apache-2.0
"""Write what the public Invariant analyzer answers into the cases beside this file.

    python3 record.py [--check]

The section "invariant" of each case is its answer for the policy and the
trace; a section "pending" says how many of the last events are pending. With
--check nothing is written, and a case that is not as recorded is an error.
"""

import json
import pathlib
import re
import sys
import tempfile

import compare


def main(argv):
    wrong = 0
    for path in sorted(pathlib.Path(__file__).parent.glob("*.txtar")):
        text = path.read_text(encoding="utf-8")
        recorded = re.sub(r"(?ms)^(-- invariant --\n).*?(?=^-- )", lambda m: m[1] + answer(text), text)
        if recorded == text:
            continue
        wrong += 1
        print(f"{path.name}: {'is not as recorded' if '--check' in argv else 'recorded'}")
        if "--check" not in argv:
            path.write_text(recorded, encoding="utf-8")
    return 1 if wrong and "--check" in argv else 0


def answer(text):
    """What the section of a case should say."""
    parts = dict(re.findall(r"(?ms)^-- (\S+) --\n(.*?)(?=^-- |\Z)", text))
    with tempfile.TemporaryDirectory() as folder:
        policy = pathlib.Path(folder, "policy.gr")
        policy.write_text(parts["policy"], encoding="utf-8")
        theirs = compare.Invariant(policy, json.loads(parts.get("input", "{}")))
        trace, pending = json.loads(parts["trace"]), int(parts.get("pending", "0"))
        found = text_of(theirs.run(trace, pending))
        if pending:
            found += "all at once: " + text_of(theirs.run(trace))
    return found


def text_of(found):
    if isinstance(found, dict):
        return compare.show(found) + "\n"
    lines = [f"{message!r}" + "".join(f" {a}" for a in dict.fromkeys(addresses)) for message, addresses in found]
    return "\n".join(lines or ["no violation"]) + "\n"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
