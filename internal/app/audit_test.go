package app_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"holdfast/internal/idem"
	"holdfast/internal/ledger"
	"holdfast/internal/memory"
	"holdfast/internal/outbox"
	"holdfast/internal/store"
	"holdfast/internal/store/keys"
	"holdfast/internal/tenant"
)

// audit is the whole table, held against what its rows promise each other: no row
// stands without the one that it belongs to (T.17).
type audit struct {
	t     testing.TB
	store store.Store
	rows  map[store.Key]store.Item
	heads map[tenant.Scope]map[string]*memory.Memory
}

// audited reads every row of the table and checks them all.
func audited(t testing.TB, table interface {
	store.Store
	store.Scanner
}) {
	t.Helper()
	a := &audit{t: t, store: table, rows: map[store.Key]store.Item{}, heads: map[tenant.Scope]map[string]*memory.Memory{}}
	err := table.Scan(t.Context(), func(item store.Item) error { a.rows[item.Key] = item; return nil })
	if err != nil {
		t.Fatal(err)
	}
	a.read()
	for key, item := range a.rows {
		a.row(key, item)
	}
	for scope, heads := range a.heads {
		a.workspace(scope, heads)
	}
}

func (a *audit) read() {
	a.t.Helper()
	for key, item := range a.rows {
		scope, id, ok := keys.MemoryOf(key)
		if !ok || key.SK != keys.HeadSK {
			continue
		}
		m, err := memory.Decode(item)
		if err != nil {
			a.t.Fatal(err)
		}
		if a.heads[scope] == nil {
			a.heads[scope] = map[string]*memory.Memory{}
		}
		a.heads[scope][id] = m
	}
}

func (a *audit) wrong(key store.Key, format string, args ...any) {
	a.t.Helper()
	a.t.Errorf("row %s / %s: %s", key.PK, key.SK, fmt.Sprintf(format, args...))
}

// is asks for a memory in one of these states.
func (a *audit) is(key store.Key, scope tenant.Scope, id string, states ...memory.Status) {
	a.t.Helper()
	m := a.heads[scope][id]
	if m == nil {
		a.wrong(key, "there is no memory %s", id)
	} else if !slices.Contains(states, m.Status) {
		a.wrong(key, "memory %s is %s, want one of %v", id, m.Status, states)
	}
}

func (a *audit) has(key store.Key) bool { _, found := a.rows[key]; return found }

var live = []memory.Status{memory.Active, memory.Superseded, memory.Quarantined}

// row checks one row against those that it names.
func (a *audit) row(key store.Key, item store.Item) {
	a.t.Helper()
	parts := strings.Split(key.PK, "#")
	if parts[0] == "T" || parts[0] == "K" || len(parts) < 2 {
		a.tenantRow(key, item, parts)
		return
	}
	scope, ok := keys.ScopeOf(key)
	if !ok || len(parts) < 3 {
		return // the root key's scope, whose records only settle the ids of tenants
	}
	switch parts[2] {
	case "M":
		if key.SK != keys.HeadSK {
			a.is(key, scope, parts[3], live...)
		}
	case "ML":
		a.is(key, scope, key.SK, live...)
	case "Q":
		a.is(key, scope, key.SK, memory.Quarantined)
	case "S":
		a.is(key, scope, strings.TrimPrefix(key.SK, memory.Family+"#"), live...)
	case "AT":
		a.values(key, scope, item)
	case "DUP":
		for entry := range strings.FieldsSeq(item.Attrs.Text("e")) {
			id, _, _ := strings.Cut(entry, "=")
			a.is(key, scope, id, memory.Active)
		}
	case "X":
		a.is(key, scope, parts[3], memory.Deleted)
	case "CAN":
		a.is(key, scope, key.SK, memory.Deleted)
	case "I":
		a.operation(key, scope, idem.FromItem(item).OperationID)
	}
}

// values checks an attribute's row: its current value, if there is one, and those
// that were superseded.
func (a *audit) values(key store.Key, scope tenant.Scope, item store.Item) {
	a.t.Helper()
	if id := item.Attrs.Text("id"); id != "" {
		a.is(key, scope, id, memory.Active)
	}
	var past []struct{ ID string }
	if doc := item.Attrs.Bytes("d"); doc != nil {
		if err := json.Unmarshal(doc, &past); err != nil {
			a.t.Fatal(err)
		}
	}
	for _, one := range past {
		a.is(key, scope, one.ID, memory.Superseded)
	}
}

// operation asks for the row of an idempotency record's effect, with its log rows.
func (a *audit) operation(key store.Key, scope tenant.Scope, id string) {
	a.t.Helper()
	op, found, err := ledger.ReadOperation(a.t.Context(), a.store, scope, id)
	if err != nil || !found {
		a.wrong(key, "no operation %s (%v)", id, err)
		return
	}
	for n := range op.Rows {
		row, found, err := ledger.Log{Store: a.store}.Row(a.t.Context(), scope, op.Sequence+int64(n))
		if err != nil || !found || row.OperationID != id {
			a.wrong(key, "log row %d of operation %s: %v, %v", n, id, found, err)
		}
	}
}

func (a *audit) tenantRow(key store.Key, item store.Item, parts []string) {
	a.t.Helper()
	tag, id, _ := strings.Cut(key.SK, "#")
	switch {
	case parts[0] == "K":
		return // each is named by its tenant's row, which is checked below
	case tag == "K" && !a.has(keys.APIKey(id)):
		a.wrong(key, "a key that cannot be looked up")
	case tag == "W" && !a.has(keys.Secret(tenant.Grant(parts[1], id))):
		a.wrong(key, "a workspace without its secret")
	case tag == "TM" || tag == "TF":
		row := memory.DecodeTenantRow(item)
		a.is(key, tenant.Grant(parts[1], row.WorkspaceID), id, live...)
	}
}

// workspace checks what each memory must have, the counters, the jobs and the chain.
func (a *audit) workspace(scope tenant.Scope, heads map[string]*memory.Memory) {
	a.t.Helper()
	var items, bytes int64
	words := a.mergeable(scope)
	for id, m := range heads {
		key := keys.Memory(scope, id)
		if m.IsDeleted() {
			if !a.has(keys.Erasure(scope, id)) {
				a.wrong(key, "deleted without an erasure")
			}
			continue
		}
		items, bytes = items+1, bytes+m.Bytes
		if !a.has(keys.MemoryList(scope, m.CreatedAt, id)) {
			a.wrong(key, "not in the list")
		}
		if a.has(keys.Quarantined(scope, id)) != (m.Status == memory.Quarantined) {
			a.wrong(key, "%s, in the quarantine list %v", m.Status, m.Status != memory.Quarantined)
		}
		if words[id] != (m.Status == memory.Active) {
			a.wrong(key, "%s, a merge target %v", m.Status, words[id])
		}
		for v := int64(1); v < m.Version; v++ {
			if !a.has(keys.MemoryVersion(scope, id, v)) {
				a.wrong(key, "version %d of %d is not there", v, m.Version)
			}
		}
	}
	head, err := ledger.ReadHead(a.t.Context(), a.store, scope)
	if err != nil || head.Items != items || head.Bytes != bytes {
		a.t.Errorf("%v counts %d items of %d bytes, there are %d of %d (%v)", scope, head.Items, head.Bytes, items, bytes, err)
	}
	v, err := ledger.Log{Store: a.store}.Verify(a.t.Context(), scope, 1, 0)
	if err != nil || v.Break != nil || v.Checked != head.Sequence {
		a.t.Errorf("chain of %v: %+v, %v", scope, v, err)
	}
	a.jobs(scope, heads)
}

// mergeable are the memories that a duplicate row names.
func (a *audit) mergeable(scope tenant.Scope) map[string]bool {
	out := map[string]bool{}
	prefix := scope.TenantID() + "#" + scope.WorkspaceID() + "#DUP#"
	for key, item := range a.rows {
		if strings.HasPrefix(key.PK, prefix) {
			for entry := range strings.FieldsSeq(item.Attrs.Text("e")) {
				id, _, _ := strings.Cut(entry, "=")
				out[id] = true
			}
		}
	}
	return out
}

func (a *audit) jobs(scope tenant.Scope, heads map[string]*memory.Memory) {
	a.t.Helper()
	list, _, err := (&outbox.Runner{Store: a.store}).List(a.t.Context(), scope, "", 1_000_000, "")
	if err != nil {
		a.t.Fatal(err)
	}
	for _, job := range list {
		m := heads[job.ItemID]
		if m == nil || job.Kind == outbox.Erase && !m.IsDeleted() {
			a.t.Errorf("job %+v of no such memory", job)
		}
	}
}
