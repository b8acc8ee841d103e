package memory

import (
	"context"
	"maps"
	"slices"
	"testing"
	"time"

	"holdfast/internal/ledger"
	"holdfast/internal/outbox"
	"holdfast/internal/store"
	"holdfast/internal/store/keys"
)

func TestS07AppendWritesEveryRowInOneCommit(t *testing.T) {
	w := newWorld(t)
	a := w.append(agent, fact("The dry dock is booked until June.", ofUser("ida"), ofAttribute("dock"), func(d *Draft) {
		d.ApplicationID, d.AgentID, d.RunID = ptr("app"), ptr("bot"), ptr("run-3")
		d.Sources = []Source{{Kind: MemorySource, ID: w.IDs.New()}, {Kind: MessageSource, ID: "m-1"}}
	}))
	if a.Merged || a.ContentReplaced || a.Sequence != 1 {
		t.Errorf("answer %+v", a)
	}
	m := w.head(a.ID)
	h, err := w.Hasher(context.Background(), w.scope)
	if err != nil {
		t.Fatal(err)
	}
	want := []store.Key{
		keys.Memory(w.scope, a.ID), keys.MemoryVector(w.scope, a.ID, w.model.Profile().Name()), listKey(w.scope, m),
		keys.Duplicate(w.scope, h.duplicate(m, formsOf(m.Content))), keys.Attribute(w.scope, h.attribute(m)),
		keys.Derived(w.scope, m.Provenance.Sources[0].ID, a.ID), keys.Operation(w.scope, a.OperationID), keys.Log(w.scope, 1),
	}
	for _, hash := range h.Subject(m.Subject) {
		want = append(want, keys.Subject(w.scope, hash, Family, a.ID))
	}
	if len(want) != 11 {
		t.Fatalf("%d rows expected", len(want))
	}
	for _, key := range want {
		if !w.has(key) {
			t.Errorf("no row %s / %s", key.PK, key.SK)
		}
	}
	w.wantOps(a.ID, ledger.Create)
}

func TestS058FieldsAreKept(t *testing.T) {
	w := newWorld(t)
	end := 12
	d := fact("  The buoy is yellow.\n", func(d *Draft) {
		d.Type, d.Speaker, d.Tags = "decision", ptr("Odile"), map[string]string{"a=b": "<&>"}
		d.ValidFrom, d.ValidTo = ptr(instant("2024-05-01T10:00:00+02:00")), ptr(instant("2025-01-01T00:00:00Z"))
		d.Importance, d.Origin = ptr(0.25), ptr("tool")
		d.Sources = []Source{{Kind: URLSource, ID: "https://example.org/a", End: &end}}
	})
	m := w.head(w.append(agent, d).ID)
	if m.Content != d.Content || m.Speaker != "Odile" || !maps.Equal(m.Tags, d.Tags) || *m.Importance != 0.25 || m.Type != Decision {
		t.Errorf("stored %+v", m)
	}
	if m.Trust() != 0.5 || m.Provenance.KeyID != "agent-key" || m.Provenance.SourceID != "desk" || *m.Provenance.Sources[0].End != 12 {
		t.Errorf("provenance %+v", m.Provenance)
	}
	if m.Temporal.ValidFrom.Format(time.RFC3339) != "2024-05-01T08:00:00Z" || !m.Temporal.EventTime().Equal(*m.Temporal.ValidFrom) {
		t.Errorf("temporal %+v", m.Temporal)
	}
	if want := start.Truncate(time.Millisecond); !m.CreatedAt.Equal(want) || m.CreatedAt.Location() != time.UTC {
		t.Errorf("recorded at %v, want %v", m.CreatedAt, want)
	}
	if m.WorkspaceID != workspaceID || m.Version != 1 || len(m.Salt) != ledger.SaltSize || m.Bytes == 0 {
		t.Errorf("stored %+v", m)
	}
}

func TestR040OriginGivesTrust(t *testing.T) {
	w := newWorld(t)
	for _, c := range []struct {
		caller Caller
		origin *string
		want   Origin
		trust  float64
	}{
		{agent, nil, FromAgent, 0.8}, {person, nil, FromPerson, 1}, {person, ptr("person"), FromPerson, 1},
		{person, ptr("agent"), FromAgent, 0.8}, {agent, ptr("tool"), FromTool, 0.5}, {agent, ptr("web"), FromWeb, 0.5},
	} {
		m := w.head(w.append(c.caller, fact("Note "+w.IDs.New(), func(d *Draft) { d.Origin = c.origin })).ID)
		if m.Provenance.Origin != c.want || m.Trust() != c.trust {
			t.Errorf("origin %s trust %v, want %s %v", m.Provenance.Origin, m.Trust(), c.want, c.trust)
		}
	}
	_, err := w.Append(context.Background(), w.as(agent), fact("x", func(d *Draft) { d.Origin = ptr("person") }))
	wantField(t, err, "/origin")
}

func TestR04ArtifactRefHasNoVectorAndNoDocument(t *testing.T) {
	w := newWorld(t)
	id := w.add("Drawing of the keel.", ofType("artifact_ref"), func(d *Draft) { d.ArtifactURI = ptr("s3://drawings/keel") })
	if m := w.head(id); m.ArtifactURI != "s3://drawings/keel" || m.Indexed() {
		t.Errorf("stored %+v", m)
	}
	if w.model.calls != 0 || w.has(keys.MemoryVector(w.scope, id, w.model.Profile().Name())) {
		t.Error("it was embedded")
	}
	if again := w.add("drawing of the KEEL.", ofType("artifact_ref"), func(d *Draft) { d.ArtifactURI = ptr("s3://drawings/keel") }); again != id {
		t.Error("an equal one did not join it")
	}
}

func TestS056DeferredEmbeddingLeavesAJob(t *testing.T) {
	w := newWorld(t)
	w.workspace.Settings.DeferEmbedding = true
	w.wantDeferred(w.append(agent, fact("The sluice opens at noon.")))
	if w.model.calls != 0 {
		t.Error("the model was asked")
	}
}

func TestS056AModelThatIsDownLeavesAJob(t *testing.T) {
	w := newWorld(t)
	w.model.down = true
	w.wantDeferred(w.append(agent, fact("The sluice opens at noon.")))
}

func (w *world) wantDeferred(a Appended) {
	w.t.Helper()
	job, found, err := (&outbox.Runner{Store: w.Store}).Find(context.Background(), w.scope, a.OperationID)
	if err != nil || !found || job.Kind != outbox.Embed || job.ItemID != a.ID {
		w.t.Errorf("job %+v, %v, %v", job, found, err)
	}
	if w.has(keys.MemoryVector(w.scope, a.ID, w.model.Profile().Name())) {
		w.t.Error("there is a vector")
	}
}

func TestS018HostileTextIsHeld(t *testing.T) {
	w := newWorld(t)
	for name, d := range map[string]Draft{
		"content": fact(hostile),
		"speaker": fact("The tide turns.", saidBy(hostile)),
		"tag":     fact("The tide turns.", tagged(map[string]string{"note": hostile})),
	} {
		a := w.append(agent, d)
		m := w.head(a.ID)
		if a.Merged || m.Status != Quarantined || m.Trust() != 0 || len(m.Quarantine.Reasons) == 0 {
			t.Errorf("%s: %+v", name, m)
		}
		if !w.has(keys.Quarantined(w.scope, a.ID)) || m.Indexed() {
			t.Errorf("%s: not listed, or indexed", name)
		}
		w.wantOps(a.ID, ledger.Quarantine)
	}
	if w.model.calls != 0 {
		t.Error("held text was shown to the model")
	}
}

func TestR075HeldTextNeitherMergesNorSupersedes(t *testing.T) {
	w := newWorld(t)
	current := w.add("The signal code is amber.", ofAttribute("code"))
	one, two := w.add(hostile, ofAttribute("code")), w.add(hostile, ofAttribute("code"))
	if one == two {
		t.Error("held texts merged")
	}
	if m := w.head(current); m.Status != Active {
		t.Errorf("superseded by held text: %+v", m)
	}
}

func TestT14StoredBytesAreCountedAndLimited(t *testing.T) {
	w := newWorld(t)
	limit := int64(60)
	w.workspace.Settings.Budgets.StoredBytes = &limit
	id := w.append(agent, fact("Thirty bytes of some text here")).ID
	_, err := w.Append(context.Background(), w.as(agent), fact("Another thirty-one bytes of text"))
	wantCode(t, err, "BUDGET_EXHAUSTED")
	head, err := ledger.ReadHead(context.Background(), w.Store, w.scope)
	if err != nil || head.Bytes != 30 || head.Items != 1 {
		t.Errorf("head %+v, %v", head, err)
	}
	if err := w.delete(agent, id); err != nil {
		t.Fatal(err)
	}
	head, err = ledger.ReadHead(context.Background(), w.Store, w.scope)
	if err != nil || head.Bytes != 0 || head.Items != 0 {
		t.Errorf("head after the delete %+v, %v", head, err)
	}
	w.append(agent, fact("Another thirty-one bytes of text"))
}

func TestT15AppendWithAKeyIsDoneOnce(t *testing.T) {
	w := newWorld(t)
	target := w.keyed(agent, "k", "{}")
	first, err := w.Append(context.Background(), target, fact("The chart is new."))
	if err != nil {
		t.Fatal(err)
	}
	again, err := w.Append(context.Background(), target, fact("The chart is new."))
	if err != nil || !again.Replayed || again.ID != first.ID || again.OperationID != first.OperationID || again.Merged {
		t.Errorf("replay %+v, %v", again, err)
	}
	_, err = w.Append(context.Background(), w.keyed(agent, "k", `{"other":1}`), fact("The chart is old."))
	wantCode(t, err, "IDEMPOTENCY_KEY_REUSED")
	w.wantOps(first.ID, ledger.Create)
}

func TestR079AReplayOfAnErasedAppendAnswersTheIDs(t *testing.T) {
	w := newWorld(t)
	target := w.keyed(agent, "k", "{}")
	first, err := w.Append(context.Background(), target, fact("The chart is new."))
	if err != nil {
		t.Fatal(err)
	}
	if err := w.delete(agent, first.ID); err != nil {
		t.Fatal(err)
	}
	again, err := w.Append(context.Background(), target, fact("The chart is new."))
	if err != nil || again.ID != first.ID {
		t.Errorf("replay %+v, %v", again, err)
	}
	r, err := w.receiptOf(context.Background(), w.scope, withoutResult(again))
	if err != nil || r.MemoryID != first.ID {
		t.Errorf("without its reference %+v, %v", r, err)
	}
}

func TestR058BatchItemsStandOnTheirOwn(t *testing.T) {
	w := newWorld(t)
	var items []Item
	for i, d := range []Draft{
		fact("The mole has a lamp."), fact(""), fact("the MOLE has a lamp."), fact("x", ofType("rumour")), fact("The quay has rails."),
	} {
		items = append(items, Item{Target: w.as(agent), Draft: d, Base: "/items/" + string(rune('0'+i))})
	}
	items = append(items, Item{Target: w.as(agent), Fault: context.Canceled})
	results, faults := w.AppendMany(context.Background(), items)
	if results[2].ID != results[0].ID || !results[2].Merged || results[0].Merged || results[4].ID == "" {
		t.Errorf("results %+v", results)
	}
	wantField(t, faults[1], "/items/1/content")
	wantCode(t, faults[3], "UNKNOWN_TYPE")
	if faults[0] != nil || faults[2] != nil || faults[4] != nil || faults[5] != context.Canceled {
		t.Errorf("faults %v", faults)
	}
	if w.model.calls != 1 || len(w.model.texts) != 3 {
		t.Errorf("%d calls with %q", w.model.calls, w.model.texts)
	}
	w.wantOps(results[0].ID, ledger.Create, ledger.Merge)
}

func TestT15EachBatchItemHasTheKeyAndItsIndex(t *testing.T) {
	w := newWorld(t)
	target := w.keyed(agent, "k", "{}")
	batch := func(texts ...string) []Appended {
		var items []Item
		for i, text := range texts {
			item := Item{Target: target, Draft: fact(text)}
			key := target.Key.Part(i, []byte(`"`+text+`"`))
			item.Key = &key
			items = append(items, item)
		}
		results, faults := w.AppendMany(context.Background(), items)
		if i := slices.IndexFunc(faults, func(err error) bool { return err != nil }); i >= 0 {
			t.Fatal(faults[i])
		}
		return results
	}
	first := batch("One lamp.", "One lamp.")
	again := batch("One lamp.", "One lamp.", "A third lamp.")
	if !again[0].Replayed || !again[1].Replayed || again[2].Replayed {
		t.Errorf("replayed %v %v %v", again[0].Replayed, again[1].Replayed, again[2].Replayed)
	}
	if again[1].OperationID != first[1].OperationID || !again[1].Merged || again[0].Merged {
		t.Errorf("second call %+v", again)
	}
}
