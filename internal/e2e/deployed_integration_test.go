//go:build integration

package e2e

import (
	"os"
	"testing"

	"holdfast/internal/e2e/client"
	"holdfast/internal/routes"
)

// TestTheLifeOfAWorkspaceOnTheDeployedAPI is the walk over every route of a
// deployment: each a function of its own behind the HTTP API (scripts/deployed
// tells where).
func TestTheLifeOfAWorkspaceOnTheDeployedAPI(t *testing.T) {
	root := client.Client{Base: os.Getenv("DEPLOYED_BASE"), Host: os.Getenv("DEPLOYED_HOST"), Key: os.Getenv("DEPLOYED_KEY")}
	if root.Base == "" || root.Key == "" {
		t.Fatal("DEPLOYED_BASE and DEPLOYED_KEY must say where the deployment is")
	}
	w := &walk{T: t, s: &server{root: root}, seen: map[string]bool{}, cold: true}
	w.all()
	for _, r := range routes.All() {
		if !w.seen[r.ID] && !r.LocalOnly {
			t.Errorf("no scenario calls %s", r.ID)
		}
	}
}
