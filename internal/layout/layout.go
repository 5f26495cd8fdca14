// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

// Package layout brings traces of other shapes into the one that package trace
// decodes. A Mapping says where the parts of a trace stand, by JSON pointers;
// docs/mapping.md describes the file that it is read from. The layout of
// AgentDojo's logs is known by itself.
package layout

import (
	"github.com/holdfast-dev/holdfast/internal/value"
	"github.com/holdfast-dev/holdfast/trace"
)

// Recognised returns the layout for inputs that nobody has named one for: logs
// of AgentDojo are known by their keys, all else is taken as it is.
func Recognised() *trace.Layout {
	return &trace.Layout{Arrange: func(doc *value.Value) (*value.Value, *trace.Misfit) {
		if isAgentDojo(doc) {
			return agentDojo.arrange(doc)
		}
		return doc, nil
	}}
}

// isAgentDojo reports whether doc has the keys of a log of AgentDojo.
func isAgentDojo(doc *value.Value) bool {
	return doc.Kind() == value.Dict && doc.Get("messages") != nil && doc.Get("suite_name") != nil &&
		doc.Get("pipeline_name") != nil && doc.Get("user_task_id") != nil
}
