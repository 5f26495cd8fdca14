// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

"use strict";

const assert = require("node:assert");
const fs = require("node:fs");
const path = require("node:path");
const test = require("node:test");

const oniguruma = require("vscode-oniguruma");
const textmate = require("vscode-textmate");

const { root, snapshot, policies } = require("./support.js");

async function grammar() {
  const wasm = fs.readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm"));
  await oniguruma.loadWASM(wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.length));
  const file = path.join(root, "editors/holdfast.tmLanguage.json");
  const registry = new textmate.Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
      createOnigString: (s) => new oniguruma.OnigString(s),
    }),
    loadGrammar: async () => textmate.parseRawGrammar(fs.readFileSync(file, "utf8"), file),
  });
  return registry.loadGrammar("source.holdfast");
}

const loaded = grammar();

// tokens returns the lines of a text, with the tokens of each, and what is
// still open behind the last.
async function tokens(text) {
  const g = await loaded;
  let stack = textmate.INITIAL;
  const lines = text.split(/\r?\n/).map((line) => {
    const r = g.tokenizeLine(line, stack);
    stack = r.ruleStack;
    assert.ok(!r.stoppedEarly);
    const list = r.tokens.map((t) => ({ text: line.slice(t.startIndex, t.endIndex), scopes: t.scopes.slice(1).map((s) => s.replace(/\.holdfast\b/g, "")) }));
    return { line, tokens: list.filter((t) => t.text.trim() !== "") };
  });
  return { lines, depth: stack.depth };
}

// render is a snapshot: each line, and below it its tokens.
function render(lines) {
  const out = [];
  for (const { line, tokens } of lines) {
    out.push(`>${line}`);
    for (const t of tokens) {
      out.push(`  ${JSON.stringify(t.text)} ${t.scopes.join(" ") || "-"}`);
    }
  }
  return out.join("\n") + "\n";
}

// Files whose tokens are written down: what few people edit.
const written = ["testdata/canonical.gr", "editors/vscode/test/samples/lexical.gr", ...policies("examples/paper")];

for (const file of written) {
  test(`tokens of ${file}`, async () => {
    const { lines, depth } = await tokens(fs.readFileSync(path.join(root, file), "utf8"));
    assert.strictEqual(depth, 1, "something is still open at the end");
    snapshot(`${file.replaceAll(/[\\/]/g, "-")}.snap`, render(lines));
  });
}

// All other policies are held to what is true of every policy.
test("all policies", async () => {
  const files = policies("policies", "examples", "testdata/vet", "testdata/spec", "internal", "docs");
  assert.ok(files.length > 10, `found ${files.length} policies`);
  for (const file of files) {
    const text = fs.readFileSync(path.join(root, file), "utf8");
    const { lines, depth } = await tokens(text);
    assert.strictEqual(depth, 1, `${file}: something is still open at the end`);
    lines.forEach(({ line, tokens }, i) => {
      const where = `${file}:${i + 1}: ${line}`;
      const first = tokens[0];
      const inText = first && first.scopes.some((s) => s.startsWith("string"));
      assert.ok(!tokens.some((t) => t.scopes.some((s) => s.startsWith("invalid"))), where);
      if (!inText && /^\s*#/.test(line)) {
        assert.ok(first.scopes[0].startsWith("comment"), where);
      }
      if (!inText && /^raise /.test(line)) {
        assert.deepStrictEqual(first, { text: "raise", scopes: ["keyword.control.rule"] }, where);
      }
      const typed = !inText && /^\s*\((\w+): ([A-Z]\w+)\)/.exec(line);
      if (typed) {
        assert.ok(tokens.some((t) => t.text === typed[2] && t.scopes.includes("support.type")), where);
      }
    });
  }
});

// The words of the grammar are those of the language.
test("words", async () => {
  const text = fs.readFileSync(path.join(root, "syntax/grammar.txt"), "utf8");
  const words = /none of the words\n#\s+and (.*)\n/.exec(text)[1].split(" ").concat("and");
  for (const word of words) {
    const { lines } = await tokens(`x := (${word} )`);
    const t = lines[0].tokens.find((t) => t.text === word);
    const statement = ["from", "import", "raise"].includes(word);
    assert.ok(t && (statement || /^(keyword|constant)/.test(t.scopes[0])), `${word}: ${JSON.stringify(t)}`);
  }
});
