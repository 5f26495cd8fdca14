// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

// Builds the extension: dist/extension, which VS Code runs as it is, and
// dist/holdfast-VERSION.vsix, which it installs. The same files give the same
// bytes each time.
"use strict";

const fs = require("node:fs");
const path = require("node:path");
const zlib = require("node:zlib");

const here = __dirname;

// sources are the files of the extension, and where they come from.
const sources = {
  "package.json": "package.json",
  "extension.js": "extension.js",
  "holdfast.js": "holdfast.js",
  "language-configuration.json": "language-configuration.json",
  "README.md": "README.md",
  "LICENSE.txt": "../../LICENSE",
  "holdfast.tmLanguage.json": "../holdfast.tmLanguage.json",
};

function read() {
  const files = {};
  for (const [name, from] of Object.entries(sources)) {
    files[name] = fs.readFileSync(path.join(here, from));
  }
  const manifest = JSON.parse(files["package.json"]);
  delete manifest.scripts;
  delete manifest.devDependencies;
  delete manifest.private;
  files["package.json"] = Buffer.from(JSON.stringify(manifest, null, 2) + "\n");
  return { files, manifest };
}

const escape = (s) => s.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);

// vsixManifest is what the gallery and the installer read.
function vsixManifest(m) {
  return `<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011" xmlns:d="http://schemas.microsoft.com/developer/vsx-schema-design/2011">
  <Metadata>
    <Identity Language="en-US" Id="${escape(m.name)}" Version="${escape(m.version)}" Publisher="${escape(m.publisher)}"/>
    <DisplayName>${escape(m.displayName)}</DisplayName>
    <Description xml:space="preserve">${escape(m.description)}</Description>
    <Tags>holdfast</Tags>
    <Categories>${escape(m.categories.join(","))}</Categories>
    <GalleryFlags>Public</GalleryFlags>
    <Properties>
      <Property Id="Microsoft.VisualStudio.Code.Engine" Value="${escape(m.engines.vscode)}"/>
      <Property Id="Microsoft.VisualStudio.Code.ExtensionKind" Value="workspace"/>
      <Property Id="Microsoft.VisualStudio.Services.Links.Source" Value="${escape(m.repository.url)}"/>
    </Properties>
    <License>extension/LICENSE.txt</License>
  </Metadata>
  <Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation>
  <Dependencies/>
  <Assets>
    <Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.Details" Path="extension/README.md" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.License" Path="extension/LICENSE.txt" Addressable="true"/>
  </Assets>
</PackageManifest>
`;
}

const contentTypes = `<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
  <Default Extension=".json" ContentType="application/json"/>
  <Default Extension=".js" ContentType="application/javascript"/>
  <Default Extension=".md" ContentType="text/markdown"/>
  <Default Extension=".txt" ContentType="text/plain"/>
  <Default Extension=".vsixmanifest" ContentType="text/xml"/>
</Types>
`;

// zip writes an archive, with the first day that its format knows as the time
// of all files.
function zip(files) {
  const bodies = [];
  const directory = [];
  let offset = 0;
  for (const [name, text] of Object.entries(files)) {
    const packed = zlib.deflateRawSync(text, { level: 9 });
    const entry = Buffer.alloc(26);
    entry.writeUInt16LE(20, 0); // the version that reads it
    entry.writeUInt16LE(0x0800, 2); // names are UTF-8
    entry.writeUInt16LE(8, 4); // deflate
    entry.writeUInt16LE(0x0021, 8); // 1980-01-01
    entry.writeUInt32LE(zlib.crc32 ? zlib.crc32(text) : crc32(text), 10);
    entry.writeUInt32LE(packed.length, 14);
    entry.writeUInt32LE(text.length, 18);
    entry.writeUInt16LE(Buffer.byteLength(name), 22);
    bodies.push(Buffer.from("PK\x03\x04", "latin1"), entry, Buffer.from(name), packed);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    directory.push(Buffer.from("PK\x01\x02\x14\x00", "latin1"), entry, rest, Buffer.from(name));
    offset += 30 + Buffer.byteLength(name) + packed.length;
  }
  const size = directory.reduce((n, b) => n + b.length, 0);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", "latin1");
  end.writeUInt16LE(Object.keys(files).length, 8);
  end.writeUInt16LE(Object.keys(files).length, 10);
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...bodies, ...directory, end]);
}

function crc32(bytes) {
  let crc = ~0;
  for (const b of bytes) {
    crc ^= b;
    for (let i = 0; i < 8; i++) {
      crc = (crc >>> 1) ^ (0xedb88320 & -(crc & 1));
    }
  }
  return ~crc >>> 0;
}

// vsix returns the name and bytes of the package, and the extension's files.
function vsix() {
  const { files, manifest } = read();
  const all = { "extension.vsixmanifest": Buffer.from(vsixManifest(manifest)), "[Content_Types].xml": Buffer.from(contentTypes) };
  for (const [name, text] of Object.entries(files)) {
    all[`extension/${name}`] = text;
  }
  return { name: `${manifest.name}-${manifest.version}.vsix`, bytes: zip(all), files };
}

function main() {
  const { name, bytes, files } = vsix();
  const dist = path.join(here, "dist");
  fs.rmSync(dist, { recursive: true, force: true });
  fs.mkdirSync(path.join(dist, "extension"), { recursive: true });
  for (const [file, text] of Object.entries(files)) {
    fs.writeFileSync(path.join(dist, "extension", file), text);
  }
  fs.writeFileSync(path.join(dist, name), bytes);
  console.log(`dist/${name}: ${bytes.length} bytes`);
}

if (require.main === module) {
  main();
}

module.exports = { vsix };
