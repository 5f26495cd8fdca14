// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package program

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/holdfast-dev/holdfast/internal/subprocess"
)

// what is what the program is called in errors.
const what = "the program that looks at code"

// endings are the names of files by which the program knows languages.
var endings = map[string]string{"python": ".py", "bash": ".sh", "javascript": ".js", "sql": ".sql"}

// run shows the program a text and returns what it says.
func (r *runner) run(ctx context.Context, language, text string) ([]byte, error) {
	return r.program.Ask(ctx, func(folder string) (*subprocess.Question, error) {
		file := filepath.Join(folder, "code"+endings[language])
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			return nil, err
		}
		args := []string{"scan", "--json", "--quiet", "--metrics=off", "--disable-version-check", "--no-git-ignore", "--scan-unknown-extensions"}
		path := []string{filepath.Dir(r.program.Path), "/usr/local/bin", "/usr/bin", "/bin"}
		return &subprocess.Question{
			Args: slices.Concat(args, r.config, []string{file}),
			Env: []string{
				"PATH=" + strings.Join(path, string(filepath.ListSeparator)), "PYTHONUTF8=1", "SEMGREP_SEND_METRICS=off", "SEMGREP_ENABLE_VERSION_CHECK=0",
			},
		}, nil
	})
}
