// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package starter

import (
	"strings"
	"unicode"
)

// The lists are general English: what tools are called and described with,
// whoever wrote them. Words stand in them as stem returns them.

// A verbKind is what a verb promises that a tool does.
type verbKind uint8

const (
	noVerb    verbKind = iota
	reads              // answers and changes nothing
	changes            // changes something that can be changed back
	sends              // hands something to others
	destroys           // takes away or overwrites
	commits            // binds the user: money, access, the world outside
	runs               // does what a text says, as a program
	manages            // any of these
	transmits          // moves money or people, by its object
	composes           // makes something, which may be for others
)

var verbs = kinds(map[verbKind]string{
	reads: `access analyse analyze ask browse calculate check compare compute count crawl describe detect diff goto
		display download estimate examine explain explore extract fetch find geocode get identify inspect list
		load locate look lookup measure monitor navigate observe open parse ping predict preview query
		read recall receive recommend retrieve scan scrape search see select show simulate stat
		snapshot screenshot capture peek grep glob poll resolve classify audit lint suggest summarise summarize tell think track translate validate verify view visit visualize watch compile convert`,
	changes: `annotate attach bookmark bump clone detach drag duplicate enqueue favorite hover initialize link patch press refresh resize crop scroll stage stash sync wait
		add adjust append assign change click close commit configure connect copy disable edit enable fork generate hide import
		input insert join leave like lock log mark modify move mute organise organize pause play rename reopen
		replace reschedule resume save schedule set setup sort star start stop store subscribe switch tag toggle turn
		type unfollow unlike unpin update follow export record remember`,
	sends:    `alert announce autofill broadcast fill forward invite notify post publish push reply repost respond retweet send share submit tweet upload`,
	destroys: `abort burn decline delist dismiss downgrade drain evict expunge flush kick reject revert undo unlink archive cancel clear deactivate delete destroy discard drop erase expire forget kill overwrite prune purge remove reset revoke rollback shutdown terminate trash truncate uninstall unpublish wipe`,
	commits: `accept activate ban claim delegate elevate enroll impersonate launch lease mint provision remit renew settle suspend vote apply approve authorise authorize bid block book borrow buy charge checkout confirm control deploy deposit dispatch donate exchange
		give grant hand hire install invest lend merge operate order pay permit place prescribe promote purchase redeem redirect refund release
		rent reserve restart return rotate scale sell sign stake swap trade transact unblock unlock upgrade withdraw`,
	runs:      `eval evaluate exec execute run spawn`,
	manages:   `administer handle manage process`,
	transmits: `transfer`,
	composes:  `create draft issue make put register request write`,
})

// Words that are nouns as often as verbs: another verb in the name weighs more.
var nounLike = set(`bid book charge comment deposit exchange issue label log lock mark order place plan post process query record refund
	release request return schedule set share star stake trade transfer tweet update access check file run input change control draft release reply download`)

// What a tool answers with and others write.
var foreign = set(`advertisement announcement answer article attachment blog chat comment content contract conversation description discussion document
	email event feed feedback file forum gmail image inbox invitation invite issue literature mail mailbox message news note notification offer
	page paper pdf post product profile publication pull question readme reply repo repository resume review rss site sms snapshot snippet social story task
	thread ticket timeline transaction transcript tweet url video web webpage website wiki wikipedia internet element`)

// Verbs of tools that judge what they are given and do not repeat it.
var judging = set(`calculate compile compute convert estimate geocode identify measure stat validate verify`)

// What stands behind such a word and leaves the matter to it.
var vague = set(`body content data detail full history information info list listing record result text thread metadata item message entry`)

// What is written by the user alone.
var own = set(`sent own outbox draft scheduled my`)

// What a list of is no more than names.
var containers = set(`file document repository repo page site note profile`)

// What others get to see once it is made.
var public = set(`comment email mail message post reply review sms tweet story pull issue invitation announcement link newsletter fax discussion gist thread`)

// Verbs that make such things, beside those that compose.
var adding = set(`add append edit insert leave open update modify start`)

// Arguments that say who gets something.
var receivers = set(`attendee participant recipient invitee cc bcc`)

// What binds the user if it is changed or made.
var (
	money    = set(`bill cash certificate credit currency fund invoice loan money order payment payout refund salary stock tip transaction cryptocurrency`)
	security = set(`2fa access acl auth authentication collaborator credential domain factor firewall iam key membership mfa password passcode
		permission policy privacy privilege role secret security token vpn whitelist allowlist apikey visibility`)
	physical = set(`ambulance appliance device door drone emergency engine furnace gate light lock machine robot thermostat valve vehicle`)
	medical  = set(`consultation dosage medication prescription treatment surgery doctor appointment`)
	automate = set(`applet automation cron dns hook rule webhook workflow`)
	persons  = set(`collaborator guest member user admin`)
)

// What is no loss.
var trifles = set(`basket cart wishlist wish draft label reminder star like reaction filter selection tag`)

// Arguments that are programs, or what a tool runs.
var programs = set(`bash cmd code command javascript js python script shell statement sql query terminal`)

// Arguments that are addresses of the network.
var addresses = set(`url uri link href`)

// Verbs that say little: where the description begins with another, that counts.
var weak = set(`request put set make call use perform do handle change`)

// What a description of something begins with that only answers.
var articles = set(`a an the how what names details list`)

// What a description calls a tool, of whatever kind.
var kindsOfTool = set(`tool api service function utility system platform comprehensive agent assistant`)

// Verbs in a description that say that something is taken away.
var taking = set(`cancel delete remove overwrite erase drop replace`)

// What a phrase ends at.
var prepositions = set(`by for from in into on to using with of based given that which at across between`)

func set(words string) map[string]bool {
	out := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		out[stem(w)] = true
	}
	return out
}

func kinds(lists map[verbKind]string) map[string]verbKind {
	out := map[string]verbKind{}
	for kind, words := range lists {
		for w := range strings.FieldsSeq(words) {
			out[stem(w)] = kind
		}
	}
	return out
}

// words cuts a name or text into lower-case words: at anything that is no
// letter or digit, and where case says so.
func words(s string) []string {
	var out []string
	rs := []rune(s)
	start := -1
	flush := func(end int) {
		if start >= 0 && end > start {
			out = append(out, strings.ToLower(string(rs[start:end])))
		}
		start = -1
	}
	for i, r := range rs {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			flush(i)
		case start < 0:
			start = i
		case unicode.IsUpper(r) && (!unicode.IsUpper(rs[i-1]) || i+1 < len(rs) && unicode.IsLower(rs[i+1]) && unicode.IsUpper(rs[i-1])):
			flush(i)
			start = i
		}
	}
	flush(len(rs))
	return out
}

// stems are the words of a text, as the lists have them.
func stems(s string) []string {
	out := words(s)
	for i, w := range out {
		out[i] = stem(w)
	}
	return out
}

// stem takes the endings off that a verb or a noun has in a description. It
// need not be a word: the lists go through it too.
func stem(w string) string {
	switch {
	case len(w) < 4 || strings.HasSuffix(w, "ss") || strings.HasSuffix(w, "us") || strings.HasSuffix(w, "is"):
		return w
	case strings.HasSuffix(w, "ies"):
		return w[:len(w)-3] + "y"
	case strings.HasSuffix(w, "sses"), strings.HasSuffix(w, "shes"), strings.HasSuffix(w, "ches"), strings.HasSuffix(w, "xes"):
		return w[:len(w)-2]
	case strings.HasSuffix(w, "s"):
		return w[:len(w)-1]
	}
	return w
}

// gerund returns the verb of which w is the form on -ing, if it is a known one.
func gerund(w string) (string, bool) {
	root, ok := strings.CutSuffix(w, "ing")
	if !ok || len(root) < 2 {
		return "", false
	}
	for _, v := range []string{root, root + "e", strings.TrimRight(root, root[len(root)-1:]) + root[len(root)-1:]} {
		if verbs[stem(v)] != noVerb {
			return stem(v), true
		}
	}
	return "", false
}
