// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package python

import "github.com/holdfast-dev/holdfast/internal/python"

// webRules are about what serves pages.
var webRules = []rule{
	{
		Rule: Rule{
			ID: "python-flask-debug", CWE: "CWE-489", Severity: "error",
			Description: "a server in debug mode lets everybody run code",
			Match:       []string{"app.run(debug=True)", "app.run(host='0.0.0.0', debug=1)", "socketio.run(app, debug=True)"},
			NoMatch:     []string{"app.run(debug=False)", "app.run()", "job.run(debug=flag)"},
		},
		calls: ".run", when: func(c *call) bool { return isTrue(c.named("debug")) },
	},
	{
		Rule: Rule{
			ID: "python-autoescape", CWE: "CWE-79", Severity: "warning",
			Description: "values are put into pages as they are",
			Match:       []string{"import jinja2\njinja2.Environment()", "from jinja2 import Environment\nEnvironment(autoescape=False)", "jinja2.Environment(loader=l)"},
			NoMatch:     []string{"import jinja2\njinja2.Environment(autoescape=True)", "jinja2.Environment(autoescape=jinja2.select_autoescape())", "Environment(x)"},
		},
		calls: "jinja2.Environment", when: func(c *call) bool {
			a := c.named("autoescape")
			return a == nil || isFalse(a)
		},
	},
	{
		Rule: Rule{
			ID: "python-mark-safe", CWE: "CWE-79", Severity: "warning",
			Description: "text that is not fixed is called safe for pages",
			Match:       []string{"from django.utils.safestring import mark_safe\nmark_safe('<b>' + x)", "from markupsafe import Markup\nMarkup(f'<b>{x}</b>')"},
			NoMatch:     []string{"mark_safe('<br>')", "from markupsafe import escape\nescape(x)", "Markup('<b>%s</b>')"},
		},
		calls: "django.utils.safestring.mark_safe mark_safe markupsafe.Markup flask.Markup Markup", when: func(c *call) bool {
			a := c.arg(0, "s")
			return a != nil && c.builtText(a) > notBuilt
		},
	},
	{
		Rule: Rule{
			ID: "python-template", CWE: "CWE-1336", Severity: "error",
			Description: "a template is put together from values, which it then runs",
			Match:       []string{"from flask import render_template_string as r\nr('<p>' + name)", "render_template_string(f'hi {name}')", "jinja2.Template('a %s' % x).render()"},
			NoMatch:     []string{"render_template_string('hi {{ name }}', name=n)", "jinja2.Template('a')", "string.Template('a' + b)"},
		},
		calls: "flask.render_template_string render_template_string jinja2.Template .from_string", when: func(c *call) bool {
			a := c.arg(0, "source")
			return a != nil && c.builtText(a) > notBuilt
		},
	},
	{
		Rule: Rule{
			ID: "python-request-path", CWE: "CWE-22", Severity: "error",
			Description: "a request says which file is opened",
			Match:       []string{"open(request.args.get('f'))", "send_file(request.args['path'])", "open('static/' + request.GET['name'])"},
			NoMatch:     []string{"open(path)", "open(request_log)", "send_file('a.txt')"},
		},
		calls: "open send_file flask.send_file os.remove os.unlink shutil.rmtree", when: func(c *call) bool { return fromRequest(c.arg(0, "file")) },
	},
	{
		Rule: Rule{
			ID: "python-request-redirect", CWE: "CWE-601", Severity: "warning",
			Description: "a request says where it is sent to",
			Match:       []string{"redirect(request.args.get('next'))", "return HttpResponseRedirect(request.GET['to'])"},
			NoMatch:     []string{"redirect('/')", "redirect(url_for('index'))"},
		},
		calls: "redirect flask.redirect django.shortcuts.redirect HttpResponseRedirect django.http.HttpResponseRedirect",
		when:  func(c *call) bool { return fromRequest(c.arg(0, "location")) },
	},
}

// fromRequest reports whether a part of an expression is read from a request.
func fromRequest(n *python.Node) bool {
	if n == nil {
		return false
	}
	seen, left := false, 64
	n.Walk(func(kid *python.Node) bool {
		if left--; left < 0 || seen {
			return false
		}
		if kid.Kind == python.Attribute && kid.Kids[0].Kind == python.Name && kid.Kids[0].Name == "request" {
			switch kid.Name {
			case "args", "form", "values", "json", "cookies", "GET", "POST", "params", "query", "query_params", "data", "headers":
				seen = true
			}
		}
		return !seen
	})
	return seen
}
