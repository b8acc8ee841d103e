package memory

import (
	"slices"
	"testing"
)

func TestDocumentOfAMemory(t *testing.T) {
	m := whole()
	m.Status = Active
	doc := Document(scope, m, 17, []float32{1, 0}, "p")
	if doc.ID != memoryID || doc.Version != 3 || doc.Sequence != 17 || doc.Text != m.Content || doc.Speaker != "Odile" || doc.Profile != "p" || doc.Scope != scope {
		t.Errorf("document %+v", doc)
	}
	for field, want := range map[string]string{
		FieldKind: "memory", FieldLayer: "Session", FieldType: "policy", FieldRun: "run 1", FieldApplication: "app",
		FieldAgent: "bot", FieldUser: "ida", FieldStatus: "active", FieldFloor: FloorTerm, FieldFreed: FreedTerm,
	} {
		if !slices.Equal(doc.Fields[field], []string{want}) {
			t.Errorf("field %s: %v", field, doc.Fields[field])
		}
	}
	tags := slices.Sorted(slices.Values(doc.Fields[FieldTag]))
	if !slices.Equal(tags, []string{"1:a=1", "1:b=2"}) {
		t.Errorf("tags %v", tags)
	}
	if plain := Document(scope, &Memory{ID: "x", Status: Active}, 1, nil, "p"); plain.Profile != "" || plain.Session != "" || len(plain.Fields[FieldUser])+len(plain.Fields[FieldFreed]) != 0 {
		t.Errorf("plain document %+v", plain)
	}
}

func TestS019WhatTheIndexMayKnow(t *testing.T) {
	for _, c := range []struct {
		m    Memory
		want bool
	}{
		{Memory{Status: Active}, true}, {Memory{Status: Superseded}, true}, {Memory{Status: Quarantined}, false},
		{Memory{Status: Deleted}, false}, {Memory{Status: Active, Type: ArtifactRef}, false},
		{Memory{Status: Active, Type: Summary}, false}, {Memory{Status: Active, Type: Episode}, true},
	} {
		if c.m.Indexed() != c.want {
			t.Errorf("%+v: %v", c.m, !c.want)
		}
	}
}

func TestR066TenantMemoriesShareThePartitionOfTheTenant(t *testing.T) {
	if got := (&Memory{Layer: Tenant}).IndexScope(scope); got != scope.Own() {
		t.Errorf("scope %v", got)
	}
	if got := (&Memory{Layer: Session}).IndexScope(scope); got != scope {
		t.Errorf("scope %v", got)
	}
}

func TestR068NeighboursNeverCrossSubjectsOrLayers(t *testing.T) {
	memories := []Memory{
		{RunID: "r"}, {RunID: "r", Layer: Session}, {RunID: "r", Subject: Subject{UserID: "a"}}, {RunID: "r", Subject: Subject{AgentID: "a"}},
		{RunID: "r", Subject: Subject{ApplicationID: "a"}}, {RunID: "ra"}, {RunID: "r1:a"}, {RunID: "r", Subject: Subject{UserID: "a", AgentID: "1:"}},
		{RunID: "r", Layer: Tenant, WorkspaceID: "a"}, {RunID: "r", Layer: Tenant, WorkspaceID: "b"}, {RunID: "a", Layer: Tenant, WorkspaceID: "r"},
	}
	seen := map[string]int{}
	for i := range memories {
		name := memories[i].SessionKey()
		if j, taken := seen[name]; taken || name == "" {
			t.Errorf("%d and %d are of the session %q", i, j, name)
		}
		seen[name] = i
	}
	if (&Memory{RunID: "r", Layer: Workspace, Type: Fact}).SessionKey() != (&Memory{RunID: "r", Layer: Workspace, Type: Policy}).SessionKey() {
		t.Error("turns of one run are apart")
	}
}

// Documents that are in an index already keep their sessions.
func TestR068SessionKeysStayWhatTheyWere(t *testing.T) {
	for layer, want := range map[Layer]string{Workspace: "1:w1:r0:0:1:u", Session: "1:s1:r0:0:1:u"} {
		m := Memory{RunID: "r", Layer: layer, WorkspaceID: "w", Subject: Subject{UserID: "u"}}
		if got := m.SessionKey(); got != want {
			t.Errorf("%s: %q, want %q", layer, got, want)
		}
	}
}

func FuzzTagTerm(f *testing.F) {
	f.Add("a=b", "c", "a", "b=c")
	f.Add("1:a", "", "", "1:a=")
	f.Add("", "", "0:", "=")
	f.Add("e\u0301", "a\u030a", "\u00e9", "\u00e5")
	f.Fuzz(func(t *testing.T, key1, value1, key2, value2 string) {
		same := composed(key1) == composed(key2) && composed(value1) == composed(value2)
		if (TagTerm(key1, value1) == TagTerm(key2, value2)) != same {
			t.Errorf("%q=%q and %q=%q", key1, value1, key2, value2)
		}
	})
}
