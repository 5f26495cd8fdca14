# Copyright 2026 The Holdfast Authors
# SPDX-License-Identifier: Apache-2.0
"""Ask Holdfast from Python, as LocalPolicy.analyze did."""

import json
import subprocess


def analyze(policy, trace, **parameters):
    """Checks a trace against a policy file and returns the object of --format json."""
    inputs = [f"--input={name}={json.dumps(value)}" for name, value in parameters.items()]
    done = subprocess.run(
        ["holdfast", "check", "--format", "json", *inputs, policy, "-"],
        input=json.dumps(trace), capture_output=True, text=True,
    )
    if done.returncode not in (0, 3):  # 3: the verdict is deny, unknown or ask
        raise RuntimeError(done.stdout + done.stderr)
    return json.loads(done.stdout)
