package client

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// admin answers like the administration's calls and notes what it was asked.
func admin(t *testing.T, asked *[]string) Client {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		*asked = append(*asked, r.Method+" "+r.URL.Path+" "+r.Header.Get("Authorization")+" "+string(body))
		if r.URL.Path == "/refused" {
			w.WriteHeader(http.StatusConflict)
		}
		answer := map[string]string{"tenantId": "t", "adminKey": "ak", "workspaceId": "w", "key": "k"}
		if err := json.NewEncoder(w).Encode(answer); err != nil {
			t.Error(err)
		}
	}))
	t.Cleanup(s.Close)
	return Client{Base: s.URL, Key: "root"}
}

func TestTenantWorkspaceAgent(t *testing.T) {
	var asked []string
	root := admin(t, &asked)
	tenant, err := root.NewTenant(t.Context(), "Harbour")
	if err != nil || tenant.ID != "t" {
		t.Fatalf("tenant %+v, %v", tenant, err)
	}
	w, err := tenant.Workspace(t.Context(), "Desk")
	if err != nil || w != "w" {
		t.Fatalf("workspace %q, %v", w, err)
	}
	agent, err := tenant.Agent(t.Context(), w)
	if err != nil || agent.Key != "k" {
		t.Fatalf("agent %+v, %v", agent, err)
	}
	want := []string{
		`POST /v1/admin/tenants Bearer root {"name":"Harbour"}`,
		`POST /v1/admin/workspaces Bearer ak {"name":"Desk"}`,
		`POST /v1/admin/keys Bearer ak {"kind":"agent","workspaces":["w"]}`,
	}
	if strings.Join(asked, "\n") != strings.Join(want, "\n") {
		t.Errorf("asked:\n%s", strings.Join(asked, "\n"))
	}
}

func TestDoFailsOnARefusalAndOnAnotherShape(t *testing.T) {
	var asked []string
	c := admin(t, &asked).With("")
	if err := c.Do(t.Context(), http.MethodGet, "/refused", nil, nil); err == nil || !strings.Contains(err.Error(), "409") {
		t.Errorf("error %v", err)
	}
	var list []string
	if err := c.Do(t.Context(), http.MethodGet, "/other", nil, &list); err == nil {
		t.Error("an object is no list")
	}
	if asked[0] != "GET /refused  " {
		t.Errorf("asked %q", asked[0])
	}
}
