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
		"Zoë Müller":                           {{"zoë", "müller", true}},
		"the co-op shop":                       nil,
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
		{"Where does she live?", "Wanda Novak lives in Porto.", false},
	} {
		if got := IsOfOther(Compounds(c.query), c.text); got != c.want {
			t.Errorf("%q, %q: %v", c.query, c.text, got)
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
		if HasOther(known, query) && len(known) < mostCompounds || IsOfOther(known, query) && len(known) < mostCompounds {
			t.Fatalf("%q is of another than itself: %v", query, known)
		}
		IsOfOther(known, text)
	})
}
