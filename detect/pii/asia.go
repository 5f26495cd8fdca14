// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package pii

import "slices"

// asiaRules are those of Asia, Turkey and Africa.
func asiaRules() []rule {
	return slices.Concat(indiaRules(), koreaRules(), singaporeRules(), turkeyRules(), africaRules())
}

func indiaRules() []rule {
	const pan = "permanent account|pan number|pan card|income tax|pan"
	const plate = "rto|vehicle|number plate|registration"
	return []rule{
		{
			kind: "IN_AADHAAR", masks: []string{"[2-9]999[- :]9999[- :]9999"}, check: inAadhaar, sure: .6, near: .9, words: "aadhaar|aadhar|uidai|uid",
			hits: "Aadhaar ‹4071 8823 5516›", misses: "1071 8823 5516|4071 8823 551|40718 823 5516",
		},
		{
			kind: "IN_AADHAAR", masks: []string{"[2-9]9{11}"}, check: inAadhaar, sure: .4, near: .85, words: "aadhaar|aadhar|uidai|uid",
			hits: "aadhaar: ‹407188235516›", misses: "107188235516|4071882355166",
		},
		{
			kind: "IN_PAN", masks: []string{"AAA[abcfghjlpt]A9999A"}, score: .5, near: .85, words: pan,
			hits: "PAN ‹BRTPK4071Q›", misses: "BRTPK407Q|BRTP4071Q|BRTPK40711",
		},
		{
			kind: "IN_PAN", masks: []string{"A{5}9999A"}, score: .1, near: .5, words: pan,
			hits: "pan card ‹BRTZK4071Q›", misses: "BRTZK407Q",
		},
		{
			kind: "IN_PAN", masks: []string{"X{10}"}, check: inLoosePAN, score: .01,
			hits: "‹B4071KRTZQ›", misses: "BRTZKQRSTU|4071882355",
		},
		{
			kind: "IN_GSTIN", masks: []string{"99X{5}9999AXzX"}, check: inGSTIN, score: .8, words: "gst|goods and services|tax identification",
			hits: "GSTIN ‹29BRTPK4071Q1Z7›", misses: "39BRTPK4071Q1Z7|29BRTPK4071Q1Y7|29BRTPK4071Q1Z|2912345407111Z7",
		},
		{
			kind: "IN_PASSPORT", masks: []string{"A[1-9]9_?9999[1-9]"}, score: .1, near: .5, words: "passport",
			hits: "passport ‹K4071882›", misses: "K0071882|K4071880|K40718",
		},
		{
			kind: "IN_VOTER", masks: []string{"A[abcdghjkmnprsy]A9{7}", "AAA9{7}"}, score: .4, near: .75, words: "voter|epic|election|elector",
			hits: "voter id ‹KRT4071882›", misses: "KR4071882|KRT407188|KRTQ407188",
		},
		{
			kind: "IN_VEHICLE_REGISTRATION", masks: []string{"AA9A{1,3}9999", "AA99A{1,2}9999"}, check: inPlate, score: .45, near: .8, words: plate,
			hits: "vehicle ‹KA05MR4071›|number plate ‹DL3CAR4071›", misses: "KA05MR0000|KA05MRT4071|KAR05M4071",
		},
		{
			kind: "IN_VEHICLE_REGISTRATION", masks: []string{"[2-9][1-9]bh9999[a-hj-np-z][a-hj-np-z]", "99[a-fhkprx]9{6}A"}, check: inPlate, score: .45, near: .85, words: plate,
			hits: "RTO ‹22BH4071KR›|‹04D407188K›", misses: "22BH0000KR|22BH4071IO|00D407188K|04G407188K",
		},
		{
			kind: "IN_VEHICLE_REGISTRATION", masks: []string{"A{1,3}9999", "i9{5}", "9{1,3}cd[1-9]9{1,3}", "9{1,3}cc[1-9]9{1,3}", "9{1,3}un[1-9]9{1,3}"}, check: inPlate, score: .05,
			hits: "plate ‹KR4071›|‹77CD41›|‹77CC41›|‹77UN41›|‹I40718›", misses: "KR0000|77CD01|KRTQ4071",
		},
	}
}

func koreaRules() []rule {
	const rrn = "rrn|resident registration|주민등록번호|주민번호"
	const frn = "frn|foreigner registration|외국인등록번호|외국인번호"
	const brn = "brn|business registration|사업자"
	const driver = "운전면허|면허번호|driver license|driver's license|drivers license"
	const passport = "korean passport|여권"
	return []rule{
		{
			kind: "KR_RRN", masks: []string{"9{6}-[1-4]9{6}"}, edge: digits, check: krResident, score: .5, sure: .9, words: rrn,
			hits: "RRN ‹810407-1188235›|‹810407-1188235›", misses: "811307-1188235|810432-1188235|810407-5188235|810407-11882355|810407+1188235",
		},
		{
			kind: "KR_RRN", masks: []string{"9{6}[1-4]9{6}"}, edge: digits, check: krResident, score: .3, sure: .45, near: .85, words: rrn,
			hits: "주민번호 ‹8104071188235›", misses: "8113071188235|81040711882355",
		},
		{
			kind: "KR_FRN", masks: []string{"9{6}-[5-8]9{6}"}, edge: digits, check: krForeigner, score: .5, sure: .9, words: frn,
			hits: "FRN ‹810407-5188235›", misses: "811307-5188235|810407-1188235",
		},
		{
			kind: "KR_FRN", masks: []string{"9{6}[5-8]9{6}"}, edge: digits, check: krForeigner, score: .3, sure: .45, near: .85, words: frn,
			hits: "frn: ‹8104075188235›", misses: "8113075188235",
		},
		{
			kind: "KR_BRN", masks: []string{"999-99-9{5}"}, edge: digits, check: krFirm, sure: .6, words: brn,
			hits: "사업자 ‹407-18-82358›", misses: "407-18-823|407-18-823555",
		},
		{
			kind: "KR_BRN", masks: []string{"9{10}"}, edge: digits, check: krFirm, sure: .4, near: .85, words: brn,
			hits: "BRN ‹4071882358›", misses: "40718823|40718823555",
		},
		{
			kind: "KR_DRIVER_LICENSE", masks: []string{"99~99~9{6}~99"}, edge: digits, check: krDriver, score: .05, sure: .3, near: .6, words: driver,
			hits: "운전면허 ‹12-07-188235-40›|‹120718823540›", misses: "27-07-188235-40|12-07-18823-40|112-07-188235-40",
		},
		{
			kind: "KR_PASSPORT", masks: []string{"[msrod]999A9999", "[msrod]9{8}"}, edge: latin, score: .1, near: .5, words: passport,
			hits: "여권 ‹M407K1882›입니다|여권 ‹S40718823›", misses: "K407K1882|M4071K882|M407K18822|MM407K1882",
		},
	}
}

func singaporeRules() []rule {
	const nric = "nric|fin|identity card|singapore"
	const uen = "uen|unique entity|acra"
	const tnin = "thai|tnin|เลขประจำตัวประชาชน|เลขบัตรประชาชน|รหัสปชช"
	return []rule{
		{
			kind: "SG_NRIC_FIN", masks: []string{"[stfgm]9{7}A"}, check: sgNRIC, score: .4, sure: .8, words: nric,
			hits: "NRIC ‹S4071882N›|‹S4071882B›", misses: "S407188A|S40718823|SS4071882A",
		},
		{
			kind: "SG_NRIC_FIN", masks: []string{"A9{7}A"}, score: .1, near: .5, words: nric,
			hits: "fin ‹K4071882A›", misses: "K407188A",
		},
		{
			kind: "SG_UEN", masks: []string{"9{8}A"}, check: sgBusiness, sure: .5, near: .9, words: uen,
			hits: "UEN ‹40718823A›", misses: "407188235|4071882A",
		},
		{
			kind: "SG_UEN", masks: []string{"[12][09]9{7}A"}, check: sgCompany, sure: .6, near: .9, words: uen,
			hits: "UEN ‹201407188R›", misses: "301407188A|20140718A",
		},
		{
			kind: "SG_UEN", masks: []string{"[rst]99AA9999A"}, check: sgEntity, sure: .8, words: uen,
			hits: "uen ‹T14LL0718F›", misses: "U14LL0718A|T14L40718A",
		},
		{
			kind: "TH_TNIN", masks: []string{"[1-9]9{12}"}, check: thTNIN, sure: .45, near: .85, words: tnin,
			hits: "Thai ID ‹3104071882356›", misses: "0104071882355|328407188235?|31040718823555",
		},
		{
			kind: "PH_TIN", masks: []string{"999-999-999-999", "999-999-999"}, check: phTIN, sure: .45, near: .85, words: "tin|taxpayer|bir|tax id",
			hits: "TIN ‹407-188-241-000›|BIR ‹407-188-241›", misses: "407-188-23-000",
		},
		{
			kind: "PH_TIN", masks: []string{"9{12}", "9{9}"}, check: phTIN, sure: .3, near: .65, words: "tin|taxpayer|bir|tax id",
			hits: "tin ‹407188241›|tin ‹407188241000›", misses: "4071882300",
		},
		{
			kind: "PH_MOBILE_NUMBER", masks: []string{"+63~[(]?[9]99[)]?~999~9999"}, check: bracketed, score: .6, words: "mobile|phone|telepono|numero|cell",
			hits: "mobile ‹+63 917 407 1882›|‹+639174071882›", misses: "+63 817 407 1882|+63 917 407 188",
		},
		{
			kind: "PH_MOBILE_NUMBER", masks: []string{"0~[(]?[9]99[)]?~999~9999"}, check: bracketed, score: .4, near: .75, words: "mobile|phone|telepono|numero|cell",
			hits: "Telepono ‹0917 407 1882›|‹09174071882›", misses: "9174071882|0817 407 1882|091740718822",
		},
	}
}

func turkeyRules() []rule {
	const tel = "telefon|cep no|gsm|numaram|turkish phone"
	const plate = "plaka|license plate|number plate"
	return []rule{
		{
			kind: "TR_NATIONAL_ID", masks: []string{"[1-9]9{10}"}, check: trID, sure: .5, near: .85, words: "kimlik|tckn|t.c|turkish id|tc no",
			hits: "TC Kimlik ‹40718823508›", misses: "04071882355|407188235555",
		},
		{
			kind: "TR_LICENSE_PLATE", masks: []string{"99_?[a-pr-vyz]{1,3}_?9{2,4}", "99-[a-pr-vyz]{1,3}-9{2,4}"}, check: trPlate, score: .3, near: .65, words: plate,
			hits: "Plaka ‹34 KRT 407›|‹06-K-4071›", misses: "82 KRT 407|00 KRT 407|34 KRTZ 407|34 KWT 407|34 KRT 4",
		},
		{
			kind: "TR_PHONE_NUMBER", masks: []string{"+90~[(]?[2-5]99[)]?~999~99~99"}, check: bracketed, score: .5, words: tel,
			hits: "‹+90 532 407 18 82›", misses: "+90 632 407 18 82|+90 532 407 18 8",
		},
		{
			kind: "TR_PHONE_NUMBER", masks: []string{"0~[(]?[2-5]99[)]?~999~99~99"}, check: bracketed, score: .3, near: .65, words: tel,
			hits: "Telefon ‹0532 407 18 82›", misses: "0632 407 18 82|0532 407 18 822",
		},
		{
			kind: "TR_PHONE_NUMBER", masks: []string{"[2-5]99~999~99~99", "([2-5]99)~999~99~99", "[2-5]99[.]999[.]99[.]99"}, check: bracketed, score: .15, words: tel,
			hits: "gsm ‹532 407 18 82›|‹(532) 407 18 82›|‹532.407.18.82›", misses: "632 407 18 82|532 407 18 8",
		},
	}
}

func africaRules() []rule {
	return []rule{
		{
			kind: "NG_NIN", masks: []string{"9{11}"}, check: ngNIN, sure: .3, near: .65, words: "nin|nimc|national identi|nigeria",
			hits: "NIN ‹40718823550›", misses: "407188235566|407188235",
		},
		{
			kind: "NG_VEHICLE_REGISTRATION", masks: []string{"AAA~999AA"}, score: .45, near: .8, words: "plate|vehicle|registration",
			hits: "plate ‹KRJ-407QT›|‹krj407qt›", misses: "KR-407QT|KRJ-40QT|KRJ-407QTX",
		},
		{
			kind: "ZA_ID_NUMBER", masks: []string{"9{10}[0-2][89]9"}, check: zaID, sure: .6, near: .9, words: "south africa|rsa|identity|id number|smart id|sa id",
			hits: "RSA ID ‹8104071882080›", misses: "8113071882085|8104071882385|810407188208",
		},
	}
}

// inAadhaar: Verhoeff, and not the same read backwards.
func inAadhaar(code []byte, _ string) verdict {
	for i := range code {
		if code[i] != code[len(code)-1-i] {
			return must(verhoeff(code))
		}
	}
	return no
}

// inLoosePAN takes ten letters and digits with four digits in a row.
func inLoosePAN(code []byte, _ string) verdict {
	row, most, letters := 0, 0, 0
	for _, c := range code {
		if isDigit(c) {
			row++
			most = max(most, row)
		} else {
			row = 0
			letters++
		}
	}
	if letters == 0 || most < 4 {
		return no
	}
	return maybe
}

// inGSTIN: a state, 01 to 37, and a PAN with three letters or more of five.
func inGSTIN(code []byte, _ string) verdict {
	letters := 0
	for _, c := range code[2:7] {
		if isLetter(c) {
			letters++
		}
	}
	if state := number(code[:2]); state < 1 || state > 37 || letters < 3 {
		return no
	}
	return maybe
}

// inPlate: no district is 00 and no number is 0000.
func inPlate(code []byte, _ string) verdict {
	for i := 0; i+4 <= len(code); i++ {
		if string(code[i:i+4]) == "0000" {
			return no
		}
	}
	if string(code[:2]) == "00" {
		return no
	}
	return maybe
}

// krSum is the weighted sum of a registration number, 0 to 10, and whether
// date and district are such.
func krSum(code []byte) (sum int, district bool, date bool) {
	month, day := number(code[2:4]), number(code[4:6])
	return weighted(code, 2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5) % 11, number(code[7:9]) <= 95, isDate(2000, month, min(day, 28)) && day <= 31
}

// krResident: numbers since October 2020 are random and need not add up.
func krResident(code []byte, _ string) verdict {
	sum, district, date := krSum(code)
	if !date {
		return no
	}
	return may(district && (11-sum)%10 == int(code[12]-'0'))
}

func krForeigner(code []byte, _ string) verdict {
	sum, district, date := krSum(code)
	if !date {
		return no
	}
	return may(district && (13-sum)%10 == int(code[12]-'0'))
}

func krFirm(code []byte, _ string) verdict {
	sum := weighted(code, 1, 3, 7, 1, 3, 7, 1, 3, 5) + int(code[8]-'0')*5/10
	return must((10-sum%10)%10 == int(code[9]-'0') && !same(code))
}

// krDriver begins with the number of a region.
func krDriver(code []byte, _ string) verdict {
	region := number(code[:2])
	return must(region >= 11 && region <= 28 && region != 27)
}

// sgNRIC: a letter over the weighted sum; those of this century count four
// more, those of series M three more.
func sgNRIC(code []byte, _ string) verdict {
	sum := weighted(code[1:], 2, 7, 6, 5, 4, 3, 2)
	letters := "JZIHGFEDCBA"
	switch code[0] {
	case 'T':
		sum += 4
	case 'F':
		letters = "XWUTRQPNMLK"
	case 'G':
		letters, sum = "XWUTRQPNMLK", sum+4
	case 'M':
		letters, sum = "KLJNPQRTUWX", sum+3
		return may(letters[10-sum%11] == code[8])
	}
	return may(letters[sum%11] == code[8])
}

func sgBusiness(code []byte, _ string) verdict {
	return must("XMKECAWLJDB"[weighted(code, 10, 4, 9, 3, 8, 2, 7, 1)%11] == code[8])
}

func sgCompany(code []byte, _ string) verdict {
	return must("ZKCMDNERGWH"[weighted(code, 10, 8, 6, 4, 9, 7, 5, 3, 1)%11] == code[9])
}

func sgEntity(code []byte, _ string) verdict {
	const letters = "ABCDEFGHJKLMNPQRSTUVWX0123456789"
	sum := 0
	for i, w := range [...]int{4, 3, 5, 3, 10, 2, 2, 5, 7} {
		place := slices.Index([]byte(letters), code[i])
		if place < 0 {
			return no
		}
		sum += place * w
	}
	return must(letters[(sum+6)%11] == code[9]) // 6 is -5 by 11
}

// thTNIN: what kind of citizen, a province, and a check digit.
func thTNIN(code []byte, _ string) verdict {
	a, b := code[1], code[2]
	switch a {
	case '0':
		return no
	case '5':
		if b == '9' {
			return no
		}
	case '2', '6', '7':
		if b >= '8' {
			return no
		}
	case '8', '9':
		if b >= '7' {
			return no
		}
	}
	return must((11-weighted(code, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2)%11)%10 == int(code[12]-'0'))
}

func phTIN(code []byte, _ string) verdict {
	return must(weighted(code, 9, 8, 7, 6, 5, 4, 3, 2)%11 == int(code[8]-'0') && !same(code[:9]))
}

// paired reports whether the brackets of a telephone number are.
func paired(raw string) bool {
	open, closed := 0, 0
	for i := range len(raw) {
		switch raw[i] {
		case '(':
			open++
		case ')':
			closed++
		}
	}
	return open == closed
}

func bracketed(_ []byte, raw string) verdict {
	if !paired(raw) {
		return no
	}
	return maybe
}

// trID has two check digits.
func trID(code []byte, _ string) verdict {
	odd := weighted(code, 1, 0, 1, 0, 1, 0, 1, 0, 1)
	even := weighted(code, 0, 1, 0, 1, 0, 1, 0, 1)
	tenth := int(code[9] - '0')
	return must(((odd*7-even)%10+10)%10 == tenth && (odd+even+tenth)%10 == int(code[10]-'0'))
}

// trPlate begins with the number of a province, 01 to 81.
func trPlate(code []byte, _ string) verdict {
	if p := number(code[:2]); p < 1 || p > 81 {
		return no
	}
	return maybe
}

func ngNIN(code []byte, _ string) verdict { return must(verhoeff(code) && !same(code)) }

// zaID: a date of birth, citizen or not, and Luhn.
func zaID(code []byte, _ string) verdict {
	year := 1900 + number(code[:2])
	if year < 1926 {
		year += 100
	}
	return must(isDate(year, number(code[2:4]), number(code[4:6])) && luhn(code))
}
