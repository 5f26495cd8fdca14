// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package python

import (
	"strings"

	"github.com/holdfast-dev/holdfast/internal/python"
)

// loadingRules are about data that become objects, and code with them.
var loadingRules = []rule{
	{
		Rule: Rule{
			ID: "python-pickle", CWE: "CWE-502", Severity: "warning",
			Description: "pickle runs code that the data name",
			Match: []string{
				"import pickle\npickle.load(f)", "import cPickle as p\np.loads(s)", "from six.moves import cPickle\ncPickle.load(f)", "pickle.Unpickler(f).load()",
				"import pandas as pd\npd.read_pickle(path)", "import numpy as np\nnp.load(path, allow_pickle=True)", "from pickle import loads\nmap(loads, rows)",
				"import joblib\njoblib.load(path)", "import torch\ntorch.load(path)", "import cloudpickle\ncloudpickle.loads(x)",
			},
			NoMatch: []string{"import pickle\npickle.dumps(x)", "import json\njson.load(f)", "import numpy as np\nnp.load(path)", "import torch\ntorch.load(p, weights_only=True)", "from json import loads\nloads(x)"},
		},
		calls: "pickle.load pickle.loads pickle.Unpickler pandas.read_pickle numpy.load joblib.load sklearn.externals.joblib.load torch.load",
		refs:  "pickle.load pickle.loads",
		when: func(c *call) bool {
			switch c.name {
			case "numpy.load":
				return isTrue(c.named("allow_pickle"))
			case "torch.load":
				return !isTrue(c.named("weights_only"))
			}
			return true
		},
	},
	{
		Rule: Rule{
			ID: "python-shelve", CWE: "CWE-502", Severity: "warning",
			Description: "shelve reads its values with pickle, which runs code that the data name",
			Match:       []string{"import shelve\ndb = shelve.open(path)", "from shelve import open as o\no(p)", "shelve.DbfilenameShelf(p)"},
			NoMatch:     []string{"import dbm\ndbm.open(path)", "shelf.open(path)"},
		},
		calls: "shelve.open shelve.Shelf shelve.DbfilenameShelf shelve.BsdDbShelf",
	},
	{
		Rule: Rule{
			ID: "python-jsonpickle", CWE: "CWE-502", Severity: "warning",
			Description: "jsonpickle makes objects of any class that the data name",
			Match:       []string{"import jsonpickle\njsonpickle.decode(s)", "from jsonpickle import unpickler\nunpickler.decode(s)", "from jsonpickle.unpickler import Unpickler\nUnpickler().restore(x)"},
			NoMatch:     []string{"import jsonpickle\njsonpickle.encode(x)", "s.decode('utf-8')"},
		},
		calls: "jsonpickle.decode jsonpickle.loads jsonpickle.unpickler.decode unpickler.decode jsonpickle.unpickler.Unpickler",
		refs:  "jsonpickle.decode",
	},
	{
		Rule: Rule{
			ID: "python-dill", CWE: "CWE-502", Severity: "warning",
			Description: "dill runs code that the data name",
			Match:       []string{"import dill\ndill.load(f)", "import dill as d\nd.loads(s)"},
			NoMatch:     []string{"import dill\ndill.dump(x, f)"},
		},
		calls: "dill.load dill.loads dill.load_session dill.load_module dill.Unpickler", refs: "dill.load dill.loads",
	},
	{
		Rule: Rule{
			ID: "python-marshal", CWE: "CWE-502", Severity: "warning",
			Description: "marshal is not meant for data from elsewhere",
			Match:       []string{"import marshal\nmarshal.loads(s)", "from marshal import load\nload(f)"},
			NoMatch:     []string{"import marshal\nmarshal.dumps(x)", "from marshmallow import load\nload(f)", "schema.load(f)"},
		},
		calls: "marshal.load marshal.loads", refs: "marshal.load marshal.loads",
	},
	{
		Rule: Rule{
			ID: "python-yaml-load", CWE: "CWE-502", Severity: "warning",
			Description: "yaml.load makes objects of any class that the data name, save with SafeLoader",
			Match: []string{
				"import yaml\nyaml.load(f)", "import yaml\nyaml.load(f, Loader=yaml.Loader)", "yaml.load(f, Loader=Loader)", "import yaml\nyaml.unsafe_load(f)",
				"from yaml import load_all\nload_all(f)", "from ruamel import yaml\nyaml.YAML(typ='unsafe')",
				"import yaml\nL = yaml.SafeLoader\nL = yaml.Loader\nyaml.load(f, L)",
			},
			NoMatch: []string{
				"import yaml\nyaml.safe_load(f)", "import yaml\nyaml.load(f, Loader=yaml.SafeLoader)", "import yaml\nyaml.load(f, yaml.CSafeLoader)",
				"from yaml import CSafeLoader as Loader\nimport yaml\nyaml.load(f, Loader=Loader)", "from ruamel.yaml import YAML\nYAML(typ='safe')", "import yaml\nyaml.load(f, Loader=yaml.BaseLoader)",
			},
		},
		calls: "yaml.load yaml.load_all yaml.unsafe_load yaml.unsafe_load_all yaml.full_load yaml.full_load_all ruamel.yaml.load ruamel.yaml.YAML",
		when:  loadsYAML,
	},
	{
		Rule: Rule{
			ID: "python-xml", CWE: "CWE-611", Severity: "warning",
			Description: "entities of the document are taken apart, however many, and from wherever, they are",
			Match: []string{
				"import xml.etree.ElementTree as ET\nET.parse(path)", "from xml.dom import minidom\nminidom.parseString(s)", "from lxml import etree\netree.parse(f)",
				"import xml.sax\nxml.sax.parse(f, h)", "from lxml import etree\netree.XMLParser(resolve_entities=True)", "from lxml import etree\netree.XMLParser()",
			},
			NoMatch: []string{
				"import defusedxml.ElementTree as ET\nET.parse(path)", "from lxml import etree\nq = etree.XMLParser(resolve_entities=False)",
				"from lxml import etree\netree.parse(f, parser)", "import xml.etree.ElementTree as ET\nET.tostring(x)", "ET.fromstring('<a/>')",
			},
		},
		calls: "xml.etree.ElementTree.parse xml.etree.ElementTree.fromstring xml.etree.ElementTree.iterparse xml.etree.ElementTree.XML " +
			"xml.etree.cElementTree.parse xml.etree.cElementTree.fromstring xml.etree.cElementTree.iterparse " +
			"xml.dom.minidom.parse xml.dom.minidom.parseString xml.dom.pulldom.parse xml.dom.pulldom.parseString xml.sax.parse xml.sax.parseString " +
			"xml.sax.make_parser xml.dom.expatbuilder.parse xml.dom.expatbuilder.parseString minidom.parse minidom.parseString " +
			"lxml.etree.parse lxml.etree.fromstring lxml.etree.XML lxml.etree.iterparse lxml.etree.XMLParser lxml.objectify.parse lxml.objectify.fromstring",
		when: takesEntities,
	},
}

func loadsYAML(c *call) bool {
	switch c.name {
	case "yaml.load", "yaml.load_all", "ruamel.yaml.load":
		loader := c.arg(1, "Loader")
		if loader == nil {
			return len(c.node.Kids) > 1
		}
		return !c.surely(loader, "SafeLoader", "BaseLoader", "RoundTripLoader")
	case "ruamel.yaml.YAML":
		return c.text(0, "typ") == "unsafe"
	}
	return true
}

func takesEntities(c *call) bool {
	if r := c.named("resolve_entities"); r != nil {
		return isTrue(r)
	}
	if a := c.arg(0, "text"); a != nil && a.Kind == python.String && !strings.Contains(a.Name, "<!") && strings.Contains(a.Name, "<") {
		return false // a document that is in the code, without entities
	}
	if strings.HasPrefix(c.name, "lxml") {
		return c.arg(1, "parser") == nil || c.node.Kind != python.Call
	}
	return true
}
