// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"testing"
)

func TestInputsKeepTheirNumbers(t *testing.T) {
	inputs, err := parseInputs([]string{"a=1", "b=1.0", "c=01", "d=12345678901234567890123", "e=[1, {\"f\": null}]", "g=", "h=x=y", "i=true false"})
	if err != nil {
		t.Fatal(err)
	}
	got, err := json.Marshal(inputs)
	want := `{"a":1,"b":1,"c":"01","d":12345678901234567890123,"e":[1,{"f":null}],"g":"","h":"x=y","i":"true false"}`
	if err != nil || string(got) != want {
		t.Errorf("got %s, %v; want %s", got, err, want)
	}
	if _, whole := inputs["a"].(int64); !whole {
		t.Errorf("1 is a %T, want int64", inputs["a"])
	}
	if _, float := inputs["b"].(float64); !float {
		t.Errorf("1.0 is a %T, want float64", inputs["b"])
	}
}
