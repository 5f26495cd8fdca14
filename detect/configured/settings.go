// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

// Package configured makes detectors of settings: which servers and programs
// answer the functions of policies, beside what this machine does by itself.
// The command and its configuration files use it, and so may embedders.
//
// Settings hold no secrets: they name where these are.
package configured

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/goccy/go-yaml"
)

// Settings say who answers what. The zero value adds nothing to the detectors
// that are there.
type Settings struct {
	// Remote are servers that keep the contract of package remote, by the
	// function that they answer, or by a name of their own for detect(…).
	Remote map[string]Remote `json:"remote,omitempty" yaml:"remote,omitempty"`

	Models   Models   `json:"models,omitzero" yaml:"models,omitempty"`
	Programs Programs `json:"programs,omitzero" yaml:"programs,omitempty"`

	// Scorer has moderated and topic answered by words, without a model.
	Scorer bool `json:"scorer,omitempty" yaml:"scorer,omitempty"`

	// Allow are what may be asked although it is on one's own network, or over
	// plain http: hosts as "name" or "name:port", addresses and prefixes.
	Allow []string `json:"allow,omitempty" yaml:"allow,omitempty"`

	// Timeout is that of one try of each server that has none of its own,
	// such as "3s"; 0 is five seconds.
	Timeout Duration `json:"timeout,omitempty" yaml:"timeout,omitempty"`
}

// Remote is a server that keeps the contract of package remote.
type Remote struct {
	URL      string   `json:"url" yaml:"url"`
	TokenEnv string   `json:"token_env,omitempty" yaml:"token_env,omitempty"` // the environment variable that has its token
	Version  string   `json:"version,omitempty" yaml:"version,omitempty"`     // that must have answered
	Timeout  Duration `json:"timeout,omitempty" yaml:"timeout,omitempty"`
	MaxTexts int      `json:"max_texts,omitempty" yaml:"max_texts,omitempty"` // of a batch
	MaxBytes int      `json:"max_bytes,omitempty" yaml:"max_bytes,omitempty"` // of a batch
}

// Models are servers that speak as OpenAI's does. Where URL is given, it is
// asked for moderation, embedding and chat; each of these may have a server of
// its own. Injection takes its own entry, if an empty one: it asks a model about
// every text in which the detector of this machine finds no injection.
type Models struct {
	Model `yaml:",inline"`

	Moderation *Model `json:"moderation,omitempty" yaml:"moderation,omitempty"`
	Embedding  *Model `json:"embedding,omitempty" yaml:"embedding,omitempty"`
	Chat       *Model `json:"chat,omitempty" yaml:"chat,omitempty"`
	Injection  *Model `json:"injection,omitempty" yaml:"injection,omitempty"`
}

// Model is a server and what it calls its models. What an entry of Models
// leaves out is that of all; the key goes to no other address than it was given for.
type Model struct {
	URL     string            `json:"url,omitempty" yaml:"url,omitempty"`
	KeyEnv  string            `json:"key_env,omitempty" yaml:"key_env,omitempty"` // the environment variable that has its key
	Model   string            `json:"model,omitempty" yaml:"model,omitempty"`     // where a policy names none
	Models  map[string]string `json:"models,omitempty" yaml:"models,omitempty"`   // by the names that policies have for them
	Timeout Duration          `json:"timeout,omitempty" yaml:"timeout,omitempty"`
}

// Programs are programs of this machine, by path or name.
type Programs struct {
	Semgrep       string   `json:"semgrep,omitempty" yaml:"semgrep,omitempty"`               // in place of our rules
	SemgrepConfig []string `json:"semgrep_config,omitempty" yaml:"semgrep_config,omitempty"` // files or folders of rules; semgrep takes some
	Tesseract     string   `json:"tesseract,omitempty" yaml:"tesseract,omitempty"`           // for ocr
	Languages     []string `json:"languages,omitempty" yaml:"languages,omitempty"`           // that tesseract is trained in
	Timeout       Duration `json:"timeout,omitempty" yaml:"timeout,omitempty"`               // of one text or image; 0 is each program's own
}

// A Duration is a time as people write it: "500ms", "1m30s".
type Duration time.Duration

// UnmarshalText reads a duration.
func (d *Duration) UnmarshalText(text []byte) error {
	got, err := time.ParseDuration(string(text))
	if err != nil || got < 0 {
		return fmt.Errorf("got the time %.40q, want one such as 500ms or 1m30s", text)
	}
	*d = Duration(got)
	return nil
}

// MarshalText writes a duration as UnmarshalText reads it.
func (d Duration) MarshalText() ([]byte, error) { return []byte(time.Duration(d).String()), nil }

// Read reads settings in YAML or JSON. A key that there is not is an error,
// with its place.
func Read(text []byte) (*Settings, error) {
	var s Settings
	d := yaml.NewDecoder(bytes.NewReader(text), yaml.Strict())
	if err := d.Decode(&s); err != nil && !errors.Is(err, io.EOF) { // nothing at all is no setting
		return nil, fmt.Errorf("reading settings of detectors: %s", yaml.FormatError(err, false, true))
	}
	return &s, nil
}
