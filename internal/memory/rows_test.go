package memory

import (
	"encoding/json"
	"flag"
	"os"
	"reflect"
	"testing"
	"time"

	"holdfast/internal/store"
	"holdfast/internal/store/keys"
	"holdfast/internal/tenant"
)

var update = flag.Bool("update", false, "rewrite golden files")

var scope = tenant.Grant(tenantID, workspaceID)

const memoryID = "0192f0c1-1111-7000-8000-000000000001"

// whole is a memory with every member set.
func whole() *Memory {
	at := instant("2026-03-01T09:30:00Z")
	later := at.Add(1500 * time.Millisecond)
	return &Memory{
		ID: memoryID, WorkspaceID: workspaceID, Layer: Session, Type: Policy, Content: "The <lamp> & the rope.\n", Speaker: "Odile",
		Tags: map[string]string{"b": "2", "a": "1"}, ArtifactURI: "s3://x/y", RunID: "run 1",
		Subject: Subject{ApplicationID: "app", AgentID: "bot", UserID: "ida"}, Attribute: "lamp", Importance: ptr(0.25),
		NonNegotiable: true, Version: 3, Revision: 9, Status: Quarantined,
		Provenance: Provenance{Origin: FromTool, SourceID: "desk", KeyID: "key", OperationID: "op",
			Sources:   []Source{{Kind: MessageSource, ID: "m-1", Start: ptr(0), End: ptr(4)}, {Kind: MemorySource, ID: "0192f0c1-2222-7000-8000-000000000002"}},
			Elsewhere: map[string]string{"c": "ws"}},
		Temporal: Temporal{RecordedAt: at, ValidFrom: &at, ValidTo: &later, SupersededAt: &later, SupersededBy: "next", ReplacedFrom: &later,
			Narrowed: []Narrowing{{At: later, From: later}}},
		Edition:   Edition{At: later, Actor: "other", Origin: FromWeb, Reason: ByMerge, OperationID: "op2"},
		CreatedAt: at, UpdatedAt: later,
		Quarantine: &Quarantine{Reasons: []string{"secret"}, At: later}, Held: []Period{{From: at, To: later}},
		Review: &Review{Verdict: Release, At: at, KeyID: "rev", Note: "fine"},
		Merges: []Merge{{At: later, OperationID: "op2", KeyID: "other", SourceID: "s", Origin: FromWeb, Replaced: true}}, MergeCount: 4,
		Ceiling: ptr(0.5), Parts: []Part{{Text: "The lamp.", Cites: []string{"c"}}}, Stretch: 2, RunHash: "rh",
		Bytes: 77, Salt: []byte{1, 2, 3},
		Deletion: &Deletion{At: later, Subject: []string{"h"}, WriterID: "key", Held: true, Cites: []string{"c"}, Cascade: true, Run: "rh",
			Elsewhere: map[string]string{"c": "ws"}, SupersededBy: "next"},
	}
}

func golden(t *testing.T, name string, got []byte) []byte {
	t.Helper()
	path := "testdata/" + name
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return want
}

// A golden is what a format of the rows looks like for ever: readers must go on to
// accept the one before.
func TestHeadRowsOfFormat1AreRead(t *testing.T) {
	want := whole()
	want.Ceiling, want.Parts, want.Stretch, want.RunHash, want.Held = nil, nil, 0, "", nil
	want.Provenance.Elsewhere, want.Temporal.Narrowed, want.Edition.Origin = nil, nil, ""
	want.Deletion.Elsewhere, want.Deletion.SupersededBy, want.Deletion.Run = nil, "", ""
	doc, err := os.ReadFile("testdata/head_v1.json")
	if err != nil {
		t.Fatal(err)
	}
	read, err := Decode(store.Item{Key: keys.Memory(scope, memoryID), Attrs: store.Attrs{attrDoc: store.B(doc)}})
	if err != nil || !reflect.DeepEqual(read, want) {
		t.Errorf("read %+v, %v", read, err)
	}
}

func TestHeadRowsOfFormat2AreRead(t *testing.T) {
	item, err := headItem(scope, whole())
	if err != nil {
		t.Fatal(err)
	}
	want := golden(t, "head_v2.json", item.Attrs.Bytes(attrDoc))
	if string(item.Attrs.Bytes(attrDoc)) != string(want) {
		t.Errorf("written\n%s\nwant\n%s", item.Attrs.Bytes(attrDoc), want)
	}
	item.Attrs[attrDoc] = store.B(want)
	read, err := Decode(item)
	if err != nil || !reflect.DeepEqual(read, whole()) {
		t.Errorf("read %+v, %v", read, err)
	}
	if item.Attrs.Int(AttrVersion) != 3 || item.Attrs.Int(attrRevision) != 9 || item.Attrs.Text(attrStatus) != "quarantined" {
		t.Errorf("attributes %v", item.Attrs)
	}
}

func TestEveryMemberOfTheGoldenIsSet(t *testing.T) {
	var check func(path string, v reflect.Value)
	check = func(path string, v reflect.Value) {
		if v.Kind() == reflect.Pointer {
			v = v.Elem()
		}
		if !v.IsValid() || v.IsZero() && v.Kind() != reflect.Int {
			t.Errorf("%s is empty: the golden does not hold it", path)
			return
		}
		if v.Kind() == reflect.Struct && v.Type() != reflect.TypeFor[time.Time]() {
			for i := range v.NumField() {
				check(path+"."+v.Type().Field(i).Name, v.Field(i))
			}
		}
	}
	check("Memory", reflect.ValueOf(whole()))
	check("Merge", reflect.ValueOf(whole().Merges[0]))
	check("Part", reflect.ValueOf(whole().Parts[0]))
	check("Period", reflect.ValueOf(whole().Held[0]))
	check("Narrowing", reflect.ValueOf(whole().Temporal.Narrowed[0]))
	check("Source", reflect.ValueOf(whole().Provenance.Sources[0]))
}

// older is an earlier version with every member set.
func older() Version {
	m := whole()
	return Version{Version: 2, Content: "Older.", Edition: m.Edition, ValidFrom: m.Temporal.ValidFrom, ValidTo: m.Temporal.ValidTo,
		RecordedFrom: m.CreatedAt, RecordedTo: &m.UpdatedAt}
}

func TestVersionRowsOfFormat1AreRead(t *testing.T) {
	want := older()
	want.Edition.Origin = ""
	doc, err := os.ReadFile("testdata/version_v1.json")
	if err != nil {
		t.Fatal(err)
	}
	item := store.Item{Key: keys.MemoryVersion(scope, memoryID, 2), Attrs: store.Attrs{attrDoc: store.B(doc)}}
	if got, err := decodeVersion(item); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("read %+v, %v", got, err)
	}
}

func TestVersionRowsOfFormat2AreRead(t *testing.T) {
	want := older()
	item, err := versionItem(scope, memoryID, want)
	if err != nil {
		t.Fatal(err)
	}
	text := golden(t, "version_v2.json", item.Attrs.Bytes(attrDoc))
	if string(text) != string(item.Attrs.Bytes(attrDoc)) {
		t.Errorf("written\n%s\nwant\n%s", item.Attrs.Bytes(attrDoc), text)
	}
	if got, err := decodeVersion(item); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("read %+v, %v", got, err)
	}
}

func TestBrokenRowsAreErrors(t *testing.T) {
	key := keys.Memory(scope, memoryID)
	for name, item := range map[string]store.Item{
		"no document":  {Key: key},
		"no JSON":      {Key: key, Attrs: store.Attrs{attrDoc: store.B([]byte("{"))}},
		"later format": {Key: key, Attrs: store.Attrs{attrDoc: store.B([]byte(`{"f":99}`))}},
		"another key":  {Key: store.Key{PK: "x", SK: "HEAD"}, Attrs: store.Attrs{attrDoc: store.B([]byte(`{"f":1}`))}},
	} {
		if m, err := Decode(item); err == nil {
			t.Errorf("%s: read %+v", name, m)
		}
	}
	if _, err := decodeVersion(store.Item{Key: store.Key{PK: "x", SK: "V#abc"}}); err == nil {
		t.Error("a version without a number was read")
	}
	if _, err := decodeVersion(store.Item{Key: keys.MemoryVersion(scope, memoryID, 1)}); err == nil {
		t.Error("a version without a document was read")
	}
	if _, err := DecodeVector(store.Item{Attrs: store.Attrs{attrVector: store.B([]byte{1})}}); err == nil {
		t.Error("a broken vector was read")
	}
}

func TestDuplicateRowsRoundTripAndAreBounded(t *testing.T) {
	row := &duplicateRow{key: keys.Duplicate(scope, "mac")}
	for _, id := range []string{"1", "2", "3", "4", "5", "6", "7", "8", "9", "3"} {
		row.add(id, "x"+id)
	}
	if got := row.encode(); got != "2=x2 4=x4 5=x5 6=x6 7=x7 8=x8 9=x9 3=x3" {
		t.Errorf("entries %q", got)
	}
	action, changed := row.action("a")
	if !changed || !action.If.Absent {
		t.Fatalf("first write %+v", action)
	}
	again := decodeDuplicates(action.Item)
	if again.encode() != row.encode() {
		t.Errorf("read %q", again.encode())
	}
	if _, changed := again.action("a"); changed {
		t.Error("an unchanged row is written")
	}
	for _, e := range again.entries {
		again.remove(e.id)
	}
	if action, changed := again.action("a"); !changed || action.Verb != store.Delete || action.If.Attr != attrEntries {
		t.Errorf("emptied %+v", action)
	}
}

func FuzzDuplicateRow(f *testing.F) {
	f.Add("a=b c=d")
	f.Add("")
	f.Add("= =")
	f.Fuzz(func(t *testing.T, text string) {
		row := decodeDuplicates(store.Item{Attrs: store.Attrs{attrEntries: store.S(text)}})
		row.add("id", "exact")
		again := decodeDuplicates(store.Item{Attrs: store.Attrs{attrEntries: store.S(row.encode())}})
		if last := again.entries[len(again.entries)-1]; last != (sameWords{"id", "exact"}) {
			t.Errorf("%q: %v", text, again.entries)
		}
	})
}

func TestTheListKeyFollowsFromTheID(t *testing.T) {
	m := &Memory{ID: memoryID, CreatedAt: instant("2030-01-01T00:00:00Z")}
	if got := listKey(scope, m); got != keys.MemoryList(scope, instant("2024-11-03T00:00:00Z"), memoryID) {
		t.Errorf("key %v", got)
	}
	foreign := &Memory{ID: "not-time-ordered", CreatedAt: instant("2030-01-01T00:00:00Z")}
	if got := listKey(scope, foreign); got.PK != keys.MemoryListPK(scope, foreign.CreatedAt) {
		t.Errorf("key %v", got)
	}
}

func TestReceiptsHoldIDsAndFlagsOnly(t *testing.T) {
	r := receipt{MemoryID: memoryID, Merged: true, ContentReplaced: true, Deferred: true, Version: 2}
	raw, err := r.encode()
	if err != nil {
		t.Fatal(err)
	}
	var members map[string]any
	if err := json.Unmarshal(raw, &members); err != nil || len(members) != 5 {
		t.Errorf("%s, %v", raw, err)
	}
	if got, err := decodeReceipt(raw); err != nil || got != r {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := decodeReceipt([]byte("{")); err == nil {
		t.Error("broken JSON was read")
	}
}
