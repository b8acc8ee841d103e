package keys

import (
	"strings"

	"holdfast/internal/store"
	"holdfast/internal/tenant"
)

// Parsers of the rows that an erasure follows.

// CanaryOf answers the scope and id of a canary's key.
func CanaryOf(key store.Key) (scope tenant.Scope, itemID string, ok bool) {
	scope, ok = ScopeOf(key)
	return scope, key.SK, ok && key.SK != "" && key.PK == CanaryPK(scope)
}

// SuggestionOf answers the key of the suggestion that a key of Suggested leads to, and
// its place in every memory that has a part in it.
func SuggestionOf(key store.Key) (suggestion store.Key, at func(id string) store.Key, ok bool) {
	scope, _, ok := MemoryOf(key)
	parts := strings.Split(key.SK, sep)
	if !ok || len(parts) != 4 || parts[0]+sep != SuggestedPrefix {
		return store.Key{}, nil, false
	}
	suggestion = store.Key{PK: RunPK(scope, parts[1]), SK: "S" + sep + parts[2] + sep + parts[3]}
	return suggestion, func(id string) store.Key { return store.Key{PK: MemoryPK(scope, id), SK: key.SK} }, true
}
