package outbox

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"time"

	"holdfast/internal/store"
	"holdfast/internal/store/keys"
	"holdfast/internal/tenant"
)

const (
	attrDoc  = "d"
	attrKind = "kind"
	attrRev  = "rev" // grows with each change: what a lease is conditional on
	attrSeq  = "seq"
)

// wireJob is a job's stored form.
type wireJob struct {
	Kind      Kind              `json:"kind"`
	Tenant    string            `json:"tenant"`
	Workspace string            `json:"workspace"`
	Item      string            `json:"item"`
	Args      map[string]string `json:"args,omitempty"`
	State     State             `json:"state"`
	Attempts  int               `json:"attempts"`
	LastError string            `json:"lastError"`
	CreatedAt time.Time         `json:"createdAt"`
	DueAt     time.Time         `json:"dueAt"`
}

// Shard places a scope in the due index.
func Shard(scope tenant.Scope) int {
	h := fnv.New32a()
	_, _ = h.Write([]byte(scope.WorkspaceID())) // never fails
	return int(h.Sum32() % store.Shards)
}

func (j Job) item(rev int64) (store.Item, error) {
	doc, err := json.Marshal(wireJob{
		Kind: j.Kind, Tenant: j.Scope.TenantID(), Workspace: j.Scope.WorkspaceID(), Item: j.ItemID, Args: j.Args,
		State: j.State, Attempts: j.Attempts, LastError: j.LastError, CreatedAt: j.CreatedAt, DueAt: j.DueAt,
	})
	if err != nil {
		return store.Item{}, fmt.Errorf("outbox: job: %w", err)
	}
	item := store.Item{
		Key:   keys.Job(j.Scope, j.ID),
		Attrs: store.Attrs{attrDoc: store.B(doc), attrKind: store.S(string(j.Kind)), attrRev: store.N(rev)},
	}
	if j.State != Dead {
		item.Due = &store.Due{Shard: Shard(j.Scope), At: j.DueAt}
	}
	return item, nil
}

func fromItem(item store.Item) (Job, error) {
	var w wireJob
	if err := json.Unmarshal(item.Attrs.Bytes(attrDoc), &w); err != nil {
		return Job{}, fmt.Errorf("outbox: stored job: %w", err)
	}
	return Job{
		ID: item.Key.SK, Kind: w.Kind, Scope: tenant.Grant(w.Tenant, w.Workspace), ItemID: w.Item, Args: w.Args,
		State: w.State, Attempts: w.Attempts, LastError: w.LastError, CreatedAt: w.CreatedAt, DueAt: w.DueAt,
	}, nil
}

// ReadJob reads a job's row.
func ReadJob(item store.Item) (Job, error) { return fromItem(item) }

// Put is the action that writes a new job in the commit that asks for it.
func (j Job) Put(label string) (store.Action, error) {
	item, err := j.item(1)
	return store.PutItem(label, item, store.IfAbsent()), err
}

// Mark is the row that is due while a workspace's index may lag behind its log:
// what lets the sweep find an index message that was lost.
func Mark(label string, scope tenant.Scope, seq int64, due time.Time) store.Action {
	return store.PutItem(label, store.Item{
		Key:   keys.IndexMark(scope),
		Attrs: store.Attrs{attrSeq: store.N(seq), attrKind: store.S(string(Index))},
		Due:   &store.Due{Shard: Shard(scope), At: due},
	}, nil)
}

// Unmark removes the mark if it still names a sequence at or below the one that
// the index has reached; the condition is the very row, so a newer mark stays.
func Unmark(scope tenant.Scope, seq int64) store.Action {
	return store.DeleteItem("mark", keys.IndexMark(scope), store.IfEqual(attrSeq, store.N(seq)))
}

// KindEvents is the kind of the row that marks a workspace which has webhooks. It is
// due as long as it is there: only what looks after webhooks knows what there is to do.
const KindEvents = "events"
