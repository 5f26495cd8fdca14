// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

// What the extension makes of the holdfast command: which arguments it gets,
// and what its answers mean. Nothing here knows the editor.
"use strict";

const { execFile } = require("node:child_process");
const path = require("node:path");

// Codes that are about a project and not about one policy: they are for the
// command line.
const ofProject = new Set(["P0523"]);

// vetArguments are those of a run over one policy.
function vetArguments(file) {
  return ["vet", "--format", "json", "--", file];
}

// fmtArguments are those of a run that formats standard input.
function fmtArguments() {
  return ["fmt", "-"];
}

// run runs the command and resolves with its exit code and output. It rejects
// where the command did not run, or did not end in time.
function run(command, args, { cwd, input, timeout } = {}) {
  return new Promise((resolve, reject) => {
    const options = { cwd, timeout, maxBuffer: 64 << 20, windowsHide: true, encoding: "utf8" };
    const child = execFile(command, args, options, (error, stdout, stderr) => {
      if (error && error.killed) {
        reject(new Error(`${command} did not end in ${timeout / 1000} seconds`));
      } else if (error && typeof error.code !== "number") {
        reject(error.code === "ENOENT" ? new Error(`there is no command ${command}: set holdfast.path`) : error);
      } else {
        resolve({ code: error ? error.code : 0, stdout, stderr });
      }
    });
    child.stdin.on("error", () => {}); // a command that ends early says why by its exit code
    child.stdin.end(input ?? "");
  });
}

// parseVet reads what vet prints: diagnostics, of a policy that loads or of one
// that does not, by file. Files are absolute.
function parseVet(stdout, cwd) {
  let doc;
  try {
    doc = JSON.parse(stdout);
  } catch {
    throw new Error("holdfast vet answered with something that is no JSON");
  }
  const byFile = new Map();
  for (const d of doc.diagnostics ?? []) {
    if (ofProject.has(d.code)) {
      continue;
    }
    const file = path.resolve(cwd, d.file);
    if (!byFile.has(file)) {
      byFile.set(file, []);
    }
    byFile.get(file).push({
      code: d.code,
      severity: d.severity,
      message: d.help ? `${d.message}\n${d.help}` : d.message,
      place: placeOf(d),
      notes: (d.notes ?? []).map((n) => ({ message: n.message, file: path.resolve(cwd, n.file ?? d.file), place: placeOf(n) })),
      fix: d.fix && {
        title: d.fix.what + (d.fix.keeps_verdicts ? "" : " (verdicts can change)"),
        edits: d.fix.edits.map((e) => ({ file: path.resolve(cwd, e.file), place: placeOf(e), text: e.text })),
      },
    });
  }
  if (byFile.size === 0 && doc.error && doc.message) {
    throw new Error(doc.message);
  }
  return byFile;
}

// placeOf turns a place that counts from 1 into one that counts from 0.
function placeOf(p) {
  const line = Math.max(0, (p.line ?? 1) - 1);
  const column = Math.max(0, (p.column ?? 1) - 1);
  return {
    start: { line, column },
    end: { line: Math.max(line, (p.end_line ?? p.line ?? 1) - 1), column: Math.max(0, (p.end_column ?? p.column ?? 1) - 1) },
  };
}

// units turns a column in characters into one in UTF-16 code units, which is
// what editors count.
function units(line, column) {
  let out = 0;
  for (const character of line) {
    if (column-- <= 0) {
      break;
    }
    out += character.length;
  }
  return out;
}

// helpOf is where a code is explained.
function helpOf(code) {
  return `https://github.com/holdfast-dev/holdfast/blob/main/docs/errors.md#${code.toLowerCase()}`;
}

module.exports = { vetArguments, fmtArguments, run, parseVet, units, helpOf };
