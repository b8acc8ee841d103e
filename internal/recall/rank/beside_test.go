package rank

import (
	"slices"
	"testing"

	"holdfast/internal/search/analysis"
)

// Texts as agents, engineers and private users note them, of which both hold.
func TestNotesThatHoldBesideEachOther(t *testing.T) {
	for name, c := range map[string]struct{ query, older, newer string }{
		"a question":                 {"Who is my boss?", "My boss is Helen.", "Who is my boss now?"},
		"a condition":                {"What is the port of the relay?", "The port of the relay is 25.", "If the port of the relay is changed, restart it."},
		"a doubt":                    {"What is the port of the relay?", "The port of the relay is 25.", "Ben asked whether the port of the relay is now 26."},
		"a plan":                     {"What is the port of the relay?", "The port of the relay is 25.", "The port of the relay will be changed to 26 in May."},
		"no change":                  {"What is the port of the relay?", "The port of the relay is 25.", "The port of the relay hasn't changed."},
		"another's change by number": {"Who is ticket 4711 assigned to?", "Ticket 4711 is assigned to Priya.", "Ticket 4712 was reassigned from Priya to Marcus."},
		"another day's change":       {"When does the shop open on Monday?", "On Monday the shop opens at 9.", "On Saturday the shop now opens at 10."},
		"another thing's old value":  {"What is the retry limit of the relay?", "The retry limit of the relay is 3.", "The retry limit of the proxy changed from 3 to 5."},
		"from the same":              {"What is the exchange rate?", "The exchange rate from EUR to USD is 1.08.", "The exchange rate from EUR to GBP is 0.85."},
		"another's new state":        {"Who works at Corvex?", "Anna now works at Corvex.", "Ben now works at Corvex."},
		"for others":                 {"What is Kafka retention for orders?", "Kafka retention is 7 days for orders.", "Kafka retention is now 3 days for clicks."},
		"two differences":            {"How much memory does the server have?", "The server in Bonn has 16 GB of memory.", "The server in Oslo has 32 GB of memory."},
		"two places on two days":     {"Where do I swim?", "I swim in the lake on Mondays.", "I swim in the pool on Fridays."},
		"two languages":              {"What is the word for boat?", "The word for boat is Boot in German.", "The word for boat is bateau in French."},
		"one of its offices":         {"Where does Northwind have an office?", "Northwind has an office in Bonn.", "Northwind has an office in Oslo."},
		"two qualities":              {"Who is Ben?", "Ben is tall.", "Ben is kind."},
		"two roles":                  {"Who is Ben?", "Ben is my brother.", "Ben is my landlord."},
		"two friends":                {"Who is my friend?", "Anna is my friend.", "Ben is my friend."},
		"with others":                {"Who do I play tennis with?", "I play tennis with Anna.", "I play tennis with Ben."},
		"two comparisons":            {"Who is Anna taller than?", "Anna is taller than Ben.", "Anna is taller than Cleo."},
		"two tasks":                  {"Who do I need to call?", "I need to call the bank.", "I need to call the plumber."},
		"two reminders":              {"What is to be done on Monday?", "Remind me to water the ferns on Monday.", "Remind me to feed the cat on Monday."},
		"the left one":               {"Where does my knee hurt?", "My right knee hurts on stairs.", "My left knee hurts in the cold."},
		"two things to do":           {"Who is to call?", "- [ ] call the bank", "- [ ] call the plumber"},
		"the end of another":         {"What does Anna drink?", "Anna drinks tea.", "Anna no longer drinks coffee."},
		"a change of another kind":   {"What is the port of the relay?", "The port of the relay is 25.", "Ben updated the docs to name the port of the relay."},
	} {
		all := noted(c.query, c.older, c.newer)
		for _, r := range Order(analysis.Query(c.query), all, statistics, hybrid) {
			if r.Parts.Newer < .95 {
				t.Errorf("%s: %q has factor %v", name, all[r.Index].Text, r.Parts.Newer)
			}
		}
	}
}

// Texts of the same kind, of which the newer replaces the older.
func TestNotesThatReplaceEachOther(t *testing.T) {
	for _, c := range []struct{ query, older, newer string }{
		{"Who is my boss?", "My boss is Helen.", "Update: my boss is Omar."},
		{"Who is my boss?", "My boss is Helen.", "Actually, my boss is Omar."},
		{"Who is my boss?", "My boss is Helen.", "At the moment my boss is Omar."},
		{"Who is my boss?", "My boss is Helen.", "Since last week my boss is Omar."},
		{"Who is my boss?", "My boss is Helen.", "Effective immediately, my boss is Omar."},
		{"Who is my boss?", "My boss is Helen.", "My boss is Omar, not Helen."},
		{"What is my favorite band?", "My favorite band is Lowtide.", "These days my favorite band is Glass Harbor."},
		{"What is the relay's retry limit?", "The relay's retry limit is 3.", "We raised the relay's retry limit to 5."},
		{"When is the standup?", "The standup is at 9:00.", "The standup was postponed to 9:30."},
		{"Who is Contoso's account manager?", "Inge is Contoso's account manager.", "Ravi replaced Inge as Contoso's account manager."},
		{"What does Anna drink?", "Anna drinks tea.", "Anna no longer drinks tea, only water."},
		{"How long is the wait?", "If the queue is full, the wait is 5 seconds.", "If the queue is full, the wait is 9 seconds."},
	} {
		all := noted(c.query, c.older, c.newer, "The quay is long.")
		if ids, scores := order(c.query, all, hybrid); slices.Index(ids, "b") > slices.Index(ids, "a") || scores[0] == scores[1] {
			t.Errorf("%q: %q stands above %q, or beside: %v", c.query, c.older, c.newer, scores)
		}
	}
}
