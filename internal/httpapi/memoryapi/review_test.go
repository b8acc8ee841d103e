package memoryapi_test

import (
	"slices"
	"testing"
)

func TestR052TheQuarantineList(t *testing.T) {
	b := newBench(t)
	one, two := b.add(hostile, ""), b.append("person", hostile+" Now.", "").want(200).text("id")
	first := b.send("GET", at("/v1/memory/quarantine", "limit", "1"), "person", "").want(200)
	rest := b.send("GET", at("/v1/memory/quarantine", "limit", "1", "cursor", first.text("nextCursor")), "person", "").want(200)
	if got := append(first.list("entries", "id"), rest.list("entries", "id")...); !slices.Equal(got, []string{two, one}) || rest.body["nextCursor"] != nil {
		t.Errorf("%s\n%s", first.raw, rest.raw)
	}
	if got := append(first.list("entries", "source"), rest.list("entries", "source")...); !slices.Equal(got, []string{"person", "desk"}) {
		t.Errorf("sources %v", got)
	}
	row := rest.body["entries"].([]any)[0].(map[string]any)
	if row["content"] != hostile || row["createdAt"] != "2026-03-01T09:30:01Z" || len(row["reasons"].([]any)) == 0 || len(row) != 5 {
		t.Errorf("row %v", row)
	}
	b.send("GET", at("/v1/memory/quarantine"), "agent", "").want(403).code("CAPABILITY_MISSING")
	b.send("GET", at("/v1/memory/quarantine", "cursor", "x"), "person", "").want(400)
}

func TestR052ReviewAnswersTheEntryOrTheRejection(t *testing.T) {
	b := newBench(t)
	good, bad := b.add(hostile, `"origin":"web"`), b.add(hostile+" Now.", "")
	b.get("stranger", good).want(404)
	held := b.get("agent", good).want(200)
	if held.body["trust"] != 0.0 || held.body["policy"].(map[string]any)["quarantine"] == nil {
		t.Errorf("%s", held.raw)
	}
	b.review("agent", good, "release").want(403)
	b.review("person", good, "release", "If-Match", `"2"`).want(412)
	released := b.review("person", good, "release", "Idempotency-Key", "k").want(200)
	if released.text("status") != "active" || released.body["trust"] != 0.5 || released.header.Get("ETag") != `"1"` || !slices.Equal(released.members(), held.members()) {
		t.Errorf("%s", released.raw)
	}
	if again := b.review("person", good, "release", "Idempotency-Key", "k").want(200); again.header.Get("Idempotency-Replayed") != "true" || again.raw != released.raw {
		t.Errorf("%s", again.raw)
	}
	rejected := b.review("person", bad, "reject").want(200)
	if !slices.Equal(rejected.members(), []string{"decision", "id"}) || rejected.text("id") != bad || rejected.text("decision") != "reject" {
		t.Errorf("%s", rejected.raw)
	}
	for _, id := range []string{good, bad} {
		b.review("person", id, "reject").want(409).code("ALREADY_DECIDED")
	}
	b.review("person", good, "forget").want(400).points("/decision")
	b.review("person", "none", "release").want(404)
	b.append("agent", hostile+" Now.", "").want(409).code("REJECTED_VALUE")
	b.get("stranger", good).want(200)
	if ops := b.send("GET", at("/v1/memory/changes"), "agent", "").want(200).list("changes", "op"); !slices.Equal(ops, []string{"quarantine", "quarantine", "release", "delete"}) {
		t.Errorf("feed %v", ops)
	}
}
