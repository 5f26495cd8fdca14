# Copyright 2026 The Holdfast Authors
# SPDX-License-Identifier: Apache-2.0
"""Says of texts what CPython makes of them: a JSON string a line in, an object a line out."""

import ast
import builtins
import json
import sys
import warnings

warnings.simplefilter("ignore")
NAMES = set(builtins.__dict__)


def answer(text, lists):
    out = {"valid": True, "message": ""}
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, MemoryError, RecursionError) as e:
        return {"valid": False, "message": str(e)}
    if not lists:
        return out
    imports, names, calls = [], [], set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            imports += [a.name for a in node.names]
        elif isinstance(node, ast.ImportFrom):
            imports += [node.module] if node.module else []
        elif isinstance(node, ast.Name) and node.id in NAMES:
            names.append(node.id)
        elif isinstance(node, ast.Call):
            calls.add(ast.unparse(node.func).strip())
    out["imports"], out["builtins"], out["calls"] = sorted(imports), sorted(names), sorted(calls)
    return out


for line in sys.stdin:
    question = json.loads(line)
    print(json.dumps(answer(question["text"], question.get("lists", False))), flush=True)
