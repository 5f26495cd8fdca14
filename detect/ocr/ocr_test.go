// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

//go:build unix

package ocr

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/holdfast-dev/holdfast/detect"
)

const head = "level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext\n"

// fakes are programs that this test's binary is when it is called by their
// name: what reads images may do anything.
var fakes = map[string]func(){
	"words": func() {
		size, _ := io.Copy(io.Discard, os.Stdin)
		fmt.Print(head, "1\t1\t0\t0\t0\t0\t0\t0\t9\t9\t-1\t\n")
		fmt.Print("5\t1\t1\t1\t1\t1\t0\t0\t9\t9\t96.5\teve@x.example\n", "5\t1\t1\t1\t1\t2\t0\t0\t9\t9\t50\té\n", "5\t1\t1\t1\t1\t3\t0\t0\t9\t9\t95\t \n")
		fmt.Printf("5\t1\t1\t1\t2\t1\t0\t0\t9\t9\t90\t%d\n", size)
	},
	"surroundings": func() {
		wd, _ := os.Getwd()
		fmt.Print(head)
		for i, s := range append(os.Environ(), "wd="+wd, "args="+strings.Join(os.Args[1:], " ")) {
			fmt.Printf("5\t1\t1\t1\t%d\t1\t0\t0\t9\t9\t100\t%s\n", i, s)
		}
		_ = os.WriteFile("left", nil, 0o600)
	},
	"hang": func() {
		signal.Ignore(syscall.SIGTERM, syscall.SIGINT)
		// A child that holds the pipe, too.
		self := exec.Command(os.Args[0])
		self.Args[0] = "child"
		self.Stdout = os.Stdout
		_ = self.Start()
		fmt.Print(head)
		select {}
	},
	"child": func() {
		signal.Ignore(syscall.SIGTERM)
		time.Sleep(time.Hour)
	},
	"flood": func() {
		out := bufio.NewWriter(os.Stdout)
		for range 10 << 20 / 64 {
			_, _ = out.WriteString(strings.Repeat("a", 63) + "\n")
		}
		_ = out.Flush()
	},
	"garbage":   func() { _, _ = os.Stdout.Write([]byte{0xff, 0, 7, '\n', 0xfe}) },
	"half":      func() { fmt.Print(head, "5\t1\t1\n") },
	"unsure":    func() { fmt.Print(head, "5\t1\t1\t1\t1\t1\t0\t0\t9\t9\tNaN\tx\n") },
	"fail":      func() { fmt.Print(head, "5\t1\t1\t1\t1\t1\t0\t0\t9\t9\t90\tx\n"); os.Exit(1) },
	"silent":    func() {},
	"crash":     func() { _ = syscall.Kill(os.Getpid(), syscall.SIGKILL); select {} },
	"not a pic": func() { fmt.Print(head) },
}

func TestMain(m *testing.M) {
	if fake := fakes[filepath.Base(os.Args[0])]; fake != nil {
		fake()
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// fake returns a detector that asks one of the fakes.
func fake(t *testing.T, name string, o Options) detect.Detector {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	o.Program = filepath.Join(t.TempDir(), name)
	if err := os.Symlink(self, o.Program); err != nil {
		t.Fatal(err)
	}
	d, err := New(&o)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// picture is an image of an extent, encoded.
func picture(t *testing.T, format string, width, height int) string {
	t.Helper()
	var b bytes.Buffer
	img := image.NewGray(image.Rect(0, 0, width, height))
	err := map[string]func() error{
		"png": func() error { return png.Encode(&b, img) }, "gif": func() error { return gif.Encode(&b, img, nil) },
		"jpeg": func() error { return jpeg.Encode(&b, img, nil) },
	}[format]()
	if err != nil {
		t.Fatal(err)
	}
	return "data:image/" + format + ";base64," + base64.StdEncoding.EncodeToString(b.Bytes())
}

func ask(t *testing.T, d detect.Detector, text string) ([]detect.Finding, error) {
	t.Helper()
	out, err := d.Detect(t.Context(), []detect.Request{{Text: text}})
	if err != nil {
		t.Fatal(err)
	}
	return out[0].Findings, out[0].Err
}

func TestWords(t *testing.T) {
	d := fake(t, "words", Options{})
	for _, format := range []string{"png", "gif", "jpeg"} {
		text := picture(t, format, 8, 8)
		_, body, _ := strings.Cut(text, ",")
		raw, _ := base64.StdEncoding.DecodeString(body)
		for _, form := range []string{
			text, " " + strings.Replace(text, "data:image", "DATA:Image", 1) + "\n", body, strings.TrimRight(body, "="), body[:10] + "\r\n " + body[10:],
			base64.URLEncoding.EncodeToString(raw), strings.NewReplacer("+", "%2B", "=", "%3D").Replace(text),
		} {
			got, err := ask(t, d, form)
			if err != nil || len(got) != 2 {
				t.Fatalf("%s: %v %v", form, got, err)
			}
			first := detect.Finding{Kind: "line", End: len(form), Score: .5, View: detect.Raw, Text: "eve@x.example é"}
			if got[0] != (detect.Finding{Kind: "line", End: len(form), Score: .9, View: detect.Raw, Text: strconv.Itoa(len(raw))}) || got[1] != first {
				t.Errorf("got %v", got)
			}
		}
	}
}

func TestSurroundings(t *testing.T) {
	t.Setenv("SECRET_OF_OURS", "x")
	d := fake(t, "surroundings", Options{Languages: []string{"eng", "deu"}, Trained: "/trained"})
	got, err := ask(t, d, picture(t, "png", 8, 8))
	if err != nil {
		t.Fatal(err)
	}
	wd := ""
	for _, f := range got {
		name, value, _ := strings.Cut(f.Text, "=")
		switch name {
		case "wd":
			wd = value
		case "args":
			if value != "stdin stdout -l eng+deu tsv" {
				t.Errorf("arguments %q", value)
			}
		case "LANG", "OMP_THREAD_LIMIT", "HOME", "TMPDIR", "TESSDATA_PREFIX", "PWD":
		default:
			t.Errorf("the program sees %s", f.Text)
		}
	}
	if _, err := os.Stat(wd); wd == "" || !errors.Is(err, os.ErrNotExist) {
		t.Errorf("its folder %q is left: %v", wd, err)
	}
}

func TestBadPrograms(t *testing.T) {
	text := picture(t, "png", 8, 8)
	for name, want := range map[string]string{
		"hang": "deadline", "flood": "more than", "garbage": "no table", "half": "no table", "unsure": "no table", "fail": "exit status 1",
		"silent": "no table", "crash": "signal",
	} {
		t.Run(name, func(t *testing.T) {
			o := Options{}
			if name == "hang" {
				o.Timeout = 300 * time.Millisecond
			}
			got, err := ask(t, fake(t, name, o), text)
			if err == nil || !strings.Contains(err.Error(), want) || got != nil {
				t.Errorf("got %v, %v, want %s", got, err, want)
			}
		})
	}
	if got, err := ask(t, fake(t, "not a pic", Options{}), text); err != nil || got != nil {
		t.Errorf("an image without words: %v %v", got, err)
	}
}

func TestEnd(t *testing.T) {
	d := fake(t, "hang", Options{})
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	out, err := d.Detect(ctx, []detect.Request{{Text: picture(t, "png", 8, 8)}})
	if err == nil {
		err = out[0].Err
	}
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("after the end: %v", err)
	}
}

func TestNoImages(t *testing.T) {
	d := fake(t, "words", Options{MaxBytes: 5000, MaxPixels: 1000})
	for text, want := range map[string]string{
		"":                                    "no image",
		"https://x.example/a.png":             "not fetched",
		"HTTP://x.example/a.png":              "not fetched",
		"file:///etc/passwd":                  "not fetched",
		"data:image/svg+xml,<svg/>":           "no image",
		"data:image/png;base64":               "no image",
		"data:image/png;base64,":              "no image",
		"data:image/png;base64,%zz":           "no image",
		"data:image/png;base64,aGVsbG8=":      "PNG, JPEG or GIF",
		"hell":                                "PNG, JPEG or GIF",
		"no base64!":                          "no image",
		picture(t, "png", 50, 50):             "50 by 50 pixels",
		strings.Repeat("A", 10<<20):           "more than 5000 bytes",
		picture(t, "png", 8, 8)[:40]:          "PNG, JPEG or GIF",
		"data:image/png;base64,AA" + "\x00AA": "no image",
	} {
		if got, err := ask(t, d, text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60q: got %v, %v, want %s", text, got, err, want)
		}
	}
}

func TestNew(t *testing.T) {
	for _, o := range []*Options{nil, {}, {Program: "/no/such/program"}, {Program: os.Args[0], Languages: []string{"-x"}}, {Program: os.Args[0], MaxBytes: -1}} {
		if _, err := New(o); err == nil {
			t.Errorf("%v is taken", o)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(head + "5\t1\t1\t1\t1\t1\t0\t0\t9\t9\t96\tx\n"))
	f.Add([]byte(head))
	f.Fuzz(func(t *testing.T, said []byte) {
		lines, err := parse(said)
		for _, l := range lines {
			if err != nil || l.text == "" || !(l.score >= 0 && l.score <= 1) {
				t.Error(l, err)
			}
		}
	})
}
