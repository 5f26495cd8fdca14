// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

//go:build unix

package subprocess

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// fakes are programs that this test's binary is when it is called with their
// name.
var fakes = map[string]func(){
	"echo": func() { _, _ = io.Copy(os.Stdout, os.Stdin) },
	"where": func() {
		wd, _ := os.Getwd()
		fmt.Println(wd)
		fmt.Println(strings.Join(os.Environ(), "\n"))
	},
	"flood": func() {
		for {
			if _, err := os.Stdout.WriteString(strings.Repeat("a", 4096)); err != nil {
				return
			}
		}
	},
	"hang": func() { // and a child that holds the pipe
		startChild(os.Stdout)
		select {}
	},
	"orphan": func() { fmt.Print(startChild(nil)) },
	"child":  func() { time.Sleep(time.Hour) },
	"fail":   func() { fmt.Print("half"); os.Exit(3) },
}

func startChild(out *os.File) int {
	c := exec.Command(os.Args[0], "child")
	if out != nil {
		c.Stdout = out
	}
	if err := c.Start(); err != nil {
		panic(err)
	}
	return c.Process.Pid
}

func TestMain(m *testing.M) {
	if fake := fakes[os.Args[len(os.Args)-1]]; fake != nil && len(os.Args) == 2 {
		fake()
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// ask runs a fake; the change adapts the bounds.
func ask(t *testing.T, ctx context.Context, fake string, change func(*Program, *Question)) (said, folder string, err error) {
	t.Helper()
	path, err := Find("the fake", os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	p := &Program{What: "the fake", Path: path, Timeout: time.Minute, MaxOutput: 1000}
	out, err := p.Ask(ctx, func(f string) (*Question, error) {
		folder = f
		info, err := os.Stat(f)
		if err != nil || info.Mode().Perm()&0o077 != 0 {
			t.Errorf("the folder is open to others: %v %v", info, err)
		}
		q := &Question{Args: []string{fake}, Dir: f}
		if change != nil {
			change(p, q)
		}
		return q, nil
	})
	if _, err := os.Stat(folder); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the folder is left: %v", err)
	}
	return string(out), folder, err
}

func TestAsk(t *testing.T) {
	t.Setenv("SECRET_OF_OURS", "x")
	said, _, err := ask(t, t.Context(), "echo", func(_ *Program, q *Question) { q.Input = strings.NewReader("é") })
	if said != "é" || err != nil {
		t.Errorf("got %q %v", said, err)
	}
	said, folder, err := ask(t, t.Context(), "where", func(_ *Program, q *Question) { q.Env = []string{"MORE=1"} })
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(said), "\n")
	if !strings.HasSuffix(lines[0], folder) {
		t.Errorf("it runs in %s, want %s", lines[0], folder)
	}
	for _, l := range lines[1:] {
		switch name, value, _ := strings.Cut(l, "="); name {
		case "LANG", "MORE", "PWD":
		case "HOME", "TMPDIR":
			if value != folder {
				t.Errorf("%s, want %s", l, folder)
			}
		default:
			t.Errorf("it sees %s", l)
		}
	}
}

func TestBounds(t *testing.T) {
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	for _, test := range []struct {
		ctx        context.Context
		fake, want string
		change     func(*Program, *Question)
	}{
		{t.Context(), "flood", "the fake says more than 1000 bytes", nil},
		{t.Context(), "hang", "the fake was stopped: context deadline exceeded", func(*Program, *Question) {}},
		{gone, "echo", "context canceled", nil},
		{t.Context(), "fail", "the fake failed: exit status 3", nil},
		{t.Context(), "echo", "starting the fake", func(p *Program, _ *Question) { p.Path += "/no" }},
	} {
		change := test.change
		if test.fake == "hang" {
			short, stop := context.WithTimeout(t.Context(), 300*time.Millisecond)
			defer stop()
			test.ctx = short
		}
		if said, _, err := ask(t, test.ctx, test.fake, change); err == nil || !strings.Contains(err.Error(), test.want) || said != "" {
			t.Errorf("%s: got %q %v, want %s", test.fake, said, err, test.want)
		}
	}
	said, _, err := ask(t, t.Context(), "fail", func(p *Program, _ *Question) { p.Codes = []int{3} })
	if said != "half" || err != nil {
		t.Errorf("a code that is an answer: %q %v", said, err)
	}
	p := &Program{What: "the fake", Path: os.Args[0], Timeout: time.Minute, MaxOutput: 1}
	refused := errors.New("refused")
	if _, err := p.Ask(t.Context(), func(string) (*Question, error) { return nil, refused }); !errors.Is(err, refused) {
		t.Errorf("a question that cannot be put: %v", err)
	}
	if _, err := Find("the fake", "no-such-program-anywhere"); err == nil || !strings.HasPrefix(err.Error(), "looking for the fake") {
		t.Errorf("a program that is not there: %v", err)
	}
}

// TestOrphan: what the program leaves behind is ended too.
func TestOrphan(t *testing.T) {
	said, _, err := ask(t, t.Context(), "orphan", nil)
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(said)
	if err != nil {
		t.Fatal(err)
	}
	for range 500 {
		// Ended, it is nobody's or waits for whoever takes in orphans.
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if syscall.Kill(pid, 0) != nil || err == nil && strings.Contains(string(stat), ") Z ") {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("process %d goes on", pid)
}
