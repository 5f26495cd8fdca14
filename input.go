// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package holdfast

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/holdfast-dev/holdfast/diag"
	"github.com/holdfast-dev/holdfast/internal/check"
	"github.com/holdfast-dev/holdfast/internal/value"
)

// maxInput bounds the text of one parameter of a policy.
const maxInput = 64 << 20

// input reads the parameters that a monitor is given. What the policy declares
// is checked here, once, so that a misspelt or forgotten parameter is an error
// at the start and not a rule that is unknown, or that has its default, later.
func (p *Policy) input(given map[string]any) (map[string]*value.Value, error) {
	input := map[string]*value.Value{}
	for name, x := range given {
		v, err := fromGo(x, maxInput)
		if err != nil {
			return nil, fmt.Errorf("reading parameter %q: %w", name, err)
		}
		input[name] = v
	}
	var wrong []error
	declared := p.program.Check.Inputs
	for _, in := range declared {
		v := input[in.Name]
		switch {
		case v != nil:
			v, got := in.Accept(v)
			if got != "" {
				wrong = append(wrong, fmt.Errorf("parameter %q: got %s, want %s", in.Name, got, in.TypeName()))
				continue
			}
			if in.Fixed && !value.Equal(v, in.Default) {
				wrong = append(wrong, fmt.Errorf("parameter %q bounds a count and is fixed when the policy loads: give it by an import, or by Options.Input", in.Name))
			}
			input[in.Name] = v
		case in.Required():
			wrong = append(wrong, fmt.Errorf("parameter %q is not given, and has no default: want %s", in.Name, in.TypeName()))
		}
	}
	if len(declared) > 0 && !slices.ContainsFunc(declared, func(in *check.Input) bool { return !in.Declared }) {
		wrong = append(wrong, strangers(input, declared)...)
	}
	return input, errors.Join(wrong...)
}

// known are the parameters that are known when a policy loads. A value that is
// none of the language is left to the monitor to refuse.
func (o *Options) known() map[string]*value.Value {
	known := map[string]*value.Value{}
	for name, x := range o.Input {
		if v, err := fromGo(x, maxInput); err == nil {
			known[name] = v
		}
	}
	return known
}

// strangers returns an error for each parameter that a policy does not declare.
func strangers(input map[string]*value.Value, declared []*check.Input) []error {
	var names []string
	for _, in := range declared {
		names = append(names, in.Name)
	}
	var wrong []error
	for _, name := range slices.Sorted(maps.Keys(input)) {
		if slices.Contains(names, name) {
			continue
		}
		hint := ""
		if near := diag.Nearest(name, names); near != "" {
			hint = fmt.Sprintf(", did you mean %q?", near)
		}
		wrong = append(wrong, fmt.Errorf("the policy declares no parameter %q%s", name, hint))
	}
	return wrong
}
