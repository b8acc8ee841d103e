package rank

import (
	"slices"
	"testing"
)

// What a newer statement says of somebody or something else, of another of several, the other
// way round, or does not say to be so, replaces nothing, however much of it is the same.
func TestWhatIsSaidOfOthersReplacesNothing(t *testing.T) {
	for _, c := range []struct {
		query, right string
		others       []string
	}{
		{"Where do I live?", "I live in Lisbon.", []string{"My sister lives in Porto now.", "My brother lives in Braga now.", "My mother lives in Faro now."}},
		{"Where do I live?", "I live in Lisbon.", []string{"My sister lives in Porto.", "My brother lives in Braga.", "My mother lives in Faro."}},
		{"Where do I work?", "I work at Nokia.", []string{"My wife works at Bosch.", "My brother works at Shell.", "My father works at IKEA."}},
		{"How old am I?", "I am 41 years old.", []string{"My wife is 39 years old.", "My brother is 44 years old.", "My mother is 70 years old."}},
		{"When is my birthday?", "My birthday is on 3 May.", []string{"My wife's birthday is on 4 June.", "My brother's birthday is on 5 July.", "My mother's birthday is on 9 April."}},
		{"Who is my doctor?", "My doctor is Dr. Silva.", []string{"My wife's doctor is Dr. Alba.", "My dog's doctor is Dr. Costa.", "My son's doctor is Dr. Lima."}},
		{"Where is our office?", "Our office is in Lisbon.", []string{"Our client's office is in Porto.", "Our bank's office is in Braga.", "Our lawyer's office is in Faro."}},
		{"Where does Maria live?", "Maria lives in Lisbon.", []string{"Maria's sister lives in Porto now.", "Maria's brother lives in Braga now.", "Maria's mother lives in Faro now."}},
		{"Where does Maria work?", "Maria works at Nokia.", []string{"Tom, Maria's husband, works at Bosch.", "Rui, Maria's son, works at Shell.", "Karl, Maria's boss, works at IKEA."}},
		{"Where does Maria live?", "Maria lives in Lisbon.", []string{"Maria said that Tom lives in Porto now.", "Maria said that Rui lives in Braga now.", "Maria said that Eva lives in Faro now."}},
		{"On which port does the API run?", "The API runs on port 80.", []string{"The API cache runs on port 81.", "The API proxy runs on port 82.", "The API database runs on port 83."}},
		{"When does the shop close?", "The shop closes at six.", []string{"The shop's cafe closes at seven.", "The cafe in the shop closes at eight.", "The shop's bar closes at nine."}},
		{"When does the project end?", "The project ends in May.", []string{"The first phase of the project ends in March.", "The funding of the project ends in June.", "The pilot of the project ends in July."}},
		{"What is the server's IP address?", "The server's IP address is 10.0.0.1.", []string{"The backup server's IP address is 10.0.0.2.", "The mail server's IP address is 10.0.0.3.", "The test server's IP address is 10.0.0.4."}},
		{"Which port does the database run on in staging?", "The database runs on port 5432 in staging.", []string{"The database now runs on port 6543 in production."}},
		{"What does Maria eat for breakfast?", "Maria eats muesli for breakfast.", []string{"Maria now eats soup for dinner."}},
		{"What does Maria drive to work?", "Maria drives a Volvo to work.", []string{"Maria now drives a tractor on the farm."}},
		{"What language does Maria speak with her mother?", "Maria speaks Portuguese with her mother.", []string{"Maria now speaks English with her clients."}},
		{"Which track do trains from Oslo to Bergen leave from?", "Trains from Oslo to Bergen leave from track 4.", []string{"Trains from Bergen to Oslo now leave from track 9."}},
		{"How much does Anna owe Ben?", "Anna owes Ben 20 euros.", []string{"Ben now owes Anna 10 euros."}},
		{"Who does Anna report to?", "Anna reports to Ben.", []string{"Carl now reports to Anna."}},
		{"Who owns Acme?", "Globex owns Acme.", []string{"Acme now owns Initech."}},
		{"Who is Anna's coach?", "Ben is Anna's coach.", []string{"Anna is now Carl's coach."}},
		{"Where does Maria live?", "Maria lives in Lisbon.", []string{"Maria used to live in Porto.", "Maria used to live in Braga.", "Maria used to live in Faro."}},
		{"Where does Maria live?", "Maria lives in Lisbon.", []string{"Maria wants to live in Porto.", "Maria hopes to live in Braga.", "Maria may live in Faro."}},
		{"What is the price of the small box?", "The price of the small box is 5 euros.", []string{"The price of the small box is not 9 euros."}},
		{"What is the price of the small box?", "The price of the small box is 5 euros.", []string{"Someone claims the price of the small box is 9 euros."}},
		{"What is the price of the small box?", "The price of the small box is 5 euros.", []string{"The competitor's price of the small box is 9 euros."}},
		{"What is the price of the small box?", "The price of the small box is 5 euros.", []string{"The price of the small box is 9 euros in Norway."}},
		{"What is the price of the small box?", "The price of the small box is 5 euros.", []string{"The price of the small box is probably 9 euros."}},
		{"When is the report due?", "The report is due on Friday.", []string{"The report is now 40 pages long."}},
		{"Where do I keep my passport?", "I keep my passport in the safe.", []string{"I now keep my keys in the drawer."}},
		{"Where does Maria's brother live?", "Maria's brother lives in Lisbon.", []string{"Maria lives in Porto now."}},
	} {
		all := noted(c.query, append([]string{c.right}, c.others...)...)
		o := hybrid
		o.Without = []string{NewerAbove}
		want, scores := order(c.query, all, o)
		before := scores[slices.Index(want, "a")]
		ids, now := order(c.query, all, hybrid)
		if at := slices.Index(ids, "a"); before == 0 || now[at] < .99*before {
			t.Errorf("%q: %q has %v of %v: %q", c.query, c.right, now[at], before, ids)
		}
	}
}
