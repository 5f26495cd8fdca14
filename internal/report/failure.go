// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package report

import (
	"errors"
	"fmt"
	"regexp"

	"github.com/holdfast-dev/holdfast"
	"github.com/holdfast-dev/holdfast/trace"
)

// Reason says why a trace could not be read or checked, without the line, and
// without what policy hides. A nil policy hides nothing.
func Reason(policy *holdfast.Policy, err error) string {
	o := Options{Policy: policy}
	err = o.quotingNothing(err)
	var bad *trace.Error
	switch {
	case !errors.As(err, &bad):
		return err.Error()
	case bad.Path == "":
		return bad.Msg
	}
	return fmt.Sprintf("%s: %s", bad.Path, bad.Msg)
}

// safe returns a result that failed with an error that may be shown.
func (o *Options) safe(res Result) Result {
	res.Err = o.quotingNothing(res.Err)
	return res
}

// quotingNothing returns an error that may be shown: one about a trace may
// quote it.
func (o *Options) quotingNothing(err error) error {
	var bad *trace.Error
	if errors.As(err, &bad) {
		plain := *bad
		plain.Msg, plain.Path = o.quoting(bad.Msg), o.address(bad.Path)
		return &plain
	}
	if text := o.quoting(err.Error()); text != err.Error() {
		return errors.New(text)
	}
	return err
}

// cutQuote is a quoted text of which the end is missing.
var cutQuote = regexp.MustCompile(`"(?:[^"\\\n]|\\.)*…"`)

// quoting makes a message about a trace safe to show. Of a text that was cut
// cannot be told any more what it is, so none of it is shown where anything
// is hidden.
func (o *Options) quoting(message string) string {
	message = o.masked(message).Text
	if o.Policy == nil || !o.Policy.Hides() {
		return message
	}
	return cutQuote.ReplaceAllLiteralString(message, `"<hidden>"`)
}
