// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package inject

// A wordSet is a set of words that patterns name with a @, and the rule about
// requests by its name: what is meant by a word, in all forms that it takes.
type wordSet struct{ name, words string }

var wordSets = []wordSet{
	{"override", "ignore ignoring disregard disregarding forget forgetting override overriding bypass bypassing neglect discard dismiss"},
	{"prior", "previous prior above preceding earlier former existing original initial past foregoing before current old"},
	{"orders", "instruction instructions directions direction directive directives rules guidelines guideline prompt prompts prompting commands programming safeguards training"},
	{"any", "all any every the these those your my our its their of and or this that system"},
	{"model", "ai assistant chatbot llm llms gpt chatgpt claude gemini llama mistral mixtral copilot bard openai anthropic"},
	{"machine", "ai chatbot llm llms bot agent"},
	{"say", "say print output write respond reply answer repeat return reveal tell show give display state relay disclose recite type"},
	{"answer", "response reply answer output summary responses replies answers"},
	{"code", "solution implementation codebase code algorithm program script"},
	{"snippet", "snippet block excerpt section fragment segment"},
	{"put", "add include integrate insert incorporate append embed modify enhance augment replace rearrange remove scramble render translate convert introduce misspell weave blend merge infuse interweave fuse substitute jumble anagram group combine use provide"},

	// Of orders to act. What is above may be here too.
	{"soft", "please kindly first then also now immediately next finally instead just urgently simply additionally furthermore secondly lastly todo task"},
	{"ask", "need want to sure do"},
	{"can", "can could would will make"},
	{"you", "you"},
	{"some", "a an any each every all most many other another when if for of"},
	{"must", "must should need will shall have"},
	{"send", "send forward email mail transfer wire pay deposit withdraw purchase buy sell post upload share publish donate refund remit submit dm redirect initiate reimburse"},
	{"fetch", "retrieve retrive get find fetch list search download read access check open visit browse collect gather query copy export extract generate use look guide"}, //nolint:misspell // as people do
	{"act", "delete remove update change modify set create add move rename disable enable grant revoke unlock lock schedule reschedule cancel book reserve invite make reset install uninstall run execute call append overwrite leave kick activate deactivate dispatch give block unblock approve authorize edit replace erase wipe register unsubscribe turn"},
	{"report", "say tell recommend mention"},
	{"things", "password passwords account accounts credentials payment payments transaction transactions address addresses email emails file files folder folders document documents record records data details information history contact contacts calendar appointment event reservation inbox message messages balance funds bitcoin authentication security repository permission permissions access settings profile subscription bill webpage channel channels devices device system tool function id list"},
	{"my", "my"},
	{"yours", "your our us we yours ours you"},
	{"user", "user users user's"},
	{"and", "and then also once"},
	{"them", "it them this these all those details results everything"},
	{"tool", "tool function api"},
	{"infinitive", "to"},
	{"not-verb", "is are was were of history date number by from and or below attached enclosed here me"},
}
