// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package docs_test

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
)

// TestOutputPage runs the commands of output.md over the files that it shows.
func TestOutputPage(t *testing.T) {
	dir := t.TempDir()
	sh := newShell(t, dir)
	p := readPage(t, "output.md")
	p.fences(t, func(f fence) string {
		command, isCommand := strings.CutPrefix(f.label, "holdfast ")
		switch {
		case f.language == "console":
			return sh.session(t, f.text)
		case isCommand:
			return shownJSON(t, sh.run(t, "{ holdfast "+command+"; } 2>/dev/null; true"))
		case f.label != "":
			writeFile(t, filepath.Join(dir, f.label), f.text)
		default:
			t.Errorf("%s:%d: a block of an unknown kind %q", p.name, f.line, f.language)
		}
		return f.text
	})
	p.finish(t)
}

// shownJSON indents an object; of a SARIF document it is the first result.
func shownJSON(t *testing.T, text string) string {
	t.Helper()
	var sarif struct {
		Runs []struct{ Results []json.RawMessage }
	}
	if err := json.Unmarshal([]byte(text), &sarif); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if len(sarif.Runs) > 0 {
		text = string(sarif.Runs[0].Results[0])
	}
	var b bytes.Buffer
	if err := json.Indent(&b, []byte(strings.TrimSpace(text)), "", "  "); err != nil {
		t.Fatal(err)
	}
	return b.String() + "\n"
}
