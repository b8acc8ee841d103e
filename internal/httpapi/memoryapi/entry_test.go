package memoryapi_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"
)

func TestR060GetAnswersWithItsETag(t *testing.T) {
	b := newBench(t)
	id := b.add("The shed is open.", "")
	if got := b.get("agent", id).want(200).header.Get("ETag"); got != `"1"` {
		t.Errorf("ETag %s", got)
	}
	known := b.send("GET", at("/v1/memory/"+id), "agent", "", "If-None-Match", `"1"`).want(304)
	if known.raw != "" || known.header.Get("ETag") != `"1"` {
		t.Errorf("%q %v", known.raw, known.header)
	}
	changed := b.put("agent", id, "The shed is shut.").want(200)
	if changed.header.Get("ETag") != `"2"` || changed.body["version"] != float64(2) || changed.text("content") != "The shed is shut." || changed.header.Get("Memory-Sequence") != "2" {
		t.Errorf("%s %v", changed.raw, changed.header)
	}
	b.send("GET", at("/v1/memory/"+id), "agent", "", "If-None-Match", `"1"`).want(200)
}

func TestS040MissingAndInvisibleAreOne(t *testing.T) {
	b := newBench(t)
	id := b.add("The tyre is flat.", `"userId":"ada"`)
	b.get("agent", id, "userId", "ada").want(200)
	invisible, absent := b.get("agent", id).want(404).code("NOT_FOUND"), b.get("agent", "none").want(404)
	if invisible.text("detail") != absent.text("detail") || invisible.text("title") != absent.text("title") {
		t.Errorf("%s\n%s", invisible.raw, absent.raw)
	}
	b.get("agent", id, "userId", "").want(400).points("userId")
	b.send("GET", "/v1/memory/"+id+"?userId=ada&workspaceId="+there, "agent", "").want(404)
	b.send("GET", "/v1/memory/"+id+"?userId=ada", "agent", "").want(400).points("workspaceId")
	b.put("agent", id, "x").want(404)
	b.send("PUT", "/v1/memory/"+id, "agent", `{"workspaceId":"`+here+`","content":"The tyre is new.","userId":"ada"}`).want(200)
}

func TestS043PutHonoursIfMatchAndItsKey(t *testing.T) {
	b := newBench(t)
	id := b.add("The mast is 20 m high.", "")
	b.put("agent", id, "The mast is 21 m high.", "If-Match", `"1"`).want(200)
	b.put("agent", id, "The mast is 22 m high.", "If-Match", `"1"`).want(412).code("VERSION_MISMATCH")
	b.put("agent", id, "The mast is 22 m high.", "Idempotency-Key", "k").want(200)
	again := b.put("agent", id, "The mast is 22 m high.", "Idempotency-Key", "k").want(200)
	if again.header.Get("Idempotency-Replayed") != "true" || again.body["version"] != float64(3) {
		t.Errorf("%s %v", again.raw, again.header)
	}
	b.put("agent", id, "Other.", "Idempotency-Key", "k").want(422).code("IDEMPOTENCY_KEY_REUSED")
	b.put("reader", id, "x").want(403)
	for _, body := range []string{`"content":""`, `"content":"  "`, `"content":null`, `"layer":"Session","content":"x"`} {
		b.send("PUT", "/v1/memory/"+id, "agent", object(`"workspaceId":"`+here+`"`, body)).want(400).code("VALIDATION_FAILED")
	}
}

func TestS050DeleteAnswersNothing(t *testing.T) {
	b := newBench(t)
	id := b.add("The gutter leaks.", "")
	path := at("/v1/memory/"+id, "cascade", "true")
	b.send("DELETE", path, "agent", "", "If-Match", `"9"`).want(412)
	gone := b.send("DELETE", path, "agent", "", "Idempotency-Key", "k").want(204)
	if gone.raw != "" || gone.header.Get("Memory-Sequence") != "2" {
		t.Errorf("%q %v", gone.raw, gone.header)
	}
	if again := b.send("DELETE", path, "agent", "", "Idempotency-Key", "k").want(204); again.header.Get("Idempotency-Replayed") != "true" {
		t.Errorf("headers %v", again.header)
	}
	b.send("DELETE", path, "agent", "").want(404)
	b.get("agent", id).want(404)
	b.send("GET", at("/v1/memory/"+id+"/versions"), "agent", "").want(404)
	b.send("DELETE", at("/v1/memory/"+id, "cascade", "maybe"), "agent", "").want(400).points("cascade")
}

func TestS052TheErasureOfAnEntry(t *testing.T) {
	b := newBench(t)
	id := b.add("The attic is full.", "")
	path := at("/v1/memory/" + id + "/erasure")
	before := b.send("GET", path, "agent", "").want(200)
	if !slices.Equal(before.members(), []string{"attempts", "erasedAt", "memoryId", "status"}) || before.text("status") != "none" || before.body["erasedAt"] != nil {
		t.Errorf("%s", before.raw)
	}
	b.send("DELETE", at("/v1/memory/"+id), "agent", "").want(204)
	if after := b.send("GET", path, "agent", "").want(200); after.text("status") != "pending" || after.text("memoryId") != id || after.body["attempts"] != 0.0 {
		t.Errorf("%s", after.raw)
	}
	b.send("GET", at("/v1/memory/none/erasure"), "agent", "").want(404)
}

func TestR061VersionsNewestFirst(t *testing.T) {
	b := newBench(t)
	id := b.add("The inn has 10 beds.", "")
	b.put("person", id, "The inn has 12 beds.").want(200)
	a := b.send("GET", at("/v1/memory/"+id+"/versions"), "agent", "").want(200)
	for name, want := range map[string][]string{
		"version": {"2", "1"}, "content": {"The inn has 12 beds.", "The inn has 10 beds."}, "actor": {"key-person", "key-agent"},
		"reason": {"update", "append"}, "at": {"2026-03-01T09:30:02Z", "2026-03-01T09:30:01Z"},
	} {
		if got := a.list("versions", name); !slices.Equal(got, want) {
			t.Errorf("%s %v, want %v", name, got, want)
		}
	}
}

func TestR061ListsArePagedAndFiltered(t *testing.T) {
	b := newBench(t)
	var all []string
	for n := range 5 {
		all = append([]string{b.add("Cabin "+strconv.Itoa(n), "")}, all...)
	}
	mine := b.add("Ada's cabin.", `"userId":"ada"`)
	page := b.send("GET", at("/v1/memory", "limit", "3"), "agent", "").want(200)
	if got := page.list("entries", "id"); !slices.Equal(got, all[:3]) {
		t.Errorf("first page %v", got)
	}
	cursor := page.text("nextCursor")
	rest := b.send("GET", at("/v1/memory", "limit", "3", "cursor", cursor), "agent", "").want(200)
	if got := rest.list("entries", "id"); !slices.Equal(got, all[3:]) || rest.body["nextCursor"] != nil {
		t.Errorf("second page %s", rest.raw)
	}
	for _, path := range []string{
		at("/v1/memory", "cursor", cursor+"x"), at("/v1/memory", "cursor", cursor, "type", "fact"), at("/v1/memory", "cursor", cursor, "userId", "ada"),
		at("/v1/memory", "limit", "0"), at("/v1/memory", "limit", "201"), at("/v1/memory", "layer", "workspace"),
		at("/v1/memory", "type", "x"), at("/v1/memory", "status", "deleted"), at("/v1/memory", "shelf", "1"), at("/v1/memory", "agentId", ""),
	} {
		b.send("GET", path, "agent", "").want(400).code("VALIDATION_FAILED")
	}
	if got := b.send("GET", at("/v1/memory", "userId", "ada", "limit", "1"), "agent", "").list("entries", "id"); !slices.Equal(got, []string{mine}) {
		t.Errorf("Ada's list %v", got)
	}
	if got := b.send("GET", at("/v1/memory"), "person", "").list("entries", "id"); len(got) != 6 {
		t.Errorf("a reviewer's list %v", got)
	}
	none := b.send("GET", "/v1/memory?workspaceId="+there, "agent", "").want(200)
	if len(none.list("entries", "id")) != 0 || none.body["nextCursor"] != nil {
		t.Errorf("%s", none.raw)
	}
}

func TestS057TheReceiptOfAnAppend(t *testing.T) {
	b := newBench(t)
	b.places.settings.DeferEmbedding = true
	made := b.append("agent", "The mill turns.", "").want(200)
	path := at("/v1/memory/operations/" + made.text("operationId"))
	a := b.send("GET", path, "reader", "").want(200)
	if !slices.Equal(a.members(), []string{"contentReplaced", "createdAt", "effects", "memoryId", "merged", "operationId", "status"}) {
		t.Errorf("members %v", a.members())
	}
	if a.text("status") != "pending" || a.text("memoryId") != made.text("id") || a.text("createdAt") != "2026-03-01T09:30:01Z" {
		t.Errorf("%s", a.raw)
	}
	if kinds, states := a.list("effects", "kind"), a.list("effects", "state"); !slices.Equal(kinds, []string{"embed", "event"}) || !slices.Equal(states, []string{"pending", "succeeded"}) {
		t.Errorf("%s", a.raw)
	}
	b.send("GET", "/v1/memory/operations/"+made.text("operationId")+"?workspaceId="+there, "reader", "").want(404)
	b.send("GET", at("/v1/memory/operations/none"), "reader", "").want(404)
}

func TestA02ADeletedSuccessorIsNull(t *testing.T) {
	b := newBench(t)
	old := b.add("The toll is two.", `"attribute":"toll"`)
	now := b.add("The toll is four.", `"attribute":"toll"`)
	by := func(a answer) any {
		temporal, ok := a.want(200).body["temporal"].(map[string]any)
		if !ok || temporal["supersededAt"] == nil || a.text("status") != "superseded" {
			t.Fatalf("%s", a.raw)
		}
		return temporal["supersededBy"]
	}
	if got := by(b.get("agent", old)); got != now {
		t.Errorf("supersededBy %v", got)
	}
	b.send("DELETE", at("/v1/memory/"+now), "agent", "").want(204)
	if got := by(b.get("agent", old)); got != nil {
		t.Errorf("supersededBy %v after the deletion", got)
	}
	list := b.send("GET", at("/v1/memory", "status", "superseded"), "agent", "").want(200)
	if strings.Contains(list.raw, now) {
		t.Errorf("%s", list.raw)
	}
}

func TestR034AWebCopyLeavesAPersonsEntry(t *testing.T) {
	b := newBench(t)
	const said = "All of the boats are in the shed."
	id := b.append("person", said, "").want(200).text("id")
	copied := b.append("agent", "All boats are in the shed", `"origin":"web"`).want(200)
	if copied.text("id") == id || copied.body["merged"] != false {
		t.Errorf("%s", copied.raw)
	}
	if e := b.get("agent", id); e.text("content") != said || e.body["trust"] != 1.0 || e.body["version"] != 1.0 {
		t.Errorf("%s", e.raw)
	}
}
