// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/ulikunitz/xz"
	"github.com/ulikunitz/xz/lzma"
)

// process returns the command as a process of its own: the binary of the tests
// is the command under that name.
func process(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self, args...)
	cmd.Args[0] = "holdfast"
	return cmd
}

func TestScanWithBrokenPipe(t *testing.T) {
	for _, format := range []string{"text", "jsonl"} {
		var stderr strings.Builder
		args := []string{"scan", "testdata/mail.gr", "testdata/mail.json", "--format", format}
		code := run(args, strings.NewReader(""), closedPipe{}, &stderr)
		if want := "writing output: broken pipe"; code != exitFailure || !strings.Contains(stderr.String(), want) {
			t.Errorf("with %s got exit code %d and %q, want %d and %q", format, code, stderr.String(), exitFailure, want)
		}
	}
}

// TestScanInterrupted sends an interrupt while the command waits for input:
// what it has read by then is in the results, and is said not to be all.
func TestScanInterrupted(t *testing.T) {
	cmd, stdin := scanPipe(t, "testdata/mail.gr", "-", "--format", "jsonl")
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	stderr := start(t, cmd)
	fmt.Fprint(stdin, strings.Repeat(`[{"role": "user", "content": "a"}]`+"\n", 3))
	lines := bufio.NewScanner(stdout)
	for n := range 3 {
		if !lines.Scan() {
			t.Fatalf("got %d results, want 3\n%s", n, stderr)
		}
	}
	interrupt(t, cmd, stderr)
	if want := "interrupted, after 3 traces of the input; what follows is not in the results\n"; !strings.HasSuffix(stderr.String(), want) {
		t.Errorf("got\n%s\nwant %q", stderr, want)
	}
}

// TestScanInterruptedWithOutput does the same to a file: it keeps the name of
// one that is not whole, and has whole results in it.
func TestScanInterruptedWithOutput(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out.jsonl")
	cmd, stdin := scanPipe(t, "testdata/mail.gr", "-", "--format", "jsonl", "--output", out)
	stderr := start(t, cmd)
	// Enough for what is written to reach the file.
	fmt.Fprint(stdin, strings.Repeat(`[{"role": "user", "content": "a"}]`+"\n", 20_000))
	for {
		if st, err := os.Stat(out + partialExt); err == nil && st.Size() > 0 {
			break
		}
		runtime.Gosched()
	}
	interrupt(t, cmd, stderr)
	if _, err := os.Stat(out); err == nil {
		t.Errorf("%s looks whole after an interrupt", out)
	}
	partial, err := os.ReadFile(out + partialExt)
	if err != nil {
		t.Fatal(err)
	}
	want := fmt.Sprintf("interrupted, after %d traces", strings.Count(string(partial), "\n"))
	if !strings.HasSuffix(string(partial), "}\n") || !strings.Contains(stderr.String(), want) {
		t.Errorf("got\n%s\nwant %q, and whole lines", stderr, want)
	}
}

// scanPipe returns a scan that reads from a pipe.
func scanPipe(t *testing.T, args ...string) (*exec.Cmd, io.WriteCloser) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("there is no interrupt to send")
	}
	cmd := process(t, append([]string{"scan"}, args...)...)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	return cmd, stdin
}

// start starts a command and returns what it will say on standard error.
func start(t *testing.T, cmd *exec.Cmd) *strings.Builder {
	t.Helper()
	stderr := new(strings.Builder)
	cmd.Stderr = stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return stderr
}

// interrupt ends a command, which has to be a failure.
func interrupt(t *testing.T, cmd *exec.Cmd, stderr *strings.Builder) {
	t.Helper()
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	err := cmd.Wait()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != exitFailure {
		t.Fatalf("got %v, want exit code %d\n%s", err, exitFailure, stderr)
	}
}

// TestScanMemory makes inputs that would not fit into the bound if any part of
// the way held more of them than it must, and asks the command what it took.
func TestScanMemory(t *testing.T) {
	switch {
	case runtime.GOOS != "linux":
		t.Skip("the peak of resident memory is known on Linux")
	case raceEnabled:
		t.Skip("the race detector takes memory of its own")
	case testing.Short():
		t.Skip("it takes seconds")
	}
	const bound = 300e6
	policy := filepath.Join(t.TempDir(), "policy.gr")
	if err := os.WriteFile(policy, []byte(scanMemoryPolicy), 0o600); err != nil {
		t.Fatal(err)
	}
	event := `{"role":"assistant","content":"","tool_calls":[{"id":"c","type":"function","function":{"name":"send","arguments":{"to":"a@b.c","body":"` +
		strings.Repeat("hello ", 20) + `"}}}]},{"role":"tool","tool_call_id":"c","content":"` + strings.Repeat("some text ", 40) + `"}`
	small := list(event, 9)
	message := `{"role":"user","content":""}`
	cases := []struct {
		name  string
		write func(io.Writer) error
	}{
		{"lines", repeated("", small, "\n", "", 400e6)},
		{"one array of traces", repeated("[", small, ",", small+"]", 400e6)},
		{"one trace", repeated("[", event, ",", event+"]", 400e6)},
		{"lines as long as they may be", repeated("", list(event, 7_900_000/len(event)), "\n", "", 60e6)},
		{"lines of tiny messages", repeated("", list(message, 3_000_000/len(message)), "\n", "", 40e6)},
		{"lines of nothing but brackets", repeated("", `[{"role":"assistant","tool_calls":[{"id":"c","function":{"name":"f","arguments":{"x":`+
			list("[]", 300_000)+`}}}]}]`, "\n", "", 20e6)},
		{"xz with a large window", packed(repeated("", list(event, 7_900_000/len(event)), "\n", "", 30e6))},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			peak, out := scanPeak(t, c.write, policy)
			t.Logf("%.0f MB, %s", float64(peak)/1e6, out)
			if peak > bound {
				t.Errorf("got %.0f MB at the peak, want at most %.0f\n%s", float64(peak)/1e6, bound/1e6, out)
			}
		})
	}
}

const scanMemoryPolicy = `
raise "flow" if:
    (out: ToolOutput) -> (call: ToolCall)
    out is tool:fetch
    call is tool:send
    call.arguments.to in out.content

raise "word" if:
    (m: Message)
    "forbidden" in m.content
`

// list is a JSON list of n times the same.
func list(element string, n int) string {
	return "[" + strings.Repeat(element+",", n-1) + element + "]"
}

// repeated writes head, then pieces with sep behind them up to size, then tail.
func repeated(head, piece, sep, tail string, size int) func(io.Writer) error {
	return func(w io.Writer) error {
		b := bufio.NewWriterSize(w, 1<<20)
		fmt.Fprint(b, head)
		for n := 0; n < size; n += len(piece) + len(sep) {
			_, _ = b.WriteString(piece)
			_, _ = b.WriteString(sep)
		}
		fmt.Fprint(b, tail)
		return b.Flush()
	}
}

// packed compresses what write writes so that a reader has to remember 64 MiB.
func packed(write func(io.Writer) error) func(io.Writer) error {
	return func(w io.Writer) error {
		z, err := xz.WriterConfig{DictCap: 64 << 20, Matcher: lzma.HashTable4}.NewWriter(w)
		if err != nil {
			return err
		}
		return errors.Join(write(z), z.Close())
	}
}

var (
	peakLine = regexp.MustCompile(`(?m)^peak memory +([0-9.]+) MB$`)
	headLine = regexp.MustCompile(`(?m)^([0-9,]+|no) traces?.*$`)
)

// scanPeak scans what write writes and returns the peak of resident memory, as
// the command knows it from the kernel, and what it found.
func scanPeak(t *testing.T, write func(io.Writer) error, policy string) (int64, string) {
	t.Helper()
	cmd := process(t, "scan", policy, "-", "--stats", "--workers", "8")
	cmd.Env = append(os.Environ(), "GOGC=", "GOMEMLIMIT=")
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(write(stdin), stdin.Close()); err != nil && !errors.Is(err, syscall.EPIPE) {
		t.Fatal(err)
	}
	_ = cmd.Wait() // a trace over the limit makes it fail, as it should
	m := peakLine.FindStringSubmatch(out.String())
	if m == nil {
		t.Fatalf("no peak in\n%s", out.String())
	}
	peak, err := strconv.ParseFloat(m[1], 64)
	if err != nil {
		t.Fatal(err)
	}
	return int64(peak * 1e6), headLine.FindString(out.String())
}

func TestByteSize(t *testing.T) {
	for text, want := range map[string]byteSize{"1": 1, "512k": 512 << 10, "16M": 16 << 20, "16MB": 16 << 20, "16MiB": 16 << 20, "2g": 2 << 30} {
		var got byteSize
		if err := got.Set(text); err != nil || got != want {
			t.Errorf("%s: got %d (%v), want %d", text, got, err, want)
		}
	}
	for _, text := range []string{"", "M", "-1", "0", "1T", "1.5M", "99999999999G"} {
		var got byteSize
		if err := got.Set(text); err == nil {
			t.Errorf("%q: got %d, want an error", text, got)
		}
	}
	if got := defaultMaxTrace.String(); got != "8M" {
		t.Errorf("got %s, want 8M", got)
	}
}
