package memoryapi_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite golden files")

func TestS012AppendAnswersExactlyFourMembers(t *testing.T) {
	b := newBench(t)
	first := b.append("agent", "The weather vane points north.", `"runId":"run-1","tags":{"facet":"roof"}`).want(200)
	if got := first.members(); !slices.Equal(got, []string{"contentReplaced", "id", "merged", "operationId"}) {
		t.Errorf("members %v", got)
	}
	if first.header.Get("Memory-Sequence") != "1" || first.body["merged"] != false {
		t.Errorf("%s %v", first.raw, first.header)
	}
	again := b.append("agent", "the WEATHER vane points north.", "").want(200)
	if again.text("id") != first.text("id") || again.body["merged"] != true || again.body["contentReplaced"] != false {
		t.Errorf("%s", again.raw)
	}
}

// The entry of R0.57: each member is there, whatever it holds.
func TestR057TheWholeEntry(t *testing.T) {
	b := newBench(t)
	body := strings.Replace(fact("Helmets <are> worn & closed.", `"speaker":"Odile","tags":{"a":"1"},"runId":"r",
		"applicationId":"app","agentId":"bot","userId":"ida","attribute":"helmets","validFrom":"2024-05-01T10:00:00+02:00","validTo":"2030-01-01T00:00:00.25Z",
		"importance":0.25,"nonNegotiable":true,"origin":"tool","sources":[{"kind":"message","id":"m-1","start":0,"end":41},{"kind":"url","id":"https://example.org"}]`), `"fact"`, `"policy"`, 1)
	made := b.send("POST", "/v1/memory/append", "person", body).want(200)
	full := b.get("person", made.text("id"), "applicationId", "app", "agentId", "bot", "userId", "ida").want(200)
	plain := b.get("agent", b.add("The gate is shut.", "")).want(200)
	matches(t, "entry_full.json", full)
	matches(t, "entry_plain.json", plain)
	if !slices.Equal(full.members(), plain.members()) {
		t.Errorf("members differ: %v and %v", full.members(), plain.members())
	}
}

// matches holds an answer against a golden file; ids differ in each run.
func matches(t *testing.T, name string, a answer) {
	t.Helper()
	if *update {
		var indented bytes.Buffer
		if err := json.Indent(&indented, []byte(a.raw), "", "  "); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile("testdata/"+name, indented.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	raw, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	var want map[string]any
	if err := json.Unmarshal(raw, &want); err != nil {
		t.Fatal(err)
	}
	got := a.body
	want["id"] = got["id"]
	want["provenance"].(map[string]any)["operationId"] = got["provenance"].(map[string]any)["operationId"]
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s:\n%s", name, a.raw)
	}
}

func TestR059CodesOfAnAppend(t *testing.T) {
	b := newBench(t)
	for _, c := range []struct {
		as, change string
		status     int
		code       string
	}{
		{"agent", `"layer":"workspace"`, 400, "UNKNOWN_LAYER"}, {"agent", `"layer":"Platform"`, 403, "LAYER_READ_ONLY"},
		{"person", `"layer":"Tenant"`, 403, "CAPABILITY_MISSING"}, {"agent", `"layer":"Session"`, 400, "RUN_ID_REQUIRED"},
		{"agent", `"type":"Fact"`, 400, "UNKNOWN_TYPE"}, {"agent", `"type":"episode"`, 400, "TYPE_RESERVED"},
		{"agent", `"layer":null`, 400, "VALIDATION_FAILED"}, {"agent", `"type":7`, 400, "VALIDATION_FAILED"},
	} {
		name, _, _ := strings.Cut(strings.Trim(c.change, `"`), `"`)
		body := map[string]any{"workspaceId": here, "layer": "Workspace", "type": "fact", "content": "Lunch is at noon."}
		var change map[string]any
		if err := json.Unmarshal([]byte("{"+c.change+"}"), &change); err != nil {
			t.Fatal(err)
		}
		body[name] = change[name]
		raw, err := json.Marshal(body)
		if err != nil {
			t.Fatal(err)
		}
		a := b.send("POST", "/v1/memory/append", c.as, string(raw)).want(c.status).code(c.code)
		if c.code == "CAPABILITY_MISSING" && a.body["capability"] != "memory:tenant" {
			t.Errorf("%s", a.raw)
		}
	}
	b.send("POST", "/v1/memory/append", "admin", strings.Replace(fact("Lunch is at noon.", ""), "Workspace", "Tenant", 1)).want(200)
	b.send("POST", "/v1/memory/append", "reader", fact("x", "")).want(403).code("CAPABILITY_MISSING")
}

func TestR058FieldsOutOfRangeAreNamed(t *testing.T) {
	b := newBench(t)
	for more, pointer := range map[string]string{
		`"importance":1.5`: "/importance", `"importance":"x"`: "/importance", `"speaker":""`: "/speaker", `"speaker":7`: "/speaker",
		`"tags":{"":"x"}`: "/tags", `"tags":{"k":null}`: "/tags", `"tags":["x"]`: "/tags", `"validFrom":"2024-05-01T10:00:00"`: "/validFrom",
		`"validFrom":7`: "/validFrom", `"origin":"robot"`: "/origin", `"runId":[7]`: "/runId", `"runId":""`: "/runId", `"userId":""`: "/userId",
		`"colour":"red"`: "/colour", `"sources":[{"kind":"message"}]`: "/sources/0/id", `"sources":[{"kind":"book","id":"x"}]`: "/sources/0/kind",
		`"sources":[{"kind":"memory","id":"x"}]`: "/sources/0/id", `"nonNegotiable":true`: "/nonNegotiable",
		`"validFrom":"2024-05-01T10:00:00Z","validTo":"2024-05-01T10:00:00Z"`: "/validTo", `"attribute":""`: "/attribute",
	} {
		b.append("agent", "Tea is served.", more).want(400).code("VALIDATION_FAILED").points(pointer)
	}
	for _, content := range []string{"", "  \n", strings.Repeat("é", 16_001)} {
		b.append("agent", content, "").want(400).points("/content")
	}
	b.append("agent", " "+strings.Repeat("é", 16_000)+"\n", "").want(200)
	b.append("agent", "Null is nothing.", `"speaker":null,"tags":null,"runId":null,"userId":null,"sources":null,"validFrom":null,"importance":null,"origin":null,"nonNegotiable":null`).want(200)
}

func TestA05ARejectedValueIsAConflict(t *testing.T) {
	b := newBench(t)
	id := b.add("The smith is called Bo.", "")
	b.put("person", id, "The smith is called Boris.").want(200)
	b.append("agent", "the smith is called BO", "").want(409).code("REJECTED_VALUE")
	b.append("admin", "The smith is called Bo.", "").want(200)
}

func TestR058ABatchAnswersOneResultAnItem(t *testing.T) {
	b := newBench(t)
	items := []string{
		`{"layer":"Workspace","type":"fact","content":"The loom is old."}`,
		`{"layer":"Workspace","type":"fact","content":""}`,
		`{"layer":"Workspace","type":"fact","content":"a\u0000b"}`,
		`{"layer":"Workspace","type":"fact","content":7,"shelf":1}`,
		`7`,
		`{"layer":"Nowhere","type":"fact","content":"x"}`,
		`{"layer":"Workspace","type":"fact","content":"the LOOM is old."}`,
		`{"layer":"Workspace","type":"fact","content":"x","workspaceId":"` + there + `"}`,
	}
	body := `{"workspaceId":"` + here + `","items":[` + strings.Join(items, ",") + `]}`
	a := b.send("POST", "/v1/memory/append-batch", "agent", body).want(200)
	results := a.body["results"].([]any)
	wantCodes := []string{"", "VALIDATION_FAILED", "VALIDATION_FAILED", "VALIDATION_FAILED", "VALIDATION_FAILED", "UNKNOWN_LAYER", "", "VALIDATION_FAILED"}
	for i, one := range results {
		r := one.(map[string]any)
		if r["index"] != float64(i) {
			t.Errorf("index %v at %d", r["index"], i)
		}
		code := ""
		if e, ok := r["error"].(map[string]any); ok {
			code = e["code"].(string)
		} else if len(r) != 5 {
			t.Errorf("members of %v", r)
		}
		if code != wantCodes[i] {
			t.Errorf("item %d: %v, want %q", i, r, wantCodes[i])
		}
	}
	a.points("/items/1/content").points("/items/2/content").points("/items/3/shelf").points("/items/4").points("/items/5/layer").points("/items/7/workspaceId")
	if results[6].(map[string]any)["id"] != results[0].(map[string]any)["id"] || a.header.Get("Memory-Sequence") != "2" {
		t.Errorf("%s", a.raw)
	}
	for _, bad := range []string{`[]`, `null`, `{}`, `[` + strings.Repeat(`{},`, 100) + `{}]`} {
		b.send("POST", "/v1/memory/append-batch", "agent", `{"workspaceId":"`+here+`","items":`+bad+`}`).want(400).points("/items")
	}
}

func TestT15ABatchIsReplayedItemByItem(t *testing.T) {
	b := newBench(t)
	item := func(content string) string { return `{"layer":"Workspace","type":"fact","content":"` + content + `"}` }
	send := func(items ...string) answer {
		return b.send("POST", "/v1/memory/append-batch", "agent", `{"workspaceId":"`+here+`","items":[`+strings.Join(items, ",")+`]}`, "Idempotency-Key", "k").want(200)
	}
	first, again := send(item("One."), item("Two.")), send(item("One."), item("Two."))
	if first.header.Get("Idempotency-Replayed") != "" || again.header.Get("Idempotency-Replayed") != "true" {
		t.Errorf("headers %v, %v", first.header, again.header)
	}
	if !slices.Equal(first.list("results", "operationId"), again.list("results", "operationId")) {
		t.Errorf("%s\n%s", first.raw, again.raw)
	}
	more := send(item("One."), item("Other."), item("Three."))
	if got := more.list("results", "error"); !strings.Contains(got[1], "IDEMPOTENCY_KEY_REUSED") || got[2] != "null" || more.header.Get("Idempotency-Replayed") != "" {
		t.Errorf("%s", more.raw)
	}
}
