// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package remote_test

import (
	"fmt"

	"github.com/holdfast-dev/holdfast"
	"github.com/holdfast-dev/holdfast/detect/local"
	"github.com/holdfast-dev/holdfast/detect/remote"
)

// compile makes a policy whose moderation is a server's.
func compile(policy []byte, token string) (*holdfast.Policy, error) {
	client, err := remote.New("moderated", "https://detectors.example.com/ask", &remote.Options{Token: token})
	if err != nil {
		return nil, err
	}
	detectors := local.Detectors()
	detectors["moderated"] = client
	return holdfast.Compile("policy.gr", policy, &holdfast.Options{Detectors: detectors})
}

func ExampleNew() {
	policy, err := compile([]byte(`raise "abusive" if:
    (m: AgentMessage)
    is_moderated(m.content)
`), "secret")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(policy.Rules()), "rule, and nothing was asked yet")
	// Output: 1 rule, and nothing was asked yet
}
