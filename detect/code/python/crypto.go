// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package python

import (
	"strings"

	"github.com/holdfast-dev/holdfast/internal/python"
)

// cryptoRules are about hashes, ciphers and random numbers.
var cryptoRules = []rule{
	{
		Rule: Rule{
			ID: "python-weak-hash", CWE: "CWE-328", Severity: "warning",
			Description: "the hash is broken: others can make texts with the same",
			Match: []string{
				"import hashlib\nhashlib.md5(x)", "from hashlib import sha1 as h\nh(x)", "hashlib.new('MD5')", "import md5\nmd5.new(x)", "from Crypto.Hash import MD4\nMD4.new()",
				"from cryptography.hazmat.primitives import hashes\nhashes.Hash(hashes.SHA1())", "hmac.new(k, m, hashlib.md5)", "hmac.new(k, m, 'sha1')", "import sha\nsha.new(x)",
				"h = getattr(hashlib, 'md5')()", "import hashlib\nhashlib.new(name='sha-1')", "from passlib.hash import md5_crypt\nmd5_crypt.hash(p)",
			},
			NoMatch: []string{
				"import hashlib\nhashlib.sha256(x)", "hashlib.md5(x, usedforsecurity=False)", "hashlib.new('sha512')", "md5sum = 3", "hmac.new(k, m, hashlib.sha256)", "x.md5()",
			},
		},
		calls: "hashlib.md5 hashlib.md4 hashlib.md2 hashlib.sha1 hashlib.sha hashlib.new md5.new md5.md5 os_sha.new sha.new sha.sha hmac.new hmac.HMAC hmac.digest hashlib.pbkdf2_hmac " +
			"Crypto.Hash.MD2.new Crypto.Hash.MD4.new Crypto.Hash.MD5.new Crypto.Hash.SHA.new Crypto.Hash.SHA1.new MD5.new MD4.new SHA1.new " +
			"cryptography.hazmat.primitives.hashes.MD5 cryptography.hazmat.primitives.hashes.SHA1 hashes.MD5 hashes.SHA1 " +
			"passlib.hash.md5_crypt.hash passlib.hash.md5_crypt.encrypt passlib.hash.sha1_crypt.hash passlib.hash.lmhash.hash passlib.hash.nthash.hash",
		refs: "hashlib.md5 hashlib.md4 hashlib.sha1", when: weakHash,
	},
	{
		Rule: Rule{
			ID: "python-weak-cipher", CWE: "CWE-327", Severity: "error",
			Description: "the cipher, or the way it is used, is broken",
			Match: []string{
				"from Crypto.Cipher import DES\nDES.new(k)", "from Crypto.Cipher import AES\nAES.new(k, AES.MODE_ECB)", "from Cryptodome.Cipher import ARC4\nARC4.new(k)",
				"from Crypto.Cipher import AES\nAES.new(key)", "from cryptography.hazmat.primitives.ciphers import algorithms as a\na.TripleDES(k)", "modes.ECB()",
				"import pyDes\npyDes.des(k)",
			},
			NoMatch: []string{
				"from Crypto.Cipher import AES\nAES.new(k, AES.MODE_GCM)", "from Crypto.Cipher import AES\nAES.new(k, mode, iv)", "algorithms.AES(k)", "DESIGN.new(k)", "modes.GCM(n)",
			},
		},
		calls: "Crypto.Cipher.DES.new Crypto.Cipher.DES3.new Crypto.Cipher.ARC2.new Crypto.Cipher.ARC4.new Crypto.Cipher.Blowfish.new Crypto.Cipher.CAST.new Crypto.Cipher.XOR.new " +
			"Crypto.Cipher.AES.new DES.new DES3.new ARC2.new ARC4.new Blowfish.new AES.new pyDes.des pyDes.triple_des " +
			cipherNames("ARC4 TripleDES Blowfish IDEA CAST5 SEED RC2 DES") + "cryptography.hazmat.primitives.ciphers.modes.ECB modes.ECB",
		when: func(c *call) bool {
			if strings.HasSuffix(c.name, "AES.new") {
				mode := c.arg(1, "mode")
				return mode == nil || c.names(mode, "MODE_ECB")
			}
			return true
		},
	},
	{
		Rule: Rule{
			ID: "python-short-key", CWE: "CWE-326", Severity: "error",
			Description: "the key is too short",
			Match:       []string{"from Crypto.PublicKey import RSA\nRSA.generate(1024)", "from cryptography.hazmat.primitives.asymmetric import rsa\nrsa.generate_private_key(public_exponent=65537, key_size=512)"},
			NoMatch:     []string{"from Crypto.PublicKey import RSA\nRSA.generate(2048)", "rsa.generate_private_key(public_exponent=65537, key_size=n)", "report.generate(10)"},
		},
		calls: "Crypto.PublicKey.RSA.generate Crypto.PublicKey.DSA.generate RSA.generate DSA.generate paramiko.RSAKey.generate rsa.newkeys " +
			"cryptography.hazmat.primitives.asymmetric.rsa.generate_private_key cryptography.hazmat.primitives.asymmetric.dsa.generate_private_key rsa.generate_private_key dsa.generate_private_key",
		when: func(c *call) bool {
			for _, a := range append(c.node.Args(), c.named("key_size"), c.named("bits")) {
				if n := number(a); n >= 0 && n < 2048 && n != 3 {
					return true
				}
			}
			return false
		},
	},
	{
		Rule: Rule{
			ID: "python-random-secret", CWE: "CWE-338", Severity: "warning",
			Description: "a secret is made with random, whose numbers can be foretold",
			Match: []string{
				"import random\ntoken = random.randint(0, 9)", "def make_password():\n    return ''.join(random.choice(c) for _ in range(8))", "salt = str(randint(1, 199))",
				"f(session_key=random.getrandbits(64))", "from random import choice\nself.secret = choice(x)", "data['otp'] = random.randrange(10)",
			},
			NoMatch: []string{"import secrets\ntoken = secrets.token_hex()", "import random\ntoken = random.SystemRandom().random()", "dice = random.randint(1, 6)", "token = choice(x)"},
		},
		calls: randomCalls, when: func(c *call) bool { return c.place.secret },
	},
	{
		Rule: Rule{
			ID: "python-random", CWE: "CWE-338", Severity: "info",
			Description: "the numbers of random can be foretold",
			Match:       []string{"import random\nrandom.seed()", "import random as r\nr.choice(x)", "from random import *\nshuffle(x)", "random.Random(4)", "x = randint(0, 4)", "import random\nmap(random.random, x)"},
			NoMatch:     []string{"import random\nrandom.SystemRandom()", "import numpy as np\nnp.random.rand()", "rng.choice(x)", "from numpy import random\nrandom.rand(3)", "secrets.choice(x)"},
		},
		calls: randomCalls, refs: "random.random random.randint random.choice random.randrange random.Random", when: func(c *call) bool { return !c.place.secret },
	},
}

const randomCalls = "random.random random.randint random.randrange random.choice random.choices random.sample random.shuffle random.uniform random.triangular " +
	"random.betavariate random.expovariate random.gauss random.normalvariate random.lognormvariate random.vonmisesvariate random.gammavariate random.paretovariate " +
	"random.weibullvariate random.getrandbits random.randbytes random.seed random.Random random.jumpahead random.WichmannHill random.binomialvariate random.setstate"

// cipherNames are classes of cryptography, by their module and by their last
// two names.
func cipherNames(classes string) string {
	var out strings.Builder
	for _, c := range strings.Fields(classes) {
		for _, m := range []string{"cryptography.hazmat.primitives.ciphers.", "cryptography.hazmat.decrepit.ciphers.", ""} {
			out.WriteString(m + "algorithms." + c + " ")
		}
	}
	return out.String()
}

// weakHash looks at how a hash is chosen and what it is said to be for.
func weakHash(c *call) bool {
	if isFalse(c.named("usedforsecurity")) {
		return false
	}
	switch c.name {
	case "hashlib.new", "hashlib.pbkdf2_hmac":
		return weakHashName(c.text(0, "name") + c.text(0, "hash_name"))
	case "hmac.new", "hmac.HMAC", "hmac.digest": // a function is seen where it stands
		digest := c.arg(2, "digestmod")
		if digest == nil {
			digest = c.named("digest")
		}
		if digest == nil || digest.Kind != python.String {
			return false
		}
		return weakHashName(digest.Name)
	}
	return true
}

func weakHashName(name string) bool {
	switch strings.NewReplacer("-", "", "_", "").Replace(strings.ToLower(name)) {
	case "md2", "md4", "md5", "sha", "sha1", "md5md5", "sha1sha1", "md4md4":
		return true
	}
	return false
}
