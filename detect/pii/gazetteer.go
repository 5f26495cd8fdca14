// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package pii

import (
	"strings"
	"sync"
)

// What people and places are called, as far as this package knows. Names of
// the commonest kind are enough: the form of a text tells the rest (a title,
// a second name, "in").
const (
	givenNames = "Aaron Abdul Abdullah Abigail Adam Adrian Adriana Agnes Ahmed Aisha Alan Albert Alejandro Aleksandr Alessandro Alex Alexa Alexander Alexandra Alexis Alfred Ali Alice Alicia Alina " +
		"Alison Allison Amanda Amber Amelia Amina Amir Amit Amy Ana Anastasia Anders Andre Andrea Andreas Andrei Andrew Andrzej Angela Anita Anja Anjali Ann Anna Anne Annika Anthony Antoine Anton " +
		"Antonio Anya Aoife Arjun Arthur Astrid Aarav Ashley Audrey Ava Barbara Beatrice Beatriz Ben Benjamin Bernard Beth Betty Bill Birgit Bob Boris Brad Bradley Brandon Brenda Brian Bridget " +
		"Brigitte Brittany Bruce Bruno Bryan Carl Carla Carlos Carmen Carol Caroline Catherine Cecilia Chantal Charles Charlie Charlotte Chen Chiara Chloe Chris Christian Christina Christine Christoph " +
		"Christopher Claire Clara Claudia Colin Connor Craig Cristina Cynthia Daiki Dan Dana Daniel Daniela Danielle Dariusz Darren David Dawn Dean Deborah Denis Dennis Derek Diana Diane Diego Dieter " +
		"Dimitri Dmitri Dominic Don Donald Donna Dorothy Douglas Duncan Dylan Edith Eduardo Edward Eileen Elena Eleanor Eli Elias Elizabeth Ella Ellen Emil Emily Emma Enrique Eric Erica Erik Erin " +
		"Ernest Esther Ethan Eva Evan Eve Evelyn Fatima Felix Fernando Fiona Florian Frances Francesca Francesco Francis Francisco Frank Franz Fred Frederick Frida Friedrich Gabriel Gabriela Gareth " +
		"Gary Gemma Geoffrey George Georgia Gerald Giovanni Giulia Gloria Gordon Grace Graham Grant Greg Gregory Greta Guillaume Gustav Hannah Hans Harold Harriet Harry Hassan Heather Hector Heinrich " +
		"Helen Helena Helga Henri Henry Hiroshi Hugo Ian Ibrahim Ida Igor Ines Ingrid Irene Irina Isaac Isabel Isabella Ivan Ivana Jack Jackie Jacob Jacqueline Jacques Jake James Jamie Jan Jane Janet " +
		"Janice Jasmine Jason Javier Jay Jean Jeff Jeffrey Jennifer Jenny Jeremy Jerome Jesse Jessica Jill Jim Joan Joanna Joao Joe Joel Johan Johann Johanna John Johnny Jonas Jonathan Jordan Jorge " +
		"Jose Josef Joseph Josephine Joshua Joyce Juan Judith Judy Julia Julian Juliana Julie Jun Jurgen Justin Kai Karen Karim Karin Karl Katarina Kate Katherine Kathleen Kathryn Katie Katja Keith " +
		"Kelly Ken Kenji Kenneth Kevin Khalid Kim Kimberly Klaus Kofi Krishna Kristen Kristin Kumar Kurt Kwame Kyle Lars Laura Lauren Laurence Layla Lea Leah Lee Leila Lena Leo Leon Leonardo Leslie Li " +
		"Liam Lily Linda Lisa Lorenzo Louis Louise Luca Lucas Lucia Lucy Luis Luisa Lukas Luke Lydia Magnus Malik Manuel Marc Marcel Marco Marcus Margaret Maria Mariam Marie Marina Mario Marion Mark " +
		"Markus Marta Martha Martin Martina Mary Mateo Mathieu Matteo Matthew Matthias Maurice Max Maya Megan Mehmet Mei Melanie Melissa Mia Michael Michel Michelle Miguel Mikhail Milan Mohamed Mohammad " +
		"Mohammed Monica Monika Muhammad Mustafa Nadia Nancy Naomi Natalia Natalie Natasha Nathan Neha Neil Nicholas Nick Nicola Nicolas Nicole Nigel Nikhil Nikolai Nina Noah Noor Nora Norman Oksana Olga " +
		"Oliver Olivia Olivier Omar Oscar Otto Owen Pablo Pamela Paola Patricia Patrick Paul Paula Pauline Pavel Pedro Peter Petra Philip Philippe Phillip Pierre Pieter Piotr Priya Rachel Raj Rajesh " +
		"Ralph Ramon Randy Raphael Rashid Raul Ravi Raymond Rebecca Reinhard Renata Rene Ricardo Richard Rita Robert Roberta Roberto Robin Rodrigo Roger Roland Ronald Rosa Rosemary Ross Roy Ruben Rudolf " +
		"Russell Ruth Ryan Sabine Sabrina Sally Sam Samantha Samir Samuel Sandra Sanjay Santiago Sara Sarah Satoshi Scott Sean Sebastian Sergei Sergio Shannon Sharon Sheila Shirley Silvia Simon Simone " +
		"Sofia Sonia Sophia Sophie Stacy Stanislav Stefan Stefanie Stella Stephanie Stephen Steve Steven Stuart Sunita Susan Susanne Suzanne Svetlana Sven Sylvia Takashi Tamara Tanya Tara Tariq Tatiana " +
		"Ted Teresa Terry Theodore Theresa Thomas Tim Timothy Tina Tobias Tom Tomas Tony Tracy Trevor Ulrich Ursula Uwe Valentina Valerie Vanessa Vera Veronica Victor Victoria Viktor Vincent Virginia " +
		"Vivian Vladimir Walter Wanda Wei Wendy Werner Wilhelm Will William Wolfgang Xavier Yara Yasmin Yuki Yusuf Yvonne Zachary Zainab Zoe"

	familyNames = "Adams Ahmed Allen Anderson Bailey Baker Bauer Becker Bell Bennett Bernard Brooks Brown Campbell Carter Chan Chen Clark Collins Cook Cooper Costa Cox Cruz Davies Davis Diaz Dubois Edwards " +
		"Evans Fernandez Ferrari Fischer Foster Garcia Gomez Gonzalez Gray Green Gupta Hall Hansen Harris Hernandez Hill Hoffmann Howard Hughes Ivanov Jackson James Jansen Jensen Johansson Johnson Jones " +
		"Kelly Khan Kim Klein Kowalski Kumar Lee Lewis Li Lopez Martin Martinez Meyer Miller Mitchell Moore Moreau Morgan Morris Muller Murphy Nakamura Nelson Nguyen Nielsen Novak Okafor Olsen Ortiz " +
		"Parker Patel Perez Peterson Petrov Phillips Popescu Ramirez Reed Richardson Rivera Roberts Robinson Rodriguez Rogers Rossi Russo Sanchez Santos Sato Schmidt Schneider Scott Sharma Silva Singh " +
		"Smith Stewart Sullivan Suzuki Tanaka Taylor Thomas Thompson Torres Tran Turner Walker Wang Ward Watson Weber White Williams Wilson Wong Wood Wright Yamamoto Yang Yilmaz Young Zhang"

	countryNames = "Afghanistan|Albania|Algeria|Angola|Argentina|Armenia|Australia|Austria|Azerbaijan|Bahrain|Bangladesh|Belarus|Belgium|Bolivia|Bosnia|Botswana|Brazil|Bulgaria|Cambodia|Cameroon|" +
		"Canada|Chile|China|Colombia|Costa Rica|Croatia|Cuba|Cyprus|Czechia|Czech Republic|Denmark|Dominican Republic|Ecuador|Egypt|El Salvador|England|Estonia|Ethiopia|Finland|France|Germany|Ghana|" +
		"Greece|Guatemala|Haiti|Honduras|Hungary|Iceland|India|Indonesia|Iran|Iraq|Ireland|Israel|Italy|Jamaica|Japan|Kazakhstan|Kenya|Korea|South Korea|North Korea|Kuwait|Latvia|Lebanon|Libya|" +
		"Lithuania|Luxembourg|Madagascar|Malaysia|Mali|Malta|Mexico|Moldova|Monaco|Mongolia|Montenegro|Morocco|Mozambique|Myanmar|Namibia|Nepal|Netherlands|New Zealand|Nicaragua|Nigeria|Norway|Oman|" +
		"Pakistan|Palestine|Panama|Paraguay|Peru|Philippines|Poland|Portugal|Qatar|Romania|Russia|Rwanda|Saudi Arabia|Scotland|Senegal|Serbia|Singapore|Slovakia|Slovenia|Somalia|South Africa|Spain|" +
		"Sri Lanka|Sudan|Sweden|Switzerland|Syria|Taiwan|Tanzania|Thailand|Tunisia|Turkey|Uganda|Ukraine|United Arab Emirates|United Kingdom|United States|United States of America|Uruguay|Uzbekistan|" +
		"Venezuela|Vietnam|Wales|Yemen|Zambia|Zimbabwe|Europe|Africa|Asia|South America|North America|Antarctica|USA|UK"

	stateNames = "Alabama|Alaska|Arizona|Arkansas|California|Colorado|Connecticut|Delaware|Florida|Hawaii|Idaho|Illinois|Indiana|Iowa|Kansas|Kentucky|Louisiana|Maine|Maryland|Massachusetts|" +
		"Michigan|Minnesota|Mississippi|Missouri|Montana|Nebraska|Nevada|New Hampshire|New Jersey|New Mexico|New York|North Carolina|North Dakota|Ohio|Oklahoma|Oregon|Pennsylvania|Rhode Island|" +
		"South Carolina|South Dakota|Tennessee|Texas|Utah|Vermont|Washington|West Virginia|Wisconsin|Wyoming|Ontario|Quebec|British Columbia|Alberta|Bavaria|Catalonia|Tuscany|Sicily|Normandy|" +
		"Queensland|Victoria|New South Wales|Kerala|Punjab|Gujarat|Crimea|Siberia|Andalusia|Provence|Saxony|Yorkshire|Cornwall"

	cityNames = "Aachen|Aberdeen|Accra|Adelaide|Algiers|Amsterdam|Ankara|Antwerp|Athens|Atlanta|Auckland|Austin|Baghdad|Baltimore|Bangalore|Bangkok|Barcelona|Basel|Beijing|Beirut|Belfast|Belgrade|" +
		"Bergen|Berlin|Bern|Bilbao|Birmingham|Bogota|Bologna|Bombay|Bonn|Bordeaux|Boston|Bratislava|Bremen|Brisbane|Bristol|Brooklyn|Brussels|Bucharest|Budapest|Buenos Aires|Cairo|Calgary|Cambridge|" +
		"Canberra|Cape Town|Caracas|Cardiff|Casablanca|Chennai|Chicago|Cincinnati|Cleveland|Cologne|Copenhagen|Dakar|Dallas|Damascus|Delhi|Denver|Detroit|Dhaka|Doha|Dortmund|Dresden|Dubai|Dublin|" +
		"Durban|Edinburgh|Edmonton|Essen|Florence|Frankfurt|Geneva|Genoa|Ghent|Glasgow|Gothenburg|Graz|Guadalajara|Hamburg|Hanoi|Hanover|Havana|Helsinki|Hong Kong|Honolulu|Houston|Hyderabad|" +
		"Indianapolis|Istanbul|Jakarta|Jena|Jerusalem|Johannesburg|Kabul|Karachi|Kathmandu|Kiev|Kolkata|Krakow|Kuala Lumpur|Kyiv|Kyoto|Lagos|Lahore|Las Vegas|Lausanne|Leeds|Leipzig|Lille|Lima|Lisbon|" +
		"Liverpool|Ljubljana|London|Los Angeles|Lyon|Madrid|Malaga|Manchester|Manila|Marrakesh|Marseille|Melbourne|Memphis|Mexico City|Miami|Milan|Milwaukee|Minneapolis|Minsk|Montevideo|Montreal|Moscow|" +
		"Mumbai|Munich|Nairobi|Nantes|Naples|Nashville|New Delhi|New Orleans|New York City|Newcastle|Nice|Nottingham|Nuremberg|Oakland|Odessa|Orlando|Osaka|Oslo|Ottawa|Oxford|Palermo|Panama City|Paris|" +
		"Perth|Philadelphia|Phoenix|Pisa|Pittsburgh|Porto|Prague|Pretoria|Reykjavik|Riga|Rio de Janeiro|Riyadh|Rome|Rotterdam|Sacramento|Salt Lake City|Salzburg|San Antonio|San Diego|San Francisco|" +
		"San Jose|Santiago|Sao Paulo|Sarajevo|Seattle|Seoul|Seville|Shanghai|Sheffield|Shenzhen|Sofia|Southampton|Stockholm|Strasbourg|Stuttgart|Sydney|Taipei|Tallinn|Tampa|Tbilisi|Tehran|Tel Aviv|" +
		"The Hague|Tokyo|Toronto|Toulouse|Tripoli|Tunis|Turin|Utrecht|Valencia|Vancouver|Venice|Vienna|Vilnius|Warsaw|Washington DC|Wellington|Winnipeg|Yerevan|Zagreb|Zurich"

	// titles go before names of people.
	titles = "Mr Mrs Ms Miss Mx Dr Prof Professor Sir Madam Lady Lord Herr Frau Monsieur Madame Señor Señora Signor Signora Captain Judge Senator President Chancellor Minister Officer Sergeant Father Sister Rabbi Imam"

	// roads and such end the name of a place.
	roads = "Street St Avenue Ave Road Rd Lane Boulevard Blvd Drive Square Platz Strasse Bridge River Lake Mountains Valley County Island Islands Beach Bay Harbour Park Airport Station Plaza Terrace Hills"

	// things end or make up names of companies, houses and products.
	things = "Energy Group Bank Inc Ltd Corp Company Club Hotel House Hall Lion Wall Room Mill Bar Cafe Shop Store Press News Times Post Paper Games Studio Studios Systems Software Solutions Services " +
		"Partners Holdings Foundation Institute Union Party Cup League Prize Award Festival Theatre Cinema Gallery Tower Center Centre City Town North South East West New Old Great Golden Blue Red Green " +
		"White Black Royal Grand Version Table Figure Chapter Section Page Part Type Class Error User Policy Business Economy Premium Basic Gold Silver Airlines Airways Flight Terminal Gate"

	// acting is what people do and things do not.
	acting = "said says asked asks told wrote writes called calls thinks thought wants wanted forgot lost met knows knew agreed refused resigned married studies teaches works lives lived retired complained " +
		"promised apologised apologized replied answered ordered paid borrowed lent owes owns hopes hoped believes likes loves hates smiled laughed cried slept woke drank ate cooked sings sang plays signed"

	// ordinary are capitalised at the beginning of a sentence, or as names of
	// other things, more often than as names of people.
	ordinary = "I The A An This That These Those It He She We You They My Your His Her Our Their And But Or If When While After Before Since Because As At In On By For From To With Of Is Are Was Were Will " +
		"Would Could Should Can Do Does Did Has Have Had Please Thanks Thank Hello Hi Dear Best Regards Kind Yes No Not Ok Okay Sure Sorry Here There What Where Who Why How Which All Any Some Each Every " +
		"Monday Tuesday Wednesday Thursday Friday Saturday Sunday January February March April May June July August September October November December Today Tomorrow Yesterday Let Just Also Then Now " +
		"Nobody Everybody Everyone Someone Somebody Anyone Coffee One Two Three First Second Last Next Both Many Most None Another Other New Old Good Great Note Subject Date Time Name Address Phone Email Order Account Number Company Team Inc Ltd Corp University Bank Hotel Restaurant Museum School College Hospital Church Department Office"
)

// A gazetteer holds the names, ready to be asked.
type gazetteer struct {
	given, family, titles, roads, ordinary map[string]bool
	things, acts, places                   map[string]bool
	longest                                int // of the places, in words
}

var knownNames = sync.OnceValue(func() *gazetteer {
	g := &gazetteer{
		given: wordSet(givenNames), family: wordSet(familyNames), titles: wordSet(titles), roads: wordSet(roads), ordinary: wordSet(ordinary),
		things: wordSet(things), acts: wordSet(acting),
		places: map[string]bool{},
	}
	for place := range strings.SplitSeq(countryNames+"|"+stateNames+"|"+cityNames, "|") {
		g.places[place] = true
		g.longest = max(g.longest, strings.Count(place, " ")+1)
	}
	return g
})

func wordSet(list string) map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(list) {
		set[w] = true
	}
	return set
}
