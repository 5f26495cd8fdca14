// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package detectbench_test

import (
	"flag"
	"maps"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/holdfast-dev/holdfast/detect"
	"github.com/holdfast-dev/holdfast/detect/local"
	"github.com/holdfast-dev/holdfast/internal/detectbench"
)

var update = flag.Bool("update", false, "rewrite the tables of docs/detectors.md that do not depend on the machine")

const (
	pageFile   = "../../docs/detectors.md"
	dataFolder = "../../../shared/data"
)

// measured are the detectors of the page: those that are always there, and the
// local scorer, which has to be asked for.
func measured() map[string]detect.Detector {
	out := local.Detectors()
	maps.Copy(out, local.Scorer())
	return out
}

// TestPage holds the tables of the page to what is measured, as far as that
// does not depend on the machine and the data are here.
func TestPage(t *testing.T) {
	if testing.Short() && !*update {
		t.Skip("disguises a thousand texts in twelve ways")
	}
	report, err := detectbench.Run(t.Context(), &detectbench.Options{
		Detectors: measured(), Data: dataFolder, Repo: "../..", Untimed: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, why := range report.Skipped {
		t.Log(why)
	}
	src, err := os.ReadFile(pageFile)
	if err != nil {
		t.Fatal(err)
	}
	want, err := detectbench.Fill(string(src), report.Tables)
	if err != nil {
		t.Fatal(err)
	}
	for i := range report.Tables {
		if name := report.Tables[i].Name; !strings.Contains(want, "<!-- "+name+" -->\n") {
			t.Errorf("the page has no place for %s", name)
		}
	}
	switch {
	case want == string(src):
	case *update:
		if err := os.WriteFile(pageFile, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("%s shows what is not so; go test ./internal/detectbench -update rewrites it:\n%s", pageFile, firstDifference(string(src), want))
	}
	if len(report.Skipped) > 0 && !t.Failed() {
		t.Skipf("%d measurements need data that are not here", len(report.Skipped))
	}
}

// firstDifference shows the first line in which two pages differ.
func firstDifference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			return "got\n\t" + g[i] + "\nwant\n\t" + w[i]
		}
	}
	return "one is longer"
}

// TestReversibleEvasions: what a disguise does to a text without taking
// anything away from it hides less than one positive in twenty.
func TestReversibleEvasions(t *testing.T) {
	src, err := os.ReadFile(pageFile)
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	for line := range strings.Lines(string(src)) {
		cells := strings.Split(line, " | ")
		if len(cells) != 4 || cells[1] != "yes" {
			continue
		}
		rows++
		for _, cell := range cells[2:] {
			share, err := strconv.ParseFloat(strings.Fields(cell)[0], 64)
			if err != nil || share < .95 {
				t.Errorf("found %s in disguise: %v", line, err)
			}
		}
	}
	if rows < 3*11 || rows%11 != 0 {
		t.Errorf("%d rows, want eleven evasions of each of three detectors or more", rows)
	}
}

// TestCleanTexts: of tool outputs in which nobody attacks, at most two in a
// hundred have a false finding of a kind of personal data, and a megabyte of
// them or of a standard library has at most one false secret.
func TestCleanTexts(t *testing.T) {
	src, err := os.ReadFile(pageFile)
	if err != nil {
		t.Fatal(err)
	}
	for name, most := range map[string]float64{"pii-clean": .02, "secrets-clean": 1, "secrets-source": 1} {
		_, table, _ := strings.Cut(string(src), "<!-- "+name+" -->\n")
		table, _, _ = strings.Cut(table, "<!-- end -->")
		rows := 0
		for line := range strings.Lines(table) {
			cells := strings.Split(strings.Trim(line, "| \n"), " | ")
			if len(cells) < 7 || cells[0] == "corpus" || cells[5] == "-" {
				continue
			}
			rows++
			if share, err := strconv.ParseFloat(cells[5], 64); err != nil || share > most {
				t.Errorf("%s: %s", name, line)
			}
		}
		if rows < 2 {
			t.Errorf("%s has %d rows", name, rows)
		}
	}
}
