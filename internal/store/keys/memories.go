package keys

import (
	"strings"
	"time"

	"holdfast/internal/store"
	"holdfast/internal/tenant"
)

// MemoryPK is P#M#{id}: all there is of one memory.
func MemoryPK(s tenant.Scope, id string) string { return prefix(s) + "#M#" + id }

// Memory is P#M#{id} / HEAD.
func Memory(s tenant.Scope, id string) store.Key {
	return store.Key{PK: MemoryPK(s, id), SK: HeadSK}
}

// VersionPrefix begins the sort keys of earlier versions.
const VersionPrefix = "V" + sep

// MemoryVersion is P#M#{id} / V#{n}.
func MemoryVersion(s tenant.Scope, id string, version int64) store.Key {
	return store.Key{PK: MemoryPK(s, id), SK: VersionPrefix + Number(version)}
}

// VectorPrefix begins the sort keys of a memory's vectors.
const VectorPrefix = "EMB" + sep

// MemoryVector is P#M#{id} / EMB#{profile}: the vector of the current text.
func MemoryVector(s tenant.Scope, id, profile string) store.Key {
	return store.Key{PK: MemoryPK(s, id), SK: VectorPrefix + profile}
}

// DerivedPrefix begins the sort keys of a memory's derivation edges.
const DerivedPrefix = "DER" + sep

// Derived is P#M#{id} / DER#{derived}: another memory cites this one.
func Derived(s tenant.Scope, id, derivedID string) store.Key {
	return store.Key{PK: MemoryPK(s, id), SK: DerivedPrefix + derivedID}
}

// SupersededPrefix begins the sort keys of the values that a memory superseded.
const SupersededPrefix = "SUP" + sep

// Superseded is P#M#{id} / SUP#{superseded}: this memory took the place of another.
func Superseded(s tenant.Scope, id, supersededID string) store.Key {
	return store.Key{PK: MemoryPK(s, id), SK: SupersededPrefix + supersededID}
}

// SuggestedPrefix begins the sort keys of the suggestions that name a memory.
const SuggestedPrefix = "SUG" + sep

// Suggested is P#M#{id} / SUG#{hash}#{n}#{made}: the memory has a part in the suggestion
// RunSuggestion of the same run, stretch and id.
func Suggested(s tenant.Scope, id, runHash string, n int64, madeID string) store.Key {
	return store.Key{PK: MemoryPK(s, id), SK: SuggestedPrefix + runHash + sep + Number(n) + sep + madeID}
}

// MemoryListMonth is the partition tag of the memory list.
const MemoryListMonth = "200601"

// MemoryList is P#ML#{yyyymm} / {id}: ids are time-ordered.
func MemoryList(s tenant.Scope, at time.Time, id string) store.Key {
	return store.Key{PK: MemoryListPK(s, at), SK: id}
}

// MemoryListPK is the partition of the memories made in a month.
func MemoryListPK(s tenant.Scope, at time.Time) string {
	return prefix(s) + "#ML#" + at.UTC().Format(MemoryListMonth)
}

// Quarantined is P#Q / {id}: open entries of the quarantine list.
func Quarantined(s tenant.Scope, id string) store.Key { return store.Key{PK: QuarantinePK(s), SK: id} }

// QuarantinePK is the partition of the quarantine list.
func QuarantinePK(s tenant.Scope) string { return prefix(s) + "#Q" }

// Subject is P#S#{hash} / {kind}#{id}: what an erasure of a subject enumerates.
func Subject(s tenant.Scope, subjectHash, kind, id string) store.Key {
	return store.Key{PK: SubjectPK(s, subjectHash), SK: kind + sep + id}
}

// SubjectPK is the partition of everything of one subject.
func SubjectPK(s tenant.Scope, subjectHash string) string { return prefix(s) + "#S#" + subjectHash }

// Duplicate is P#DUP#{hmac} / DUP: the live memory with equal words (A0.1).
func Duplicate(s tenant.Scope, mac string) store.Key {
	return store.Key{PK: prefix(s) + "#DUP#" + mac, SK: "DUP"}
}

// Attribute is P#AT#{hmac} / AT: the current value of an attribute and those before
// it (A0.2).
func Attribute(s tenant.Scope, mac string) store.Key {
	return store.Key{PK: prefix(s) + "#AT#" + mac, SK: "AT"}
}

// Claim is P#CL#{hmac} / CL: the live memories that claim something of one subject
// without naming the attribute (A0.2).
func Claim(s tenant.Scope, mac string) store.Key {
	return store.Key{PK: prefix(s) + "#CL#" + mac, SK: "CL"}
}

// Rejected is P#TB#{hmac} / TB: the tombstone of a rejected value (A0.5).
func Rejected(s tenant.Scope, mac string) store.Key {
	return store.Key{PK: prefix(s) + "#TB#" + mac, SK: "TB"}
}

// Rejections is P / REJ: how often values were rejected (A0.5).
func Rejections(s tenant.Scope) store.Key { return store.Key{PK: prefix(s), SK: "REJ"} }

// MemoryOf answers the scope and id of a memory partition's key.
func MemoryOf(key store.Key) (scope tenant.Scope, id string, ok bool) {
	parts := strings.Split(key.PK, sep)
	if len(parts) != 4 || parts[2] != "M" {
		return tenant.Scope{}, "", false
	}
	scope, ok = ScopeOf(key)
	return scope, parts[3], ok
}
