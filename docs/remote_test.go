// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package docs_test

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/holdfast-dev/holdfast/detect/configured"
)

// The addresses that remote-detectors.md shows, of a detector and of models.
const (
	shownDetector = "127.0.0.1:8000"
	shownModels   = "127.0.0.1:11434"
)

// TestRemoteDetectorsPage starts the servers of remote-detectors.md, runs its
// commands, and holds what it shows to the schemas and to the code.
func TestRemoteDetectorsPage(t *testing.T) {
	dir := t.TempDir()
	sh := newShell(t, dir)
	t.Setenv("HOLDFAST_DETECTOR_TOKEN", "secret")
	models := httptest.NewServer(http.HandlerFunc(judgeAll))
	defer models.Close()
	real := []string{shownModels, models.Listener.Addr().String()}
	p := readPage(t, "remote-detectors.md")
	p.fences(t, func(f fence) string {
		switch {
		case f.label == "start":
			real = append(real, shownDetector, startShown(t, f.text))
		case f.language == "console":
			return reversed(real).Replace(sh.session(t, strings.NewReplacer(real...).Replace(f.text)))
		case f.label == "request", f.label == "response":
			holdToSchema(t, "remote-"+f.label+".schema.json", f.text)
		case f.label == "example":
			holdToExample(t, "../detect/remote/example_test.go", f.text)
		case f.label == "detectors.yaml":
			text := strings.NewReplacer(real...).Replace(f.text)
			if _, err := configured.Read([]byte(text)); err != nil {
				t.Errorf("%s:%d: %v", p.name, f.line, err)
			}
			writeFile(t, filepath.Join(dir, f.label), text)
		case f.label != "":
			writeFile(t, filepath.Join(dir, f.label), f.text)
		default:
			t.Errorf("%s:%d: a block of an unknown kind %q", p.name, f.line, f.language)
		}
		return f.text
	})
	p.finish(t)
}

// reversed maps back what pairs map.
func reversed(pairs []string) *strings.Replacer {
	var out []string
	for i := 0; i+1 < len(pairs); i += 2 {
		out = append(out, pairs[i+1], pairs[i])
	}
	return strings.NewReplacer(out...)
}

// startShown starts the server that a command of the page starts, on a port
// that is free, and returns its address.
func startShown(t *testing.T, command string) string {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	cmd := exec.CommandContext(ctx, "sh", "-c", "exec env "+strings.Replace(command, shownDetector, "127.0.0.1:0", 1))
	cmd.Dir, cmd.Stderr = "..", os.Stderr
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cancel()
		_ = cmd.Wait() // it was killed
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("starting %s: %v", command, err)
	}
	_, address, _ := strings.Cut(strings.TrimSpace(line), "http://")
	return strings.TrimSuffix(address, "/detect")
}

// judgeAll is a server of models that finds all texts about idiots insulting.
func judgeAll(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	score := "0.01"
	if err == nil && strings.Contains(string(body), "idiot") {
		score = "0.98"
	}
	_, _ = io.WriteString(w, `{"results":[{"category_scores":{"harassment":`+score+`}}]}`)
}

func holdToSchema(t *testing.T, schema, text string) {
	t.Helper()
	s, err := jsonschema.NewCompiler().Compile(schema)
	if err != nil {
		t.Fatal(err)
	}
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err == nil {
		err = s.Validate(value)
	}
	if err != nil {
		t.Errorf("%s\n%v", text, err)
	}
}

// holdToExample wants the lines of a text to stand in a file that is compiled.
func holdToExample(t *testing.T, file, text string) {
	t.Helper()
	source := strings.ReplaceAll(readFile(t, file), "\n\t", "\n")
	if !strings.Contains(source, text) {
		t.Errorf("%s does not have what the page shows of it:\n%s", file, text)
	}
}
