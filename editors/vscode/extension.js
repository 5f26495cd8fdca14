// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

// The extension: it vets policies when they are opened and saved, formats them,
// and offers the fixes that vet is certain of.
"use strict";

const path = require("node:path");
const vscode = require("vscode");

const holdfast = require("./holdfast.js");

const language = "holdfast";

let diagnostics;
let log;
const fixes = new Map(); // of a document, by its address
const runs = new Map(); // the number of the latest, by address
const shown = new Map(); // the addresses that a policy's run has said something of

function activate(context) {
  diagnostics = vscode.languages.createDiagnosticCollection(language);
  log = vscode.window.createOutputChannel("Holdfast");
  context.subscriptions.push(
    diagnostics,
    log,
    vscode.workspace.onDidOpenTextDocument((d) => vetOnSave(d)),
    vscode.workspace.onDidSaveTextDocument((d) => vetOnSave(d)),
    vscode.workspace.onDidCloseTextDocument((d) => forget(d.uri)),
    vscode.workspace.onDidGrantWorkspaceTrust(() => vscode.workspace.textDocuments.forEach((d) => vetOnSave(d))),
    vscode.commands.registerCommand("holdfast.vet", () => {
      const editor = vscode.window.activeTextEditor;
      return editor && vet(editor.document);
    }),
    vscode.languages.registerDocumentFormattingEditProvider(language, { provideDocumentFormattingEdits: format }),
    vscode.languages.registerCodeActionsProvider(language, { provideCodeActions: actions }, { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] }),
  );
  return Promise.all(vscode.workspace.textDocuments.map((d) => vetOnSave(d)));
}

function deactivate() {}

// settings are those of a document.
function settings(document) {
  const c = vscode.workspace.getConfiguration("holdfast", document.uri);
  return { command: c.get("path", "holdfast"), vet: c.get("vet", "onSave"), timeout: 1000 * c.get("timeout", 10) };
}

// runs of the command are for files of people who trust what lies there.
function allowed(document) {
  return document.languageId === language && document.uri.scheme === "file" && vscode.workspace.isTrusted;
}

function vetOnSave(document) {
  return allowed(document) && settings(document).vet === "onSave" ? vet(document) : undefined;
}

// folderOf is where the command runs: from there it looks for the project file.
function folderOf(document) {
  return path.dirname(document.uri.fsPath);
}

// vet shows what vet says of a saved policy, unless a later run has begun.
async function vet(document) {
  if (!allowed(document)) {
    return;
  }
  const address = document.uri.toString();
  const number = (runs.get(address) ?? 0) + 1;
  runs.set(address, number);
  const { command, timeout } = settings(document);
  const cwd = folderOf(document);
  let found;
  try {
    const { stdout, stderr, code } = await holdfast.run(command, holdfast.vetArguments(document.uri.fsPath), { cwd, timeout });
    if (stdout === "" && code !== 0) {
      throw new Error(stderr.trim() || `holdfast vet ended with exit code ${code}`);
    }
    found = holdfast.parseVet(stdout, cwd);
  } catch (error) {
    log.appendLine(`${document.uri.fsPath}: ${error.message}`);
    return;
  }
  if (runs.get(address) === number) {
    await show(document, found);
  }
}

// show takes what was said of a policy, and of files beside it, in the place of
// what was said before.
async function show(document, found) {
  const address = document.uri.toString();
  for (const uri of shown.get(address) ?? []) {
    diagnostics.delete(uri);
  }
  fixes.set(address, []);
  const uris = [];
  for (const [file, list] of found) {
    const uri = file === document.uri.fsPath ? document.uri : vscode.Uri.file(file);
    const text = await linesOf(uri, document);
    uris.push(uri);
    diagnostics.set(uri, await Promise.all(list.map((d) => diagnosticOf(d, text, document))));
  }
  shown.set(address, uris);
}

// linesOf returns the lines of a file, of which columns are counted.
async function linesOf(uri, document) {
  const open = uri.toString() === document.uri.toString() ? document : vscode.workspace.textDocuments.find((d) => d.uri.toString() === uri.toString());
  try {
    const text = open ? open.getText() : Buffer.from(await vscode.workspace.fs.readFile(uri)).toString("utf8");
    return text.split(/\r\n|\r|\n/);
  } catch {
    return [];
  }
}

function rangeOf(place, lines) {
  const at = (p) => new vscode.Position(p.line, holdfast.units(lines[p.line] ?? "", p.column));
  return new vscode.Range(at(place.start), at(place.end));
}

async function diagnosticOf(d, lines, document) {
  const severity = d.severity === "error" ? vscode.DiagnosticSeverity.Error : vscode.DiagnosticSeverity.Warning;
  const out = new vscode.Diagnostic(rangeOf(d.place, lines), d.message, severity);
  out.source = language;
  out.code = { value: d.code, target: vscode.Uri.parse(holdfast.helpOf(d.code)) };
  out.relatedInformation = [];
  for (const note of d.notes) {
    const uri = vscode.Uri.file(note.file);
    out.relatedInformation.push(new vscode.DiagnosticRelatedInformation(new vscode.Location(uri, rangeOf(note.place, await linesOf(uri, document))), note.message));
  }
  if (d.fix) {
    const edit = new vscode.WorkspaceEdit();
    for (const e of d.fix.edits) {
      const uri = vscode.Uri.file(e.file);
      edit.replace(uri, rangeOf(e.place, await linesOf(uri, document)), e.text);
    }
    fixes.get(document.uri.toString()).push({ diagnostic: out, title: d.fix.title, edit, version: document.version });
  }
  return out;
}

// actions offers fixes where the text is still the one that was vetted.
function actions(document, range) {
  const here = (fixes.get(document.uri.toString()) ?? []).filter((f) => f.version === document.version && f.diagnostic.range.intersection(range));
  return here.map((f) => {
    const action = new vscode.CodeAction(f.title, vscode.CodeActionKind.QuickFix);
    action.diagnostics = [f.diagnostic];
    action.edit = f.edit;
    return action;
  });
}

// format lays a policy out as fmt does. One with mistakes stays as it is.
async function format(document) {
  if (!allowed(document)) {
    return [];
  }
  const { command, timeout } = settings(document);
  const text = document.getText();
  try {
    const { code, stdout, stderr } = await holdfast.run(command, holdfast.fmtArguments(), { cwd: folderOf(document), input: text, timeout });
    if (code !== 0) {
      log.appendLine(`${document.uri.fsPath}: ${stderr.trim()}`);
      return [];
    }
    if (stdout === text) {
      return [];
    }
    return [vscode.TextEdit.replace(new vscode.Range(document.positionAt(0), document.positionAt(text.length)), stdout)];
  } catch (error) {
    log.appendLine(`${document.uri.fsPath}: ${error.message}`);
    return [];
  }
}

function forget(uri) {
  const address = uri.toString();
  for (const one of shown.get(address) ?? []) {
    diagnostics.delete(one);
  }
  shown.delete(address);
  fixes.delete(address);
  runs.set(address, (runs.get(address) ?? 0) + 1);
}

module.exports = { activate, deactivate };
