// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

"use strict";

const assert = require("node:assert");
const fs = require("node:fs");
const path = require("node:path");

const root = path.resolve(__dirname, "../../..");

// snapshot compares a text with the one that was written down. UPDATE=1 writes
// it down.
function snapshot(name, text) {
  const file = path.join(__dirname, "snapshots", name);
  if (process.env.UPDATE) {
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, text);
    return;
  }
  assert.ok(fs.existsSync(file), `there is no snapshot ${name}: npm run update writes it`);
  assert.strictEqual(text, fs.readFileSync(file, "utf8"), `${name} has changed: if it is meant, npm run update`);
}

// policies returns the policy files below some folders of the repository.
function policies(...folders) {
  const out = [];
  for (const folder of folders) {
    const dir = path.join(root, folder);
    for (const e of fs.readdirSync(dir, { recursive: true, withFileTypes: true })) {
      if (e.isFile() && e.name.endsWith(".gr")) {
        out.push(path.relative(root, path.join(e.parentPath ?? e.path, e.name)));
      }
    }
  }
  return out.sort();
}

module.exports = { root, snapshot, policies };
