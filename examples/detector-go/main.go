// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

// Command detector-go is a detector that is a server, in one file and of the
// standard library alone: copy it and put your own question into look. It
// answers for the function moderated of policies, by a list of words.
//
//	DETECTOR_TOKEN=secret go run ./examples/detector-go -listen 127.0.0.1:8000
//
// docs/remote-detectors.md tells the contract that it keeps.
package main

import (
	"crypto/subtle"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"
)

// version names what the answers depend on. Change it with the words: what
// was answered under another version is asked again.
const version = "words-1"

// detector is the name that it is asked by.
const detector = "moderated"

// The bounds of what is asked at once.
const (
	maxBody  = 4 << 20
	maxTexts = 256
)

// words are what it finds, by kind, with how sure it is.
var words = map[string]struct {
	kind  string
	score float64
}{
	"idiot": {"insult", 0.9}, "moron": {"insult", 0.9}, "fool": {"insult", 0.4},
	"attack": {"violence", 0.8}, "stab": {"violence", 0.9},
}

var word = regexp.MustCompile(`[A-Za-z]+`)

// The types of the contract. Fields that they do not have are passed over.
type (
	request struct {
		Detector string `json:"detector"`
		Version  string `json:"version"`
		Requests []struct {
			Text   *string                    `json:"text"`
			Params map[string]json.RawMessage `json:"params"`
			Views  []string                   `json:"views"`
		} `json:"requests"`
	}
	answer struct {
		Version string   `json:"version"`
		Results []result `json:"results"`
	}
	result struct {
		Findings *[]finding `json:"findings,omitempty"`
		Error    string     `json:"error,omitempty"`
	}
	finding struct {
		Kind  string  `json:"kind"`
		Start int     `json:"start"` // in code points
		End   int     `json:"end"`
		Score float64 `json:"score"`
	}
)

func main() {
	listen := flag.String("listen", "127.0.0.1:8000", "the address to listen on; port 0 takes one that is free")
	flag.Parse()
	if err := serve(*listen, os.Getenv("DETECTOR_TOKEN"), os.Stdout); err != nil {
		log.Fatal(err)
	}
}

func serve(address, token string, out io.Writer) error {
	listener, err := net.Listen("tcp", address) //nolint:noctx // it listens until the process ends
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "listening on http://%s/detect\n", listener.Addr())
	mux := http.NewServeMux()
	mux.HandleFunc("POST /detect", func(w http.ResponseWriter, r *http.Request) { detect(w, r, token) })
	server := &http.Server{Handler: mux, ReadTimeout: 10 * time.Second, WriteTimeout: 30 * time.Second}
	return server.Serve(listener)
}

// detect answers one batch.
func detect(w http.ResponseWriter, r *http.Request, token string) {
	if want := "Bearer " + token; token != "" && subtle.ConstantTimeCompare([]byte(r.Header.Get("Authorization")), []byte(want)) != 1 {
		http.Error(w, "not for you", http.StatusUnauthorized)
		return
	}
	asked, status, err := read(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		http.Error(w, err.Error(), status)
		return
	}
	out := answer{Version: version, Results: []result{}}
	for _, q := range asked.Requests {
		found, err := look(*q.Text, q.Params)
		if err != nil {
			out.Results = append(out.Results, result{Error: err.Error()})
			continue
		}
		out.Results = append(out.Results, result{Findings: &found})
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(out) // the client is gone, or it has the answer
}

// read reads a batch; an error comes with the status to answer.
func read(body io.Reader) (*request, int, error) {
	var r request
	d := json.NewDecoder(body)
	err := d.Decode(&r)
	var long *http.MaxBytesError
	switch {
	case errors.As(err, &long):
		return nil, http.StatusRequestEntityTooLarge, err
	case err != nil:
		return nil, http.StatusBadRequest, err
	case d.More():
		return nil, http.StatusBadRequest, errors.New("more than one value")
	case r.Detector != detector:
		return nil, http.StatusNotFound, fmt.Errorf("there is no detector %q", r.Detector)
	case r.Version != "" && r.Version != version:
		return nil, http.StatusConflict, fmt.Errorf("the version is %s", version)
	case r.Requests == nil:
		return nil, http.StatusBadRequest, errors.New("there is no list of requests")
	case len(r.Requests) > maxTexts:
		return nil, http.StatusRequestEntityTooLarge, fmt.Errorf("more than %d texts", maxTexts)
	}
	for _, q := range r.Requests {
		if q.Text == nil {
			return nil, http.StatusBadRequest, errors.New("a request has no text")
		}
	}
	return &r, http.StatusOK, nil
}

// look answers one text. A parameter that it does not know is an error: passed
// over, it would be an answer to another question.
func look(text string, params map[string]json.RawMessage) ([]finding, error) {
	threshold := 0.5
	for name, value := range params {
		if name != "threshold" && name != "default_threshold" {
			return nil, fmt.Errorf("the parameter %.40s is not known", name)
		}
		if err := json.Unmarshal(value, &threshold); err != nil {
			return nil, fmt.Errorf("%s is no number", name)
		}
	}
	found := []finding{} // written as [], never null
	bytes, points := 0, 0
	for _, at := range word.FindAllStringIndex(text, -1) {
		points += utf8.RuneCountInString(text[bytes:at[0]])
		bytes = at[0]
		if w, ok := words[strings.ToLower(text[at[0]:at[1]])]; ok && w.score > threshold {
			found = append(found, finding{w.kind, points, points + at[1] - at[0], w.score})
		}
	}
	return found, nil
}
