// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package python

import (
	"slices"
	"strings"
	"sync"

	"github.com/holdfast-dev/holdfast/internal/coderule"
)

// A Rule is one thing that is reported.
type Rule = coderule.Rule

// A rule is a Rule and how it is seen. Some are seen by code of their own, and
// have neither calls nor names.
type rule struct {
	Rule
	calls string           // what is called: full names, and methods of anything, as ".execute"
	any   bool             // whatever is called
	when  func(*call) bool // of a call; nil: always
	text  string           // what findings say
	refs  string           // full names that are unsafe without being called where they stand
}

// Rules returns all rules, in the order of the documentation.
func Rules() []Rule {
	all := rules()
	out := make([]Rule, len(all))
	for i := range all {
		out[i] = all[i].Rule
	}
	return out
}

func rules() []rule {
	return slices.Concat(runningRules, commandRules, loadingRules, queryRules, cryptoRules, secretRules, transportRules, fileRules, webRules)
}

// A table finds rules by what they are about.
type table struct {
	byID        map[string]*rule
	calls, refs map[string][]*rule
	any         []*rule
	known       map[string]bool     // every name, and the modules that it is in
	last        map[string]bool     // the last part of every name
	within      map[string][]string // what modules have that rules name
	bare        map[string]string   // full names of functions that are known without their module
}

var tables = sync.OnceValue(newTable)

func newTable() *table {
	t := &table{
		byID: map[string]*rule{}, calls: map[string][]*rule{}, refs: map[string][]*rule{},
		known: map[string]bool{}, last: map[string]bool{}, within: map[string][]string{}, bare: map[string]string{},
	}
	all := rules()
	for i := range all {
		r := &all[i]
		r.text = r.Description + " (" + r.CWE + ")"
		t.byID[r.ID] = r
		if r.any {
			t.any = append(t.any, r)
		}
		for _, name := range strings.Fields(r.calls) {
			t.calls[name] = append(t.calls[name], r)
			t.name(name)
		}
		for _, name := range strings.Fields(r.refs) {
			t.refs[name] = append(t.refs[name], r)
			t.name(name)
		}
	}
	for _, full := range strings.Fields(knownBare) {
		t.bare[full[strings.LastIndexByte(full, '.')+1:]] = full
		t.name(full)
	}
	for _, name := range strings.Fields(knownBeside) {
		t.name(name)
	}
	return t
}

// knownBeside are names that rules look at in arguments and on the way to
// others.
const knownBeside = "builtins six.moves yaml.SafeLoader yaml.CSafeLoader yaml.BaseLoader yaml.CBaseLoader yaml.Loader yaml.CLoader yaml.FullLoader yaml.CFullLoader " +
	"yaml.UnsafeLoader ruamel.yaml.SafeLoader ruamel.yaml.RoundTripLoader Crypto.Cipher.AES.MODE_ECB"

func (t *table) name(full string) {
	i := strings.LastIndexByte(full, '.')
	last := full[i+1:]
	t.last[last] = true
	for at := full; at != ""; at = at[:max(0, strings.LastIndexByte(at, '.'))] {
		t.known[at] = true
	}
	if i > 0 && !slices.Contains(t.within[full[:i]], last) {
		t.within[full[:i]] = append(t.within[full[:i]], last)
	}
}

// knownBare are functions whose names say by themselves what they are, where
// the import was cut off.
const knownBare = "os.system os.popen subprocess.Popen subprocess.check_output subprocess.check_call subprocess.getoutput " +
	"subprocess.getstatusoutput tempfile.mktemp os.tempnam os.tmpnam hashlib.md5 hashlib.sha1 random.randint random.randrange " +
	"random.random random.getrandbits random.shuffle ssl.CERT_NONE ssl._create_unverified_context paramiko.AutoAddPolicy " +
	"importlib.import_module yaml.unsafe_load os.chmod"
