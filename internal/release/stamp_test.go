// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestStampIsCompleted(t *testing.T) {
	const hash = "0123456789abcdef0123456789abcdef01234567"
	when := testStamp().date
	clean := clone{commit: hash, date: when}
	tagged := clone{commit: hash, date: when, tag: "v1.2.3"}
	for _, test := range []struct {
		name  string
		clone clone
		given stamp
		want  string // version; "" is a refusal
	}{
		{"a tag", tagged, stamp{}, "v1.2.3"},
		{"no tag", clean, stamp{}, "v0.0.0-20260102030405-0123456789ab"},
		{"a version is given", tagged, stamp{version: "v2.0.0-rc.1"}, "v2.0.0-rc.1"},
		{"files that are not committed", clone{commit: hash, date: when, dirty: true}, stamp{}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := test.clone.complete(test.given, false, false)
			if (err != nil) != (test.want == "") {
				t.Fatalf("got error %v, want version %q", err, test.want)
			}
			if err == nil && (got.version != test.want || got.commit != hash || !got.date.Equal(when)) {
				t.Errorf("got %+v, want version %s, commit and date of the clone", got, test.want)
			}
		})
	}
	got, err := clone{commit: hash, date: when, tag: "v1.2.3", dirty: true}.complete(stamp{}, false, true)
	if err != nil || got.version != "v1.2.3+dirty" || got.validate() != nil {
		t.Errorf("got %q and %v for uncommitted files, want v1.2.3+dirty", got.version, err)
	}
}

func TestDateIsChosen(t *testing.T) {
	for _, test := range []struct{ flag, epoch, want string }{
		{"2026-01-02T03:04:05Z", "0", "2026-01-02T03:04:05Z"},
		{"2026-01-02T05:04:05+02:00", "", "2026-01-02T03:04:05Z"},
		{"", "1767323045", "2026-01-02T03:04:05Z"},
		{"", "soon", "error"},
		{"soon", "", "error"},
		{"", "", "not chosen"},
	} {
		date, chosen, err := chosenDate(test.flag, test.epoch)
		got := date.Format(time.RFC3339)
		switch {
		case err != nil:
			got = "error"
		case !chosen:
			got = "not chosen"
		}
		if got != test.want {
			t.Errorf("chosenDate(%q, %q) = %s, want %s", test.flag, test.epoch, got, test.want)
		}
	}
}

func TestCloneIsRead(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("there is no git here")
	}
	dir := t.TempDir()
	env := append(environment(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull,
		"GIT_AUTHOR_DATE=2026-01-02T03:04:05Z", "GIT_COMMITTER_DATE=2026-01-02T03:04:05Z")
	git := func(args ...string) {
		t.Helper()
		if _, err := output(t.Context(), dir, env, "git", append([]string{"-c", "user.name=a", "-c", "user.email=a@example.com"}, args...)...); err != nil {
			t.Fatal(err)
		}
	}
	read := func() clone {
		t.Helper()
		c, err := readClone(t.Context(), dir)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	git("init", "-q")
	git("commit", "-q", "--allow-empty", "-m", "first")
	got := read()
	if !commitForm.MatchString(got.commit) || !got.date.Equal(testStamp().date) || got.tag != "" || got.dirty {
		t.Errorf("got %+v, want a clean commit of %s without a tag", got, testStamp().date)
	}
	for _, tag := range []string{"v1.2.3", "v1.2.10", "v1.3.0-rc.1", "latest"} {
		git("tag", tag)
	}
	if got := read(); got.tag != "v1.2.10" {
		t.Errorf("got the tag %q, want v1.2.10, the highest that is a version and no candidate", got.tag)
	}
	if err := os.WriteFile(filepath.Join(dir, "new"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if !read().dirty {
		t.Error("a file that is not committed was not seen")
	}
	if _, err := readClone(t.Context(), filepath.Join(dir, "nowhere")); err == nil {
		t.Error("a folder that is not there was read")
	}
}

func TestTargetsAreParsed(t *testing.T) {
	all, err := parseTargets("all")
	if err != nil || len(all) != 6 {
		t.Errorf("got %v and %v, want six targets", all, err)
	}
	two, err := parseTargets("windows/arm64,linux/amd64,windows/arm64")
	if err != nil || len(two) != 2 || two[0].executable() != "holdfast.exe" || two[0].archive() != ".zip" || two[1].archive() != ".tar.gz" {
		t.Errorf("got %v and %v, want two targets", two, err)
	}
	if _, err := parseTargets("linux"); err == nil || !strings.Contains(err.Error(), "linux/amd64") {
		t.Errorf("got %v, want an error that names the targets", err)
	}
}
