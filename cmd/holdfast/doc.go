// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/holdfast-dev/holdfast"
	"github.com/holdfast-dev/holdfast/internal/report"
)

// docFormats are the values of doc's --format; text is Markdown.
var docFormats = []string{"text", "markdown", "json", "sarif", "github"}

func docCommand() *cobra.Command {
	format := docFormats[0]
	cmd := &cobra.Command{
		Use:   "doc [POLICY...]",
		Short: "List the rules and parameters of policies",
		Long: `Doc lists what policies have: each parameter with its type and default, and
each rule with its id, what it does, and what the comment above it says: title,
severity, tags, references and prose. Imported rules are among them. A policy is
a file, a folder, or a name of the library such as holdfast.policies.exfiltration;
without one, those of the project file are listed.`,
		Example: `  holdfast doc policy.gr
  holdfast doc policies/ --format json
  holdfast doc holdfast.policies.exfiltration`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := oneOf("format", format, docFormats); err != nil {
				return usageError(err)
			}
			project, err := projectOf(cmd)
			if err != nil {
				return err
			}
			if args, err = project.policies(args); err != nil {
				return usageError(err)
			}
			policy, err := loadPolicy(args, holdfast.Options{Input: project.Inputs})
			if err != nil {
				return reportLoad(cmd.ErrOrStderr(), err)
			}
			switch format {
			case "json":
				err = docJSON(cmd.OutOrStdout(), policy)
			case "text", "markdown":
				err = docMarkdown(cmd.OutOrStdout(), policy)
			default:
				err = report.WriteNotes(format, diffOptions(cmd), docNotes(policy))
			}
			return writeError(err)
		},
	}
	cmd.Flags().StringVar(&format, "format", format, "how to print: "+strings.Join(docFormats, ", "))
	_ = cmd.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(docFormats, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// The objects of docs/doc.schema.json.
type (
	docObject struct {
		Policies []string   `json:"policies"`
		Inputs   []docInput `json:"inputs"`
		Rules    []docRule  `json:"rules"`
	}
	docInput struct {
		Name     string           `json:"name"`
		Type     string           `json:"type"`
		Declared bool             `json:"declared"`
		Required bool             `json:"required"`
		Default  *json.RawMessage `json:"default,omitempty"`
		Doc      string           `json:"doc,omitempty"`
	}
	docRule struct {
		ID          string   `json:"id"`
		Title       string   `json:"title,omitempty"`
		Policy      string   `json:"policy"`
		Line        int      `json:"line"`
		Action      string   `json:"action"`
		Message     string   `json:"message,omitempty"`
		Severity    string   `json:"severity,omitempty"`
		Tags        []string `json:"tags"`
		Refs        []string `json:"refs"`
		Description string   `json:"description,omitempty"`
		Class       string   `json:"class"`
		Preventive  bool     `json:"preventive"`
		Retracts    bool     `json:"retracts"`
	}
)

func docJSON(w io.Writer, p *loadedPolicy) error {
	out := docObject{Policies: p.paths, Inputs: []docInput{}, Rules: []docRule{}}
	for _, in := range p.Inputs() {
		x := docInput{Name: in.Name, Type: string(in.Type), Declared: in.Declared, Required: in.Required, Doc: in.Doc}
		if in.Declared && !in.Required {
			text, err := json.Marshal(in.Default)
			if err != nil {
				return err
			}
			raw := json.RawMessage(text)
			x.Default = &raw
		}
		out.Inputs = append(out.Inputs, x)
	}
	for _, r := range p.Rules() {
		out.Rules = append(out.Rules, docRule{
			ID: r.ID, Title: r.Title, Policy: r.Policy, Line: r.Line, Action: r.Action, Message: r.Message,
			Severity: r.Severity, Tags: append([]string{}, r.Tags...), Refs: append([]string{}, r.Refs...),
			Description: r.Description, Class: r.Class, Preventive: r.Preventive, Retracts: r.Retracts,
		})
	}
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(out); err != nil {
		return err
	}
	_, err := io.WriteString(w, escapeJSONText(text.String()))
	return err
}

// docNotes are the rules for formats that annotate policies.
func docNotes(p *loadedPolicy) []report.Note {
	var out []report.Note
	for _, r := range p.Rules() {
		title := cmp.Or(r.Title, r.Message, r.ID)
		message := r.ID + " " + docVerb(r) + ": " + title
		if r.Severity != "" {
			message += " (" + r.Severity + ")"
		}
		out = append(out, report.Note{Level: "note", ID: r.ID, Title: title, Message: message, Path: r.Policy, Line: r.Line})
	}
	return out
}

func docMarkdown(w io.Writer, p *loadedPolicy) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n", inline(strings.Join(p.paths, ", ")))
	docInputs(&b, p.Inputs())
	rules := p.Rules()
	if len(rules) == 0 {
		b.WriteString("\nNo rules.\n")
	}
	for _, r := range rules {
		docOneRule(&b, r)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func docInputs(b *strings.Builder, inputs []holdfast.Input) {
	if len(inputs) == 0 {
		return
	}
	b.WriteString("\n| parameter | type | default | |\n|---|---|---|---|\n")
	for _, in := range inputs {
		value := "required"
		switch {
		case !in.Declared:
			value = "unknown"
		case !in.Required:
			text, err := json.Marshal(in.Default)
			value = code(string(text))
			if err != nil {
				value = "not shown"
			}
		}
		fmt.Fprintf(b, "| %s | %s | %s | %s |\n", code(in.Name), code(string(in.Type)), value, inline(in.Doc))
	}
}

func docOneRule(b *strings.Builder, r *holdfast.Rule) {
	fmt.Fprintf(b, "\n## %s\n", inline(r.ID))
	if r.Title != "" {
		fmt.Fprintf(b, "\n**%s**\n", inline(r.Title))
	}
	if r.Description != "" {
		b.WriteString("\n")
		for line := range strings.Lines(r.Description) {
			fmt.Fprintf(b, "%s\n", inline(strings.TrimRight(line, "\n")))
		}
	}
	fmt.Fprintf(b, "\n- %s", docVerb(r))
	if r.Message != "" {
		fmt.Fprintf(b, ": %s", inline(r.Message))
	}
	fmt.Fprintf(b, "\n- %s:%d, %s", code(r.Policy), r.Line, r.Class)
	if r.Severity != "" {
		fmt.Fprintf(b, "\n- severity: %s", r.Severity)
	}
	if len(r.Tags) > 0 {
		fmt.Fprintf(b, "\n- tags: %s", inline(strings.Join(r.Tags, ", ")))
	}
	if len(r.Refs) > 0 {
		fmt.Fprintf(b, "\n- see: %s", inline(strings.Join(r.Refs, ", ")))
	}
	b.WriteString("\n")
}

// docVerb says what a rule does, and whether that comes in time.
func docVerb(r *holdfast.Rule) string {
	verb := map[string]string{"deny": "denies", "ask": "asks", "warn": "warns"}[r.Action]
	if r.Action != "warn" && !r.Preventive {
		verb += ", after the fact"
	}
	return verb
}

// inline makes a text part of a line of Markdown.
func inline(s string) string {
	return inlineEscapes.Replace(escapeLine(strings.ReplaceAll(s, "\n", " ")))
}

var inlineEscapes = strings.NewReplacer(
	`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "<", `\<`, "|", `\|`, "#", `\#`, "!", `\!`,
)

// code makes a text a piece of code in a line or table of Markdown.
func code(s string) string {
	s = strings.ReplaceAll(escapeLine(s), "|", `\|`)
	fence := "`"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	if len(fence) > 1 {
		s = " " + s + " "
	}
	return fence + s + fence
}
