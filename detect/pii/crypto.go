// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package pii

import (
	"crypto/sha256"
	"encoding/binary"
	"math/big"
	"math/bits"
	"strings"
)

// Addresses of Bitcoin (Base58Check, Bech32 and Bech32m) and Ethereum
// (ERC-55). Each carries a checksum that nothing passes by chance.

// findCrypto reads an address at start.
func findCrypto(text string, start int) (int, float64) {
	end := start
	for end < len(text) && end-start <= 90 && isAlnum(text[end]) {
		end++
	}
	address := text[start:end]
	ok := false
	switch {
	case strings.HasPrefix(address, "0x"):
		ok = len(address) == 42 && ethereum(address[2:])
	case strings.HasPrefix(address, "bc1"), strings.HasPrefix(address, "BC1"):
		ok = bech32(address)
	default:
		ok = base58(address)
	}
	if !ok {
		return -1, 0
	}
	return end, 1
}

// base58 reports whether address is a version, 20 bytes, and the first four
// bytes of their twofold SHA-256.
func base58(address string) bool {
	if len(address) < 26 || len(address) > 35 {
		return false
	}
	const digits = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
	var n, radix, d big.Int
	radix.SetInt64(58)
	for i := range len(address) {
		place := strings.IndexByte(digits, address[i])
		if place < 0 {
			return false
		}
		n.Add(n.Mul(&n, &radix), d.SetInt64(int64(place)))
	}
	if n.BitLen() > 25*8 {
		return false
	}
	var raw [25]byte
	n.FillBytes(raw[:])
	once := sha256.Sum256(raw[:21])
	twice := sha256.Sum256(once[:])
	return [4]byte(twice[:4]) == [4]byte(raw[21:])
}

// bech32 reports whether address has the checksum of BIP 173 or BIP 350.
func bech32(address string) bool {
	lower := strings.ToLower(address)
	if address != lower && address != strings.ToUpper(address) || len(address) < 14 || len(address) > 90 {
		return false
	}
	sum := uint32(1)
	step := func(v uint32) {
		top := sum >> 25
		sum = (sum&0x1ffffff)<<5 ^ v
		for i, g := range [...]uint32{0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3} {
			if top>>i&1 != 0 {
				sum ^= g
			}
		}
	}
	for _, v := range [...]uint32{'b' >> 5, 'c' >> 5, 0, 'b' & 31, 'c' & 31} {
		step(v)
	}
	for i := 3; i < len(lower); i++ {
		v := strings.IndexByte("qpzry9x8gf2tvdw0s3jn54khce6mua7l", lower[i])
		if v < 0 {
			return false
		}
		step(uint32(v))
	}
	return sum == 1 || sum == 0x2bc830a3
}

// ethereum reports whether the letters of address are capitals where the hash
// of the address in small letters says so.
func ethereum(address string) bool {
	hash := keccak256([]byte(strings.ToLower(address)))
	for i := range len(address) {
		c := address[i]
		nibble := hash[i/2] >> (4 - i%2*4) & 15
		if !isHex(c) || isLetter(c) && (c < 'a') != (nibble > 7) {
			return false
		}
	}
	return true
}

// keccak256 is the hash that SHA-3 was made of, with the padding it had
// before; short is less than a block of 136 bytes.
func keccak256(short []byte) (out [32]byte) {
	var block [136]byte
	copy(block[:], short)
	block[len(short)] ^= 1
	block[135] ^= 0x80
	var a [25]uint64
	for i := range 17 {
		a[i] = binary.LittleEndian.Uint64(block[8*i:])
	}
	keccakF(&a)
	for i := range 4 {
		binary.LittleEndian.PutUint64(out[8*i:], a[i])
	}
	return out
}

// keccakF is the permutation of FIPS 202, section 3.3.
func keccakF(a *[25]uint64) {
	lfsr := byte(1)
	for range 24 {
		var c [5]uint64
		for i, v := range a {
			c[i%5] ^= v
		}
		for i := range a {
			a[i] ^= c[(i+4)%5] ^ bits.RotateLeft64(c[(i+1)%5], 1)
		}
		x, y, carried := 1, 0, a[1]
		for t := range 24 {
			x, y = y, (2*x+3*y)%5
			a[x+5*y], carried = bits.RotateLeft64(carried, (t+1)*(t+2)/2), a[x+5*y]
		}
		for y := 0; y < 25; y += 5 {
			row := [5]uint64(a[y : y+5])
			for x := range 5 {
				a[y+x] = row[x] ^ ^row[(x+1)%5]&row[(x+2)%5]
			}
		}
		for j := range 7 {
			if lfsr&1 != 0 {
				a[0] ^= 1 << (1<<j - 1)
			}
			lfsr = lfsr<<1 ^ lfsr>>7*0x71
		}
	}
}
