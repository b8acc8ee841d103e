package keys

import (
	"strings"

	"holdfast/internal/store"
	"holdfast/internal/tenant"
)

// Parsers of the rows whose changes wake workers, and of those that are due.

// IndexMarkOf answers the scope of an index mark's key.
func IndexMarkOf(key store.Key) (tenant.Scope, bool) {
	scope, ok := ScopeOf(key)
	return scope, ok && key == IndexMark(scope)
}

// WebhookMarkOf answers the scope of the mark of a workspace that has webhooks.
func WebhookMarkOf(key store.Key) (tenant.Scope, bool) {
	scope, ok := ScopeOf(key)
	return scope, ok && key == WebhookMark(scope)
}

// JobOf answers the scope and id of a job's key.
func JobOf(key store.Key) (scope tenant.Scope, id string, ok bool) {
	scope, ok = ScopeOf(key)
	return scope, key.SK, ok && key.SK != "" && key.PK == JobPK(scope)
}

// ReceiptOf answers the scope and id of a read receipt's key.
func ReceiptOf(key store.Key) (scope tenant.Scope, id string, ok bool) {
	parts := strings.Split(key.PK, sep)
	if len(parts) != 4 || parts[2] != "RC" || key.SK == "" {
		return tenant.Scope{}, "", false
	}
	scope, ok = ScopeOf(key)
	return scope, key.SK, ok
}

// RunOf answers the scope and hash of a run's key.
func RunOf(key store.Key) (scope tenant.Scope, runHash string, ok bool) {
	parts := strings.Split(key.PK, sep)
	if len(parts) != 4 || parts[2] != "R" || key.SK != HeadSK {
		return tenant.Scope{}, "", false
	}
	scope, ok = ScopeOf(key)
	return scope, parts[3], ok
}

// RunTokenOf answers the run's id of the row of a run's token.
func RunTokenOf(key store.Key) (runID string, ok bool) {
	runID, ok = strings.CutPrefix(key.PK, "RT"+sep)
	return runID, ok && key == RunToken(runID)
}
