// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package sql

import (
	"strings"
	"testing"
)

// TestHostile: any text is read in time linear in its length.
func TestHostile(t *testing.T) {
	const size = 1 << 19
	for _, unit := range []string{
		"'", "\"", "`", "''", "\\'", "$a$", "$$", "$", "/*", "/*!", "*/", "--", "-- \n", "#", ";", "(", ")", "[", "]", "or ", "or 1=1 ", "union select ", "select ", "drop table ", "drop table a;",
		"delete from a ", "delete from a\n", "update a set b=1 ", "update a\n", "alter table a ", "grant all ", "copy ", "execute '", "execute 'execute ", "do $$", "do $a$ do $b$ ", "as $$", "where ", "a.",
		"a,", "{", "sleep(", "sleep(1) ", "information_schema ", "\xff", "é", "\x00", "N'", "e'", "1", ":a", "@", "' or ", "a;'", "load_file(", "go\n", "';", "a'--",
	} {
		finder.Check(t, strings.Repeat(unit, size/len(unit)))
	}
}

func TestSpan(t *testing.T) {
	finder.Places(t, map[string]string{
		"SELECT 'é';\nDROP TABLE a ;":     "DROP TABLE a",
		"SELECT 1;\nDELETE FROM a":        "DELETE FROM a",
		"SELECT 1 FROM a WHERE b OR 1=1;": "OR 1=1",
		"EXECUTE 'DROP TABLE x'":          "DROP TABLE x",
	})
}

// TestDialects: the same quote is another thing elsewhere.
func TestDialects(t *testing.T) {
	for text, want := range map[string]string{
		"SELECT E'\\'; DROP TABLE a; --'":                              "",
		"SELECT $a$; DROP TABLE a; $a$":                                "",
		"SELECT `a;DROP TABLE b` FROM c":                               "",
		"SELECT [a;DROP TABLE b] FROM c":                               "",
		"SELECT \"a;DROP TABLE b\" FROM c":                             "",
		"SELECT 'it''s; DROP TABLE b'":                                 "",
		"SELECT 1 # ; DROP TABLE b\nFROM c":                            "",
		"/* ; DROP TABLE b */ SELECT 1":                                "",
		"/*!40000 DROP TABLE b */":                                     "sql-drop",
		"CREATE FUNCTION f() AS $b$ BEGIN DROP TABLE x; END; $b$":      "sql-drop",
		"DROP TABLE #temporary_things\nDROP TABLE b\nGO\nDROP TABLE c": "sql-drop",
	} {
		got := finder.Kinds(t, text)
		if want == "" && len(got) > 0 || want != "" && (len(got) == 0 || got[0] != want) {
			t.Errorf("%q: %q", text, got)
		}
	}
}

func TestProse(t *testing.T) {
	finder.Nothing(t,
		"Please update the table and set a reminder; delete from it what is old.",
		"It's 1 or 2 people's choice. Drop table 5 at noon; don't truncate it.",
		"Grant all of them access to the building -- they've asked.",
		"Select from the menu where you can, or true friends will tell you.",
		"Sleep (8 hours) and benchmark (your score). Alter the plan, drop the rest.",
	)
}

const queries = `-- The orders of a customer, newest first.
SELECT o.id, o.created_at, SUM(i.price * i.quantity) AS total
FROM orders AS o
JOIN items AS i ON i.order_id = o.id
WHERE o.customer_id = $1 AND o.state IN ('paid', 'shipped') OR o.total > 100
GROUP BY o.id, o.created_at
ORDER BY o.created_at DESC LIMIT 20;
INSERT INTO log (what, who) VALUES ('it''s seen', 'customer') ON CONFLICT (what) DO UPDATE SET seen = now();
UPDATE customers SET last_seen = now() WHERE id = $1;
`

func BenchmarkFind(b *testing.B) { finder.Bench(b, queries) }
