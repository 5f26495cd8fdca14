// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package program

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// grace is how long the pipes of a program that was killed may stay open.
const grace = 500 * time.Millisecond

// endings are the names of files by which the program knows languages.
var endings = map[string]string{"python": ".py", "bash": ".sh", "javascript": ".js", "sql": ".sql"}

// run shows the program a text and returns what it says.
func (r *runner) run(ctx context.Context, language, text string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, r.timeout)
	defer cancel()
	dir, err := os.MkdirTemp("", "holdfast-code-") // of this user alone
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }() // nothing is in it that anybody waits for
	file := filepath.Join(dir, "code"+endings[language])
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		return nil, err
	}

	args := []string{"scan", "--json", "--quiet", "--metrics=off", "--disable-version-check", "--no-git-ignore", "--scan-unknown-extensions"}
	c := exec.CommandContext(ctx, r.path, append(append(args, r.config...), file)...)
	out := &bounded{most: r.maxOutput, full: cancel}
	c.Stdout, c.WaitDelay = out, grace
	c.Env = []string{
		"PATH=" + strings.Join([]string{filepath.Dir(r.path), "/usr/local/bin", "/usr/bin", "/bin"}, string(filepath.ListSeparator)), "LANG=C.UTF-8", "PYTHONUTF8=1", "HOME=" + dir, "TMPDIR=" + dir, "SEMGREP_SEND_METRICS=off", "SEMGREP_ENABLE_VERSION_CHECK=0",
	}
	apart(c)
	if err := c.Start(); err != nil {
		return nil, fmt.Errorf("starting the program that looks at code: %w", err)
	}
	err = c.Wait()
	end(c) // what it may have started itself
	var left *exec.ExitError
	switch {
	case out.over:
		return nil, fmt.Errorf("the program that looks at code says more than %d bytes", r.maxOutput)
	case ctx.Err() != nil:
		return nil, fmt.Errorf("the program that looks at code was stopped: %w", ctx.Err())
	case errors.As(err, &left) && left.ExitCode() == 1: // it found something, where it is told to say so
	case err != nil:
		return nil, fmt.Errorf("the program that looks at code failed: %w", err)
	}
	return out.b, nil
}

// A bounded writer takes so many bytes. Beyond, it ends what writes.
type bounded struct {
	b    []byte
	most int
	over bool
	full func()
}

func (w *bounded) Write(p []byte) (int, error) {
	if len(w.b)+len(p) > w.most {
		w.over = true
		w.full()
		return 0, io.ErrShortWrite
	}
	w.b = append(w.b, p...)
	return len(p), nil
}
