// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package licence

import (
	"bytes"
	"cmp"
	_ "embed"
	"encoding/binary"
	"slices"
	"strings"
	"sync"
)

// stored are the fingerprints of the licences: of each a line with its
// identifier, how many there are as two bytes, and those as four bytes each.
//
//go:embed fingerprints.bin
var stored string

// An owner is a licence that has a fingerprint, and which of its own it is.
type owner struct{ licence, ordinal uint16 }

const filterBits = 19

// A table tells whose fingerprint one is.
type table struct {
	ids    []string
	sizes  []int
	keys   []uint32 // sorted
	from   []uint32 // where the owners of a key begin; one more than keys
	owners []owner
	filter []uint64 // a bit for each beginning of a key
}

// known is the table of the licences that are known, made when it is first
// asked for.
var known = sync.OnceValue(func() *table { return tableOf(stored) })

func tableOf(stored string) *table {
	type entry struct {
		key uint32
		owner
	}
	t := &table{filter: make([]uint64, 1<<filterBits/64)}
	var all []entry
	for stored != "" {
		var id string
		id, stored, _ = strings.Cut(stored, "\n")
		n := int(binary.LittleEndian.Uint16([]byte(stored[:2])))
		stored = stored[2:]
		for i := range n {
			key := binary.LittleEndian.Uint32([]byte(stored[4*i : 4*i+4]))
			all = append(all, entry{key, owner{uint16(len(t.ids)), uint16(i)}})
		}
		stored = stored[4*n:]
		t.ids, t.sizes = append(t.ids, id), append(t.sizes, n)
	}
	slices.SortFunc(all, func(a, b entry) int { return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.licence, b.licence)) })
	for i, e := range all {
		if i == 0 || e.key != all[i-1].key {
			t.keys, t.from = append(t.keys, e.key), append(t.from, uint32(i))
			t.filter[e.key>>(32-filterBits)/64] |= 1 << (e.key >> (32 - filterBits) % 64)
		}
		t.owners = append(t.owners, e.owner)
	}
	t.from = append(t.from, uint32(len(all)))
	return t
}

// find returns the place of a fingerprint among the keys.
func (t *table) find(print uint32) (int, bool) {
	if t.filter[print>>(32-filterBits)/64]>>(print>>(32-filterBits)%64)&1 == 0 {
		return 0, false
	}
	return slices.BinarySearch(t.keys, print)
}

// store is what tableOf reads.
func store(licences []text) []byte {
	var out bytes.Buffer
	for _, l := range licences {
		all := prints(l.body)
		out.WriteString(l.id + "\n")
		out.Write(binary.LittleEndian.AppendUint16(nil, uint16(len(all))))
		for _, print := range all {
			out.Write(binary.LittleEndian.AppendUint32(nil, print))
		}
	}
	return out.Bytes()
}

// A text is that of a licence.
type text struct{ id, body string }
