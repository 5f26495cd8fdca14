// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

// As much of VS Code as the extension uses, so that it runs under node.
"use strict";

const fs = require("node:fs");
const Module = require("node:module");
const { pathToFileURL, fileURLToPath } = require("node:url");

class Position {
  constructor(line, character) {
    Object.assign(this, { line, character });
  }
  before(other) {
    return this.line < other.line || (this.line === other.line && this.character < other.character);
  }
}

class Range {
  constructor(start, end) {
    Object.assign(this, { start, end });
  }
  intersection(other) {
    return this.end.before(other.start) || other.end.before(this.start) ? undefined : this;
  }
  toString() {
    return `${this.start.line}:${this.start.character}-${this.end.line}:${this.end.character}`;
  }
}

class Uri {
  constructor(text) {
    this.text = text;
    this.scheme = text.slice(0, text.indexOf(":"));
  }
  static file(path) {
    return new Uri(pathToFileURL(path).href);
  }
  static parse(text) {
    return new Uri(text);
  }
  get fsPath() {
    return fileURLToPath(this.text);
  }
  toString() {
    return this.text;
  }
}

class Event {
  listeners = [];
  on = (listener) => {
    this.listeners.push(listener);
    return { dispose() {} };
  };
  fire(value) {
    return Promise.all(this.listeners.map((l) => l(value)));
  }
}

class Collection extends Map {
  set(uri, list) {
    return super.set(uri.toString(), list);
  }
  get(uri) {
    return super.get(uri.toString());
  }
  delete(uri) {
    return super.delete(uri.toString());
  }
}

class WorkspaceEdit {
  edits = [];
  replace(uri, range, text) {
    this.edits.push({ uri, range, text });
  }
}

// document is an open file; text stands for one that is not saved.
function document(path, text = fs.readFileSync(path, "utf8")) {
  const lines = text.split("\n");
  return {
    uri: Uri.file(path),
    languageId: "holdfast",
    version: 1,
    getText: () => text,
    positionAt(offset) {
      const before = text.slice(0, offset).split("\n");
      return new Position(before.length - 1, before.at(-1).length);
    },
    lines,
  };
}

// stub makes an editor and the module that it gives to extensions.
function stub(settings) {
  const editor = {
    settings,
    log: [],
    diagnostics: new Collection(),
    opened: new Event(),
    saved: new Event(),
    closed: new Event(),
    trusted: new Event(),
    commands: {},
  };
  editor.api = {
    Position,
    Range,
    Uri,
    WorkspaceEdit,
    Location: class {
      constructor(uri, range) {
        Object.assign(this, { uri, range });
      }
    },
    Diagnostic: class {
      constructor(range, message, severity) {
        Object.assign(this, { range, message, severity });
      }
    },
    DiagnosticRelatedInformation: class {
      constructor(location, message) {
        Object.assign(this, { location, message });
      }
    },
    CodeAction: class {
      constructor(title, kind) {
        Object.assign(this, { title, kind });
      }
    },
    TextEdit: { replace: (range, newText) => ({ range, newText }) },
    DiagnosticSeverity: { Error: 0, Warning: 1 },
    CodeActionKind: { QuickFix: "quickfix" },
    languages: {
      createDiagnosticCollection: () => editor.diagnostics,
      registerDocumentFormattingEditProvider: (_, p) => (editor.formatter = p),
      registerCodeActionsProvider: (_, p) => (editor.actions = p),
    },
    commands: { registerCommand: (name, f) => (editor.commands[name] = f) },
    window: {
      createOutputChannel: () => ({ appendLine: (line) => editor.log.push(line), dispose() {} }),
      activeTextEditor: undefined,
    },
    workspace: {
      isTrusted: true,
      textDocuments: [],
      fs: { readFile: async (uri) => fs.readFileSync(uri.fsPath) },
      getConfiguration: () => ({ get: (key, fallback) => editor.settings[key] ?? fallback }),
      onDidOpenTextDocument: editor.opened.on,
      onDidSaveTextDocument: editor.saved.on,
      onDidCloseTextDocument: editor.closed.on,
      onDidGrantWorkspaceTrust: editor.trusted.on,
    },
  };
  return editor;
}

// load loads the extension as the editor does.
function load(file, editor) {
  const resolve = Module._load;
  Module._load = function (request, ...rest) {
    return request === "vscode" ? editor.api : resolve.call(this, request, ...rest);
  };
  try {
    delete require.cache[require.resolve(file)];
    return require(file);
  } finally {
    Module._load = resolve;
  }
}

module.exports = { stub, load, document };
