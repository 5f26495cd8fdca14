// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package configured

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"net/netip"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/holdfast-dev/holdfast/detect"
	"github.com/holdfast-dev/holdfast/detect/classify"
	"github.com/holdfast-dev/holdfast/detect/code/program"
	"github.com/holdfast-dev/holdfast/detect/local"
	"github.com/holdfast-dev/holdfast/detect/ocr"
	"github.com/holdfast-dev/holdfast/detect/remote"
	"github.com/holdfast-dev/holdfast/diag"
	"github.com/holdfast-dev/holdfast/internal/builtin"
)

// Detectors adds what settings say to some detectors, by the names of the
// functions, and returns all of them; base stays as it is. A model or a server
// for prompt_injection is asked about texts in which the one of base finds
// none; else what is set takes the place of what was there: servers that of
// models, models that of programs and words.
//
// Keys and tokens come from lookup, os.LookupEnv in a command. The error says
// all that is wrong, each with the key of the setting.
func Detectors(base map[string]detect.Detector, s *Settings, lookup func(name string) (string, bool)) (map[string]detect.Detector, error) {
	b := &builder{settings: s, lookup: lookup, out: maps.Clone(base)}
	if s == nil {
		return b.out, nil
	}
	if b.out == nil {
		b.out = map[string]detect.Detector{}
	}
	b.allow()
	b.programs()
	b.models()
	b.remotes()
	if len(b.wrong) > 0 {
		return nil, errors.Join(b.wrong...)
	}
	return b.out, nil
}

// A builder makes detectors and keeps what is wrong.
type builder struct {
	settings *Settings
	lookup   func(string) (string, bool)
	hosts    []string
	prefixes []netip.Prefix
	out      map[string]detect.Detector
	wrong    []error
}

func (b *builder) fail(key string, err error) {
	b.wrong = append(b.wrong, fmt.Errorf("%s: %w", key, err))
}

// add takes a detector for a function, or what is wrong with the setting.
func (b *builder) add(name, key string, d detect.Detector, err error) {
	switch {
	case err != nil:
		b.fail(key, err)
	case name == injection && b.out[name] != nil:
		b.out[name] = classify.Staged(b.out[name], d)
	default:
		b.out[name] = d
	}
}

// injection is the function whose detectors are asked one after the other.
const injection = "prompt_injection"

// allow reads what may be asked.
func (b *builder) allow() {
	for _, entry := range b.settings.Allow {
		if p, err := netip.ParsePrefix(entry); err == nil {
			b.prefixes = append(b.prefixes, p)
			continue
		}
		if strings.Contains(entry, "/") {
			b.fail("allow", fmt.Errorf("got %.80q, want a host, a host and port, or a prefix such as 10.0.0.0/8", entry))
			continue
		}
		b.hosts = append(b.hosts, entry)
	}
}

// secret returns what is in an environment variable; "" if none is named.
func (b *builder) secret(key, name string) string {
	if name == "" {
		return ""
	}
	if b.lookup != nil {
		if secret, ok := b.lookup(name); ok && secret != "" {
			return secret
		}
	}
	b.fail(key, fmt.Errorf("the environment variable %s is not set", name))
	return ""
}

func (b *builder) programs() {
	s, p := b.settings, b.settings.Programs
	if s.Scorer {
		maps.Copy(b.out, local.Scorer())
	}
	if p.Semgrep != "" {
		d, err := program.New(&program.Options{Program: p.Semgrep, Config: p.SemgrepConfig, Timeout: time.Duration(p.Timeout)})
		b.add("semgrep", "programs.semgrep", d, err)
	}
	if p.Tesseract != "" {
		d, err := ocr.New(&ocr.Options{Program: p.Tesseract, Languages: p.Languages, Timeout: time.Duration(p.Timeout)})
		b.add("ocr", "programs.tesseract", d, err)
	}
	if p.Semgrep == "" && p.SemgrepConfig != nil {
		b.fail("programs.semgrep_config", errors.New("got rules for semgrep, and no semgrep"))
	}
	if p.Tesseract == "" && p.Languages != nil {
		b.fail("programs.languages", errors.New("got languages for tesseract, and no tesseract"))
	}
}

// A question is what is asked of models, by the function.
type question struct {
	name string
	make func(*classify.Options) (detect.Detector, error)
}

func (b *builder) models() {
	m := b.settings.Models
	if m.URL == "" && (m.KeyEnv != "" || m.Model.Model != "" || m.Models != nil) {
		b.fail("models", errors.New("got a key or names of models, and no url"))
		return
	}
	b.model("moderation", m.Moderation, question{"moderated", classify.Moderation})
	b.model("embedding", m.Embedding, question{builtin.Embeddings, classify.Similarity})
	b.model("chat", m.Chat,
		question{"llm", classify.Answer}, question{"llm_confirm", classify.Confirm}, question{"topic", classify.Topic},
		question{"image_policy_violations", classify.Images})
	if m.Injection != nil {
		b.model("injection", m.Injection, question{injection, classify.Injection})
	}
}

// model makes the detectors that ask one server; own is its entry, nil if it
// has none.
func (b *builder) model(name string, own *Model, questions ...question) {
	all, key := b.settings.Models.Model, "models"
	if own != nil {
		key += "." + name
	}
	m := merged(all, own)
	if m.URL == "" {
		if own != nil {
			b.fail(key, errors.New("got no url, here or for all models"))
		}
		return
	}
	o := &classify.Options{
		URL: m.URL, Key: b.secret(key+".key_env", m.KeyEnv), Model: m.Model, Models: m.Models,
		Timeout: time.Duration(cmp.Or(m.Timeout, b.settings.Timeout)), Hosts: b.hosts, Prefixes: b.prefixes,
	}
	for _, q := range questions {
		d, err := q.make(o)
		b.add(q.name, key+".url", d, err)
		if err != nil {
			return // the others say the same
		}
	}
}

// merged is an entry with what it leaves out from that for all. A server of
// its own shares neither key nor models with the other.
func merged(all Model, own *Model) Model {
	switch {
	case own == nil:
		return all
	case own.URL != "" && own.URL != all.URL:
		m := *own
		m.Timeout = cmp.Or(own.Timeout, all.Timeout)
		return m
	}
	m := Model{
		URL: all.URL, KeyEnv: cmp.Or(own.KeyEnv, all.KeyEnv), Model: cmp.Or(own.Model, all.Model), Timeout: cmp.Or(own.Timeout, all.Timeout),
		Models: maps.Clone(all.Models),
	}
	if m.Models == nil {
		m.Models = map[string]string{}
	}
	maps.Copy(m.Models, own.Models)
	return m
}

// ownName is what a detector of detect(…) may be called.
var ownName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_.-]{0,63}$`)

func (b *builder) remotes() {
	known := builtin.DetectorNames()
	for _, name := range slices.Sorted(maps.Keys(b.settings.Remote)) {
		r, key := b.settings.Remote[name], "remote."+name
		if err := checkName(name, known); err != nil {
			b.fail(key, err)
			continue
		}
		if r.MaxTexts < 0 || r.MaxBytes < 0 {
			b.fail(key, errors.New("got a bound below 0"))
			continue
		}
		d, err := remote.New(name, r.URL, &remote.Options{
			Token: b.secret(key+".token_env", r.TokenEnv), Version: r.Version, Timeout: time.Duration(cmp.Or(r.Timeout, b.settings.Timeout)),
			MaxTexts: r.MaxTexts, MaxBytes: r.MaxBytes, Hosts: b.hosts, Prefixes: b.prefixes,
		})
		b.add(name, key+".url", d, err)
	}
}

// checkName returns an error if no policy can ask for a detector, or one would
// ask for another.
func checkName(name string, known []string) error {
	if slices.Contains(known, name) {
		return nil
	}
	if near := diag.Nearest(name, known); near != "" {
		return fmt.Errorf("no function asks a detector of this name; did you mean %s?", near)
	}
	if !ownName.MatchString(name) {
		return errors.New("want the name of a function, or one of letters, digits, dots, dashes and underscores for detect(…)")
	}
	return nil
}
