// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package sql

import "github.com/holdfast-dev/holdfast/internal/coderule"

// A Rule is one thing that is reported.
type Rule = coderule.Rule

// Rules returns all rules, in the order of the documentation.
func Rules() []Rule { return rules }

// ruleOf returns the rule of a name.
func ruleOf(id string) *Rule { return coderule.Of(rules, id) }

var rules = []Rule{
	{
		ID: "sql-tautology", CWE: "CWE-89", Severity: "error",
		Description: "a condition holds of every row, behind an OR",
		Match: []string{
			"SELECT * FROM u WHERE n = '' OR 1=1",
			"SELECT * FROM u WHERE n='a' OR '1'='1'",
			"' OR 1=1 --",
			"' OR '1'='1",
			`" OR ""="`,
			"1 OR true",
			"x' OR 'a' LIKE 'a'#",
			"SELECT * FROM u WHERE id=1 oR/**/2>1",
			"admin' OR 1=1/*",
			"') OR ('1'='1",
			"SELECT * FROM u WHERE a=1 OR (2=2)",
			"' || 1=1 -- ",
			`SELECT 1 FROM t WHERE a='\' OR 1=1 -- '`,
			"SELECT * FROM u WHERE x=1 OR NOT false",
			"1' or 1 -- -",
			"SELECT * FROM u WHERE a=1 /*!50000 OR 1=1*/",
		},
		NoMatch: []string{
			"SELECT * FROM u WHERE a=1 OR b=1",
			"SELECT * FROM u WHERE 1=1 AND a=2",
			"SELECT 'OR 1=1'",
			"-- OR 1=1\nSELECT 1",
			"SELECT * FROM u WHERE a=b OR c=d",
			"Is it true or false? 1 or 2 = 3",
		},
	},
	{
		ID: "sql-stacked", CWE: "CWE-89", Severity: "error",
		Description: "a statement is put behind a value, as an injection does",
		Match: []string{
			"1; DROP TABLE users",
			"'; DROP TABLE users; --",
			"x'); DELETE FROM users; --",
			"SELECT * FROM u WHERE id = 1; DROP TABLE u",
			"SELECT * FROM u WHERE n = 'a'; EXEC xp_cmdshell 'dir'",
			"1; WAITFOR DELAY '0:0:5'",
			"SELECT * FROM u WHERE n=''; INSERT INTO a VALUES (1) --'",
			"105; SHUTDOWN WITH NOWAIT",
		},
		NoMatch: []string{
			"SELECT 1;\nDROP TABLE t;",
			"INSERT INTO a VALUES (1); INSERT INTO a VALUES (2);",
			"BEGIN; UPDATE t SET a=1 WHERE b=2; COMMIT;",
			"SELECT ';DROP TABLE t'",
			"SELECT * FROM u WHERE id = 1; SELECT 2",
		},
	},
	{
		ID: "sql-comment-cut", CWE: "CWE-89", Severity: "error",
		Description: "a comment behind a value cuts the rest of a query off",
		Match: []string{
			"SELECT * FROM u WHERE n='admin'--' AND p='x'",
			"admin'--",
			"' OR a=b --",
			"x' #",
			"1' UNION SELECT 1,2/*",
		},
		NoMatch: []string{
			"SELECT 1 -- one\nFROM t",
			"SELECT 'a' -- a\n",
			"-- it's\nSELECT 1",
			"SELECT 1 /* all */",
			"# it's a comment\nSELECT 1",
		},
	},
	{
		ID: "sql-union", CWE: "CWE-89", Severity: "error",
		Description: "a second query is put behind a first one, with columns to fit",
		Match: []string{
			"' UNION SELECT user, password FROM users --",
			"1 UNION ALL SELECT NULL,NULL,NULL",
			"SELECT a FROM b WHERE c=1 UNION SELECT 1,2,3",
			"-1 UNION SELECT table_name FROM information_schema.tables",
			"SELECT a FROM b WHERE c='' UNION/**/SELECT name FROM sqlite_master",
			"1) UNION (SELECT @@version",
		},
		NoMatch: []string{
			"SELECT a FROM b UNION SELECT a FROM c",
			"SELECT 1, 2 UNION ALL SELECT 3, 4",
			"The union select committee",
		},
	},
	{
		ID: "sql-drop", CWE: "", Severity: "error",
		Description: "a table, a database, a user or a role is removed",
		Match: []string{
			"DROP TABLE users",
			"drop table if exists a.b cascade;",
			"DROP DATABASE prod;",
			"DROP/**/SCHEMA public CASCADE",
			"/*!50000DROP TABLE x*/",
			`SELECT 1; DROP TABLE "t"`,
			"BEGIN\n  DROP USER bob;\nEND",
			"DROP TABLE [dbo].[users]",
			"EXECUTE 'DROP TABLE x'",
			"DO $$ BEGIN DROP TABLE x; END $$",
			"SELECT 1\nDROP TABLE t",
			"DROP TABLE `a`, `b`",
		},
		NoMatch: []string{
			"SELECT 'DROP TABLE users'",
			"-- DROP TABLE users",
			"CREATE TABLE dropped (drop_table int)",
			"Drop table reservations by noon, please.",
			"DROP TEMPORARY TABLE x",
			"DROP VIEW v",
			"SELECT drop FROM t",
		},
	},
	{
		ID: "sql-drop-object", CWE: "", Severity: "warning",
		Description: "a view, an index, a function or another object is removed",
		Match: []string{
			"DROP VIEW v",
			"DROP INDEX CONCURRENTLY IF EXISTS i;",
			"DROP FUNCTION f(int)",
			"DROP TRIGGER t ON x",
		},
		NoMatch: []string{"DROP TABLE t", "CREATE VIEW v AS SELECT 1", "SELECT 'DROP VIEW v'"},
	},
	{
		ID: "sql-truncate", CWE: "", Severity: "error",
		Description: "a table is emptied",
		Match:       []string{"TRUNCATE TABLE a", "truncate a;", "TRUNCATE ONLY a CASCADE"},
		NoMatch:     []string{"SELECT truncate(1.5, 1)", "TRUNCATE(x, 2)", "Truncate long lines."},
	},
	{
		ID: "sql-delete-all", CWE: "", Severity: "error",
		Description: "all rows of a table are deleted: there is no condition, or one that always holds",
		Match: []string{
			"DELETE FROM users",
			"delete from a.b;",
			"DELETE FROM users WHERE 1=1",
			"DELETE FROM t WHERE true",
			"WITH x AS (SELECT 1) DELETE FROM t",
			"DELETE FROM t WHERE a=1 OR 1=1",
			"DELETE FROM t RETURNING id",
			"BEGIN DELETE FROM t; END",
			"DELETE FROM `t` -- WHERE id=1",
		},
		NoMatch: []string{
			"DELETE FROM users WHERE id = 1",
			"DELETE a FROM a JOIN b ON a.i=b.i",
			"CREATE TRIGGER t AFTER DELETE ON x",
			"ON DELETE CASCADE",
			"Delete from the list all that is old.",
			"MERGE INTO a USING b ON a.i=b.i WHEN MATCHED THEN DELETE",
			"DELETE FROM t WHERE 1=1 AND a=2",
		},
	},
	{
		ID: "sql-update-all", CWE: "", Severity: "error",
		Description: "all rows of a table are changed: there is no condition, or one that always holds",
		Match: []string{
			"UPDATE users SET admin = 1",
			"update a.b set x='y';",
			"UPDATE t SET a=1 WHERE 1=1",
			"UPDATE t AS x SET a=(SELECT b FROM c WHERE d=1)",
			"UPDATE t SET a=1, b=2 WHERE a=a OR true",
		},
		NoMatch: []string{
			"UPDATE t SET a=1 WHERE id=2",
			"SELECT * FROM t FOR UPDATE",
			"INSERT INTO t VALUES (1) ON DUPLICATE KEY UPDATE a=1",
			"INSERT INTO t VALUES (1) ON CONFLICT (a) DO UPDATE SET b=1",
			"UPDATE a JOIN b ON a.i=b.i SET a.x=1",
			"Update the set of rules",
			"MERGE INTO a USING b ON a.i=b.i WHEN MATCHED THEN UPDATE SET a.x=1",
		},
	},
	{
		ID: "sql-alter-drop", CWE: "", Severity: "warning",
		Description: "a column is removed from a table",
		Match: []string{
			"ALTER TABLE t DROP COLUMN a",
			"ALTER TABLE t DROP a, ADD b int",
			"alter table a.b drop column if exists c",
		},
		NoMatch: []string{
			"ALTER TABLE t ADD COLUMN a int",
			"ALTER TABLE t DROP CONSTRAINT c",
			"ALTER TABLE t ALTER a DROP NOT NULL",
		},
	},
	{
		ID: "sql-privileges", CWE: "CWE-269", Severity: "error",
		Description: "all rights are given away, or row-level security is turned off",
		Match: []string{
			"GRANT ALL PRIVILEGES ON *.* TO 'x'@'%'",
			"GRANT ALL ON t TO PUBLIC",
			"ALTER USER x WITH SUPERUSER",
			"CREATE ROLE x SUPERUSER LOGIN",
			"ALTER TABLE t DISABLE ROW LEVEL SECURITY",
		},
		NoMatch: []string{
			"GRANT SELECT ON t TO x",
			"REVOKE ALL ON t FROM x",
			"ALTER USER x WITH PASSWORD 'y'",
			"Grant all who ask a seat.",
		},
	},
	{
		ID: "sql-file-access", CWE: "CWE-73", Severity: "error",
		Description: "a file of the server is read or written",
		Match: []string{
			"SELECT a INTO OUTFILE '/tmp/x' FROM t",
			"SELECT LOAD_FILE('/etc/passwd')",
			"LOAD DATA LOCAL INFILE 'x' INTO TABLE t",
			"COPY t TO '/tmp/x'",
			"SELECT pg_read_file('/etc/passwd')",
			"ATTACH DATABASE '/var/www/x.php' AS x",
			`SELECT * FROM OPENROWSET(BULK 'C:\\x', SINGLE_CLOB) AS a`,
			"BULK INSERT t FROM 'x'",
			"SELECT load_extension('x')",
		},
		NoMatch: []string{
			"COPY t FROM STDIN",
			"SELECT outfile FROM t",
			"SELECT 'INTO OUTFILE'",
			"INSERT INTO files VALUES ('a')",
		},
	},
	{
		ID: "sql-command", CWE: "CWE-78", Severity: "error",
		Description: "a command of the machine is run, or what can run one is created",
		Match: []string{
			"EXEC xp_cmdshell 'dir'",
			"COPY t FROM PROGRAM 'id'",
			"SELECT sys_exec('id')",
			"CREATE FUNCTION f() RETURNS int AS 'a.so' LANGUAGE C",
			"EXEC sp_configure 'x', 1; EXEC master..xp_cmdshell 'x'",
		},
		NoMatch: []string{
			"SELECT 'xp_cmdshell'",
			"EXEC my_proc 1",
			"CREATE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELECT 1'",
		},
	},
	{
		ID: "sql-time-probe", CWE: "CWE-89", Severity: "error",
		Description: "a query waits, as one that probes for an injection",
		Match: []string{
			"SELECT SLEEP(5)",
			"' AND SLEEP(5) --",
			"1; WAITFOR DELAY '0:0:5'",
			"SELECT pg_sleep(10)",
			"1 AND BENCHMARK(5000000,MD5('a'))",
			"SELECT CASE WHEN 1=1 THEN pg_sleep(5) END",
			"' OR IF(1=1,SLEEP(5),0)#",
		},
		NoMatch: []string{"SELECT sleep FROM nights", "time.sleep(5)", "SELECT 'sleep(5)'"},
	},
	{
		ID: "sql-schema-probe", CWE: "CWE-200", Severity: "info",
		Description: "the tables of the database are listed",
		Match: []string{
			"SELECT table_name FROM information_schema.tables",
			"SELECT name FROM sqlite_master",
			"SELECT * FROM pg_catalog.pg_tables",
		},
		NoMatch: []string{"SELECT 'information_schema'", "the information_schema of a database"},
	},
	{
		ID: "sql-credentials", CWE: "CWE-522", Severity: "warning",
		Description: "the table of the database's own users is read",
		Match: []string{
			"SELECT * FROM pg_shadow",
			"SELECT user, authentication_string FROM mysql.user",
			"SELECT name, password_hash FROM sys.sql_logins",
		},
		NoMatch: []string{"SELECT user FROM t", "SELECT * FROM users"},
	},
	{
		ID: "sql-shutdown", CWE: "CWE-400", Severity: "error",
		Description: "the server is shut down",
		Match:       []string{"SHUTDOWN WITH NOWAIT", "1; SHUTDOWN; --"},
		NoMatch:     []string{"SELECT shutdown FROM t", "shutdown the machine"},
	},
}
