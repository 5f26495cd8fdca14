// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package docs_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/holdfast-dev/holdfast"
	"github.com/holdfast-dev/holdfast/detect/local"
	"github.com/holdfast-dev/holdfast/policytest"
	"github.com/holdfast-dev/holdfast/trace"
)

const fromInvariant = "../examples/from-invariant"

// TestComingFromInvariant holds the page on differences to the cases that it
// shows: each is our answer, checked here, beside the one that the public
// analyzer gave when record.py asked it.
func TestComingFromInvariant(t *testing.T) {
	sections := map[string]map[string]string{}
	for _, name := range files(t, fromInvariant, "*.txtar") {
		t.Run(name, func(t *testing.T) {
			policytest.Run(t, filepath.Join(fromInvariant, name), &policytest.Options{
				Update: *update, Compile: &holdfast.Options{Detectors: local.Detectors()},
			})
			sections[name] = sectionsOf(t, filepath.Join(fromInvariant, name))
			checkPending(t, sections[name])
		})
	}
	p := readPage(t, "coming-from-invariant.md")
	shown := map[string]bool{}
	p.fences(t, func(f fence) string {
		of, ok := sections[f.label]
		switch {
		case f.language == "sh":
		case f.label == "check.py":
			src := readFile(t, filepath.Join(fromInvariant, f.label))
			return src[strings.Index(src, "import "):]
		case !ok:
			t.Errorf("%s:%d: there is no case %q", p.name, f.line, f.label)
		case f.language == "python":
			return of["policy"]
		case f.language == "json":
			return of["trace"]
		case f.language == "text":
			shown[f.label] = true
			return beside("invariant", of["invariant"]) + beside("holdfast", strings.TrimPrefix(of["want"], "show warnings\n"))
		}
		return f.text
	})
	p.finish(t)
	for name := range sections {
		if !shown[name] {
			t.Errorf("%s does not show %s", p.name, name)
		}
	}
}

func sectionsOf(t *testing.T, name string) map[string]string {
	t.Helper()
	archive, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, f := range archive.Files {
		out[f.Name] = string(f.Data)
	}
	return out
}

// beside puts a name in front of the first line of an answer.
func beside(name, answer string) string {
	var out strings.Builder
	for line := range strings.Lines(answer) {
		out.WriteString(name + strings.Repeat(" ", len("invariant  ")-len(name)) + line)
		name = ""
	}
	return out.String()
}

// checkPending asks a monitor about the pending events of a case, which must
// be denied.
func checkPending(t *testing.T, of map[string]string) {
	t.Helper()
	if of["pending"] == "" {
		return
	}
	n, err := strconv.Atoi(strings.TrimSpace(of["pending"]))
	if err != nil {
		t.Fatal(err)
	}
	policy, err := holdfast.Compile("policy.gr", []byte(of["policy"]), nil)
	if err != nil {
		t.Fatal(err)
	}
	run, err := trace.Decode([]byte(of["trace"]), nil)
	if err != nil {
		t.Fatal(err)
	}
	monitor, err := policy.Monitor(nil)
	if err != nil {
		t.Fatal(err)
	}
	cut := len(run.Events) - n
	if _, err := monitor.Append(context.Background(), run.Events[:cut]...); err != nil {
		t.Fatal(err)
	}
	verdict, err := monitor.Check(context.Background(), run.Events[cut:]...)
	if err != nil || verdict.Decision() != holdfast.Deny {
		t.Errorf("got %v, %v for the pending events, want them denied", verdict.Decision(), err)
	}
}

// python returns the interpreter, or skips the test.
func python(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"python3", "python"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("there is no Python")
	return ""
}

// TestRecordedAnswers asks the public analyzer again, where the environment
// names a Python that has it.
func TestRecordedAnswers(t *testing.T) {
	interpreter := os.Getenv("HOLDFAST_INVARIANT_PYTHON")
	if interpreter == "" {
		t.Skip("HOLDFAST_INVARIANT_PYTHON names no Python with the package invariant-ai 0.3.5")
	}
	cmd := exec.Command(interpreter, "-B", "record.py", "--check")
	cmd.Dir = fromInvariant
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestCompare runs compare.py with a package in the place of the public
// analyzer whose answers are those of a file, and Holdfast as it is.
func TestCompare(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "policy.gr"), `raise f"mail to {call.function.arguments.to}" if:
    (call: ToolCall)
    call is tool:send_mail
    call.function.arguments.to != "ann@corp.example"
`)
	mail := `[{"role": "assistant", "content": null, "tool_calls": [{"id": "1", "type": "function", "function": ` +
		`{"name": "send_mail", "arguments": {"to": "eve@evil.example"}}}]}]`
	writeFile(t, filepath.Join(dir, "mail.json"), mail)
	writeFile(t, filepath.Join(dir, "gap.json"), strings.Replace(mail, `"to"`, `"cc"`, 1))
	writeFile(t, filepath.Join(dir, "two.jsonl"), mail+"\n[]\n")
	writeFile(t, filepath.Join(dir, "cut.json"), mail[:20])
	writeFile(t, filepath.Join(dir, "invariant", "__init__.py"), "")
	writeFile(t, filepath.Join(dir, "invariant", "analyzer.py"), stubAnalyzer)

	script, err := filepath.Abs(filepath.Join(fromInvariant, "compare.py"))
	if err != nil {
		t.Fatal(err)
	}
	sh := newShell(t, dir)
	t.Setenv("PYTHONPATH", dir)
	run := python(t) + " -B " + script
	for _, test := range []struct {
		args string
		want string
		code int
	}{
		{"policy.gr mail.json", "mail.json: same\n1 same, 0 differ\n", 0},
		{"policy.gr gap.json two.jsonl", `gap.json: differs
  invariant: no answer: KeyError: 'to'
  holdfast:  unknown (missing: no key "to")
two.jsonl #0: same
two.jsonl #1: differs
  invariant: 'nothing' in event 0
  holdfast:  no violation
1 same, 2 differ
`, 3},
		{"policy.gr mail.json cut.json 2>/dev/null", "mail.json: same\n1 same, 0 differ, 1 not read\n", 1},
		{"--holdfast ./nowhere policy.gr mail.json 2>/dev/null", "", 2},
	} {
		out := sh.run(t, run+" "+test.args)
		if out != test.want || sh.code != test.code {
			t.Errorf("compare.py %s: got exit code %d and\n%s\nwant %d and\n%s", test.args, sh.code, out, test.code, test.want)
		}
	}
	if err := os.RemoveAll(filepath.Join(dir, "invariant")); err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(dir, "invariant.py"), "")
	if out := sh.run(t, run+" policy.gr mail.json"); sh.code != 2 || !strings.Contains(out, "pip install invariant-ai") {
		t.Errorf("without the analyzer: got exit code %d and\n%s", sh.code, out)
	}
}

// stubAnalyzer answers as the analyzer's interface does. What it answers is
// made up so that each way to differ is there.
const stubAnalyzer = `
class Range:
    json_path = "0.tool_calls.0"

class Found:
    def __init__(self, message):
        self.args, self.ranges = [message], [Range()]

class Result:
    def __init__(self, errors):
        self.errors = errors

class LocalPolicy:
    @classmethod
    def from_string(cls, source):
        print("loaded")
        return cls()

    def analyze(self, trace, **parameters):
        if not trace:
            return Result([Found("nothing")])
        trace[0]["tool_calls"][0]["function"]["arguments"]["to"]
        return Result([Found("mail to {call.function.arguments.to}")])
`

// TestCheckFromPython runs the function that Python users are given.
func TestCheckFromPython(t *testing.T) {
	sh := newShell(t, fromInvariant)
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "policy.gr"), "raise \"x\" if:\n    (m: Message)\n    m.content == input.word\n")
	writeFile(t, filepath.Join(dir, "ask.py"), `import sys
import check
for word in ("hi", "ho"):
    found = check.analyze(sys.argv[1], [{"role": "user", "content": "hi"}], word=word)
    print(found["verdict"], len(found["violations"]))
try:
    check.analyze("nowhere.gr", [])
except RuntimeError as error:
    print("nowhere.gr" in str(error))
`)
	t.Setenv("PYTHONPATH", ".")
	out := sh.run(t, python(t)+" -B "+filepath.Join(dir, "ask.py")+" "+filepath.Join(dir, "policy.gr"))
	if want := "deny 1\nallow 0\nTrue\n"; out != want {
		t.Errorf("got\n%s\nwant\n%s", out, want)
	}
}
