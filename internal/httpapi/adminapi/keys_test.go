package adminapi

import (
	"strings"
	"testing"
)

func TestT33AgentsKeyHasAllFields(t *testing.T) {
	b := newBench(t)
	ws := b.workspace()
	made := b.key(`{"kind":"agent","name":"first","workspaces":["` + ws + `"],"vendor":"acme","purposes":["support"],"expiresAt":"2026-03-01T14:00:00+01:00"}`)
	made.same("kind", `"agent"`).same("name", `"first"`).same("role", `null`).same("workspaces", `["`+ws+`"]`).same("vendor", `"acme"`).
		same("purposes", `["support"]`).same("expiresAt", `"2026-03-01T13:00:00Z"`).same("createdAt", `"2026-03-01T12:00:00Z"`).
		same("capabilities", `["memory:append","memory:read","memory:update","memory:delete","memory:consolidate","memories:read","memories:write","memories:delete","context","facts:run"]`)
	if made.names() != "capabilities createdAt expiresAt key keyId kind name purposes role sourceId vendor workspaces" || made.text("sourceId") == "" {
		t.Errorf("%s", made.raw)
	}
	bare := b.key(`{"kind":"person","workspaces":null}`)
	bare.same("name", `null`).same("role", `"integration"`).same("workspaces", `null`).same("sourceId", `null`).same("vendor", `null`).
		same("purposes", `[]`).same("expiresAt", `null`)
}

func TestT33SecretIsShownOnceAndNeverListed(t *testing.T) {
	b := newBench(t)
	made := b.key(`{"kind":"agent"}`)
	secret := strings.SplitN(made.text("key"), "_", 3)[2]
	listed := b.send("GET", "/v1/admin/keys", b.admin, "").want(200)
	if !strings.Contains(listed.raw, made.text("keyId")) || strings.Contains(listed.raw, secret) || strings.Contains(listed.raw, `"key":`) {
		t.Errorf("listed %s", listed.raw)
	}
	if strings.Contains(b.log.String(), secret) {
		t.Error("the log holds a secret")
	}
}

func TestT33KeysThatMakeNoSenseAre400(t *testing.T) {
	b := newBench(t)
	for body, pointer := range map[string]string{
		`{"kind":"robot"}`: "/kind", `{}`: "/kind", `{"kind":"root"}`: "/kind", `{"kind":"agent","capabilities":["memory:fly"]}`: "/capabilities/0",
		`{"kind":"agent","capabilities":["root"]}`: "/capabilities/0", `{"kind":"agent","capabilities":[]}`: "/capabilities",
		`{"kind":"person","role":"king"}`: "/role", `{"kind":"agent","role":"integration"}`: "/role", `{"kind":"agent","role":"admin"}`: "/role",
		`{"kind":"agent","expiresAt":"tomorrow"}`: "/expiresAt", `{"kind":"agent","expiresAt":"2030-01-01T00:00:00"}`: "/expiresAt",
		`{"kind":"agent","expiresAt":"2026-03-01T12:00:00Z"}`: "/expiresAt", `{"kind":"agent","workspaces":"all"}`: "/workspaces",
		`{"kind":"agent","workspaces":[]}`: "/workspaces", `{"kind":"agent","workspaces":["none"]}`: "/workspaces/0",
		`{"kind":"agent","colour":1}`: "/colour", `{"kind":"agent","purposes":["` + strings.Repeat("p", 101) + `"]}`: "/purposes/0",
		`{"kind":"person","sourceId":"s"}`: "/sourceId", `{"kind":"agent","vendor":""}`: "/vendor",
	} {
		b.send("POST", "/v1/admin/keys", b.admin, body).want(400).code("VALIDATION_FAILED").points(pointer)
	}
}

func TestT5RevokedKeyIs401(t *testing.T) {
	b := newBench(t)
	made := b.key(`{"kind":"person","role":"admin"}`)
	b.send("GET", "/v1/admin/keys", made.text("key"), "").want(200)
	path := "/v1/admin/keys/" + made.text("keyId")
	b.send("DELETE", path, b.admin, "", "If-Match", `"7"`).want(412).code("VERSION_MISMATCH")
	if gone := b.send("DELETE", path, b.admin, "").want(204); gone.raw != "" {
		t.Errorf("a 204 with %q", gone.raw)
	}
	b.send("GET", "/v1/admin/keys", made.text("key"), "").want(401).code("UNAUTHENTICATED")
	b.send("DELETE", path, b.admin, "").want(404).code("NOT_FOUND")
}

func TestT33AdministrationIsForTheRoleAdminOnly(t *testing.T) {
	b := newBench(t)
	ws := b.workspace()
	for _, body := range []string{`{"kind":"agent"}`, `{"kind":"person"}`, `{"kind":"agent","capabilities":["admin"]}`} {
		poor := b.key(body).text("key")
		for _, call := range [][3]string{
			{"GET", "/v1/admin/keys"}, {"POST", "/v1/admin/keys", `{"kind":"agent"}`}, {"DELETE", "/v1/admin/keys/none"},
			{"GET", "/v1/admin/workspaces"}, {"POST", "/v1/admin/workspaces", `{"name":"x"}`},
			{"GET", "/v1/admin/workspaces/" + ws}, {"PATCH", "/v1/admin/workspaces/" + ws, `{"idleSeconds":60}`},
		} {
			b.send(call[0], call[1], poor, call[2]).want(403).code("CAPABILITY_MISSING").same("capability", `"admin"`)
		}
	}
}
