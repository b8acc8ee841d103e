package rank

import (
	"slices"
	"testing"
	"time"

	"holdfast/internal/search"
	"holdfast/internal/search/analysis"
)

// noted are statements outside of sessions, written one after the other, whose lexical
// scores are those of an index that holds just them.
func noted(query string, texts ...string) []Candidate {
	stats := search.Stats{Documents: 50, AvgLength: 6, DF: map[string]int{}}
	var out []Candidate
	for i, text := range texts {
		c := candidate(string(rune('a'+i)), search.Passage{Text: text}.Score(analysis.Terms(query), stats), 0)
		c.HasVec, c.Text, c.RecordedAt = false, text, noon.Add(time.Duration(i)*time.Minute)
		out = append(out, c)
	}
	return out
}

func TestTheNewerOfTwoStatementsStandsFirst(t *testing.T) {
	for _, c := range []struct{ query, older, newer string }{
		{"What is the retry limit of the relay?", "The retry limit of the relay is 3.", "The retry limit of the relay is 5."},
		{"What is the retry limit of the relay?", "The retry limit of the relay is 3.", "The relay's retry limit is now 5."},
		{"What is the retry limit of the relay?", "The retry limit of the relay is 3.", "The relay's retry limit changed from 3 to 5."},
		{"What is the relay's retry limit?", "The relay's retry limit is 3.", "As of 4 May 2031, the retry limit of the relay is 5."},
		{"What is the relay's retry limit?", "As of 4 May 2030, the relay's retry limit is 3.", "The relay's new retry limit is 5."},
		{"Who coaches the relay crew?", "The relay crew is coached by Boris.", "As of 4 May 2031, the relay crew is coached by Alma."},
		{"Which crew serves the relay?", "The relay crew is coached by Boris.", "The relay crew is now coached by Alma."},
		{"Who is in charge of Marmot?", "Marmot is led by Ilse.", "From this quarter on Tomas is in charge of Marmot."},
		{"Who is my hairdresser?", "I have Mr Weiss as my hairdresser.", "I have Ms Tanaka as my hairdresser."},
		{"Which dentist do I go to?", "Mr Petrov is my dentist.", "Ms Duarte is my dentist."},
		{"Where do I find the institute?", "The institute has its office at 75 Bishop Street.", "The institute has its office at 6 Old Brewery Yard."},
		{"Where does Hanna work?", "Hanna works for Sunfield Solar.", "Hanna works for Palette Paints."},
		{"What do I feed Rocco?", "Rocco's food is chicken.", "From today on Rocco is to be fed lamb."},
		{"On which port does the relay listen?", "The relay listens on port 25.", "The relay listens on port 26."},
		{"On which port does the relay listen?", "The relay listens on port 25.", "The relay uses port 26 from now on."},
		{"On which port does the relay listen?", "The relay listens on port 25.", "The relay moved from port 25 to 26."},
		{"Who is the lead of Sundial?", "The lead of Sundial is Dalia.", "Bram took over Sundial from Dalia."},
		{"What's Ana's favourite tea?", "Ana's favourite tea is oolong.", "Ana no longer drinks oolong tea, only sencha."},
		{"Who is the chair of the club?", "Ana is the chair of the club.", "Bram is the chair of the club."},
		{"How many people are in the club?", "There are 5 people in the club.", "There are 7 people in the club."},
		{"What are the opening hours of the club?", "The opening hours of the club are 9 to 17.", "The opening hours of the club are 10 to 18."},
		{"Who is my tax adviser?", "I have Mr Weiss as my tax adviser.", "I have Ms Sato as my tax adviser."},
		{"Which plan does Elmwood have?", "Elmwood is on the Basic plan.", "Elmwood left the Basic plan for Plus."},
	} {
		all := noted(c.query, c.older, c.newer, "The quay is long.")
		ids, _ := order(c.query, all, hybrid)
		if slices.Index(ids, "b") > slices.Index(ids, "a") {
			t.Errorf("%q: %q stands above %q", c.query, c.older, c.newer)
		}
		o := hybrid
		o.Without = []string{NewerAbove}
		if ids, _ := order(c.query, all, o); len(ids) != len(all) {
			t.Errorf("%q: %q", c.query, ids)
		}
	}
}

func TestStatementsAboutOtherThingsKeepTheirPlaces(t *testing.T) {
	for _, c := range []struct{ name, query, older, newer string }{
		{"another subject", "What is the log level of the booking service?", "The log level of the booking service is info.", "The voucher service's log level is now error."},
		{"another's old value", "What is the retry limit of the booking proxy?", "The booking proxy's retry limit is 8 tries.", "The voucher proxy's retry limit changed from 8 tries to 6 tries."},
		{"another's change of the same value", "Which log level does the booking importer have?", "The log level of the booking importer is debug.", "The inventory proxy's log level changed from debug to notice."},
		{"another verb", "What is the operating system of the catalogue database?", "The catalogue database runs on Debian.", "The catalogue database's owner is Benoit."},
		{"another name", "What is the home town of Bram Keller?", "The home town of Bram Keller is Graz.", "Bram Tanaka's home town is now Turku."},
		{"another attribute", "Which landlord does Ana Haddad have?", "The landlord of Ana Haddad is Mr Sato.", "Ana Haddad's hobby is now chess."},
		{"a question about the past", "What was the relay's retry limit?", "The relay's retry limit is 3 tries.", "The relay's retry limit is now."},
		{"another kind of value", "What is the relay's limit?", "The relay's limit is 3.", "The relay's limit is sensible."},
		{"where it is and how it is", "When is the team meeting?", "The team meeting is on Monday.", "The team meeting is long."},
		{"in another place", "What is the port of the relay?", "The port of the relay is 25 in staging.", "The port of the relay is 26 in production."},
		{"of a part", "What is the relay's port?", "The relay's port is 25.", "The relay's admin port is 26."},
		{"a name with new", "What is the address of the New York office?", "11 Wall Street is the address of the office in New York.", "The New York office has 40 people."},
		{"one word in common", "What does Ana like?", "Ana likes the sea.", "Ana walked home late."},
		{"no terms of the query", "What is it like?", "The kiln is hot.", "The kiln is cold."},
	} {
		all := noted(c.query, c.older, c.newer)
		o := hybrid
		o.Without = []string{NewerAbove}
		want, scores := order(c.query, all, o)
		if got, now := order(c.query, all, hybrid); !slices.Equal(got, want) || !slices.Equal(now, scores) {
			t.Errorf("%s: %q %v, want %q %v", c.name, got, now, want, scores)
		}
	}
}

func TestWhatIsSaidInASessionOrByOthersReplacesNothing(t *testing.T) {
	query := "What is the retry limit of the relay?"
	texts := []string{"The retry limit of the relay is 3 for now, they say.", "The retry limit of the relay is 5 for now, they say."}
	for name, change := range map[string]func(*Candidate){
		"in a session":    func(c *Candidate) { c.Session = "s" },
		"another speaker": func(c *Candidate) { c.Speaker = "Nora" },
		"less trusted":    func(c *Candidate) { c.Trust = .5 },
	} {
		all := noted(query, texts...)
		change(&all[1])
		for _, r := range Order(analysis.Query(query), all, statistics, hybrid) {
			if r.Parts.Newer != 1 {
				t.Errorf("%s: factor %v", name, r.Parts.Newer)
			}
		}
	}
}

// What may stand beside what is older only comes before it; what is about something else
// or not yet true leaves it alone.
func TestWhatIsOneOfSeveralOverrulesNothing(t *testing.T) {
	for name, c := range map[string]struct {
		query  string
		texts  []string
		change func(c *Candidate)
	}{
		"three of a kind":         {"Who is on the Kestrel team?", []string{"Ana works on the Kestrel team.", "Bram works on the Kestrel team.", "Cleo works on the Kestrel team."}, nil},
		"one of what she likes":   {"What does Ana like?", []string{"Ana likes jazz.", "Ana likes folk."}, nil},
		"one of what she owns":    {"What does Ana own?", []string{"Ana owns a boat.", "Ana owns a mill."}, nil},
		"asked for several":       {"Which languages does Ana speak?", []string{"Ana can speak the Finnish language.", "Ana can speak the Greek language."}, nil},
		"what is not":             {"What does Ana eat?", []string{"Ana does not eat any fish.", "Ana does not eat any nuts."}, nil},
		"of another user":         {"What is my seat preference?", []string{"The seat preference is an aisle seat.", "The seat preference is a window seat."}, func(c *Candidate) { c.About.User = c.ID }},
		"of another attribute":    {"What is the fee of the club?", []string{"The fee of the club is 10.", "The fee of the club is 20."}, func(c *Candidate) { c.About.Attribute = c.ID }},
		"not yet true":            {"What is the fee of the club?", []string{"The fee of the club is 10.", "The fee of the club is 20."}, func(c *Candidate) { c.EventAt = noon.AddDate(0, 0, int(c.ID[0])) }},
		"said of others":          {"Who works at the mill?", []string{"Ana works at the mill.", "Bram works at the mill."}, nil},
		"said of other numbers":   {"Which port is open?", []string{"Port 80 is open on the relay.", "Port 81 is open on the relay."}, nil},
		"what happened":           {"Who do I have lunch with?", []string{"I had lunch with Ana.", "I had lunch with Bram."}, nil},
		"what happened twice":     {"Who does the mill hire?", []string{"The mill hired Ana.", "The mill hired Bram."}, nil},
		"one of the risks":        {"What is a risk of the project?", []string{"A risk of the project is cost.", "A risk of the project is time."}, nil},
		"one of what it uses":     {"What does the small shop use?", []string{"The small shop uses coal.", "The small shop uses oil."}, nil},
		"one of its kind":         {"What is wrong with Ana?", []string{"Ana Lima has a heart condition.", "Ana Lima has a skin condition."}, nil},
		"one more":                {"What does the build need?", []string{"The build needs coal.", "The build now also needs oil."}, nil},
		"asked for all":           {"What are the old shop's rules?", []string{"Old shop's rules: knock.", "Old shop's rules: smile."}, nil},
		"asked for all of his":    {"What are Tom's goals?", []string{"Tom's goal is to run.", "Tom's goal is to rest."}, nil},
		"who and how":             {"Who is the owner of the house?", []string{"The big house owner is Ana.", "The big house owner is rich."}, nil},
		"with what and when":      {"How does Ana Lima pay?", []string{"Ana Lima pays by card.", "Ana Lima pays on Friday."}, nil},
		"said in another respect": {"What is the shop like?", []string{"The small shop is written in Elm.", "The small shop is hosted in Bonn."}, nil},
	} {
		all := noted(c.query, c.texts...)
		for i := range all {
			if c.change != nil {
				c.change(&all[i])
			}
		}
		for _, r := range Order(analysis.Query(c.query), all, statistics, hybrid) {
			if r.Parts.Newer < .95 {
				t.Errorf("%s: %q has factor %v", name, all[r.Index].Text, r.Parts.Newer)
			}
		}
	}
}

// Statements whose tags differ where both have one are of two things.
func TestTagsTellStatementsApart(t *testing.T) {
	query := "What is the database host?"
	type tags = map[string]string
	for _, c := range []struct {
		name         string
		older, newer tags
		want         string
	}{
		{"another value", tags{"env": "prod", "team": "ops"}, tags{"env": "staging", "team": "ops"}, "a"},
		{"the same value", tags{"env": "prod"}, tags{"env": "prod"}, "b"},
		{"one more", tags{"env": "prod"}, tags{"env": "prod", "team": "ops"}, "b"},
		{"another key", tags{"env": "prod"}, tags{"team": "ops"}, "b"},
		{"only one has any", nil, tags{"env": "prod"}, "b"},
		{"another day", tags{"day": "2031-05-14"}, tags{"day": "2031-05-15"}, "b"},
		{"another conversation", tags{"chat": "c7f"}, tags{"chat": "dd"}, "b"},
		{"another spelling", tags{"env": "pré"}, tags{"env": "pre\u0301"}, "b"},
	} {
		all := noted(query, "The database host is alpha.", "The database host is bravo.")
		all[0].Tags, all[1].Tags = c.older, c.newer
		all[1].Lexical *= .9
		if ids, scores := order(query, all, hybrid); ids[0] != c.want || c.want == "a" && scores[1] < .9*scores[0] {
			t.Errorf("%s: %q %v", c.name, ids, scores)
		}
	}
}

// An edit is newer than what was written meanwhile.
func TestWhatWasEditedLastIsTheNewest(t *testing.T) {
	query := "What is the fee of the club?"
	all := noted(query, "The fee of the club is 10.", "The fee of the club is 20.")
	all[0].EditedAt = noon.Add(time.Hour)
	expect(t, query, all, hybrid, "a", "b")
}

// Of three values only the newest holds, by when they are true rather than by when
// they were written down.
func TestOfAChainTheLatestHolds(t *testing.T) {
	query := "What is the retry limit of the relay?"
	all := noted(query, "The retry limit of the relay is 7.", "The retry limit of the relay is 3.", "The retry limit of the relay is 5.", "The relay is grey.")
	for i, days := range []int{-1, -9, -5} {
		all[i].EventAt = noon.AddDate(0, 0, days)
	}
	ids, scores := order(query, all, hybrid)
	if !slices.Equal(ids, []string{"a", "d", "c", "b"}) || scores[2] > .1*scores[0] || scores[2] != scores[3] {
		t.Errorf("%q %v", ids, scores)
	}
}

func TestNewerAboveOlderHoldsTheInvariants(t *testing.T) {
	query := "What is the retry limit of the relay now?"
	var texts []string
	for i := range 26 {
		texts = append(texts, "The retry limit of the relay is "+string(rune('a'+i))+" now.")
	}
	all := noted(query, texts...)
	want, scores := order(query, all, hybrid)
	for i := range scores {
		if !(scores[i] >= 0 && scores[i] <= 1) || i > 0 && scores[i] > scores[i-1] {
			t.Fatalf("%v", scores)
		}
	}
	slices.Reverse(all)
	if got, _ := order(query, all, hybrid); !slices.Equal(got, want) || want[0] != "z" {
		t.Errorf("%q, %q", got, want)
	}
}
