package claim

import (
	"slices"
	"strings"
	"testing"
)

func TestA02WhatATextClaims(t *testing.T) {
	for text, want := range map[string]Claim{
		"I live in Porto.":                                        {Subject: "i", Attribute: where, Value: "porto"},
		"I've moved from Porto to Faro last week.":                {Subject: "i", Attribute: where, Value: "faro", From: "porto", Change: true},
		"The deadline of the report is 3rd May.":                  {Subject: "report deadline", Attribute: "is/day", Value: "3 may"},
		"The report's deadline is now May 3.":                     {Subject: "report deadline", Attribute: "is/day", Value: "may 3", Change: true},
		"The retry limit was raised from three to 5 attempts.":    {Subject: "retri limit", Attribute: "is/number", Value: "5 attempt", From: "3", Change: true},
		"Boris now owns the billing module.":                      {Subject: "bill modul owner", Attribute: "is/free", Value: "boris", Change: true},
		"The standup starts at half past nine.":                   {Subject: "standup", Attribute: "start/clock", Value: "9:30"},
		"We no longer use Slack; we use Teams.":                   {Subject: "we", Attribute: uses, Value: "teams", From: "slack", Change: true},
		"Update: my phone number is +351 912-000-111.":            {Subject: "i phone", Attribute: "is/free", Value: "+351912000111"},
		"Rolf was promoted to head of sales.":                     {Subject: "Rolf", Attribute: role, Value: "head of sales", Change: true},
		"Rolf works as a nurse.":                                  {Subject: "rolf", Attribute: role, Value: "nurse"},
		"Our office is in Lisbon, not in Porto.":                  {Subject: "we offic", Attribute: where, Value: "lisbon", From: "porto", Change: true},
		"The demo will now be on Friday.":                         {Subject: "demo", Attribute: "is/day", Value: "friday", Change: true},
		"The cache holds 10 MB.":                                  {Subject: "cach", Attribute: "number megabyt", Value: "10 megabyt"},
		"Vera's favourite colour isn't red any more, it is blue.": {Subject: "vera favourit colour", Attribute: "is/colour", Value: "blue", From: "red", Change: true},
	} {
		want.Subject = strings.ToLower(want.Subject)
		got, ok := Read(text)
		got.also = nil
		if ok != (want.Value != "") || ok && !equalClaims(got, want) {
			t.Errorf("%q: %+v, %v", text, got, ok)
		}
	}
}

func equalClaims(a, b Claim) bool {
	return a.Key() == b.Key() && a.Value == b.Value && a.From == b.From && a.Change == b.Change
}

func TestA02WhatIsNoClaim(t *testing.T) {
	for _, text := range []string{
		"", " ", "...", "?", "now", "is", "I", "instead of", "no longer but", "The is now 5.",
		"Does Ana live in Porto?", "Where is the key", "Ana might live in Porto.", "If the limit is now 5, stop.",
		"Ana said the limit is now 5.", "\"The limit is now 5.\"", "The limit (old) is now 5.", "The limit is now 5 or 6.",
		"The limits are now 5.", "It is now 5.", "They moved to Faro.", "The limit is now at least 5.",
		"Nobody moved to Faro.", "I lived in Faro.", "As of Monday the limit is 5.", "From next week the limit is 5.",
		"The bakery opens at 8 today.", "Ana is now in Porto.", "I like tea now.", "The limit is now higher than 5.",
		"The limit is now 5. The fee is now 6. The rate is now 7.", strings.Repeat("The limit is now 5 ", 40),
		"Das Limit ist jetzt 5.", "会议在星期五。",
	} {
		if c, ok := Read(text); ok {
			t.Errorf("%q: %+v", text, c)
		}
	}
}

func TestA02OnlyWordsOfChangeClose(t *testing.T) {
	for _, text := range []string{"The limit is 5.", "Ana lives in Faro.", "We use Teams."} {
		if c, ok := Read(text); !ok || c.Closes() != nil {
			t.Errorf("%q: %+v closes %q", text, c, c.Closes())
		}
	}
	c, _ := Read("We switched from Slack to Teams.")
	if older, _ := Read("We use Slack."); !slices.Contains(c.Closes(), older.Key()) || c.Key() == older.Key() {
		t.Errorf("%q among %q", older.Key(), c.Closes())
	}
	if len(c.Closes()) > MaxCloses {
		t.Errorf("%d keys", len(c.Closes()))
	}
}

func FuzzRead(f *testing.F) {
	for _, name := range []string{"tuned.txt", "heldout.txt"} {
		for _, p := range readPairs(f, name) {
			f.Add(p.older, p.newer)
		}
	}
	f.Add("\xff is now \xfe", "a , ; 's n't is now 0")
	f.Fuzz(func(t *testing.T, older, newer string) {
		a, ok := Read(older)
		if !ok {
			return
		}
		if a.Subject == "" || a.Attribute == "" || a.Value == "" || len(a.Closes()) > MaxCloses || a.Change != (a.Closes() != nil) {
			t.Errorf("%q: %+v", older, a)
		}
		if again, _ := Read(older); !equalClaims(a, again) || a.Replaces(again) {
			t.Errorf("%q replaces itself", older)
		}
		if b, ok := Read(newer); ok && b.Replaces(a) && (!b.Change || b.Value == a.Value || !slices.Contains(b.Closes(), a.Key())) {
			t.Errorf("%q closes %q", newer, older)
		}
	})
}
