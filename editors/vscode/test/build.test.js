// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

"use strict";

const assert = require("node:assert");
const fs = require("node:fs");
const path = require("node:path");
const test = require("node:test");
const zlib = require("node:zlib");

const { vsix } = require("../build.js");

// entries reads an archive by its directory, as installers do.
function entries(zip) {
  const out = {};
  const end = zip.length - 22;
  assert.strictEqual(zip.readUInt32LE(end), 0x06054b50);
  let at = zip.readUInt32LE(end + 16);
  for (let n = zip.readUInt16LE(end + 10); n > 0; n--) {
    assert.strictEqual(zip.readUInt32LE(at), 0x02014b50);
    const packed = zip.readUInt32LE(at + 20);
    const size = zip.readUInt32LE(at + 24);
    const long = zip.readUInt16LE(at + 28);
    const start = zip.readUInt32LE(at + 42);
    const name = zip.toString("utf8", at + 46, at + 46 + long);
    assert.strictEqual(zip.readUInt32LE(start), 0x04034b50);
    assert.deepStrictEqual(zip.subarray(start + 4, start + 30), zip.subarray(at + 6, at + 32));
    const body = start + 30 + long;
    out[name] = zlib.inflateRawSync(zip.subarray(body, body + packed));
    assert.strictEqual(out[name].length, size);
    at += 46 + long;
  }
  assert.strictEqual(at, end);
  return out;
}

test("the package", () => {
  const { name, bytes } = vsix();
  assert.match(name, /^holdfast-\d+\.\d+\.\d+\.vsix$/);
  assert.deepStrictEqual(vsix().bytes, bytes, "the second build differs from the first");
  const files = entries(bytes);
  const manifest = JSON.parse(files["extension/package.json"]);
  assert.ok(!manifest.devDependencies && !manifest.scripts);
  const named = [manifest.main, ...manifest.contributes.languages.map((l) => l.configuration), ...manifest.contributes.grammars.map((g) => g.path)];
  for (const n of named) {
    assert.ok(files[path.posix.join("extension", n)], `${n} is not in the package`);
  }
  for (const [, asset] of files["extension.vsixmanifest"].toString().matchAll(/Path="([^"]*)"/g)) {
    assert.ok(files[asset], `${asset} is not in the package`);
  }
  for (const file of ["extension/extension.js", "extension/holdfast.js"]) {
    for (const [, module] of files[file].toString().matchAll(/require\("([^"]*)"\)/g)) {
      assert.ok(module === "vscode" || module.startsWith("node:") || files[path.posix.join("extension", module)], `${file} needs ${module}`);
    }
  }
  const lock = JSON.parse(fs.readFileSync(path.join(__dirname, "../package-lock.json"), "utf8"));
  assert.strictEqual(lock.version, manifest.version);
});

test("settings", () => {
  const manifest = JSON.parse(fs.readFileSync(path.join(__dirname, "../package.json"), "utf8"));
  const source = fs.readFileSync(path.join(__dirname, "../extension.js"), "utf8");
  for (const key of Object.keys(manifest.contributes.configuration.properties)) {
    assert.ok(source.includes(`c.get("${key.replace("holdfast.", "")}"`), `nothing reads ${key}`);
  }
  assert.strictEqual(manifest.contributes.configuration.properties["holdfast.path"].scope, "machine", "a workspace must not choose what runs");
});
