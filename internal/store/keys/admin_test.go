package keys

import (
	"strings"
	"testing"
)

// TestKeptRowsAreInNoList: the records kept for replays share a tenant's
// partition with its lists and must not be read as their rows.
func TestKeptRowsAreInNoList(t *testing.T) {
	const tenantID, id = "0190c4a2-0000-7000-8000-000000000001", "0190c4a2-7e15-7b3c-9d21-5f60718293a4"
	seen := map[string]bool{TenantKey(tenantID, id).SK: true, TenantWorkspace(tenantID, id).SK: true}
	for _, key := range []struct{ pk, sk string }{
		{RevokedKey(tenantID, id).PK, RevokedKey(tenantID, id).SK},
		{TenantWorkspaceVersion(tenantID, id, 1).PK, TenantWorkspaceVersion(tenantID, id, 1).SK},
		{TenantWorkspaceVersion(tenantID, id, 11).PK, TenantWorkspaceVersion(tenantID, id, 11).SK},
	} {
		for _, prefix := range []string{WorkspacePrefix, KeyPrefix, TenantMemoryPrefix} {
			if strings.HasPrefix(key.sk, prefix) {
				t.Errorf("%s is in the list of %s", key.sk, prefix)
			}
		}
		if key.pk != TenantPK(tenantID) || seen[key.sk] {
			t.Errorf("%s / %s", key.pk, key.sk)
		}
		seen[key.sk] = true
	}
}
