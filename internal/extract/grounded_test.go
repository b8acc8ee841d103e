package extract

import (
	"testing"
)

func TestT27StatementsSayWhatTheirEntriesSay(t *testing.T) {
	cases := []struct {
		name, speaker, entry, text string
		kept                       bool
	}{
		{"a sentence as it stands", "Ana", "Hi! I live in Porto.", "I live in Porto.", true},
		{"in other case and space", "", "The  ferry\nleaves at nine.", "the ferry leaves at nine.", true},
		{"the speaker for I", "Ana", "I live in Porto with two cats.", "Ana lives in Porto with two cats", true},
		{"number words as digits", "", "The team has five members.", "The team has 5 members", true},
		{"words of a report", "", "We will use Postgres for orders.", "The team decided to use Postgres for orders", true},
		{"a piece of a sentence", "", "We moved to Faro, so the office in Porto closes.", "The office in Porto closes", true},
		{"another name", "Ana", "I live in Porto with my two cats.", "Bob lives in Porto with two cats", false},
		{"another number", "", "The limit is 5 requests a second.", "The limit is 50 requests a second", false},
		{"a number that nobody said", "", "The limit is low for requests of guests.", "The limit is 5 for requests of guests", false},
		{"invented words", "", "The ferry leaves at nine.", "The captain steals diesel from the ferry", false},
		{"one invented word of three", "", "I love Porto.", "I burned Porto", false},
		{"the contrary", "Ana", "I love the beaches and old bars of Porto.", "Ana hates the beaches and old bars of Porto", false},
		{"a denial dropped", "", "We will not use Postgres for the orders.", "We will use Postgres for the orders", false},
		{"a denial dropped from a piece", "", "Do not push to main.", "Push to main", false},
		{"a denial added", "", "We will use Postgres for the orders.", "We will not use Postgres for the orders", false},
		{"a denial kept", "", "We don't use Postgres for the orders.", "We do not use Postgres for the orders", true},
		{"a denial of another clause", "", "I didn't like the red one, so we will use the blue one.", "We will use the blue one", true},
		{"a doubt dropped", "", "Maybe we will use Postgres for the orders.", "We will use Postgres for the orders", false},
		{"a plan that was given up", "", "We cancelled the plan to move to Faro.", "We plan to move to Faro", false},
		{"a condition dropped", "", "If the bank agrees, we buy the house in Faro.", "We buy the house in Faro", false},
		{"a question as a statement", "", "Should we use Postgres for the orders?", "We should use Postgres for the orders", false},
		{"a relative date resolved", "Ana", "I moved to Faro yesterday.", "Ana moved to Faro yesterday (2026-03-01)", true},
		{"a relative date resolved wrongly", "Ana", "I moved to Faro yesterday.", "Ana moved to Faro yesterday (2026-02-01)", false},
		{"a resolved day for the relative date", "Ana", "I moved to Faro yesterday.", "Ana moved to Faro on 2026-03-01", true},
		{"a day that nobody said", "Ana", "I moved to Faro.", "Ana moved to Faro on 2026-03-01", false},
		{"a date of a month", "Ana", "I moved to Faro last month.", "Ana moved to Faro last month (2026-02)", true},
		{"another language", "", "Das Lager in Bremen schließt am 30. Juni.", "Das Lager in Bremen schließt am 30. Juni", true},
		{"another language denied", "", "Wir nehmen den Zug nicht.", "Wir nehmen den Zug", false},
		{"without spaces between words", "", "倉庫は午前9時に開きます。", "倉庫は午前9時に開きます", true},
		{"invented without spaces", "", "倉庫は午前9時に開きます。", "社長は毎日嘘をつきます", false},
		{"half a word", "", "The report is due.", "port is due", false},
		{"too short", "", "Ok then.", "ok", false},
		{"nothing", "", "Ok then.", " ", false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			r := batch(t, stating(c.text), entry("e1", c.speaker, c.entry))
			if kept := len(r.Statements) == 1; kept != c.kept {
				t.Fatalf("kept %v, counts %+v", kept, r.Counts)
			}
			if want := 1 - len(r.Statements); r.Counts.Ungrounded != want {
				t.Errorf("counted %+v", r.Counts)
			}
		})
	}
}

func TestR048SpansAreExactWhereTheTextIsThere(t *testing.T) {
	cases := []struct{ name, entry, text, want string }{
		{"the whole", "The ferry leaves at nine.", "The ferry leaves at nine.", "The ferry leaves at nine."},
		{"behind other letters", "Ça va? Olé! The ferry  leaves at nine. 再见", "the ferry leaves at nine.", "The ferry  leaves at nine."},
		{"the second place, where words end", "Airport, port of Porto is old.", "port of Porto is old.", "port of Porto is old."},
		{"a rewrite", "Hi! I live in Porto with a cat.", "Ana lives in Porto with a cat", "Hi! I live in Porto with a cat."},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			r := batch(t, stating(c.text), entry("e1", "Ana", c.entry))
			if len(r.Statements) != 1 || len(r.Statements[0].Spans) != 1 {
				t.Fatalf("statements %+v, counts %+v", r.Statements, r.Counts)
			}
			if s := r.Statements[0].Spans[0]; s.EntryID != "e1" || at(c.entry, s.Start, s.End) != c.want {
				t.Errorf("span %+v", s)
			}
		})
	}
}
