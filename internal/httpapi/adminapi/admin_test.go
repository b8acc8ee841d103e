package adminapi

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// names are the members of an answer in order.
func (a answer) names() string { return strings.Join(slices.Sorted(maps.Keys(a.body)), " ") }

func TestT31TenantIsMadeWithTheRootKeyOnly(t *testing.T) {
	b := newBench(t)
	made := b.send("POST", "/v1/admin/tenants", rootKey, `{"name":"acme"}`).want(201)
	made.same("name", `"acme"`).same("createdAt", `"2026-03-01T12:00:00Z"`)
	if made.names() != "adminKey createdAt name tenantId" || made.header.Get("Memory-Sequence") != "2" {
		t.Errorf("%s, headers %v", made.raw, made.header)
	}
	b.send("GET", "/v1/admin/keys", made.text("adminKey"), "").want(200)
	b.send("POST", "/v1/admin/tenants", b.admin, `{"name":"intruder"}`).want(403).code("CAPABILITY_MISSING")
	b.send("POST", "/v1/admin/tenants", "", `{"name":"intruder"}`).want(401).code("UNAUTHENTICATED")
	b.send("POST", "/v1/admin/tenants", strings.Repeat("x", 60), `{"name":"intruder"}`).want(401)
	for body, pointer := range map[string]string{`{}`: "/name", `{"name":""}`: "/name", `{"name":" "}`: "/name", `{"name":7}`: "/name",
		`{"name":"x","shelf":1}`: "/shelf", `{"name":null}`: "/name"} {
		b.send("POST", "/v1/admin/tenants", rootKey, body).want(400).code("VALIDATION_FAILED").points(pointer)
	}
}

func TestT32WorkspaceItsShapeItsDefaultsItsChange(t *testing.T) {
	b := newBench(t)
	made := b.send("POST", "/v1/admin/workspaces", b.admin, `{"name":"north"}`).want(201)
	const defaults = `{"budgets":{"modelTokensPerMonth":null,"storedBytes":null},"deferEmbedding":false,"idleSeconds":1800,"mergeThreshold":0.9}`
	made.same("name", `"north"`).same("settings", defaults).same("createdAt", `"2026-03-01T12:00:00Z"`)
	if made.names() != "createdAt name settings workspaceId" || made.header.Get("ETag") != `"1"` {
		t.Errorf("%s, headers %v", made.raw, made.header)
	}
	path := "/v1/admin/workspaces/" + made.text("workspaceId")
	changed := b.send("PATCH", path, b.admin, `{"name":"south","idleSeconds":60}`, "If-Match", `"1"`).want(200)
	changed.same("name", `"south"`).same("settings", strings.Replace(defaults, "1800", "60", 1))
	read := b.send("GET", path, b.admin, "").want(200)
	if !reflect.DeepEqual(read.body, changed.body) || read.header.Get("ETag") != `"2"` || changed.header.Get("ETag") != `"2"` {
		t.Errorf("read %s, ETags %q and %q", read.raw, read.header.Get("ETag"), changed.header.Get("ETag"))
	}
	b.send("PATCH", "/v1/admin/workspaces/"+made.text("workspaceId"), b.admin, `{"lexicalWeight":0.25}`).want(200)
	back := b.send("PATCH", "/v1/admin/workspaces/"+made.text("workspaceId"), b.admin, `{"lexicalWeight":null}`).want(200)
	back.same("settings", strings.Replace(defaults, "1800", "60", 1))
	b.send("GET", path, b.admin, "", "If-None-Match", `"4"`).want(304)
	b.send("PATCH", path, b.admin, `{"name":"west"}`, "If-Match", `"1"`).want(412).code("VERSION_MISMATCH")
	b.send("PATCH", path, b.admin, `{"name":"west"}`, "If-Match", `W/"2"`).want(412)
	b.send("PATCH", path, b.admin, `{"name":"west"}`, "If-Match", `2`).want(400).code("VALIDATION_FAILED")
	b.send("PATCH", path, b.admin, `{"name":"west"}`, "If-Match", `*`).want(200)
	b.send("GET", "/v1/admin/workspaces/none", b.admin, "").want(404).code("NOT_FOUND")
}

func TestT32SettingsUnknownOrIllTypedAreNamed(t *testing.T) {
	b := newBench(t)
	path := "/v1/admin/workspaces/" + b.workspace()
	for body, want := range map[string]string{
		`{"idleSeconds":60}`: `60`, `{"idleSeconds":86400}`: `86400`, `{"mergeThreshold":0.8}`: `0.8`, `{"mergeThreshold":0.99}`: `0.99`,
		`{"lexicalWeight":0.5}`: `"lexicalWeight":0.5`, `{"lexicalWeight":0}`: `"lexicalWeight":0`,
		`{"lexicalWeight":1e-135}`: `"lexicalWeight":0`, `{"lexicalWeight":-0}`: `"lexicalWeight":0}`, `{"lexicalWeight":0.1234567}`: `"lexicalWeight":0.123457`,
		`{"deferEmbedding":true}`: `true`, `{"budgets":{"modelTokensPerMonth":5,"storedBytes":null}}`: `"modelTokensPerMonth":5,"storedBytes":null`,
	} {
		if changed := b.send("PATCH", path, b.admin, body).want(200); !strings.Contains(changed.raw, want) {
			t.Errorf("%s: %s", body, changed.raw)
		}
	}
	before := b.send("GET", path, b.admin, "").want(200)
	for body, pointer := range map[string]string{
		`{"idleSeconds":59}`: "/idleSeconds", `{"idleSeconds":86401}`: "/idleSeconds", `{"idleSeconds":"60"}`: "/idleSeconds",
		`{"idleSeconds":60.5}`: "/idleSeconds", `{"mergeThreshold":0.79}`: "/mergeThreshold", `{"mergeThreshold":1}`: "/mergeThreshold",
		`{"mergeThreshold":"0.9"}`: "/mergeThreshold", `{"deferEmbedding":"yes"}`: "/deferEmbedding", `{"deferEmbedding":1}`: "/deferEmbedding",
		`{"lexicalWeight":1.1}`: "/lexicalWeight", `{"lexicalWeight":-1}`: "/lexicalWeight", `{"lexicalWeight":"1"}`: "/lexicalWeight",
		`{"colour":1}`: "/colour", `{"IdleSeconds":60}`: "/IdleSeconds", `{"budgets":5}`: "/budgets", `{"budgets":[]}`: "/budgets",
		`{"budgets":{"storedBytes":-1}}`: "/budgets/storedBytes", `{"budgets":{"storedBytes":1.5}}`: "/budgets/storedBytes",
		`{"budgets":{"modelTokensPerMonth":"5"}}`: "/budgets/modelTokensPerMonth", `{"budgets":{"pages":1}}`: "/budgets/pages",
		`{"budgets":{"storedBytes":99999999999999999999}}`: "/budgets/storedBytes",
	} {
		b.send("PATCH", path, b.admin, body).want(400).code("VALIDATION_FAILED").points(pointer)
		b.send("POST", "/v1/admin/workspaces", b.admin, `{"name":"x","settings":`+body+`}`).want(400).code("VALIDATION_FAILED").points("/settings" + pointer)
	}
	after := b.send("GET", path, b.admin, "").want(200)
	if !reflect.DeepEqual(after.body, before.body) {
		t.Errorf("before %s, after %s", before.raw, after.raw)
	}
}

func TestT32BudgetThatIsLeftOutStays(t *testing.T) {
	b := newBench(t)
	made := b.send("POST", "/v1/admin/workspaces", b.admin, `{"name":"x","settings":{"budgets":{"storedBytes":40000}}}`).want(201)
	path := "/v1/admin/workspaces/" + made.text("workspaceId")
	for _, body := range []string{`{"budgets":{"modelTokensPerMonth":0}}`, `{"budgets":null}`, `{"budgets":{}}`} {
		changed := b.send("PATCH", path, b.admin, body).want(200)
		if !strings.Contains(changed.raw, `"modelTokensPerMonth":0,"storedBytes":40000`) {
			t.Errorf("%s: %s", body, changed.raw)
		}
	}
	if last := b.send("PATCH", path, b.admin, `{"budgets":{"storedBytes":null}}`).want(200); !strings.Contains(last.raw, `"storedBytes":null`) {
		t.Errorf("%s", last.raw)
	}
}

func TestT12ListsPageByCursorAndRefuseForeignOnes(t *testing.T) {
	b := newBench(t)
	var want []string
	for range 5 {
		want = append(want, b.workspace())
	}
	var got []string
	path := "/v1/admin/workspaces?limit=2"
	cursors := []string{}
	for cursor := any(""); cursor != nil; {
		at := path
		if cursor != "" {
			at += "&cursor=" + fmt.Sprint(cursor)
			cursors = append(cursors, fmt.Sprint(cursor))
		}
		page := b.send("GET", at, b.admin, "").want(200)
		for _, one := range page.body["workspaces"].([]any) {
			got = append(got, one.(map[string]any)["workspaceId"].(string))
		}
		cursor = page.body["nextCursor"]
	}
	if !slices.Equal(got, want) || len(cursors) != 2 {
		t.Errorf("got %v on %d pages, want %v", got, len(cursors)+1, want)
	}
	other := b.send("POST", "/v1/admin/tenants", rootKey, `{"name":"other"}`).want(201).text("adminKey")
	b.send("GET", path+"&cursor="+cursors[0], other, "").want(400).points("cursor")
	b.send("GET", "/v1/admin/keys?cursor="+cursors[0], b.admin, "").want(400).points("cursor")
	b.send("GET", path+"&cursor="+cursors[0]+"x", b.admin, "").want(400).points("cursor")
	for _, limit := range []string{"0", "201", "-1", "x", "1.5"} {
		b.send("GET", "/v1/admin/keys?limit="+limit, b.admin, "").want(400).points("limit")
	}
}

func TestT15ReplayAnswersTheSameRecordWithTheSecretNull(t *testing.T) {
	b := newBench(t)
	for _, call := range []struct{ path, key, bad, body, other, secret string }{
		{"/v1/admin/tenants", rootKey, `{"name":""}`, `{"name":"x"}`, `{"name":"y"}`, "adminKey"},
		{"/v1/admin/workspaces", b.admin, `{"name":""}`, `{"name":"x"}`, `{"name":"y"}`, ""},
		{"/v1/admin/keys", b.admin, `{"kind":"robot"}`, `{"kind":"agent","name":"x"}`, `{"kind":"agent","name":"y"}`, "key"},
	} {
		b.send("POST", call.path, call.key, call.bad, "Idempotency-Key", "k").want(400)
		first := b.send("POST", call.path, call.key, call.body, "Idempotency-Key", "k").want(201)
		again := b.send("POST", call.path, call.key, " "+call.body, "Idempotency-Key", "k").want(201)
		if first.header.Get("Idempotency-Replayed") != "" || again.header.Get("Idempotency-Replayed") != "true" ||
			again.header.Get("Memory-Sequence") != first.header.Get("Memory-Sequence") {
			t.Errorf("%s: headers %v and %v", call.path, first.header, again.header)
		}
		if call.secret != "" {
			first.text(call.secret)
			first.body[call.secret] = nil
		}
		if !reflect.DeepEqual(again.body, first.body) {
			t.Errorf("%s: again %s, first %s", call.path, again.raw, first.raw)
		}
		b.send("POST", call.path, call.key, call.other, "Idempotency-Key", "k").want(422).code("IDEMPOTENCY_KEY_REUSED")
	}
	path := "/v1/admin/keys/" + b.key(`{"kind":"agent"}`).text("keyId")
	for range 2 {
		b.send("DELETE", path, b.admin, "", "Idempotency-Key", "gone").want(204)
	}
}
