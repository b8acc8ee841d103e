// Package keys builds and parses every key of the one table (design 2.5). No
// other package writes a key's text. Builders take a tenant.Scope, so that a
// forgotten tenant does not compile; free text enters a key only as a hash or
// an encoding, so that no value can imitate a separator.
//
// Segments join with '#'. Tags are upper case and ids lower case, so they cannot
// collide. Numbers are zero-padded to 16 digits. A scope's rows share the prefix
// {tenant}#{workspace}, written P below.
package keys

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"time"

	"holdfast/internal/store"
	"holdfast/internal/tenant"
)

const sep = "#"

func prefix(s tenant.Scope) string { return s.TenantID() + sep + s.WorkspaceID() }

// Number is n as 16 digits, so that byte order is the order of numbers from 0 to
// 10^16-1. Others are longer or signed, and so name no row.
func Number(n int64) string { return fmt.Sprintf("%016d", n) }

// Hash is a text's SHA-256 in hex: free text in a key.
func Hash(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		h.Write(fmt.Appendf(nil, "%d:%s", len(p), p))
	}
	return hex.EncodeToString(h.Sum(nil))
}

// Tenants

// Tenant is T#{t} / META.
func Tenant(tenantID string) store.Key { return store.Key{PK: TenantPK(tenantID), SK: "META"} }

// TenantPK is the partition that shows a tenant in one query.
func TenantPK(tenantID string) string { return "T" + sep + tenantID }

// TenantWorkspace is T#{t} / W#{w}: the workspace's row in its tenant's list.
func TenantWorkspace(tenantID, workspaceID string) store.Key {
	return store.Key{PK: TenantPK(tenantID), SK: WorkspacePrefix + workspaceID}
}

// TenantKey is T#{t} / K#{kid}: the key's row in its tenant's list.
func TenantKey(tenantID, keyID string) store.Key {
	return store.Key{PK: TenantPK(tenantID), SK: KeyPrefix + keyID}
}

// Prefixes of sort keys in a tenant's partition.
const (
	WorkspacePrefix    = "W" + sep
	KeyPrefix          = "K" + sep
	TenantMemoryPrefix = "TM" + sep
	TenantFloorPrefix  = "TF" + sep
)

// TenantMemory is T#{t} / TM#{id}: a memory of layer Tenant, which every
// workspace of the tenant recalls (R0.66).
func TenantMemory(tenantID, memoryID string) store.Key {
	return store.Key{PK: TenantPK(tenantID), SK: TenantMemoryPrefix + memoryID}
}

// TenantFloor is T#{t} / TF#{id}: one of them that may never be left out (R0.24).
func TenantFloor(tenantID, memoryID string) store.Key {
	return store.Key{PK: TenantPK(tenantID), SK: TenantFloorPrefix + memoryID}
}

// APIKey is K#{kid} / KEY: the look-up row of a bearer key.
func APIKey(keyID string) store.Key { return store.Key{PK: "K" + sep + keyID, SK: "KEY"} }

// RunToken is RT#{id} / RUN: the look-up row of a run's token.
func RunToken(runID string) store.Key { return store.Key{PK: "RT" + sep + runID, SK: "RUN"} }

// Workspace

// Head is P / SEQ: the log's head and the counters that every write touches.
func Head(s tenant.Scope) store.Key { return store.Key{PK: prefix(s), SK: SequenceSK} }

// SequenceSK is the sort key of a log's head.
const SequenceSK = "SEQ"

// Cursor is P / CUR#{consumer}: how far a consumer of the log has come.
func Cursor(s tenant.Scope, consumer string) store.Key {
	return store.Key{PK: prefix(s), SK: "CUR" + sep + consumer}
}

// IndexMark is P / MARK#index: due while the index may lag behind the log.
func IndexMark(s tenant.Scope) store.Key { return store.Key{PK: prefix(s), SK: "MARK" + sep + "index"} }

// WebhookMark is P / MARK#events: there while the workspace has webhooks, always due.
func WebhookMark(s tenant.Scope) store.Key {
	return store.Key{PK: prefix(s), SK: "MARK" + sep + "events"}
}

// Secret is P / SECRET: the workspace's key for keyed hashes.
func Secret(s tenant.Scope) store.Key { return store.Key{PK: prefix(s), SK: "SECRET"} }

// Log

// LogBucket is how many log rows share a partition.
const LogBucket = 1000

// Log is P#LOG#{seq/1000} / {seq}.
func Log(s tenant.Scope, seq int64) store.Key {
	return store.Key{PK: LogPK(s, seq/LogBucket), SK: Number(seq)}
}

// LogPK is the partition of a bucket of log rows.
func LogPK(s tenant.Scope, bucket int64) string { return prefix(s) + "#LOG#" + Number(bucket) }

// Operation is P#O#{id} / OP: what a write did; an ingestion receipt.
func Operation(s tenant.Scope, operationID string) store.Key {
	return store.Key{PK: prefix(s) + "#O#" + operationID, SK: "OP"}
}

// ReceiptHour is the partition tag of read receipts made in an hour.
const ReceiptHour = "2006010215"

// Receipt is P#RC#{yyyymmddhh} / {receipt id}: a sealed (on AWS also an unsealed) read receipt.
func Receipt(s tenant.Scope, at time.Time, receiptID string) store.Key {
	return store.Key{PK: ReceiptPK(s, at), SK: receiptID}
}

// ReceiptPK is the partition of an hour's read receipts.
func ReceiptPK(s tenant.Scope, at time.Time) string {
	return prefix(s) + "#RC#" + at.UTC().Format(ReceiptHour)
}

// Idempotency is P#I#{hash} / IDEM.
func Idempotency(s tenant.Scope, hash string) store.Key {
	return store.Key{PK: prefix(s) + "#I#" + hash, SK: "IDEM"}
}

// Job is P#J / {id}: rows go when the job is done, so the partition stays small.
func Job(s tenant.Scope, jobID string) store.Key { return store.Key{PK: JobPK(s), SK: jobID} }

// JobPK is the partition of a workspace's open and dead jobs.
func JobPK(s tenant.Scope) string { return prefix(s) + "#J" }

// Memory

// MemoryPK is P#M#{id}: all there is of one memory.
func MemoryPK(s tenant.Scope, id string) string { return prefix(s) + "#M#" + id }

// Memory is P#M#{id} / HEAD.
func Memory(s tenant.Scope, id string) store.Key {
	return store.Key{PK: MemoryPK(s, id), SK: HeadSK}
}

// HeadSK is the sort key of an item's current state, and MemoryInfix what the
// partition keys of memories hold: for walks over the whole table.
const (
	HeadSK      = "HEAD"
	MemoryInfix = "#M#"
)

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

// RunPK is P#R#{hash}: all there is of one run, under the keyed hash of its id.
func RunPK(s tenant.Scope, runHash string) string { return prefix(s) + "#R#" + runHash }

// RunEntryPrefix begins the sort keys of a run's entries.
const RunEntryPrefix = "E" + sep

// RunEntry is P#R#{hash} / E#{id}: a memory that was written with the run. Ids are
// time-ordered, so the rows are the session in its order (R0.68).
func RunEntry(s tenant.Scope, runHash, id string) store.Key {
	return store.Key{PK: RunPK(s, runHash), SK: RunEntryPrefix + id}
}

// RunHead is P#R#{hash} / HEAD: where a run stands.
func RunHead(s tenant.Scope, runHash string) store.Key {
	return store.Key{PK: RunPK(s, runHash), SK: HeadSK}
}

// RunStretch is P#R#{hash} / S#{n}: a stretch of a run that was sealed.
func RunStretch(s tenant.Scope, runHash string, n int64) store.Key {
	return store.Key{PK: RunPK(s, runHash), SK: "S" + sep + Number(n)}
}

// RunSuggestionPrefix begins the sort keys of a stretch's suggestions.
func RunSuggestionPrefix(n int64) string { return "S" + sep + Number(n) + sep }

// RunSuggestion is P#R#{hash} / S#{n}#{id}: a memory made of a stretch that looks like
// another one.
func RunSuggestion(s tenant.Scope, runHash string, n int64, id string) store.Key {
	return store.Key{PK: RunPK(s, runHash), SK: RunSuggestionPrefix(n) + id}
}

// RunTouch is P#R#{hash} / TOUCH: when the run was last retrieved for.
func RunTouch(s tenant.Scope, runHash string) store.Key {
	return store.Key{PK: RunPK(s, runHash), SK: "TOUCH"}
}

// RunEdits is P#R#{hash} / EDITS: how often the run's session entries were edited.
func RunEdits(s tenant.Scope, runHash string) store.Key {
	return store.Key{PK: RunPK(s, runHash), SK: "EDITS"}
}

// StagedPrefix begins the sort keys of what consolidations of a run have in hand.
const StagedPrefix = "W" + sep

// RunStagedPrefix begins the sort keys of what a consolidation of a stretch has in
// hand, of one group of its entries or (group empty) of all.
func RunStagedPrefix(n int64, group string) string {
	prefix := StagedPrefix + Number(n) + sep
	if group == "" {
		return prefix
	}
	return prefix + group + sep
}

// RunStaged is P#R#{hash} / W#{n}#{group}#{part}.
func RunStaged(s tenant.Scope, runHash string, n int64, group, part string) store.Key {
	return store.Key{PK: RunPK(s, runHash), SK: RunStagedPrefix(n, group) + part}
}

// ModelTokens is P#MT / {yyyymm}: tokens of the language model used in a month.
func ModelTokens(s tenant.Scope, at time.Time) store.Key {
	return store.Key{PK: prefix(s) + "#MT", SK: at.UTC().Format("200601")}
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

// Erasure is P#X#{id} / HEAD: the record of an item's erasure.
func Erasure(s tenant.Scope, itemID string) store.Key {
	return store.Key{PK: ErasurePK(s, itemID), SK: "HEAD"}
}

// ErasurePK is the partition of an erasure and its steps.
func ErasurePK(s tenant.Scope, itemID string) string { return prefix(s) + "#X#" + itemID }

// ErasureStep is P#X#{id} / STEP#{nn}: one copy and its check.
func ErasureStep(s tenant.Scope, itemID string, n int) store.Key {
	return store.Key{PK: ErasurePK(s, itemID), SK: fmt.Sprintf("STEP%s%02d", sep, n)}
}

// Canary is P#CAN / {id}: an erased item that is to be looked for again.
func Canary(s tenant.Scope, itemID string) store.Key { return store.Key{PK: CanaryPK(s), SK: itemID} }

// CanaryPK is the partition of the erased items that are to be looked for again.
func CanaryPK(s tenant.Scope) string { return prefix(s) + "#CAN" }

// Webhook is P#WH / {id}.
func Webhook(s tenant.Scope, id string) store.Key { return store.Key{PK: WebhookPK(s), SK: id} }

// WebhookPK is the partition of a workspace's webhooks.
func WebhookPK(s tenant.Scope) string { return prefix(s) + "#WH" }

// WebhookLane is P#WL / {webhook}: who delivers to a webhook just now.
func WebhookLane(s tenant.Scope, webhookID string) store.Key {
	return store.Key{PK: WebhookLanePK(s), SK: webhookID}
}

// WebhookLanePK is the partition of a workspace's lanes.
func WebhookLanePK(s tenant.Scope) string { return prefix(s) + "#WL" }

// Delivery is P#WD#{webhook} / {id}: ids are in the order of the log.
func Delivery(s tenant.Scope, webhookID, id string) store.Key {
	return store.Key{PK: DeliveryPK(s, webhookID), SK: id}
}

// DeliveryPK is the partition of a webhook's deliveries.
func DeliveryPK(s tenant.Scope, webhookID string) string { return prefix(s) + "#WD#" + webhookID }

// DeliveryDue is P#WQ#{webhook} / {milliseconds}#{delivery}: when an open delivery is
// tried next.
func DeliveryDue(s tenant.Scope, webhookID string, at time.Time, id string) store.Key {
	return store.Key{PK: DeliveryDuePK(s, webhookID), SK: Number(at.UnixMilli()) + sep + id}
}

// DeliveryDuePK is the partition of a webhook's open deliveries, soonest first.
func DeliveryDuePK(s tenant.Scope, webhookID string) string { return prefix(s) + "#WQ#" + webhookID }

// Parsers

// MemoryOf answers the scope and id of a memory partition's key.
func MemoryOf(key store.Key) (scope tenant.Scope, id string, ok bool) {
	parts := strings.Split(key.PK, sep)
	if len(parts) != 4 || parts[2] != "M" {
		return tenant.Scope{}, "", false
	}
	scope, ok = ScopeOf(key)
	return scope, parts[3], ok
}

// ScopeOf answers the scope of any key with prefix P.
func ScopeOf(key store.Key) (tenant.Scope, bool) {
	parts := strings.SplitN(key.PK, sep, 3)
	if len(parts) < 2 || len(parts[0]) != 36 {
		return tenant.Scope{}, false
	}
	return tenant.Grant(parts[0], parts[1]), true
}
