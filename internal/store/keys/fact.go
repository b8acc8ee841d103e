package keys

import (
	"strconv"
	"strings"
	"time"

	"holdfast/internal/store"
	"holdfast/internal/tenant"
)

// FactPK is P#F#{id}: all there is of one fact.
func FactPK(s tenant.Scope, id string) string { return prefix(s) + FactInfix + id }

// FactInfix is what the partition keys of facts hold: for walks over the whole table.
const FactInfix = "#F#"

// Fact is P#F#{id} / HEAD.
func Fact(s tenant.Scope, id string) store.Key { return store.Key{PK: FactPK(s, id), SK: HeadSK} }

// FactVersion is P#F#{id} / V#{n}.
func FactVersion(s tenant.Scope, id string, version int64) store.Key {
	return store.Key{PK: FactPK(s, id), SK: VersionPrefix + Number(version)}
}

// FactListPK is P#FL#{hash}: the facts of a list, under the hash of what it is the
// list of.
func FactListPK(s tenant.Scope, listHash string) string { return prefix(s) + "#FL#" + listHash }

// FactList is P#FL#{hash} / {millis}#{id}: a fact's place in a list, by the time of its
// last change.
func FactList(s tenant.Scope, listHash string, at time.Time, id string) store.Key {
	return store.Key{PK: FactListPK(s, listHash), SK: FactPlace(at, id)}
}

// FactPlace is the sort key of a fact in a list.
func FactPlace(at time.Time, id string) string { return Number(at.UnixMilli()) + sep + id }

// FactUserPK is P#FU#{space}: the end users who have a folder in an agent's memory.
func FactUserPK(s tenant.Scope, space string) string { return prefix(s) + "#FU#" + space }

// FactUser is P#FU#{space} / {hash}: where an end user's folder stands.
func FactUser(s tenant.Scope, space, userHash string) store.Key {
	return store.Key{PK: FactUserPK(s, space), SK: userHash}
}

// FactKey is P#FK#{run} / {hash}: what a run wrote under a key of its own.
func FactKey(s tenant.Scope, runID, keyHash string) store.Key {
	return store.Key{PK: prefix(s) + "#FK#" + runID, SK: keyHash}
}

// FactCountPK is P#FC#{space}: how many facts an agent's memory holds, in parts.
func FactCountPK(s tenant.Scope, space string) string { return prefix(s) + "#FC#" + space }

// FactCount is P#FC#{space} / {part}.
func FactCount(s tenant.Scope, space string, part int) store.Key {
	return store.Key{PK: FactCountPK(s, space), SK: strconv.Itoa(part)}
}

// FactAgentPK is P#FA: the agents that have facts.
func FactAgentPK(s tenant.Scope) string { return prefix(s) + "#FA" }

// FactAgent is P#FA / {space}.
func FactAgent(s tenant.Scope, space string) store.Key {
	return store.Key{PK: FactAgentPK(s), SK: space}
}

// FactOf answers the scope and id of a key in a fact's partition.
func FactOf(key store.Key) (scope tenant.Scope, id string, ok bool) {
	parts := strings.Split(key.PK, sep)
	if len(parts) != 4 || parts[2] != "F" {
		return tenant.Scope{}, "", false
	}
	scope, ok = ScopeOf(key)
	return scope, parts[3], ok
}

// FactPlaceOf answers the id in a FactPlace.
func FactPlaceOf(sk string) (id string, ok bool) {
	at, id, ok := strings.Cut(sk, sep)
	return id, ok && len(at) == 16 && id != ""
}
