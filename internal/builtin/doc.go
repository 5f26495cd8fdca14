// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package builtin

// Doc says in a line or two what the function gives, "" for one that is not of
// the library.
func (f *Func) Doc() string {
	if f.Module == "json" {
		return docs["json."+f.Name]
	}
	return docs[f.Name]
}

// docs are the pages' lines by the name of the function.
var docs = map[string]string{
	// Always there.
	"all":            "Whether all items are true, by Kleene's logic: a false one settles it.",
	"any":            "Whether one item is true, by Kleene's logic: a true one settles it.",
	"bool":           "Python's truth of a value.",
	"dict":           "A dict of pairs, or a copy.",
	"empty":          "Whether a text, list, tuple or dict has no length.",
	"find":           "All matches of a pattern in a text, whole matches whatever groups it has.",
	"float":          "A number, or a text that spells one, as a double.",
	"image":          "The addresses of the images in contents and messages, as they stand.",
	"int":            "A number cut to a whole one, or a text that spells one.",
	"is_moderated":   "Whether a model finds harmful content, see `moderated`.",
	"is_pii":         "Whether there is personal data, see `pii`.",
	"is_secret":      "Whether there are credentials, see `secrets`.",
	"is_topic":       "Whether a model finds that a text is about a topic, see `topic`.",
	"is_unsafe_code": "Whether there are issues in code of the severity `error` or `warning`, see `semgrep`.",
	"json_loads":     "The value of JSON text, read strictly.",
	"len":            "The length: of a text in code points, of a list, tuple or dict in items, of None 0.",
	"list":           "The items of a value: of a dict its keys, of a text its characters.",
	"match":          "Whether a pattern matches at the start of a text.",
	"max":            "The greatest of several values, or of the items of one.",
	"may_precede":    "Whether the first comes before the second, or both are calls of one message.",
	"min":            "The least of several values, or of the items of one.",
	"print":          "True. Evaluation has no output.",
	"server":         "The server of a call, output or tool.",
	"str":            "A value as Python prints it.",
	"sum":            "The sum of numbers.",
	"text":           "The texts in contents, messages and lists, each with its address.",
	"tool_call":      "The call that an output answers.",
	"tuple":          "The items of a value, as a tuple.",

	"json.dumps": "A value as JSON text, as Python writes it.",
	"json.loads": "The value of JSON text, read strictly.",

	// Content.
	"copyright": "The kinds of findings: `licence_text` for the text of a licence, with its SPDX identifier and the public name (`MIT_LICENSE`) beside it; `notice` for a " +
		"notice, with `COPYRIGHT`. " +
		"`threshold` is the share of a licence that must be there.",
	"detect":               "What any detector that is set up finds, by its name, as `DetectorResult`. `threshold` is the least score.",
	"embedding_similarity": "How alike two texts are, from 0 to 1: of several texts or targets the greatest number, or with `mode=\"min\"` the least.",
	"fuzzy_contains": "Whether a text, or nearly it, is in a text: insertions, deletions and substitutions of code points up to the share of its length that the " +
		"threshold leaves, ten at most. If that finds nothing, `use_semantic` asks `embedding_similarity` where it is set up, with the same threshold. " +
		"The query is a text, not a pattern, and case counts.",
	"ipython_code":     "As `python_code`, of a cell with magics.",
	"is_similar":       "Whether a text is more like a target than the threshold: a number, or `might_resemble` (0.2), `same_topic` (0.5), `very_similar` (0.8).",
	"moderated":        "Whether a model finds harmful content: `default_threshold` and `cat_thresholds` are scores, `model` names one of those that are set up.",
	"pii":              "The kinds of personal data in the order of the text. Without `entities` those that are likely; with them all of the kinds named.",
	"prompt_injection": "Whether a text gives orders to the assistant that reads it.",
	"python_code":      "What Python code consists of. Code that is cut or wrong is read as far as it can be, and `syntax_error` says so.",
	"secrets":          "The kinds of credentials in the order of the text.",
	"semgrep":          "The issues in code as `CodeIssue`. `lang` is python, bash, javascript or sql; without it blocks of Markdown and the shape of the text tell.",
	"topic":            "Those of the topics that a model finds a text to be about.",
	"unicode": "The categories of the characters, each once: Unicode's general ones (`Cf`, `Co`) and ours for what is not what it seems " +
		"(`invisible`, `tag`, `bidi`, `confusable`, …). With `categories` only these.",
	"image_policy_violations": "What a model says of images and a policy in words. `api_key` is not looked at: keys are for whoever sets the model up.",

	// Parsers.
	"html_code": "What HTML shows to machines only: alternative texts and addresses.",
	"images":    "The addresses and data of images in HTML and Markdown.",
	"links":     "The addresses in HTML, in Markdown and in plain text.",
	"ocr":       "The text of each image, its lines in a row. An image is an `Image`, a message's, a `data:` text, an address or plain base64; other texts hold none.",

	// Files.
	"get_file_content":  "The `File` with a path in a folder of the workspace.",
	"get_file_contents": "The files in a folder of the workspace, and with `tree` in all below; the content of one that is no text in UTF-8, or longer than a text may be, is unknown.",
	"get_files":         "The paths of the files in a folder of the workspace. The last elements of a path have to match those of `pattern`.",
	"get_tree_files":    "As `get_files`, in all folders below too.",
	"is_dir":            "Whether a path in the workspace is a folder.",
	"is_sensitive":      "Whether a function that is named says yes to the content of a `File`, or finds something in it.",
	"is_sensitive_dir":  "Whether it does so of a file in a folder of the workspace, for one of several functions. One such file settles it; without one, a file that cannot be read leaves it unknown.",

	"should_allow_rbac": "Whether one of a user's roles is granted a scope.",
	"llm":               "What a model answers to a prompt. `model` names one of those that are set up.",
	"llm_confirm":       "Whether a model says that a property holds.",
}
