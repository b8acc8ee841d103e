package keys_test

import (
	"testing"

	"holdfast/internal/store"
	"holdfast/internal/store/keys"
)

func TestKeysThatAnErasureFollowsAreToldApart(t *testing.T) {
	for _, g := range golden {
		s, id, isCanary := keys.CanaryOf(g.key)
		if isCanary != (g.builder == "Canary") || isCanary && (s != scope || id != itemID) {
			t.Errorf("%s: canary %v %q, %v", g.builder, s, id, isCanary)
		}
		suggestion, at, leads := keys.SuggestionOf(g.key)
		if leads != (g.builder == "Suggested") {
			t.Errorf("%s leads to a suggestion: %v", g.builder, leads)
		}
		if leads && (suggestion != keys.RunSuggestion(scope, mac, 3, otherID) || at(itemID) != g.key ||
			at(otherID) != keys.Suggested(scope, otherID, mac, 3, otherID)) {
			t.Errorf("leads to %v", suggestion)
		}
	}
}

// FuzzKeysThatAnErasureFollows: what a parser accepts, building gives back.
func FuzzKeysThatAnErasureFollows(f *testing.F) {
	for _, g := range golden {
		f.Add(g.key.PK, g.key.SK)
	}
	f.Add("", "")
	f.Add("#CAN", "x")
	f.Fuzz(func(t *testing.T, pk, sk string) {
		key := store.Key{PK: pk, SK: sk}
		if s, id, ok := keys.CanaryOf(key); ok && keys.Canary(s, id) != key {
			t.Errorf("%v is no canary", key)
		}
		if suggestion, at, ok := keys.SuggestionOf(key); ok {
			s, id, _ := keys.MemoryOf(key)
			if at(id) != key || suggestion.PK == "" || !sameScope(suggestion, keys.Head(s)) {
				t.Errorf("%v leads to %v", key, suggestion)
			}
		}
	})
}

func sameScope(a, b store.Key) bool {
	s, ok := keys.ScopeOf(a)
	return ok && keys.Head(s).PK == b.PK
}
