// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package python

// A signature is what has been seen of a list of parameters.
type signature struct {
	slash, star, double, defaulted bool
	bare                           bool // a bare * that no name has followed yet
}

// params reads the parameters of a function, or of a lambda up to its colon.
func (p *parser) params(until kind) []*Node {
	var out []*Node
	var seen signature
	for !p.at(until) {
		before := p.i
		if seen.double {
			p.fail("arguments cannot follow var-keyword argument")
		}
		out = append(out, p.param(until, &seen, len(out) == 0))
		if p.i == before {
			break
		}
		if !p.accept(kComma) {
			break
		}
	}
	if seen.bare {
		p.fail("named arguments must follow bare *")
	}
	return out
}

func (p *parser) param(until kind, seen *signature, first bool) *Node {
	start := p.start()
	switch p.kind() {
	case kSlash:
		return p.slashParam(start, seen, first)
	case kStar:
		return p.starParam(start, until, seen)
	case kDoubleStar:
		p.next()
		if seen.bare {
			p.failf(start, "named arguments must follow bare *")
			seen.bare = false
		}
		seen.double = true
		return p.paramRest(start, "**"+p.name(), until, true)
	case kLPar: // a tuple to take apart, in Python 2
		p.errs.old(start, "Function parameters cannot be parenthesized")
		n := p.named(Param, start, "", p.atom())
		if p.accept(kAssign) {
			n = p.named(Param, start, "", n.Kids[0], p.expression())
		}
		return n
	case kName:
	default:
		p.unexpected()
		return p.missing()
	}
	seen.bare = false
	n := p.paramRest(start, p.name(), until, false)
	p.order(n, seen)
	return n
}

// order wants defaults behind parameters without.
func (p *parser) order(n *Node, seen *signature) {
	if n.Flags&hasDefault != 0 {
		seen.defaulted = true
	} else if seen.defaulted && !seen.star {
		p.failf(n.Start, "parameter without a default follows parameter with a default")
	}
	n.Flags &^= hasDefault
}

// hasDefault marks a parameter while its list is read.
const hasDefault Flags = 1 << 7

func (p *parser) slashParam(start int, seen *signature, first bool) *Node {
	p.next()
	switch {
	case first:
		p.failf(start, "at least one argument must precede /")
	case seen.slash:
		p.failf(start, "/ may appear only once")
	case seen.star:
		p.failf(start, "/ must be ahead of *")
	}
	seen.slash = true
	return p.named(Param, start, "/")
}

func (p *parser) starParam(start int, until kind, seen *signature) *Node {
	p.next()
	if seen.star {
		p.failf(start, "* argument may appear only once")
	}
	seen.star = true
	if !p.at(kName) {
		if !p.at(kComma) {
			p.fail("named arguments must follow bare *")
		}
		seen.bare = true
		return p.named(Param, start, "*")
	}
	return p.paramRest(start, "*"+p.name(), until, true)
}

// paramRest reads the annotation and the default of a parameter.
func (p *parser) paramRest(start int, name string, until kind, stars bool) *Node {
	var kids []*Node
	flags := Flags(0)
	if until != kColon && p.accept(kColon) {
		if p.at(kStar) && stars && name[1] != '*' {
			kids = append(kids, p.star())
		} else {
			kids = append(kids, p.expression())
		}
	}
	if p.at(kAssign) {
		if stars {
			p.fail("var-positional argument cannot have default value")
		}
		p.next()
		kids = append(kids, p.expression())
		flags = hasDefault
	}
	n := p.named(Param, start, name, kids...)
	if !stars {
		n.Flags |= flags
	}
	return n
}
