// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package python

// queryRules are about text that becomes a query.
var queryRules = []rule{
	{
		Rule: Rule{
			ID: "python-sql", CWE: "CWE-89", Severity: "error",
			Description: "a query is put together from text instead of with parameters",
			Match: []string{
				"cursor.execute('SELECT * FROM t WHERE id = %s' % x)", "c.execute('DELETE FROM t WHERE id = ' + x)", "db.execute(f'SELECT {col} FROM t')",
				"cur.execute('UPDATE t SET a = {} WHERE 1'.format(x))", "q = 'SELECT * FROM t WHERE n = ' + n\ncursor.execute(q)",
				"cursor.executemany('INSERT INTO %s VALUES (?)' % table, rows)", "Model.objects.raw('SELECT * FROM t WHERE a = %s' % x)",
				"q = 'SELECT 1'\nq += ' WHERE a = ' + x\ncursor.execute(q)", "conn.execute(text(f'DROP TABLE {name}'))", "pd.read_sql('SELECT * FROM ' + t, conn)",
				"cursor.execute('PRAGMA table_info(%s)' % t", "self.query = f'SELECT a FROM {t}'\nself.cursor.execute(self.query)",
			},
			NoMatch: []string{
				"cursor.execute('SELECT * FROM t WHERE id = %s', (x,))", "cursor.execute('SELECT 1')", "cursor.execute(query)", "pool.execute(task)",
				"cursor.execute('SELECT a ' + 'FROM t')", "cursor.execute(f'SELECT 1')", "page.query('item-' + n)",
			},
		},
		calls: ".execute .executemany .executescript .raw .query .read_sql .read_sql_query .execute_sql .executesql .extra .fetchrow .fetchval .mogrify .copy_expert .prepare .callproc " +
			"execute executemany sqlalchemy.text sqlalchemy.sql.text django.db.models.expressions.RawSQL RawSQL",
		when: buildsQuery,
	},
	{
		Rule: Rule{
			ID: "python-sql-text", CWE: "CWE-89", Severity: "warning",
			Description: "values are put into the text of a query",
			Match:       []string{"q = \"SELECT a FROM t WHERE b = '%s'\" % b", "return 'INSERT INTO t VALUES (' + v + ')'", "f'DELETE FROM {t} WHERE id = {i}'"},
			NoMatch:     []string{"q = 'SELECT a FROM t'", "log('Select an item')", "'update %s' % x", "f'delete {x}'", "'SELECT a ' + 'FROM t'"},
		},
	},
}

// buildsQuery looks at the first argument: what is executed is a query, or a
// command, whatever it begins with; what other methods take has to look like
// SQL.
func buildsQuery(c *call) bool {
	for _, name := range []string{"sql", "query", "statement", "operation", "raw_query"} {
		if a := c.arg(0, name); a != nil {
			least := maybeSQL
			switch c.name {
			case ".execute", ".executemany", ".executescript", "execute", "executemany":
				least = anyText
			}
			return c.builtText(a) >= least
		}
	}
	return false
}
