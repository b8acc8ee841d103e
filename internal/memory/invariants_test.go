package memory

import (
	"context"
	"maps"
	"slices"
	"strings"

	"holdfast/internal/ledger"
	"holdfast/internal/store"
	"holdfast/internal/store/keys"
)

// sound holds every row of the workspace against the package's invariants.
func (w *world) sound() {
	w.t.Helper()
	rows := w.items()
	maps.DeleteFunc(rows, func(key store.Key, _ store.Item) bool {
		scope, scoped := keys.ScopeOf(key)
		return scoped && scope != w.scope
	})
	h, err := w.Hasher(context.Background(), w.scope)
	if err != nil {
		w.t.Fatal(err)
	}
	want := map[store.Key]string{} // look-up rows that live memories must have: to what they say
	var items, bytes int64
	for key, item := range rows {
		if key.SK != "HEAD" || !strings.Contains(key.PK, "#M#") {
			continue
		}
		m, err := Decode(item)
		if err != nil {
			w.t.Fatal(err)
		}
		if m.IsDeleted() {
			w.soundTombstone(rows, m)
			continue
		}
		items, bytes = items+1, bytes+m.Bytes
		w.soundLive(rows, h, m, want)
	}
	w.soundLookups(rows, want)
	head, err := ledger.ReadHead(context.Background(), w.Store, w.scope)
	if err != nil || head.Items != items || head.Bytes != bytes {
		w.t.Errorf("counted %d items of %d bytes, there are %d of %d (%v)", head.Items, head.Bytes, items, bytes, err)
	}
	w.soundLog(head.Sequence)
}

func (w *world) soundTombstone(rows map[store.Key]store.Item, m *Memory) {
	w.t.Helper()
	if m.Content != "" || m.Salt != nil || !m.Subject.IsZero() || m.Tags != nil || m.Deletion == nil {
		w.t.Errorf("tombstone %+v", m)
	}
	if _, there := rows[keys.Erasure(w.scope, m.ID)]; !there {
		w.t.Errorf("%s: no erasure", m.ID)
	}
}

func (w *world) soundLive(rows map[store.Key]store.Item, h Hasher, m *Memory, want map[store.Key]string) {
	w.t.Helper()
	want[listKey(w.scope, m)] = ""
	for _, hash := range h.Subject(m.Subject) {
		want[keys.Subject(w.scope, hash, Family, m.ID)] = ""
	}
	for _, id := range m.Cites() {
		want[keys.Derived(w.scope, id, m.ID)] = ""
	}
	if m.Layer == Tenant {
		want[keys.TenantMemory(tenantID, m.ID)] = ""
	}
	if by := m.Temporal.SupersededBy; by != "" {
		want[keys.Superseded(w.scope, by, m.ID)] = ""
	}
	switch m.Status {
	case Superseded:
		if m.Attribute != "" {
			w.soundPast(rows, h, m, want)
		}
	case Quarantined:
		want[keys.Quarantined(w.scope, m.ID)] = ""
	case Active:
		if m.Attribute != "" {
			want[keys.Attribute(w.scope, h.attribute(m))] = m.ID
		}
		text := formsOf(m.Content)
		want[keys.Duplicate(w.scope, h.duplicate(m, text))] += m.ID + "=" + h.exact(text) + " "
		if said := claimedBy(m); said.ok {
			want[keys.Claim(w.scope, h.claim(m, said.Key()))] += m.ID + "= "
		}
	}
	var versions int64
	for key, item := range rows {
		if key.PK != keys.MemoryPK(w.scope, m.ID) {
			continue
		}
		if strings.HasPrefix(key.SK, keys.VersionPrefix) {
			versions++
		}
		if strings.HasPrefix(key.SK, keys.VectorPrefix) && (item.Attrs.Int(AttrVersion) != m.Version || !m.Indexed()) {
			w.t.Errorf("%s: a vector of version %d beside version %d", m.ID, item.Attrs.Int(AttrVersion), m.Version)
		}
	}
	if versions != m.Version-1 && m.Edition.Reason != ByRebuild { // which keeps none
		w.t.Errorf("%s: %d earlier versions of %d", m.ID, versions, m.Version)
	}
}

// soundPast holds a superseded value against the row of its attribute, unless the
// service could not know when it began.
func (w *world) soundPast(rows map[store.Key]store.Item, h Hasher, m *Memory, want map[store.Key]string) {
	w.t.Helper()
	key := keys.Attribute(w.scope, h.attribute(m))
	item := rows[key]
	row, err := decodeCurrent(key, &item)
	if err != nil {
		w.t.Fatal(err)
	}
	at := slices.IndexFunc(row.past, func(p pastValue) bool { return p.ID == m.ID })
	switch {
	case at >= 0:
		want[key] += ""
		if p := row.past[at]; !p.From.Equal(m.Temporal.EventTime()) || !p.To.Equal(*m.Temporal.ReplacedFrom) {
			w.t.Errorf("%s: listed as %+v, is %+v", m.ID, p, m.Temporal)
		}
	case m.Temporal.ValidFrom != nil || m.Temporal.ValidTo == nil:
		w.t.Errorf("%s: not among the values before", m.ID)
	}
}

// soundLookups holds look-up rows both ways: none is missing, none is left over.
func (w *world) soundLookups(rows map[store.Key]store.Item, want map[store.Key]string) {
	w.t.Helper()
	for key, text := range want {
		item, there := rows[key]
		got := item.Attrs.Text(attrID)
		if stored := item.Attrs.Text(attrEntries); stored != "" {
			got, text = sorted(stored), sorted(strings.TrimSpace(text))
		}
		if !there || got != text {
			w.t.Errorf("row %s / %s: %v %q, want %q", key.PK, key.SK, there, got, text)
		}
	}
	for key := range rows {
		for _, tag := range []string{"#ML#", "#S#", "#DUP#", "#AT#", "#CL#"} {
			if _, wanted := want[key]; strings.Contains(key.PK, tag) && !wanted {
				w.t.Errorf("left over: %s / %s", key.PK, key.SK)
			}
		}
		if _, wanted := want[key]; strings.HasSuffix(key.PK, "#Q") && !wanted {
			w.t.Errorf("left over: %s / %s", key.PK, key.SK)
		}
	}
}

func sorted(entries string) string {
	list := strings.Fields(entries)
	slices.Sort(list)
	return strings.Join(list, " ")
}

func (w *world) soundLog(last int64) {
	w.t.Helper()
	rows, err := (ledger.Log{Store: w.Store}).Rows(context.Background(), w.scope, 1, 10_000)
	if err != nil || int64(len(rows)) != last {
		w.t.Fatalf("%d rows up to %d, %v", len(rows), last, err)
	}
	for i, row := range rows {
		if row.Sequence != int64(i+1) || row.Entry.Family != Family || row.Entry.ItemID == "" {
			w.t.Errorf("row %d: %+v", i+1, row)
		}
	}
}
