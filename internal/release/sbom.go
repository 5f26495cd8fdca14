// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"runtime/debug"
	"slices"
	"strings"
	"time"
)

// The bill of materials is read out of the binary: what the linker recorded is
// what was linked. Its form is CycloneDX 1.6 in JSON; of the many fields that
// has, these are the ones there is something to say in. Nothing in it is drawn
// by chance: its serial number comes of the binary's digest, its time is that
// of the commit.
//
// https://cyclonedx.org/docs/1.6/json/
type bom struct {
	Schema       string       `json:"$schema"`
	Format       string       `json:"bomFormat"`
	SpecVersion  string       `json:"specVersion"`
	SerialNumber string       `json:"serialNumber"`
	Version      int          `json:"version"`
	Metadata     bomMetadata  `json:"metadata"`
	Components   []component  `json:"components"`
	Dependencies []dependency `json:"dependencies"`
}

type bomMetadata struct {
	Timestamp string    `json:"timestamp"`
	Tools     bomTools  `json:"tools"`
	Component component `json:"component"`
	Supplier  named     `json:"supplier"`
}

type bomTools struct {
	Components []component `json:"components"`
}

type component struct {
	Ref        string     `json:"bom-ref,omitempty"`
	Type       string     `json:"type"`
	Name       string     `json:"name"`
	Version    string     `json:"version,omitempty"`
	Scope      string     `json:"scope,omitempty"`
	Hashes     []digest   `json:"hashes,omitempty"`
	Licenses   []licence  `json:"licenses,omitempty"`
	PURL       string     `json:"purl,omitempty"`
	References []extern   `json:"externalReferences,omitempty"`
	Properties []property `json:"properties,omitempty"`
}

type named struct {
	Name string `json:"name"`
}

type digest struct {
	Algorithm string `json:"alg"`
	Content   string `json:"content"`
}

type licence struct {
	License struct {
		ID string `json:"id"`
	} `json:"license"`
}

type extern struct {
	Type string `json:"type"`
	URL  string `json:"url"`
}

type property struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type dependency struct {
	Ref       string   `json:"ref"`
	DependsOn []string `json:"dependsOn"`
}

// newBOM describes a binary. The modules say who imports whom; they have to be
// those that the binary was linked from.
func newBOM(binary []byte, t target, s stamp, modules map[string]*module) (*bom, error) {
	built, err := buildinfo.Read(bytes.NewReader(binary))
	if err != nil {
		return nil, fmt.Errorf("reading what the %s binary was built from: %w", t, err)
	}
	components, refs, err := moduleComponents(built, modules)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(binary)
	main := mainComponent(built, t, s, sum)
	refs[built.Main.Path] = main.Ref
	return &bom{
		Schema:       "http://cyclonedx.org/schema/bom-1.6.schema.json",
		Format:       "CycloneDX",
		SpecVersion:  "1.6",
		SerialNumber: serialNumber(sum),
		Version:      1,
		Metadata: bomMetadata{
			Timestamp: s.date.Format(time.RFC3339),
			Tools:     bomTools{[]component{{Type: "application", Name: built.Main.Path + "/internal/release", Version: s.version}}},
			Component: main,
			Supplier:  named{"The Holdfast Authors"},
		},
		Components:   components,
		Dependencies: dependencies(modules, refs),
	}, nil
}

// mainComponent is the binary itself.
func mainComponent(built *debug.BuildInfo, t target, s stamp, sum [sha256.Size]byte) component {
	purl := packageURL(built.Main.Path, s.version)
	c := component{
		Ref:     purl,
		Type:    "application",
		Name:    built.Main.Path,
		Version: s.version,
		Hashes:  []digest{{"SHA-256", hex.EncodeToString(sum[:])}},
		PURL:    purl,
		References: []extern{
			{"vcs", "https://" + built.Main.Path},
		},
		Properties: []property{
			{"holdfast:binary", t.executable()},
			{"holdfast:commit", s.commit},
			{"holdfast:target", t.String()},
		},
	}
	c.Licenses = make([]licence, 1)
	c.Licenses[0].License.ID = "Apache-2.0"
	return c
}

// moduleComponents are the modules in the binary, by path, and the names they
// are referred to by.
func moduleComponents(built *debug.BuildInfo, modules map[string]*module) ([]component, map[string]string, error) {
	linked := map[string]component{stdlib: moduleComponent(stdlib, strings.TrimPrefix(built.GoVersion, "go"), "")}
	for _, m := range built.Deps {
		if m.Replace != nil {
			return nil, nil, fmt.Errorf("module %s is replaced by %s: a release is built of published modules", m.Path, m.Replace.Path)
		}
		linked[m.Path] = moduleComponent(m.Path, m.Version, m.Sum)
	}
	refs := map[string]string{}
	var out []component
	for _, name := range slices.Sorted(maps.Keys(linked)) {
		out = append(out, linked[name])
		refs[name] = linked[name].Ref
	}
	for name := range modules {
		if _, ok := linked[name]; !ok && name != built.Main.Path {
			return nil, nil, fmt.Errorf("go list names module %s, which is not in the binary", name)
		}
	}
	for name := range linked {
		if modules[name] == nil {
			return nil, nil, fmt.Errorf("the binary holds module %s, which go list does not name", name)
		}
	}
	return out, refs, nil
}

// moduleComponent is a library. Its sum is go.sum's, a digest of digests; it is
// no SHA-256 of a file that anybody could have, so it is not called one.
func moduleComponent(name, version, sum string) component {
	purl := packageURL(name, version)
	c := component{Ref: purl, Type: "library", Name: name, Version: version, Scope: "required", PURL: purl}
	if sum != "" {
		c.Properties = []property{{"go:sum", sum}}
	}
	return c
}

// packageURL names a module as scanners look it up. The path keeps its case,
// as module paths differ by it.
func packageURL(name, version string) string {
	return "pkg:golang/" + (&url.URL{Path: name}).EscapedPath() + "@" + strings.ReplaceAll(url.PathEscape(version), "+", "%2B")
}

// dependencies say which module imports which. The standard library imports
// nothing outside of itself.
func dependencies(modules map[string]*module, refs map[string]string) []dependency {
	out := []dependency{}
	for _, name := range slices.Sorted(maps.Keys(modules)) {
		d := dependency{Ref: refs[name], DependsOn: []string{}}
		for _, needed := range slices.Sorted(maps.Keys(modules[name].needs)) {
			d.DependsOn = append(d.DependsOn, refs[needed])
		}
		out = append(out, d)
	}
	return out
}

// serialNumber is a UUID of one's own making (version 8 of RFC 9562) from the
// binary's digest: another binary has another, the same binary the same.
func serialNumber(sum [sha256.Size]byte) string {
	u := sum[:16]
	u[6] = u[6]&0x0f | 0x80
	u[8] = u[8]&0x3f | 0x80
	h := hex.EncodeToString(u)
	return "urn:uuid:" + strings.Join([]string{h[:8], h[8:12], h[12:16], h[16:20], h[20:]}, "-")
}

func (b *bom) encode() ([]byte, error) {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(b)
	return out.Bytes(), err
}
