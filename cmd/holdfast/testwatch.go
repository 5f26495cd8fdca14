// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// watchInterval is how often --watch looks for changes.
const watchInterval = 300 * time.Millisecond

// A stamp is what changes with a file.
type stamp struct {
	modified time.Time
	size     int64
}

// watch runs the cases, and again at the first tick after something has
// changed by what look sees, until ctx is done.
func (t *testRun) watch(ctx context.Context, tick <-chan time.Time, look func() map[string]stamp) error {
	seen := look()
	if err := t.again(ctx, nil); err != nil {
		return err
	}
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick:
		}
		now := look()
		changed := changes(seen, now)
		if len(changed) == 0 {
			continue
		}
		seen = now
		if err := t.again(ctx, changed); err != nil {
			return err
		}
	}
}

// again runs the cases once more. It returns an error only if it cannot go on.
func (t *testRun) again(ctx context.Context, changed []string) error {
	if len(changed) > 0 {
		if _, err := fmt.Fprintf(t.cmd.OutOrStdout(), "\nchanged: %s\n", escapeLine(strings.Join(changed, ", "))); err != nil {
			return writeError(err)
		}
	}
	var exit *exitError
	errors.As(t.once(ctx), &exit)
	select {
	case <-ctx.Done():
		return nil // it says so, and this is how watching ends
	default:
	}
	switch {
	case exit == nil || exit.err == nil: // all is said
	case exit.code == exitFailure:
		return exit // the output cannot be written
	default:
		printNotes(t.cmd.ErrOrStderr(), []string{exit.Error()})
	}
	return nil
}

// stamps looks at every file that a case can depend on: those in the folders
// that are tested, and in the folders of the files that are.
func (t *testRun) stamps() map[string]stamp {
	out := map[string]stamp{}
	for _, path := range t.args {
		if stat, err := os.Stat(path); err == nil && !stat.IsDir() {
			path = filepath.Dir(path)
		}
		// What cannot be read now may be there at the next tick.
		_ = walkVisible(path, func(name string) {
			if !slices.Contains([]string{policyExt, ".star", ".txtar"}, filepath.Ext(name)) {
				return
			}
			if stat, err := os.Stat(name); err == nil {
				out[name] = stamp{stat.ModTime(), stat.Size()}
			}
		})
	}
	return out
}

// changes names the files that came, went or changed.
func changes(before, now map[string]stamp) []string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(now)) {
		if was, ok := before[name]; !ok || !was.modified.Equal(now[name].modified) || was.size != now[name].size {
			out = append(out, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(before)) {
		if _, ok := now[name]; !ok {
			out = append(out, name)
		}
	}
	return out
}
