// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package docs_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const (
	ciExamples = "../examples/ci"
	hooksFile  = "../.pre-commit-hooks.yaml"
)

// sampleRepository makes what the examples expect: policies, and recorded runs
// of which one is not allowed.
func sampleRepository(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for to, from := range map[string]string{
		"policies/mail.gr": "policy.gr", "traces/clean.json": "clean.json", "traces/help.json": "trace.json",
	} {
		writeFile(t, filepath.Join(dir, filepath.FromSlash(to)), readFile(t, filepath.Join("../examples/quickstart", from)))
	}
	return dir
}

// TestCIPage runs the commands of ci.md in the sample repository.
func TestCIPage(t *testing.T) {
	sh := newShell(t, sampleRepository(t))
	p := readPage(t, "ci.md")
	p.fences(t, func(f fence) string {
		switch f.language {
		case "console":
			return sh.session(t, f.text)
		case "yaml":
			return uncommented(readFile(t, filepath.Join(ciExamples, f.label)))
		default:
			t.Errorf("%s:%d: a block of an unknown kind %q", p.name, f.line, f.language)
		}
		return f.text
	})
	p.finish(t)
}

// uncommented drops the comment that a file begins with.
func uncommented(text string) string {
	for strings.HasPrefix(text, "#") {
		_, text, _ = strings.Cut(text, "\n")
	}
	return text
}

// workflow reads a workflow and returns the commands of its job.
func workflow(t *testing.T, name string) (commands []string) {
	t.Helper()
	value, err := readYAML(readFile(t, filepath.Join(ciExamples, name)))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	file := value.(map[string]any)
	version, _ := file["env"].(map[string]any)["HOLDFAST_VERSION"].(string)
	if !regexp.MustCompile(`^v\d+\.\d+\.\d+$`).MatchString(version) {
		t.Errorf("%s: got version %q, want one that is pinned", name, version)
	}
	for _, step := range file["jobs"].(map[string]any)["check"].(map[string]any)["steps"].([]any) {
		if command, ok := step.(map[string]any)["run"].(string); ok {
			commands = append(commands, command)
		}
	}
	return commands
}

// checkStep returns the command behind the one that installs, which is checked
// here and not run: it needs the network.
func checkStep(t *testing.T, name string) string {
	t.Helper()
	commands := workflow(t, name)
	module, _, _ := strings.Cut(strings.TrimPrefix(readFile(t, "../go.mod"), "module "), "\n")
	install := "go install " + module + "/cmd/holdfast@$HOLDFAST_VERSION"
	if len(commands) != 2 || commands[0] != install {
		t.Fatalf("%s: got commands %q, want %q and the check", name, commands, install)
	}
	return commands[1]
}

// TestWorkflowAnnotates runs the command of the workflow as the runner does:
// the job fails, and the run that is not allowed is named with file and line.
func TestWorkflowAnnotates(t *testing.T) {
	dir := sampleRepository(t)
	sh := newShell(t, dir)
	command := checkStep(t, "github-actions.yml")
	out := sh.run(t, command)
	if want := regexp.MustCompile(`(?m)^::error file=traces/help\.json,line=(\d+)[,:]`); sh.code != 3 || !want.MatchString(out) {
		t.Errorf("got exit code %d, want 3 and %s\n%s", sh.code, want, out)
	} else {
		annotated(t, filepath.Join(dir, "traces/help.json"), want.FindStringSubmatch(out)[1])
	}
	if err := os.Remove(filepath.Join(dir, "traces/help.json")); err != nil {
		t.Fatal(err)
	}
	if out := sh.run(t, command); sh.code != 0 || strings.Contains(out, "::error") {
		t.Errorf("without the run: got exit code %d\n%s", sh.code, out)
	}
}

// annotated checks that a line of the trace is that of the call.
func annotated(t *testing.T, file, line string) {
	t.Helper()
	var n int
	if _, err := fmt.Sscan(line, &n); err != nil {
		t.Fatal(err)
	}
	if lines := strings.Split(readFile(t, file), "\n"); n < 1 || n > len(lines) || !strings.Contains(lines[n-1], "send_email") {
		t.Errorf("line %s of %s is annotated, which does not hold the call", line, file)
	}
}

// TestWorkflowUploads runs the command of the code scanning workflow and looks
// for the finding in what would be uploaded.
func TestWorkflowUploads(t *testing.T) {
	dir := sampleRepository(t)
	sh := newShell(t, dir)
	if out := sh.run(t, checkStep(t, "code-scanning.yml")); sh.code != 3 {
		t.Errorf("got exit code %d, want 3\n%s", sh.code, out)
	}
	var log struct {
		Version string
		Runs    []struct {
			Results []struct {
				Level     string
				Locations []struct {
					PhysicalLocation struct {
						ArtifactLocation struct{ URI string }
						Region           struct{ StartLine int }
					}
				}
			}
		}
	}
	if err := json.Unmarshal([]byte(readFile(t, filepath.Join(dir, "holdfast.sarif"))), &log); err != nil {
		t.Fatal(err)
	}
	if log.Version != "2.1.0" || len(log.Runs) != 1 || len(log.Runs[0].Results) != 1 || len(log.Runs[0].Results[0].Locations) == 0 {
		t.Fatalf("got %+v, want one run with one result that has a location", log)
	}
	at := log.Runs[0].Results[0].Locations[0].PhysicalLocation
	if at.ArtifactLocation.URI != "traces/help.json" {
		t.Errorf("got a result in %s, want traces/help.json", at.ArtifactLocation.URI)
	}
	annotated(t, filepath.Join(dir, "traces/help.json"), fmt.Sprint(at.Region.StartLine))
}

// TestWorkflowOfPolicies runs the commands of the workflow that looks at the
// policies: all pass, and each fails for what it is there for.
func TestWorkflowOfPolicies(t *testing.T) {
	dir := sampleRepository(t)
	policy := filepath.Join(dir, "policies/mail.gr")
	good := readFile(t, policy)
	writeFile(t, filepath.Join(dir, "policies/mail_test.txtar"), strings.Replace(readFile(t, "../examples/quickstart/policy_test.txtar"), "-- policy policy.gr --", "-- policy mail.gr --", 1))
	sh := newShell(t, dir)
	commands := workflow(t, "policies.yml")[1:]
	if len(commands) != 4 {
		t.Fatalf("got the commands %q, want one each for fmt, vet, test and the report", commands)
	}
	for _, command := range commands {
		if out := sh.run(t, command); sh.code != 0 {
			t.Errorf("%s: got exit code %d\n%s", command, sh.code, out)
		}
	}
	for i, tt := range []struct {
		old, new, want string
		code           int
	}{
		{"\" if:", "\"  if:", "policies/mail.gr", 3},
		{"raise ", "import json\nraise ", "::warning file=policies/mail.gr,line=1,", 3},
		{"raise ", "warn ", "::error file=policies/mail_test.txtar,line=", 1},
	} {
		writeFile(t, policy, strings.Replace(good, tt.old, tt.new, 1))
		if out := sh.run(t, commands[i]); sh.code != tt.code || !strings.Contains(out, tt.want) {
			t.Errorf("%s: got exit code %d, want %d and %s\n%s", commands[i], sh.code, tt.code, tt.want, out)
		}
	}
}

// hook reads the manifest and the example of its use, and returns the command
// that pre-commit would run and the pattern of the files that make it run.
func hook(t *testing.T) (command string, when *regexp.Regexp) {
	t.Helper()
	manifest, err := readYAML(readFile(t, hooksFile))
	if err != nil {
		t.Fatal(err)
	}
	config, err := readYAML(readFile(t, filepath.Join(ciExamples, "pre-commit-config.yaml")))
	if err != nil {
		t.Fatal(err)
	}
	offered := manifest.([]any)[0].(map[string]any)
	used := config.(map[string]any)["repos"].([]any)[0].(map[string]any)["hooks"].([]any)[0].(map[string]any)
	if offered["id"] != used["id"] || offered["language"] != "golang" || offered["pass_filenames"] != "false" {
		t.Fatalf("got hook %v and use %v", offered, used)
	}
	// What the user writes replaces what the manifest says.
	command = offered["entry"].(string)
	for _, arg := range used["args"].([]any) {
		command += " " + arg.(string)
	}
	return command, regexp.MustCompile(used["files"].(string))
}

// TestHook runs the hook as pre-commit calls it.
func TestHook(t *testing.T) {
	dir := sampleRepository(t)
	sh := newShell(t, dir)
	command, when := hook(t)
	if out := sh.run(t, command); sh.code != 3 || !strings.Contains(out, "traces/help.json: deny") {
		t.Errorf("%s: got exit code %d, want 3\n%s", command, sh.code, out)
	}
	for name, want := range map[string]bool{"policies/mail.gr": true, "traces/help.json": true, "README.md": false} {
		if when.MatchString(name) != want {
			t.Errorf("the hook runs for %s: %v, want %v", name, !want, want)
		}
	}
}

// TestPreCommit runs pre-commit itself, where it is installed, on the hook as
// it is committed here.
func TestPreCommit(t *testing.T) {
	for _, tool := range []string{"pre-commit", "git"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("%s is not installed", tool)
		}
	}
	if testing.Short() {
		t.Skip("it builds the command anew")
	}
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	dir := sampleRepository(t)
	sh := newShell(t, dir)
	config := readFile(t, filepath.Join(ciExamples, "pre-commit-config.yaml"))
	config = strings.Replace(config, "https://github.com/holdfast-dev/holdfast", root, 1)
	commit := strings.TrimSpace(sh.run(t, "git -C '"+root+"' rev-parse HEAD"))
	if sh.code != 0 {
		t.Skip("the repository has no history here")
	}
	writeFile(t, filepath.Join(dir, ".pre-commit-config.yaml"), strings.Replace(config, "v0.1.0", commit, 1))
	t.Setenv("PRE_COMMIT_HOME", t.TempDir())
	t.Setenv("GOMODCACHE", strings.TrimSpace(sh.run(t, "go env GOMODCACHE")))
	sh.run(t, "git init -q && git add -A")
	if out := sh.run(t, "pre-commit run --all-files"); sh.code != 1 || !strings.Contains(out, "exit code: 3") || !strings.Contains(out, "traces/help.json: deny") {
		t.Errorf("got exit code %d, want 1 and the report\n%s", sh.code, out)
	}
	if err := os.Remove(filepath.Join(dir, "traces/help.json")); err != nil {
		t.Fatal(err)
	}
	if out := sh.run(t, "git add -A && pre-commit run --all-files"); sh.code != 0 {
		t.Errorf("without the run: got exit code %d\n%s", sh.code, out)
	}
}
