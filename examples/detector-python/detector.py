#!/usr/bin/env python3
# Copyright 2026 The Holdfast Authors
# SPDX-License-Identifier: Apache-2.0
"""A detector that is a server, in one file and of the standard library alone.

Copy it and put your own question into look(). It answers for the function
moderated of policies, by a list of words:

    DETECTOR_TOKEN=secret python3 detector.py 127.0.0.1:8000

docs/remote-detectors.md tells the contract that it keeps.
"""

import hmac
import json
import os
import re
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

# VERSION names what the answers depend on. Change it with the words: what was
# answered under another version is asked again.
VERSION = "words-1"
DETECTOR = "moderated"
MAX_BODY = 4 << 20
MAX_TEXTS = 256

WORDS = {
    "idiot": ("insult", 0.9), "moron": ("insult", 0.9), "fool": ("insult", 0.4),
    "attack": ("violence", 0.8), "stab": ("violence", 0.9),
}
WORD = re.compile(r"[A-Za-z]+")


def look(text, params):
    """Answer one text. Offsets are those of a Python str: code points."""
    threshold = 0.5
    for name, value in params.items():
        # Passed over, it would be an answer to another question.
        if name not in ("threshold", "default_threshold"):
            raise ValueError(f"the parameter {name[:40]} is not known")
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise ValueError(f"{name} is no number")
        threshold = value
    found = []
    for match in WORD.finditer(text):
        kind, score = WORDS.get(match[0].lower(), ("", 0))
        if kind and score > threshold:
            found.append({"kind": kind, "start": match.start(), "end": match.end(), "score": score})
    return found


def answer(body):
    """Answer a batch: the status and what to say."""
    try:
        asked = json.loads(body.decode("utf-8"))
    except (ValueError, RecursionError):
        return 400, "not JSON"
    if not isinstance(asked, dict) or not isinstance(asked.get("requests"), list):
        return 400, "there is no list of requests"
    if asked.get("detector") != DETECTOR:
        return 404, "there is no such detector"
    if asked.get("version", VERSION) != VERSION:
        return 409, "the version is " + VERSION
    if len(asked["requests"]) > MAX_TEXTS:
        return 413, f"more than {MAX_TEXTS} texts"
    results = []
    for request in asked["requests"]:
        if not isinstance(request, dict) or not isinstance(request.get("text"), str):
            return 400, "a request has no text"
        try:
            results.append({"findings": look(request["text"], request.get("params") or {})})
        except ValueError as error:
            results.append({"error": str(error)})
    return 200, {"version": VERSION, "results": results}


class Detector(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 30
    token = ""

    def do_POST(self):
        given = self.headers.get("Authorization", "")
        length = self.headers.get("Content-Length", "")
        if self.path != "/detect":
            self.say(404, "ask /detect")
        elif self.token and not hmac.compare_digest(given.encode(), b"Bearer " + self.token.encode()):
            self.say(401, "not for you")
        elif not length.isdecimal():
            self.say(411, "how long is it?")
        elif int(length) > MAX_BODY:
            self.say(413, "too long")
        else:
            self.say(*answer(self.rfile.read(int(length))))

    def say(self, status, what):
        body = (json.dumps(what) if status == 200 else what).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json" if status == 200 else "text/plain")
        self.send_header("Content-Length", str(len(body)))
        if status != 200:
            # What was not read of the request must not be taken for the next.
            self.send_header("Connection", "close")
            self.close_connection = True
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args):
        """Keep texts and addresses out of the log."""


def main():
    host, _, port = (sys.argv[1] if len(sys.argv) > 1 else "127.0.0.1:8000").rpartition(":")
    Detector.token = os.environ.get("DETECTOR_TOKEN", "")
    server = ThreadingHTTPServer((host, int(port)), Detector)
    server.daemon_threads = True
    print(f"listening on http://{host}:{server.server_port}/detect", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass


if __name__ == "__main__":
    main()
