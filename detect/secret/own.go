// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package secret

import (
	"encoding/base64"
	"encoding/json"
	"strings"
	"unicode/utf8"
)

// ownRules are the rules that gitleaks does not have, or has for other texts
// than ours: a scanner of repositories sees files, this one also what a tool
// printed, a message cut in the middle, a key on one line of JSON.
//
// The first four are the names of the public rules language. Policies ask for
// them, so they are reported beside the rules that know the token better.
var ownRules = []Rule{
	{
		ID: "GITHUB_TOKEN", Description: "A token of GitHub, of any kind.", own: true, name: true,
		pattern:  `(?:gh[pousr]_[A-Za-z0-9_]{36}|github_pat_\w{82})`,
		keywords: []string{"ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"},
		Match: []string{
			"My token is ghp_aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5",
			"git clone https://gho_aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5@github.com/o/r",
		},
		NoMatch: []string{"My token is ghp_aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1x", "ghx_aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5"},
	},
	{
		ID: "AWS_ACCESS_KEY", Description: "A key of Amazon Web Services: its id, or the secret beside the word.", own: true, name: true,
		pattern: `\b((?:A3T[A-Z0-9]|AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16})\b|(?i:aws.{0,20}?(?:key|pwd|pw|password|pass|token).{0,20}?['"]([0-9a-zA-Z/+]{40})['"])|` +
			`(?i:secret_?access_?key)["']?\s{0,3}[=:]\s{0,3}["']?([0-9a-zA-Z/+]{40})(?:[^0-9a-zA-Z/+=]|$)`,
		keywords: []string{"a3t", "akia", "asia", "abia", "acca", "aws", "secretaccesskey", "secret_access_key", "secretaccess_key", "secret_accesskey"},
		Match: []string{
			"My token is AKIAIOSFODNN7EXAMPLE",
			`aws_secret_access_key = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"`,
			"export AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
			`{"AccessKey": {"SecretAccessKey": "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"}}`,
		},
		NoMatch: []string{"My token is AKSAIOSFODNN7EXAMPLE", "xAKIAIOSFODNN7EXAMPLE", "akiaiosfodnn7example", `aws_secret_access_key = "wJalrXUtnFEMI/K7MDENG"`},
	},
	{
		ID: "AZURE_STORAGE_KEY", Description: "The key of an Azure storage account, in a connection string.", own: true, name: true,
		pattern:  `AccountKey=([A-Za-z0-9+/=]{88})`,
		keywords: []string{"accountkey="},
		Match: []string{
			"AccountKey=q7wE9rT1yU3iO5pA7sD9fG1hJ3kL5zX7cV9bN1mQ3wE5rT7yU9iO1pA3sD5fG7hJ9kL1zX3cV5bN7m/Q+wE1rT3y==",
		},
		NoMatch: []string{
			"AxccountKey=q7wE9rT1yU3iO5pA7sD9fG1hJ3kL5zX7cV9bN1mQ3wE5rT7yU9iO1pA3sD5fG7hJ9kL1zX3cV5bN7m/Q+wE1rT3y==",
			"AccountKey=q7wE9rT1yU3iO5pA7sD9fG1hJ3kL5zX7cV9bN1mQ3wE5rT7yU9iO1pA3sD5fG==",
		},
	},
	{
		ID: "SLACK_TOKEN", Description: "A token or webhook of Slack, of any kind.", own: true, name: true,
		pattern: `(?i:xox[a-z]-(?:\d{1,20}-){1,6}[a-z0-9]{8,200})|(?i:xapp-\d-[A-Z0-9]{6,20}-\d{6,20}-[a-z0-9]{16,100})|` +
			`https://hooks\.slack\.com/services/T[a-zA-Z0-9_]{6,20}/B[a-zA-Z0-9_]{6,20}/[a-zA-Z0-9_]{16,40}`,
		keywords: []string{
			"xoxa-", "xoxb-", "xoxc-", "xoxd-", "xoxe-", "xoxo-", "xoxp-", "xoxr-", "xoxs-", "xox", "xapp-", "hooks.slack.com",
		},
		Match: []string{
			"My token is xoxb-" + "123456789012-1234567890123-1234567890123-1234567890123",
			"https://hooks.slack.com" + "/services/T12345678/B12345678/aB3dE5fG7hJ9kL1mN3pQ5rS7",
		},
		NoMatch: []string{"My token is abde-123456789012-1234567890123-1234567890123-1234567890123", "https://slack.com/services/T12345678"},
	},
	{
		ID: "private-key-block", Description: "A private key that is cut off, on one line, or of SSH2 or PuTTY.", own: true,
		pattern: `-{4,5} ?BEGIN[ A-Z0-9_-]{0,60}PRIVATE KEY(?: BLOCK)?(?: ?-{4,5})(?:[\s"'+,]|\\+[nrt]|[A-Z][A-Za-z0-9-]{1,20}: [^\n\\]{0,80}(?:\n|\\n))*([A-Za-z0-9+/=]{24,}(?:(?:\s|\\+[nrt]){1,8}[A-Za-z0-9+/=]{4,})*)|` +
			`Private-Lines: \d{1,4}\s{1,4}([A-Za-z0-9+/=]{24,}(?:\s{1,2}[A-Za-z0-9+/=]{4,})*)`,
		keywords: []string{"private key", "private-lines:"},
		accept:   varied,
		Match: []string{
			"-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA7bq1n2v3Xk4y5Zl6o8P9qRsTuVwXyZ0aBcDeFgHiJkLmNoPq\nhK3mX9",
			`{"private_key": "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC\nBKcwggSjAgEAAoIBAQC7"}`,
			"---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\nComment: \"rsa-key\"\nP2/56wAAAgIAAAAmZGwtbW9kcHtzaWdu",
			"PuTTY-User-Key-File-2: ssh-rsa\nEncryption: none\nPrivate-Lines: 1\nAAABAQCx3vK9m2Lq8Wn5Rt7Yz1Pd4Fg6Hj0\n",
		},
		NoMatch: []string{
			"-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA7bq1n2v3Xk4y5Zl6\n",
			"the file begins with -----BEGIN RSA PRIVATE KEY----- and ends with its END line",
			"-----BEGIN PRIVATE KEY-----\nAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\n",
		},
	},
	{
		ID: "json-web-token", Description: "A signed or encrypted JSON web token, whatever stands behind it.", own: true,
		pattern:  `\b(eyJ[A-Za-z0-9_-]{8,}\.(?:[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{16,}|[A-Za-z0-9_-]*\.[A-Za-z0-9_-]{8,100}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{16,64}))`,
		keywords: []string{"eyj"},
		accept:   isToken,
		Match: []string{
			"(eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U)",
			"?jwt=eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJqb2UifQ.cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9&x=1",
		},
		NoMatch: []string{
			"eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0",
			"eyJub3RoaW5nIjoidG8gc2VlIn0.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U",
		},
	},
	{
		ID: "connection-string-password", Description: "The password in the address of a database, a queue or a server.", own: true,
		pattern:  `(?i)\b[a-z][a-z0-9+.-]{1,30}://[^\s:/?#@"'<>(){}\x60\\]{0,100}:([^\s/?#@"'<>\x60\\]{3,200})@[\w.\[-]`,
		keywords: []string{"://"},
		accept:   isPassword,
		Match: []string{
			"DATABASE_URL=postgres://app:Zk39vLq0x@db.internal:5432/app",
			"mongodb+srv://svc:9f8Kd%40lQ2@cluster0.abcde.mongodb.net/test",
			"redis://:Tr0ub4dor-3@cache:6379/0",
			"amqp://worker:h7Kq2Lm9@mq:5672/",
			"pip install --index-url https://ci:kP4x9Qz7Lm@pypi.corp.example/simple",
		},
		NoMatch: []string{
			"postgres://app@db.internal:5432/app", "postgres://app:${PGPASSWORD}@db/app", "https://user:password@example.com/",
			"http://example.com:8080/a@b", "mysql://root:<password>@localhost/", "redis://localhost:6379", "ftp://user:***@host/",
		},
	},
	{
		ID: "connection-string-pair", Description: "The password in a list of settings of a connection.", own: true,
		pattern:  `(?i)=(?:[^;"'\n=]{1,100};\s{0,2}|[^;"'\s=&]{1,100}[ \t&])(?:password|pwd)=([^;"'\s&,(){}<>\[\]\x60]{4,128})`,
		keywords: []string{"password", "pwd"},
		accept:   isPassword,
		Match: []string{
			"Server=tcp:db.example,1433;Database=app;User ID=sa;Password=Zk39vLq0x!;Encrypt=True",
			`conn = "host=db.internal port=5432 user=app password=Zk39vLq0x dbname=app"`,
		},
		NoMatch: []string{
			"Server=db;Database=app;Password={0};", "host=%s user=%s password=%s", "Server=db; we change the password = often",
			"user=app password=secret",
		},
	},
	{
		ID: "http-basic-credentials", Description: "A user's password in an Authorization header.", own: true,
		pattern:  `(?i)\bauthorization["']?\]?\s{0,3}[:=,]\s{0,3}["'\x60]?basic\s{1,3}([a-z0-9+/_-]{8,400}={0,2})`,
		keywords: []string{"authorization"},
		accept:   isBasic,
		Match:    []string{"Authorization: Basic YXBwOlprMzl2THEweA==", `headers["Authorization"] = "Basic YXBwOlprMzl2THEweA=="`},
		NoMatch:  []string{"Authorization: Basic realm", "Authorization: Basic dXNlcjpwYXNzd29yZA==", "Authorization: Basic bm9jb2xvbmhlcmU="},
	},
	{
		ID: "http-bearer-token", Description: "A bearer token in an Authorization header.", own: true,
		pattern:  `(?i)\bauthorization["']?\]?\s{0,3}[:=,]\s{0,3}["'\x60]?(?:bearer|token)\s{1,3}([\w~+/.-]{20,}=*)`,
		keywords: []string{"authorization"},
		accept:   isKey,
		Match:    []string{`"Authorization": "Bearer 7f3kQ9zL2mX8vB4nT6yR1cW5"`, "authorization: token 7f3kQ9zL2mX8vB4nT6yR1cW5"},
		NoMatch:  []string{"Authorization: Bearer <token>", "Authorization: Bearer YOUR_ACCESS_TOKEN_GOES_HERE", "Authorization: Bearer mF_9.B5f-4.1JqM"},
	},
	{
		ID: "netrc-password", Description: "A password in a .netrc file.", own: true,
		pattern:  `(?i)\bmachine\s{1,8}\S{1,200}\s{1,8}login\s{1,8}\S{1,200}\s{1,8}password\s{1,8}([^\s"'\\]{4,200})`,
		keywords: []string{"machine"},
		accept:   isPassword,
		Match:    []string{"machine api.example.com login app password Zk39vLq0x", "machine h\n  login me\n  password h7Kq2Lm9\n"},
		NoMatch:  []string{"the machine asks for login and password", "machine h login me password secret", "machine h account me password h7Kq2Lm9"},
	},
	{
		ID: "docker-registry-auth", Description: "A user and a password in the configuration of Docker.", own: true,
		pattern:  `"auth"\s{0,4}:\s{0,4}"([A-Za-z0-9+/]{8,400}={0,2})"`,
		keywords: []string{"\"auth\""},
		accept:   isBasic,
		Match:    []string{`{"auths": {"registry.example": {"auth": "YXBwOlprMzl2THEweA=="}}}`},
		NoMatch:  []string{`{"auth": "required"}`, `{"auth": "dXNlcjpwYXNzd29yZA=="}`, `{"author": "YXBwOlprMzl2THEweA=="}`},
	},
	{
		ID: "azure-shared-access-signature", Description: "A signature that gives access to Azure storage by its address alone.", own: true,
		pattern:  `(?i)[?&;](?:sv|se|sp|sr|st|spr|skoid)=[^\s"'<>\x60]{1,500}[&;]sig=([a-z0-9%+/]{43,70}(?:%3d|=))`,
		keywords: []string{"sig="},
		accept:   isKey,
		Match:    []string{"https://acct.blob.core.windows.net/c?sv=2022-11-02&sr=c&sp=r&sig=q7wE9rT1yU3iO5pA7sD9fG1hJ3kL5zX7cV9bN1mQ3wE%3D"},
		NoMatch:  []string{"https://example.com/?a=1&sig=q7wE9rT1yU3iO5pA7sD9fG1hJ3kL5zX7cV9bN1mQ3wE%3D", "?sv=2022-11-02&sr=c&sp=r&sig=REDACTED"},
	},
	{
		ID: "google-oauth", Description: "A client secret or an access token of Google's OAuth.", own: true,
		pattern:  `\b(GOCSPX-[\w-]{28}|ya29\.[\w-]{30,})`,
		keywords: []string{"gocspx-", "ya29."},
		accept:   isKey,
		Match:    []string{"client_secret: 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", "?access_token=ya29.a0AfB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1x"},
		NoMatch:  []string{"GOCSPX-your-client-secret", "ya29.xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"},
	},
	{
		ID: "model-provider-key", Description: "A key of a provider of language models.", own: true,
		pattern:  `\b(gsk_[A-Za-z0-9]{52}|xai-[A-Za-z0-9]{80}|r8_[A-Za-z0-9]{37}|sk-or-v1-[a-f0-9]{64})\b`,
		keywords: []string{"gsk_", "xai-", "r8_", "sk-or-v1-"},
		accept:   isKey,
		Match: []string{
			"GROQ=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", "r8_aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5b",
			"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",
		},
		NoMatch: []string{"gsk_short", "r8_aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5bX", "sk-or-v1-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"},
	},
	{
		ID: "password-assignment", Description: "A random value with signs in it, assigned to a name that speaks of secrets.", own: true, generic: true,
		pattern: `(?i)(?:pass(?:word|wd|phrase|code)|pwd|secret|token|api[_.-]?key|private[_.-]?key|access[_.-]?key|credential)[\w.-]{0,20}["'\x60]?\]?[ \t]{0,3}` +
			`(?:=|:|:=|=>)[ \t]{0,3}["'\x60]([^\s"'\x60]{10,200})["'\x60]`,
		keywords: []string{
			"passw", "passphrase", "passcode", "pwd", "secret", "token", "apikey", "api_key", "api.key", "api-key",
			"private_key", "private.key", "private-key", "privatekey", "access_key", "access.key", "access-key", "accesskey", "credential",
		},
		accept: isRandom,
		Match: []string{
			`password = "k9#Lm2$vQx!7Zp"`, `{"db_passwd": "T7&gR!2wPz@9"}`, `passphrase: 'v8^Kq+3Lm!xZ0'`,
		},
		NoMatch: []string{
			`password = "correct horse"`, `password_url = "https://example.com/x?y=1#Z"`, `token = "%(name)s-%(id)d"`, `secret: "${SECRET_1}"`,
			`password = "Enter:password1!"`, `tokens = "!=<>+-*/%&|^~"`,
		},
	},
	{
		ID: "password-line", Description: "A password behind the word, as people write it into notes and settings.", own: true, generic: true,
		pattern: `(?i)(?:^|[\s"'({,;_.-])(?:pass(?:word|wd|phrase|code)|pwd)["'\x60]?(?:[ \t]{0,3}(?:=|:|:=|=>)[ \t]{0,3}|[ \t]{1,3}(?:is|was)[ \t:]{1,3})["'\x60]?` +
			`([^\s"'\x60<>(){}\[\],;|\\/.]{8,64})(?:[\s"'\x60,;.)]|\\n|$)`,
		keywords: []string{"password", "passwd", "passphrase", "passcode", "pwd"},
		accept:   isTyped,
		Match:    []string{"password: Sup3rS3cret!", "db.password=Sup3rS3cret2024\n", "Your new password is Zk39vLq0x!.", "The passphrase was 7h&kP2vQ9 until today"},
		NoMatch: []string{
			"password: required", "password = user_password_2", "password: str = None", "the password is case-sensitive", "password=Password123",
			"passwd = crypt_md5_hash", "password: MyPassword1", "pwd: UserPwd2Field", "password = sha256_hex",
		},
	},
	{
		ID: "command-line-password", Description: "A password among the arguments of a command.", own: true, generic: true,
		pattern: `(?i)(?:\s--?(?:password|passwd|pass|pwd|api-?key|token|secret|secret-key|auth-token)[= ]|\bsshpass\s{1,3}-p\s{0,2}|` +
			`\bmysql(?:dump|admin|import)?\s(?:[^\n|;]{0,100}\s)?-p|\bredis-cli\s(?:[^\n|;]{0,100}\s)?-a\s{1,3})["']?([^\s"'$<>(){}\[\]\x60,;|]{6,200})`,
		keywords: []string{"-password", "-passwd", "-pass", "-pwd", "-apikey", "-api-key", "-token", "-secret", "-auth-token", "sshpass", "mysql", "redis-cli"},
		accept:   isTyped,
		Match: []string{
			"wget --password=Zk39vLq0x https://x", "sshpass -p 'Zk39vLq0x' ssh app@h", "mysql -u root -pZk39vLq0x app", "redis-cli -h c -a Zk39vLq0xQw",
			"deploy --token 7f3kQ9zL2mX8vB4n",
		},
		NoMatch: []string{
			"wget --password=PASSWORD", "sshpass -p $PW ssh h", "mysql -u root -p app", "tool --token TOKEN --secret-key SECRET_KEY", "mysql -pport 3306",
		},
	},
	{
		ID: "environment-secret", Description: "A value of an environment variable that is named for a secret.", own: true, generic: true,
		pattern:  `\b[A-Z][A-Z0-9_]{0,40}(?:PASSWORD|PASSWD|SECRET|TOKEN|API_KEY|ACCESS_KEY|PRIVATE_KEY)(?:_[A-Z0-9_]{1,20})?=([^\s"'$<>(){}\x60,;|&]{10,200})(?:\s|$)`,
		keywords: []string{"password", "passwd", "secret", "token", "api_key", "access_key", "private_key"},
		accept:   isKey,
		Match:    []string{"A=1\nDB_PASSWORD=h7Kq2!Lm9zXw\nB=2", "export STRIPE_SECRET=7f3kQ9zL2mX8vB4n", "PGPASSWORD=Zk39vLq0xQw psql -h db"},
		NoMatch:  []string{"DB_PASSWORD=changeme", "DB_PASSWORD=$(cat /run/secret)", "DB_PASSWORD=correcthorse", "set DB_PASSWORD=/run/secrets/db_password"},
	},
}

// placeholders are what people write where a secret belongs.
var placeholders = []string{
	"admin", "abc", "bar", "changeit", "changeme", "credential", "default", "dummy", "example", "fake", "foo", "guest", "hidden", "hunter2", "insert",
	"key", "letmein", "masked", "mysecret", "none", "null", "pass", "passwd", "password", "placeholder", "postgres", "pwd", "qwerty",
	"redacted", "removed", "replace", "root", "sample", "secret", "test", "token", "undefined", "user", "username", "value", "your",
}

// placeholder reports whether s stands for a secret instead of being one: it
// is one of the words people use, with nothing but digits and signs around it,
// or it begins like a variable.
func placeholder(s string) bool {
	if strings.ContainsAny(s[:1], "$%{<[*&@.") || strings.Contains(s, "{{") || strings.Contains(s, "${") || strings.Contains(s, "...") {
		return true
	}
	letters := strings.ToLower(strings.Trim(s, "0123456789_-.!*#%$<>[]{}()"))
	if letters == "" {
		return strings.Trim(s, "0123456789") != "" || entropyOf(s) < 2
	}
	for _, word := range placeholders {
		if letters == word || strings.HasPrefix(letters, "your") || strings.HasPrefix(letters, "my"+word) || strings.HasPrefix(letters, "the"+word) {
			return true
		}
	}
	return strings.Trim(letters, letters[:1]) == ""
}

// varied tells a key's body from a run of one letter.
func varied(s string) bool { return entropyOf(s) > 3 }

// isPassword takes any password that is not a placeholder and no word.
func isPassword(s string) bool {
	if placeholder(s) {
		return false
	}
	return entropyOf(s) >= 2 && (count(s) >= 2 || len(s) >= 8)
}

// isKey takes what a person would not type: letters and digits mixed, with
// little repetition.
func isKey(s string) bool {
	lower, upper, digits, _ := classes(s)
	return !placeholder(s) && digits > 1 && lower+upper > 1 && entropyOf(s) >= 3 && !strings.Contains(s, "//") && s[0] != '/'
}

// isTyped takes passwords as people make them up where rules want digits and
// signs, and not names of things with a number in them.
func isTyped(s string) bool {
	lower, upper, digits, signs := classes(s)
	if strings.Trim(s, "_-.0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ!@#$%^&*+~?=/:") != "" {
		return false
	}
	loud := strings.ContainsAny(s, "!@#$%^&*+~?")
	if s[0] == '-' || strings.ContainsAny(s, "_/:=") && !loud || lower+upper == 0 || digits == 0 || !isPassword(s) {
		return false
	}
	for _, word := range []string{"password", "passwd", "pwd", "secret", "token", "user", "hash", "sha", "md5", "key"} {
		if strings.Contains(strings.ToLower(s), word) {
			return false
		}
	}
	return loud && count(s) >= 3 || lower > 0 && upper > 0 && scattered(s) && signs == 0
}

// scattered reports whether digits stand in more than one place, or before a
// letter: a name has them at its end.
func scattered(s string) bool {
	s = strings.TrimRight(s, "0123456789")
	return strings.ContainsAny(s, "0123456789")
}

// isRandom takes values of three kinds of characters or more, signs among
// them, that are no piece of code: no address, path, format or markup.
func isRandom(s string) bool {
	lower, upper, digits, signs := classes(s)
	if placeholder(s) || lower+upper == 0 || digits == 0 || signs == 0 || count(s) < 3 || entropyOf(s) < 3 {
		return false
	}
	for _, code := range []string{"://", "\\", "(", ")", "<", ">", "{", "}", "[", "]", ";", ",", "|", "%s", "%d", "/", ":", "=", "."} {
		if strings.Contains(s, code) {
			return false
		}
	}
	return strings.ContainsAny(s, "!@#$%^&*+~?")
}

// count is how many kinds of characters s has.
func count(s string) int {
	n := 0
	lower, upper, digits, signs := classes(s)
	for _, k := range []int{lower, upper, digits, signs} {
		if k > 0 {
			n++
		}
	}
	return n
}

func classes(s string) (lower, upper, digits, signs int) {
	for _, r := range s {
		switch {
		case 'a' <= r && r <= 'z':
			lower++
		case 'A' <= r && r <= 'Z':
			upper++
		case '0' <= r && r <= '9':
			digits++
		default:
			signs++
		}
	}
	return lower, upper, digits, signs
}

// isToken reports whether the header of a web token says how it is signed.
func isToken(s string) bool {
	head, _, _ := strings.Cut(s, ".")
	raw, err := base64.RawURLEncoding.DecodeString(head)
	if err != nil {
		return false
	}
	var header struct {
		Alg string `json:"alg"`
	}
	return json.Unmarshal(raw, &header) == nil && header.Alg != ""
}

// isBasic reports whether s decodes to a user and a password.
func isBasic(s string) bool {
	raw, err := base64.StdEncoding.DecodeString(strings.TrimRight(s, "=") + strings.Repeat("=", -len(strings.TrimRight(s, "="))&3))
	if err != nil || !utf8.Valid(raw) {
		return false
	}
	_, password, ok := strings.Cut(string(raw), ":")
	return ok && len(password) >= 3 && isPassword(password)
}
