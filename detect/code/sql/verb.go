// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package sql

import "strings"

// word looks at a keyword: the beginning of a statement, or what is telling by
// itself.
func (r *reader) word(i int) {
	t := r.tokens[i]
	if verbs[t.word] && r.begins(i) {
		r.verb(i)
	}
	switch t.word {
	case "union":
		r.union(i)
	case "outfile", "dumpfile":
		if r.is(i-1, "into") {
			r.reportTokens("sql-file-access", i-1, i+2)
		}
	case "load_file", "pg_read_file", "pg_read_binary_file", "pg_ls_dir", "lo_import", "lo_export", "load_extension", "writefile", "readfile":
		if r.at(i+1) == "(" && !r.is(i-1, "function", ".") {
			r.reportTokens("sql-file-access", i, i+2)
		}
	case "openrowset":
		if r.at(i+1) == "(" && r.is(i+2, "bulk") {
			r.reportTokens("sql-file-access", i, i+3)
		}
	case "xp_cmdshell", "sp_oacreate", "xp_regwrite", "xp_dirtree", "sp_makewebtask":
		r.reportTokens("sql-command", i, i+1)
	case "sys_exec", "sys_eval":
		if r.at(i+1) == "(" {
			r.reportTokens("sql-command", i, i+2)
		}
	case "sleep", "benchmark", "pg_sleep", "randomblob":
		r.sleep(i)
	case "waitfor":
		if r.is(i+1, "delay", "time") && i+2 < len(r.tokens) {
			r.reportTokens("sql-time-probe", i, i+3)
		}
	case "receive_message":
		r.reportTokens("sql-time-probe", i, i+1)
	case "information_schema", "sqlite_master", "sqlite_schema", "sysobjects", "pg_tables", "syscolumns", "all_tables":
		if r.query() {
			r.reportTokens("sql-schema-probe", i, i+1)
		}
	case "pg_shadow", "pg_authid", "dba_users", "sql_logins":
		r.reportTokens("sql-credentials", i, i+1)
	case "user":
		if r.at(i-1) == "." && r.is(i-2, "mysql") && !r.is(i-3, "table") {
			r.reportTokens("sql-credentials", i-2, i+1)
		}
	case "disable":
		if r.is(i+1, "row") && r.is(i+2, "level") && r.is(i+3, "security") {
			r.reportTokens("sql-privileges", i, i+4)
		}
	}
}

// query reports whether the statement reads something.
func (r *reader) query() bool {
	for i := range min(len(r.tokens), 256) {
		if r.is(i, "select", "from", "join", "union") {
			return true
		}
	}
	return false
}

// verb looks at a statement that begins at i.
func (r *reader) verb(i int) {
	switch r.at(i) {
	case "drop":
		r.drop(i)
	case "truncate":
		r.truncate(i)
	case "delete":
		r.deletes(i)
	case "update":
		r.updates(i)
	case "alter":
		r.alter(i)
	case "grant":
		r.grant(i)
	case "create":
		r.create(i)
	case "copy":
		r.copies(i)
	case "load":
		if r.is(i+1, "data") && r.find(i, r.until(i), "infile") > 0 {
			r.reportTokens("sql-file-access", i, r.until(i))
		}
	case "attach":
		if r.is(i+1, "database") || i+2 < len(r.tokens) && r.tokens[i+1].kind == text && r.is(i+2, "as") {
			r.reportTokens("sql-file-access", i, r.until(i))
		}
	case "bulk":
		if r.is(i+1, "insert") {
			r.reportTokens("sql-file-access", i, r.until(i))
		}
	case "shutdown":
		if i+1 == len(r.tokens) && i > 0 || r.is(i+1, "with") && r.is(i+2, "nowait") || i+1 < len(r.tokens) && r.tokens[i+1].kind == end {
			r.reportTokens("sql-shutdown", i, i+2)
		}
	}
}

// ends reports whether a statement may end at a place.
func (r *reader) ends(i int) bool {
	if i >= len(r.tokens) {
		return true
	}
	t := r.tokens[i]
	return t.kind == end || t.kind == cut || t.kind == stray || t.line && (t.word != "" && verbs[t.word] || t.kind == end) || r.is(i, ")", "end", "else")
}

func (r *reader) drop(i int) {
	j := i + 1
	for r.is(j, "temporary", "materialized", "public") {
		j++
	}
	id := "sql-drop"
	switch r.at(j) {
	case "table", "database", "schema", "tablespace", "user", "role", "login":
	case "view", "index", "function", "procedure", "trigger", "sequence", "type", "policy", "extension", "domain", "constraint":
		id = "sql-drop-object"
	case "column":
		id = "sql-alter-drop"
	default:
		return
	}
	temporary := r.is(i+1, "temporary")
	j++
	if r.is(j, "concurrently") {
		j++
	}
	if r.is(j, "if") && r.is(j+1, "exists") {
		j += 2
	}
	after := r.afterName(j)
	if after == j || temporary {
		return
	}
	if r.ends(after) || r.at(after) == "," || r.is(after, "cascade", "restrict", "on", "from", "with") || r.at(after) == "(" || r.at(after) == "+" || r.at(after) == "||" {
		r.reportTokens(id, i, after)
	}
}

func (r *reader) truncate(i int) {
	j := i + 1
	table := r.is(j, "table")
	if table {
		j++
	}
	if r.is(j, "only") {
		j++
	}
	after := r.afterName(j)
	if after > j && (r.ends(after) || r.is(after, "cascade", "restrict", "reset") || r.at(after) == "," && table || table && r.tokens[after].kind != number) {
		r.reportTokens("sql-truncate", i, after)
	}
}

// deletes is DELETE: without a condition, or with one that is always true.
func (r *reader) deletes(i int) {
	if r.is(0, "merge") {
		return
	}
	j := i + 1
	for r.is(j, "low_priority", "quick", "ignore") {
		j++
	}
	if !r.is(j, "from") {
		return // from several tables, by a join; or a word of a sentence
	}
	if j++; r.is(j, "only") {
		j++
	}
	after := r.afterName(j)
	to := r.until(i)
	if after == j || r.joins(after, to) {
		return
	}
	where := r.find(after, to, "where")
	switch {
	case where >= 0:
		if r.always(where+1, to) {
			r.reportTokens("sql-delete-all", i, to)
		}
	case r.is(i-1, ".") || r.at(i-1) == "->":
	case r.ends(after) || r.is(after, "using", "returning", "order", "limit") || r.is(after, "as") && r.ends(after+2) || r.named(after) && r.ends(after+1) && !r.tokens[after].line && r.at(i) != "" && strings.ToUpper(r.text[r.tokens[i].start:r.tokens[i].end]) == r.text[r.tokens[i].start:r.tokens[i].end]:
		r.reportTokens("sql-delete-all", i, to)
	}
}

func (r *reader) joins(from, to int) bool {
	return r.find(from, to, "join", "on") >= 0
}

func (r *reader) updates(i int) {
	if r.is(0, "merge") || r.is(i-1, "do", "duplicate", "key") {
		return
	}
	j := i + 1
	for r.is(j, "low_priority", "ignore", "only", "or", "replace") {
		j++
	}
	after := r.afterName(j)
	if after == j {
		return
	}
	if r.is(after, "as") {
		after++
	}
	if !r.is(after, "set") && r.named(after) {
		after++
	}
	// What is set is a name and a sign, unlike the words of a sentence.
	if !r.is(after, "set") || r.at(r.afterName(after+1)) != "=" && r.at(after+1) != "(" {
		return
	}
	to := r.until(i)
	if r.joins(j, to) {
		return
	}
	where := r.find(after, to, "where")
	if where < 0 && !(r.mode.fragment && r.first) || where >= 0 && r.always(where+1, to) {
		r.reportTokens("sql-update-all", i, to)
	}
}

// always reports whether a condition is always true.
func (r *reader) always(from, to int) bool {
	if last := r.find(from, to, "order", "limit", "returning", "option"); last >= 0 {
		to = last
	}
	for to > from && r.tokens[to-1].kind == cut {
		to--
	}
	for part := from; part < to; {
		or := r.find(part, to, "or")
		if or < 0 {
			or = to
		}
		all := or > part
		for p := part; p < or; {
			and := r.find(p, or, "and")
			if and < 0 {
				and = or
			}
			all = all && r.truth(p, and)
			p = and + 1
		}
		if all {
			return true
		}
		part = or + 1
	}
	return false
}

func (r *reader) alter(i int) {
	to := r.until(i)
	if !r.is(i+1, "table") {
		if r.is(i+1, "user", "role", "login") && r.find(i, to, "superuser") > 0 {
			r.reportTokens("sql-privileges", i, to)
		}
		return
	}
	for j := i + 2; j < to; j++ {
		if !r.is(j, "drop") || r.is(j+1, "constraint", "default", "not", "index", "key", "expression") || j+1 >= to {
			continue
		}
		if r.is(j+1, "column") || r.named(j+1) || r.is(j+1, "if") {
			r.reportTokens("sql-alter-drop", i, to)
			return
		}
	}
}

func (r *reader) grant(i int) {
	to := r.until(i)
	target := r.find(i, to, "to")
	if target < 0 {
		return
	}
	all := r.is(i+1, "all") && r.find(i, target, "on", "privileges") > 0
	super := r.is(i+1, "super", "superuser") || r.find(i, target, "superuser") > 0
	if all || super || r.is(target+1, "public") && r.find(i, target, "on") > 0 && !r.is(i+1, "select", "execute", "usage") {
		r.reportTokens("sql-privileges", i, to)
	}
}

// create is CREATE of an administrator, or of a function that runs on the
// machine itself.
func (r *reader) create(i int) {
	to := r.until(i)
	switch {
	case r.is(i+1, "user", "role", "login") && r.find(i, to, "superuser") > 0:
		r.reportTokens("sql-privileges", i, to)
	case r.is(i+1, "function") || r.is(i+1, "or") && r.is(i+3, "function"):
		if at := r.find(i, to, "language"); at > 0 && r.is(at+1, "c", "plpythonu", "plpython3u", "plperlu") && !r.ofServer(i, to) {
			r.reportTokens("sql-command", i, to)
		}
	}
}

// ofServer reports whether a function comes with the database itself.
func (r *reader) ofServer(from, to int) bool {
	for j := from; j < to; j++ {
		if r.tokens[j].kind == text || r.tokens[j].kind == code {
			s := strings.Trim(r.text[r.tokens[j].start:r.tokens[j].end], "'")
			if s == "MODULE_PATHNAME" || strings.HasPrefix(s, "$libdir/") && !strings.Contains(s, "..") {
				return true
			}
		}
	}
	return false
}

// copies is COPY of PostgreSQL.
func (r *reader) copies(i int) {
	to := r.until(i)
	for j := i + 1; j < to; j++ {
		if !r.is(j, "to", "from") || j+1 >= to {
			continue
		}
		switch {
		case r.is(j+1, "program"):
			r.reportTokens("sql-command", i, to)
		case r.tokens[j+1].kind == text:
			r.reportTokens("sql-file-access", i, to)
		}
		return
	}
}

// sleep is a function that takes time, in a query.
func (r *reader) sleep(i int) {
	if r.at(i+1) != "(" || i+2 >= len(r.tokens) || r.tokens[i+2].kind != number && r.at(i+2) != "(" && !(r.is(i, "benchmark") && r.tokens[i+2].kind == number) {
		return
	}
	if r.is(i, "randomblob") && r.tokens[i+2].end-r.tokens[i+2].start < 8 {
		return
	}
	if r.at(i-1) != "." && (r.query() || r.find(max(0, i-64), i, "and", "or", "where", "if", "case", "||") >= 0) {
		r.reportTokens("sql-time-probe", i, min(i+4, len(r.tokens)))
	}
}

// union is UNION SELECT, if it reads like what is put into a query: in a piece,
// with values that are there to fit a number of columns, or of the schema.
func (r *reader) union(i int) {
	j := i + 1
	if r.is(j, "all", "distinct") {
		j++
	}
	for r.at(j) == "(" {
		j++
	}
	if !r.is(j, "select") {
		return
	}
	to := j + 1
	items, constant := 1, true
	for ; to < len(r.tokens) && to-j < 256; to++ {
		t := r.tokens[to]
		if t.kind == end || t.kind == cut || t.kind == stray || r.is(to, "from", "where", "union", ")", "order", "limit") {
			break
		}
		switch {
		case t.word == ",":
			items++
		case t.kind == number || t.word == "null" || t.kind == text:
		default:
			constant = false
		}
	}
	from := r.is(to, "from")
	first := r.tokens[0]
	piece := (first.kind != word || from || constant) && !(first.kind == word && verbs[first.word] || first.word == "(") && r.first && r.depth == 0 || r.mode.fragment
	comment := r.tokens[len(r.tokens)-1].kind == cut || to < len(r.tokens) && r.tokens[to].kind == cut
	filled := constant && items > 1 && !from && r.find(max(0, i-512), i, "from", "where") >= 0
	if piece || comment || filled || from && r.is(to+1, "information_schema", "sqlite_master", "pg_shadow", "sysobjects") {
		r.reportTokens("sql-union", i, to)
	}
}
