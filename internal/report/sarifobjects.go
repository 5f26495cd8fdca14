// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package report

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/holdfast-dev/holdfast"
)

const (
	sarifSchema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
	home        = "https://github.com/holdfast-dev/holdfast"
)

// sarifLevels and severities are the words for levels in SARIF, and in the
// properties of rules that GitHub reads.
var (
	sarifLevels = [levels]string{levelError: "error", levelWarning: "warning", levelNotice: "note"}
	severities  = [levels]string{levelError: "error", levelWarning: "warning", levelNotice: "recommendation"}
)

// The objects of SARIF 2.1.0 that a report is made of. Their texts must be safe
// to print; uris are percent-encoded.
type (
	sarifMessage struct {
		Text string `json:"text"`
	}
	sarifDriver struct {
		Name    string      `json:"name"`
		Version string      `json:"version,omitempty"`
		URI     string      `json:"informationUri"`
		Rules   []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID      string       `json:"id"`
		Name    string       `json:"name,omitempty"`
		Short   sarifMessage `json:"shortDescription"`
		Full    sarifMessage `json:"fullDescription"`
		Help    sarifMessage `json:"help"`
		HelpURI string       `json:"helpUri,omitempty"`
		Default struct {
			Level string `json:"level"`
		} `json:"defaultConfiguration"`
		Properties sarifRuleProperties `json:"properties"`
	}
	sarifRuleProperties struct {
		Class      string   `json:"class,omitempty"`
		Preventive *bool    `json:"preventive,omitempty"`
		Severity   string   `json:"problem.severity"`
		Security   string   `json:"security-severity,omitempty"`
		Tags       []string `json:"tags,omitempty"`
	}
	sarifResult struct {
		RuleID       string                `json:"ruleId"`
		RuleIndex    int                   `json:"ruleIndex"`
		Level        string                `json:"level"`
		Message      sarifMessage          `json:"message"`
		Locations    []sarifLocation       `json:"locations,omitempty"`
		Related      []sarifLocation       `json:"relatedLocations,omitempty"`
		Fingerprints map[string]string     `json:"partialFingerprints"`
		Properties   sarifResultProperties `json:"properties,omitzero"`
	}
	sarifResultProperties struct {
		Verdict string `json:"verdict"`
		Verb    string `json:"verb"`
		Trace   string `json:"trace"`
		Index   int    `json:"index"`
		Address string `json:"address,omitempty"`
	}
	sarifLocation struct {
		ID       int            `json:"id,omitempty"`
		Physical *sarifPhysical `json:"physicalLocation,omitempty"`
		Logical  []sarifLogical `json:"logicalLocations,omitempty"`
		Message  *sarifMessage  `json:"message,omitempty"`
	}
	sarifPhysical struct {
		Artifact struct {
			URI string `json:"uri"`
		} `json:"artifactLocation"`
		Region *sarifRegion `json:"region,omitempty"`
	}
	sarifRegion struct {
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn,omitempty"`
		EndLine     int `json:"endLine,omitempty"`
		EndColumn   int `json:"endColumn,omitempty"`
	}
	sarifLogical struct {
		Name string `json:"fullyQualifiedName"`
	}
	sarifReference struct {
		ID string `json:"id"`
	}
	sarifNotice struct {
		Level      string          `json:"level"`
		Message    sarifMessage    `json:"message"`
		Descriptor *sarifReference `json:"descriptor,omitempty"`
		Locations  []sarifLocation `json:"locations,omitempty"`
	}
	sarifInvocation struct {
		CommandLine   string        `json:"commandLine,omitempty"`
		Successful    bool          `json:"executionSuccessful"`
		Execution     []sarifNotice `json:"toolExecutionNotifications,omitempty"`
		Configuration []sarifNotice `json:"toolConfigurationNotifications,omitempty"`
	}
)

// bindingAddresses writes a match as a text that is the same whenever it is.
func bindingAddresses(bindings map[string]holdfast.Binding) string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(bindings)) {
		fmt.Fprintf(&b, "%s=%s#%d ", name, bindings[name].At, bindings[name].Index)
	}
	return b.String()
}
