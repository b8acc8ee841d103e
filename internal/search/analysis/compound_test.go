package analysis

import (
	"reflect"
	"testing"
)

func TestCompounds(t *testing.T) {
	wanda, service := Compound{"wanda", "haddad", true}, Compound{"messag", "servic", false}
	for text, want := range map[string][]Compound{
		"":                                     nil,
		"What is the hobby of Wanda Haddad?":   {wanda},
		"Wanda Haddad's hobby":                 {wanda},
		"Who met Wanda, Haddad or both?":       nil,
		"Is Wanda's Haddad here?":              nil,
		"Ask Mr Haddad.":                       nil,
		"Who owns the messaging service?":      {service},
		"Who owns the messaging services' log": {service},
		"Who owns messaging service?":          nil,
		"Who owns the Messaging service?":      nil,
		"The, messaging service":               nil,
		"Ana's home town and the home town":    {{"home", "town", false}},
		"the girls' home town":                 {{"home", "town", false}},
		"It is the of service.":                nil,
		"Zoë Müller":                           {{"zoe", "muller", true}},
		"the co-op shop":                       nil,
		"Pieter van der Berg":                  {{"pieter", "berg", true}},
		"the API gateway":                      {{"api", "gateway", false}},
		"WANDA HADDAD CAME":                    nil,
		"J Haddad":                             {{"j", "haddad", true}},
		"Captain Haddad of Haddad Ltd":         nil,
		"On Monday Haddad came.":               nil,
		"my new address":                       nil,
		"Wanda Haddad (Porto)":                 {wanda},
	} {
		if got := Compounds(text); !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
	if got := Compounds("A B, C D, E F, G H, I J, K L, M N, O P, Q R, S T, U V, W X, Y Z"); len(got) > mostCompounds {
		t.Errorf("%d are looked for", len(got))
	}
}

func TestTextsOfOthers(t *testing.T) {
	for _, c := range []struct {
		query, text string
		want        bool
	}{
		{"Where does Wanda Haddad live?", "Wanda Haddad lives in Porto.", false},
		{"Where does Wanda Haddad live?", "Wanda lives in Porto.", false},
		{"Where does Wanda Haddad live?", "Wanda Novak lives in Porto.", true},
		{"Where does Wanda Haddad live?", "Zofia Haddad lives in Porto.", true},
		{"Where does Wanda Haddad live?", "Mr Haddad lives in Porto.", false},
		{"Where does Wanda Haddad live?", "Zofia Novak lives in Porto.", true},
		{"Where does Wanda Haddad live?", "Wanda Haddad lives beside Wanda Novak.", false},
		{"Where does Wanda Haddad live?", "Wanda Novak met a Haddad.", false},
		{"Where does Wanda Haddad live?", "They live in Porto.", false},
		{"Does Wanda Haddad live in New York?", "Wanda Haddad moved to Porto Novo.", false},
		{"Who owns the messaging service?", "The messaging gateway is owned by Gita.", true},
		{"Who owns the messaging service?", "The telemetry service is owned by Gita.", true},
		{"Who owns the messaging service?", "The telemetry gateway is owned by Gita.", false},
		{"Who owns the messaging service?", "Gita owns the messaging of our services.", false},
		{"Who owns the messaging service?", "Gita owns new services.", false},
		{"Where does Zoë Müller live?", "Zoë Müller lives in Porto.", false},
		{"Where does Zoë Müller live?", "Zoë Novak lives in Porto.", true},
		{"Where does Zoë Müller live?", "MÜLLER Zoë lives in Porto.", false},
		{"Where does Wanda Haddad live?", "Her landlord is Tom Baker.", false},
		{"Where does Wanda Haddad live?", "The landlord of Tom Baker lives in Porto.", true},
		{"Where does Wanda Haddad live?", "At home, Tom Baker's landlord lives in Porto.", true},
		{"Who is at home in New York?", "The home of Tom Baker is in NYC.", false},
		{"Who is at home in New York?", "The home of Tom Baker is in NYlon.", true},
		{"Where does José García live?", "Jose Garcia lives in Lima.", false},
		{"Where does Anna van der Berg live?", "Pieter van der Berg lives in Lima.", true},
		{"Where does Wanda Haddad live?", "Ask Haddad about Porto.", false},
		{"Where does Professor Snape live?", "Severus Snape lives in Lima.", false},
		{"What is the budget of the sales team?", "The sales budget is 40.", false},
		{"Who owns the payment service?", "The payment svc is owned by Gita.", false},
		{"Who owns the shop door?", "The shop closes at 8.", false},
		{"Who owns the API gateway?", "The admin gateway is owned by Gita.", true},
		{"What is my home address?", "My new address is 5 Quay.", false},
		{"Where does she live?", "Wanda Novak lives in Porto.", false},
	} {
		if got := IsOfOther(Compounds(c.query), Terms(c.query), c.text); got != c.want {
			t.Errorf("%q, %q: %v", c.query, c.text, got)
		}
	}
}

func TestWhatAThingDoesIsNoCompound(t *testing.T) {
	for text, want := range map[string]int{
		"When does the shop open?": 0, "When does the shop open on Sunday?": 0, "What does the port of the shop door cost?": 1,
		"Which port does the relay service have?": 1, "Is the shop door open?": 1, "Does the shop door of Ana open?": 1,
	} {
		if got := Query(text).Compounds; len(got) != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func FuzzCompounds(f *testing.F) {
	f.Add("Where does Zoë Müller live?", "the girls’ home town, Mr O'Brien's co-op")
	f.Fuzz(func(t *testing.T, query, text string) {
		known := Compounds(query)
		for _, c := range Compounds(text) {
			if c.First == "" || c.Second == "" {
				t.Fatalf("%q: %v", text, c)
			}
			if !HasOther(nil, text) {
				t.Fatalf("%q has %v and no other than none", text, c)
			}
		}
		if HasOther(known, query) && len(known) < mostCompounds || IsOfOther(known, nil, query) && len(known) < mostCompounds {
			t.Fatalf("%q is of another than itself: %v", query, known)
		}
		IsOfOther(known, nil, text)
	})
}
