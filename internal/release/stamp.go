// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// A stamp is what a binary says of its origin.
type stamp struct {
	version string // v1.2.3
	commit  string
	date    time.Time // in UTC, to the second
}

// number is the version without its v, as archives are named.
func (s stamp) number() string { return strings.TrimPrefix(s.version, "v") }

// versionForm keeps versions fit for file names, linker flags and URLs. It is
// semantic versioning with the v of Go.
var versionForm = regexp.MustCompile(`^v[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$`)

var commitForm = regexp.MustCompile(`^[0-9a-f]{7,64}$`)

func (s stamp) validate() error {
	switch {
	case !versionForm.MatchString(s.version):
		return fmt.Errorf("got the version %q, want a form such as v1.2.3 or v1.2.3-rc.1", s.version)
	case !commitForm.MatchString(s.commit):
		return fmt.Errorf("got the commit %q, want a hash in hexadecimal", s.commit)
	case s.date.Year() < 1980 || s.date.Year() > 2099:
		// zip files know no earlier time, nor a later one
		return fmt.Errorf("got the date %s, want one from 1980 to 2099", s.date.Format(time.RFC3339))
	}
	return nil
}

// chooseStamp takes each part from the flags, else from git.
func chooseStamp(ctx context.Context, root string, c choices, epoch string) (stamp, error) {
	date, dated, err := chosenDate(c.date, epoch)
	if err != nil {
		return stamp{}, err
	}
	s := stamp{version: c.version, commit: c.commit, date: date}
	if c.version == "" || c.commit == "" || !dated {
		clone, err := readClone(ctx, root)
		if err != nil {
			return stamp{}, fmt.Errorf("%w\n(-version, -commit and -date build without git)", err)
		}
		if s, err = clone.complete(s, dated, c.dirty); err != nil {
			return stamp{}, err
		}
	}
	return s, s.validate()
}

func chosenDate(flag, epoch string) (time.Time, bool, error) {
	if flag != "" {
		date, err := time.Parse(time.RFC3339, flag)
		return date.UTC().Truncate(time.Second), true, err
	}
	if epoch == "" {
		return time.Time{}, false, nil
	}
	seconds, err := strconv.ParseInt(epoch, 10, 64)
	if err != nil {
		return time.Time{}, false, fmt.Errorf("reading SOURCE_DATE_EPOCH: %w", err)
	}
	return time.Unix(seconds, 0).UTC(), true, nil
}

// A clone is the state of a git repository that matters here.
type clone struct {
	commit string
	date   time.Time
	tag    string // of the commit, if it has one that is a version
	dirty  bool   // files differ from the commit
}

func readClone(ctx context.Context, root string) (clone, error) {
	var c clone
	text, err := output(ctx, root, nil, "git", "-c", "log.showSignature=false", "log", "-1", "--no-color", "--format=%H %ct")
	if err != nil {
		return c, err
	}
	hash, seconds, _ := strings.Cut(strings.TrimSpace(text), " ")
	unix, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil {
		return c, fmt.Errorf("reading the time of commit %s: %w", hash, err)
	}
	c.commit, c.date = hash, time.Unix(unix, 0).UTC()
	status, err := output(ctx, root, nil, "git", "status", "--porcelain")
	if err != nil {
		return c, err
	}
	c.dirty = strings.TrimSpace(status) != ""
	// The newest of several: a release follows its candidates.
	tags, err := output(ctx, root, nil, "git", "tag", "--points-at", "HEAD", "--sort=-version:refname")
	for _, tag := range strings.Fields(tags) {
		if versionForm.MatchString(tag) && !strings.Contains(tag, "-") {
			c.tag = tag
			break
		}
		if versionForm.MatchString(tag) && c.tag == "" {
			c.tag = tag
		}
	}
	return c, err
}

// complete fills what the flags left open. The version of a commit without a
// tag has the form that Go gives it; it does not look for earlier tags, which
// a shallow clone lacks.
func (c clone) complete(s stamp, dated, dirty bool) (stamp, error) {
	if c.dirty && !dirty {
		return s, fmt.Errorf("files here differ from commit %.12s: commit them, or build with -dirty", c.commit)
	}
	if s.version == "" && c.tag != "" {
		s.version = c.tag
	}
	if s.version == "" {
		s.version = fmt.Sprintf("v0.0.0-%s-%.12s", c.date.Format("20060102150405"), c.commit)
	}
	if c.dirty && !strings.Contains(s.version, "+") {
		s.version += "+dirty"
	}
	if s.commit == "" {
		s.commit = c.commit
	}
	if !dated {
		s.date = c.date
	}
	return s, nil
}
