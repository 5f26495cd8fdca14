// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package pii

import (
	"strings"
	"sync"
)

// Top-level domains, as of 2026: those of countries, then the others that are
// used. Names beginning with xn-- are all taken.
const (
	countries = "ac ad ae af ag ai al am ao aq ar as at au aw ax az ba bb bd be bf bg bh bi bj bm bn bo br bs bt bv bw by bz ca cc cd cf cg ch ci ck cl cm cn co cr " +
		"cu cv cw cx cy cz de dj dk dm do dz ec ee eg er es et eu fi fj fk fm fo fr ga gb gd ge gf gg gh gi gl gm gn gp gq gr gs gt gu gw gy hk hm hn hr ht hu id ie il im " +
		"in io iq ir is it je jm jo jp ke kg kh ki km kn kp kr kw ky kz la lb lc li lk lr ls lt lu lv ly ma mc md me mg mh mk ml mm mn mo mp mq mr ms mt mu mv mw mx my mz " +
		"na nc ne nf ng ni nl no np nr nu nz om pa pe pf pg ph pk pl pm pn pr ps pt pw py qa re ro rs ru rw sa sb sc sd se sg sh si sj sk sl sm sn so sr ss st su sv sx sy sz " +
		"tc td tf tg th tj tk tl tm tn to tr tt tv tw tz ua ug uk us uy uz va vc ve vg vi vn vu wf ws ye yt za zm zw"
	generic = "com net org edu gov int mil arpa info biz name pro aero asia cat coop jobs mobi museum post tel travel xxx example test local localhost internal lan corp home invalid onion " +
		"academy accountant accountants actor ads adult africa agency airforce amsterdam apartments app archi army art associates attorney auction audio auto autos baby band bank bar barcelona " +
		"bargains basketball bayern beauty beer berlin best bet bible bid bike bingo bio black blackfriday blog blue boats bond boo book bot boutique box brussels build builders business buy buzz " +
		"cab cafe cam camera camp capetown capital car cards care career careers cars casa cash casino catering center ceo cfd channel charity chat cheap christmas church city claims cleaning click " +
		"clinic clothing cloud club coach codes coffee college cologne community company compare computer condos construction consulting contact contractors cooking cool country coupon coupons " +
		"courses credit creditcard cricket cruises cymru cyou dad dance date dating day deal deals degree delivery democrat dental dentist desi design dev diamonds diet digital direct directory " +
		"discount docs doctor dog domains download dubai durban earth eco education email energy engineer engineering enterprises equipment esq estate eus events exchange expert exposed " +
		"express fail faith family fan fans farm fashion fast feedback film final finance financial fish fishing fit fitness flights florist flowers fly foo food football forex forsale forum " +
		"foundation free frl fun fund furniture futbol fyi gal gallery game games garden gay gdn gent gift gifts gives giving glass global gmbh gold golf gop graphics gratis green gripe " +
		"grocery group guide guitars guru hair hamburg hangout haus health healthcare help here hiphop hiv hockey holdings holiday homes horse hospital host hosting hot house how icu immo " +
		"inc industries ink institute insurance insure international investments irish ist istanbul jetzt jewelry joburg juegos kaufen kids kim kitchen kiwi koeln krd kyoto land " +
		"lat law lawyer lease legal lgbt life lifestyle lighting like limited limo link live living llc loan loans locker lol london lotto love ltd ltda luxe luxury madrid maison makeup man " +
		"management map market marketing markets mba media meet melbourne meme memorial men menu miami mls moda moe moi mom money monster mortgage moscow motorcycles mov movie music " +
		"nagoya navy network new news nexus ngo ninja now nrw nyc observer okinawa one ong onl online ooo open organic origins osaka page paris partners parts party pay pet pharmacy phd phone " +
		"photo photography photos physio pics pictures pid pink pizza place plumbing plus poker porn press prime prod productions prof promo properties property protection pub qpon " +
		"quebec quest racing radio read realestate realtor realty recipes red rehab reise reisen reit ren rent rentals repair report republican rest restaurant review reviews rich rip rocks rodeo " +
		"room rsvp rugby ruhr run ryukyu saarland safe safety sale salon sarl save sbs scholarships school schule science scot search secure security select services sexy shiksha shoes shop " +
		"shopping show silk singles site ski skin sky soccer social software solar solutions song soy spa space sport spot srl storage store stream studio study style sucks supplies supply " +
		"support surf surgery swiss sydney systems taipei talk tattoo tax taxi team tech technology tennis theater theatre tickets tienda tips tires tirol today tokyo tools top tours town toys " +
		"trade trading training trust tube tunes university uno vacations vegas ventures versicherung vet viajes video villas vin vip vision vlaanderen vodka vote voting voto voyage wales wang " +
		"watch watches weather webcam website wed wedding wien wiki win wine work works world wow wtf xin xyz yachts yoga yokohama you youtube zip zone zuerich"

	// doubtful are top-level domains that files and members of objects are
	// called by, too.
	doubtful = "ai am as at be by cc date day do docs download email email file final foo game here host id in is it local lan host link live map me md mm mo mov ms name new no now one open page " +
		"parts pet phone photo pid pl place post prod ps py re read red report rs run save sc search select sh so st style test to today top total tr ts us video vi watch zip space plus win show free final " +
		"safe network group team size support text properties direct pay box int pro info app"
)

// A domainSet holds the top-level domains.
type domainSet struct {
	doubtful map[string]bool // of all of them
	lengths  [26 * 26]uint32 // by the first two letters: bit n for one of n letters
}

var domains = sync.OnceValue(func() *domainSet {
	set := &domainSet{doubtful: map[string]bool{}}
	for d := range strings.FieldsSeq(countries + " " + generic) {
		set.doubtful[d] = false
		set.lengths[int(d[0]-'a')*26+int(d[1]-'a')] |= 1 << len(d)
	}
	for d := range strings.FieldsSeq(doubtful) {
		if _, ok := set.doubtful[d]; ok {
			set.doubtful[d] = true
		}
	}
	return set
})

// topLevel reports whether label is a top-level domain.
func topLevel(label string) bool {
	if len(label) < 2 || len(label) > 24 {
		return false
	}
	set := domains()
	first, second := label[0]|0x20-'a', label[1]|0x20-'a'
	if first >= 26 || second >= 26 {
		return label[0] >= 0xc2 && len(label) >= 4
	}
	if set.lengths[int(first)*26+int(second)]>>len(label)&1 != 0 {
		var buf [24]byte
		for i := range len(label) {
			c := label[i]
			if c-'A' < 26 {
				c |= 0x20
			}
			buf[i] = c
		}
		if _, ok := set.doubtful[string(buf[:len(label)])]; ok {
			return true
		}
	}
	return len(label) > 6 && strings.EqualFold(label[:4], "xn--")
}

// isDoubtful reports whether a top-level domain, in small letters, is what
// other things are called by, too.
func isDoubtful(label string) bool { return domains().doubtful[label] }
