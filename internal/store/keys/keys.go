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

// HeadSK is the sort key of an item's current state, and MemoryInfix what the
// partition keys of memories hold: for walks over the whole table.
const (
	HeadSK      = "HEAD"
	MemoryInfix = "#M#"
)

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

// Parsers

// ScopeOf answers the scope of any key with prefix P.
func ScopeOf(key store.Key) (tenant.Scope, bool) {
	parts := strings.SplitN(key.PK, sep, 3)
	if len(parts) < 2 || len(parts[0]) != 36 {
		return tenant.Scope{}, false
	}
	return tenant.Grant(parts[0], parts[1]), true
}
