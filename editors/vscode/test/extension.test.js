// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

"use strict";

const assert = require("node:assert");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const test = require("node:test");

const { root, snapshot } = require("./support.js");
const { stub, load, document } = require("./vscode.js");
const holdfast = require("../holdfast.js");

const command = process.env.HOLDFAST || "holdfast";
const project = path.join(__dirname, "samples/project");
const sample = (name) => path.join(project, "policies", name);

// started starts the extension in an editor.
async function started(settings = {}) {
  const editor = stub({ path: command, ...settings });
  const extension = load("../extension.js", editor);
  await extension.activate({ subscriptions: [] });
  return editor;
}

// rendered is what an editor shows, file by file.
function rendered(editor) {
  const out = [];
  for (const [uri, list] of editor.diagnostics) {
    out.push(path.relative(project, new editor.api.Uri(uri).fsPath).replaceAll("\\", "/"));
    for (const d of list) {
      out.push(`  ${d.range} ${["error", "warning"][d.severity]} ${d.source} ${d.code.value} <${d.code.target}>`);
      out.push(...d.message.split("\n").map((line) => `    ${line}`));
      for (const r of d.relatedInformation) {
        out.push(`    note ${path.basename(r.location.uri.fsPath)} ${r.location.range} ${r.message}`);
      }
    }
  }
  return out.join("\n") + "\n";
}

test("diagnostics of a policy that loads", async () => {
  const editor = await started();
  const d = document(sample("wrong.gr"));
  await editor.opened.fire(d);
  assert.deepStrictEqual(editor.log, []);
  snapshot("wrong.diagnostics", rendered(editor));
  const whole = new editor.api.Range(new editor.api.Position(0, 0), new editor.api.Position(99, 0));
  const actions = editor.actions.provideCodeActions(d, whole);
  snapshot("wrong.fixes", actions.map((a) => `${a.diagnostics[0].code.value} ${a.title}\n${a.edit.edits.map((e) => `  ${e.range} ${JSON.stringify(e.text)}\n`).join("")}`).join(""));
  for (const a of actions) {
    for (const e of a.edit.edits) {
      const line = d.lines[e.range.start.line];
      assert.ok(e.range.start.character <= line.length, "an edit behind the end of its line");
    }
  }
  d.version++;
  assert.deepStrictEqual(editor.actions.provideCodeActions(d, whole), [], "fixes of a text that has changed");
  await editor.closed.fire(d);
  assert.strictEqual(editor.diagnostics.size, 0);
});

test("diagnostics of a policy that does not load", async () => {
  const editor = await started();
  await editor.saved.fire(document(sample("broken.gr")));
  assert.deepStrictEqual(editor.log, []);
  snapshot("broken.diagnostics", rendered(editor));
});

test("what is mended is no longer shown", async () => {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), "holdfast-"));
  const file = path.join(dir, "p.gr");
  try {
    const editor = await started();
    fs.copyFileSync(sample("broken.gr"), file);
    await editor.saved.fire(document(file));
    assert.strictEqual(editor.diagnostics.size, 1);
    fs.writeFileSync(file, 'raise "x" if:\n    (call: ToolCall)\n');
    await editor.saved.fire(document(file));
    assert.strictEqual(editor.diagnostics.size, 0);
  } finally {
    fs.rmSync(dir, { recursive: true });
  }
});

test("formatting", async () => {
  const editor = await started();
  const format = (d) => editor.formatter.provideDocumentFormattingEdits(d);
  const [edit] = await format(document(sample("ragged.gr")));
  assert.strictEqual(edit.newText, 'raise "mail" if:\n    (call: ToolCall)\n    call is tool:send_mail\n');
  assert.strictEqual(String(edit.range), "0:0-3:0");
  assert.deepStrictEqual(await format(document(sample("ragged.gr"), edit.newText)), []);
  assert.deepStrictEqual(editor.log, []);
  assert.deepStrictEqual(await format(document(sample("broken.gr"))), [], "a policy with mistakes stays");
  assert.strictEqual(editor.log.length, 1);
});

test("nothing runs where it must not", async () => {
  const editor = await started({ path: path.join(root, "no-such-command") });
  editor.api.workspace.isTrusted = false;
  await editor.opened.fire(document(sample("wrong.gr")));
  assert.deepStrictEqual(await editor.formatter.provideDocumentFormattingEdits(document(sample("ragged.gr"))), []);
  assert.deepStrictEqual(editor.log, [], "in a workspace that nobody trusts");
  editor.api.workspace.isTrusted = true;
  await editor.opened.fire({ ...document(sample("wrong.gr")), languageId: "plaintext" });
  assert.deepStrictEqual(editor.log, [], "for other files");
  editor.settings.vet = "onCommand";
  await editor.saved.fire(document(sample("wrong.gr")));
  assert.deepStrictEqual(editor.log, [], "where it was not asked for");
  editor.api.window.activeTextEditor = { document: document(sample("wrong.gr")) };
  await editor.commands["holdfast.vet"]();
  assert.match(editor.log[0], /there is no command .*no-such-command: set holdfast.path/);
});

test("a command that hangs is ended", async () => {
  await assert.rejects(holdfast.run(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { timeout: 200 }), /did not end in 0.2 seconds/);
});

test("the sample of the grammar is one of the language", async () => {
  const { code, stderr } = await holdfast.run(command, ["fmt", "-"], { input: fs.readFileSync(path.join(__dirname, "samples/lexical.gr"), "utf8"), timeout: 10000 });
  assert.strictEqual(stderr, "");
  assert.strictEqual(code, 0);
});

test("answers", () => {
  assert.throws(() => holdfast.parseVet("oops", "/"), /no JSON/);
  assert.strictEqual(holdfast.parseVet('{"diagnostics":[],"fixed":[],"rules":1}', "/").size, 0);
  assert.strictEqual(holdfast.units("a🦜b", 2), 3);
  assert.strictEqual(holdfast.units("ab", 9), 2);
});
