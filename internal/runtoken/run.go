package runtoken

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"time"

	"holdfast/internal/apikey"
	"holdfast/internal/ledger"
	"holdfast/internal/outbox"
	"holdfast/internal/store"
	"holdfast/internal/store/keys"
	"holdfast/internal/tenant"
)

// Lifetime is how long a run's token is valid: long enough for a run that waits a
// working day for an approval.
const Lifetime = 24 * time.Hour

// kept is how long a run's row stays after its token has ceased, for whoever looks
// for what happened.
const kept = 7 * 24 * time.Hour

// Form is what the text of a run's token begins with.
const Form apikey.Form = "holdfast_run_"

// Run is one invocation of an agent.
type Run struct {
	ID         string       `json:"-"` // UUIDv7
	Scope      tenant.Scope `json:"-"`
	AgentID    string       `json:"agent"`
	UserID     string       `json:"user,omitempty"`       // of the end user; empty: none
	ParentID   string       `json:"parent,omitempty"`     // empty: none
	Experiment string       `json:"experiment,omitempty"` // the run that began it; empty: none
	KeyID      string       `json:"key"`                  // of the key that started it
	StartedAt  time.Time    `json:"startedAt"`
	ExpiresAt  time.Time    `json:"expiresAt"`
	EndedAt    *time.Time   `json:"endedAt,omitempty"`
}

// Ended tells a run that is over: its token reads and writes no more.
func (r Run) Ended() bool { return r.EndedAt != nil }

// Root tells the run that began an experiment.
func (r Run) Root() bool { return r.Experiment == r.ID }

// expired tells whether the token's time is over: the instant of ExpiresAt is the
// first at which it is refused.
func (r Run) expired(now time.Time) bool { return !now.Before(r.ExpiresAt) }

// Actor is how log rows and receipts name the run: by the key that started it.
func (r Run) Actor() ledger.Actor {
	return ledger.Actor{KeyID: r.KeyID, Kind: apikey.Agent, SourceID: r.AgentID}
}

// Attributes of a run's row.
const (
	attrDoc       = "d"
	attrDigest    = "sha256"
	attrRevision  = "r"
	attrTenant    = "tenant"
	attrWorkspace = "ws"
)

// item is a run's row. An experiment is due when its time is over, for the cleaner.
func (r Run) item(digest []byte, revision int64) (store.Item, error) {
	doc, err := json.Marshal(r)
	if err != nil {
		return store.Item{}, fmt.Errorf("runtoken: row: %w", err)
	}
	item := store.Item{
		Key: keys.RunToken(r.ID),
		Attrs: store.Attrs{
			attrDoc: store.B(doc), attrDigest: store.B(digest), attrRevision: store.N(revision),
			attrTenant: store.S(r.Scope.TenantID()), attrWorkspace: store.S(r.Scope.WorkspaceID()),
		},
		Expires: r.ExpiresAt.Add(kept),
	}
	if at, ok := r.due(); ok {
		item.Due = &store.Due{Shard: outbox.Shard(r.Scope), At: at}
	}
	return item, nil
}

// row is a run with what only this package needs of it.
type row struct {
	Run
	digest   [sha256.Size]byte
	revision int64
}

func decode(id string, item store.Item) (row, error) {
	r := row{revision: item.Attrs.Int(attrRevision)}
	if err := json.Unmarshal(item.Attrs.Bytes(attrDoc), &r.Run); err != nil {
		return row{}, fmt.Errorf("runtoken: stored row: %w", err)
	}
	if copy(r.digest[:], item.Attrs.Bytes(attrDigest)) != sha256.Size {
		return row{}, fmt.Errorf("runtoken: stored row without a digest")
	}
	r.ID, r.Scope = id, tenant.Grant(item.Attrs.Text(attrTenant), item.Attrs.Text(attrWorkspace))
	return r, nil
}
