package claim

import "testing"

// A value that is told in other words is the same; what differs in anything else is
// not.
func TestA05WhatTellsTheSame(t *testing.T) {
	for rejected, texts := range map[string]struct{ same, other []string }{
		"The port is 25.": {
			same: []string{"Port: 25", "the PORT is 25!", "The port is now 25", "The port of it is 25", "port = 25", "port=25",
				"Update: the port is 25.", "The port was changed from 26 to 25.", "The port is 25, not 26.", "The port is set to 25",
				"Since last week the port is 25."},
			other: []string{"The port is 26.", "Port: 26", "The port is 250.", "The port is 2.5", "The port is 25 ms", "The port is 25%",
				"The port is not 25", "The port isn't 25.", "The port is no longer 25.", "The port is 26, not 25.", "The port was 25",
				"The port was 25 until May.", "The port is 25 until May.", "The port will be 25.", "The port is 25 for two weeks.",
				"Is the port 25?", "The port is 25?", "Port: 25?", "\"The port is 25\" is wrong.", "'The port is 25' is wrong",
				"It is wrong that the port is 25.", "Wrong: the port is 25.", "Ben says the port is 25.", "If the port is 25, stop.",
				"The smtp port is 25", "Ana's port is 25.", "My port is 25.", "The ports are 25.", "The old port is 25", "Port 25: closed",
				"The port of Faro is 25.", "The port is 25 or 26.", "The port is at least 25.", "The port was changed from 25 to 26.",
				"Old port: 25", "Its port is 25.", "The report is 25.", "Ports: 25"},
		},
		"Ana lives in Porto.": {
			same: []string{"Ana has moved to Porto.", "Ana lives in Porto now.", "Ana is based in Porto."},
			other: []string{"Bea lives in Porto.", "Ana Costa lives in Porto.", "Ana's sister lives in Porto.", "I live in Porto.", "Ana lives in Faro.",
				"Ana lived in Porto.", "Ana moved from Porto to Faro.", "Ana might live in Porto.", "Ana lives in Porto on weekends.", "Ana works in Porto."},
		},
		"The timeout is 5 minutes.": {
			same:  []string{"The timeout is now 5 min.", "Timeout: five minutes", "The timeout was raised to 5 minutes."},
			other: []string{"The timeout is 5 seconds.", "The timeout is 5.", "Timeout: 5 minutiae", "The timeout is 5 minutes for admins."},
		},
		"The demo is on Friday.": {
			same: []string{"The demo is now on Friday.", "The demo was moved to Friday."},
			other: []string{"The demo is on Fridays.", "The demo is next Friday.", "The demo is every Friday.", "The demo is on Friday at 9.",
				"The new demo is on Friday.", "The demo is on Monday."},
		},
		"The police budget is 5 euros.": {other: []string{"The policy budget is 5 euros."}, same: []string{"Police budget: €5"}},
		"The bakery opens at 9 am.":     {other: []string{"The bakery opens at 9 pm.", "The bakery opens at 9:30 am."}, same: []string{"The bakery now opens at 9 am."}},
		"The limit is 15.":              {other: []string{"The limit is 1,5.", "The limit is 1.5."}, same: []string{"Limit: 15"}},
		"Ana plays the piano.":          {other: []string{"Ana uses the piano."}, same: []string{"Ana now plays the piano."}},
		"We use Slack.":                 {other: []string{"They use Slack.", "Ana uses Slack."}, same: []string{"We switched from Teams to Slack."}},
	} {
		want, ok := Tell(rejected)
		if !ok {
			t.Errorf("%q is not told", rejected)
		}
		for _, text := range texts.same {
			if got, ok := Tell(text); !ok || got != want {
				t.Errorf("%q: %+v, %v, not as %q", text, got, ok, rejected)
			}
		}
		for _, text := range texts.other {
			if got, ok := Tell(text); ok && got == want {
				t.Errorf("%q tells the same as %q: %+v", text, rejected, got)
			}
		}
	}
}

func TestA05WhatIsNotTold(t *testing.T) {
	for _, text := range []string{
		"", " ", ":", "=", "Port:", ": 25", "Ana: 25", "Note: 25", "Port: 25: 26", "Port == 25", "Port: 25 = x", "The password is Abc.",
		"Password: Abc", "The demo is tomorrow.", "The new office is in Porto.", "Ana works at Helio as a nurse.", "The limit is 1,500.",
	} {
		if got, ok := Tell(text); ok {
			t.Errorf("%q: %+v", text, got)
		}
	}
}

func TestA05TheValueOfANamedAttribute(t *testing.T) {
	for name, texts := range map[string][]string{
		"port":           {"25", " 25! ", "The port is 25.", "Port: 25", "the port is now 25"},
		"smtp.port":      {"25", "The smtp port is 25."},
		"smtpPort":       {"25", "Smtp port: 25"},
		"favourite_meal": {"oat milk", "Oat milk.", "the oat milk", "The favourite meal is oat milk."},
		"timeout":        {"30 seconds", "30 s", "The timeout is 30 seconds."},
	} {
		want, ok := TellOf(name, texts[0])
		if !ok || want.Subject != Label(name) {
			t.Errorf("%s: %+v, %v", name, want, ok)
		}
		for _, text := range texts {
			if got, ok := TellOf(name, text); !ok || got != want {
				t.Errorf("%s %q: %+v, %v, want %+v", name, text, got, ok, want)
			}
		}
		for _, text := range []string{"", "26", "25 ms", "not 25", "25?", "25 until May", "25 or 26", "was 25", "oat milk, no sugar", "30 minutes",
			"\"25\"", "The server's port is 25.", "my 25"} {
			if got, ok := TellOf(name, text); ok && got == want {
				t.Errorf("%s: %q tells the same as %q", name, text, texts[0])
			}
		}
	}
}

func TestA05WhetherACorrectionKeepsTheValue(t *testing.T) {
	port, _ := Tell("The port is 25.")
	for text, want := range map[string]bool{
		"The port is 25, as Ben said.": true, "25": true, "The port is not 25.": false, "Not 25, Ben says 26.": false, "It isn't 25.": false,
		"Ben says 26.": false, "The port is 250, as Ben said.": false, "": false,
	} {
		if got := port.StaysIn(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
	limit, _ := Tell("The limit is 5.")
	for text, want := range map[string][2]bool{
		"The limit is 5 attempts.": {true, true}, "The limit is 6.": {true, false}, "The fee is 5.": {},
	} {
		other, ok := Tell(text)
		if !ok || want[0] != limit.About(other) || want[0] && want[1] != limit.Agrees(other) {
			t.Errorf("%q: %v, %v", text, limit.About(other), limit.Agrees(other))
		}
	}
}

func FuzzTell(f *testing.F) {
	f.Add("The port is 25.", "Port: 25", "smtpPort")
	f.Add("\xff : \xfe", "İ = 0", "İ.")
	f.Fuzz(func(t *testing.T, one, two, name string) {
		a, ok := Tell(one)
		if ok && (a.Subject == "" || a.Attribute == "" || a.Value == "") {
			t.Errorf("%q: %+v", one, a)
		}
		if again, same := Tell(one); again != a || same != ok {
			t.Errorf("%q: %+v, then %+v", one, a, again)
		}
		if b, told := TellOf(name, two); told && (b.Attribute == "" || b.Value == "") {
			t.Errorf("%q of %q: %+v", two, name, b)
		}
	})
}
