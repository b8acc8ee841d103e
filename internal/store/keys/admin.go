package keys

import "holdfast/internal/store"

// RevokedKey is T#{t} / KX#{kid}: what a revoked key was, kept for a day so that
// a repeated call that made or revoked it can answer.
func RevokedKey(tenantID, keyID string) store.Key {
	return store.Key{PK: TenantPK(tenantID), SK: "KX" + sep + keyID}
}

// TenantWorkspaceVersion is T#{t} / WV#{w}#{n}: a workspace as a change left it,
// kept for a day for the same reason.
func TenantWorkspaceVersion(tenantID, workspaceID string, version int64) store.Key {
	return store.Key{PK: TenantPK(tenantID), SK: "WV" + sep + workspaceID + sep + Number(version)}
}
