package memory

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"holdfast/internal/ids"
	"holdfast/internal/store"
	"holdfast/internal/store/keys"
	"holdfast/internal/tenant"
)

// Attributes of the rows.
const (
	AttrVersion  = "v" // HEAD (but for a tombstone) and vector: version of the text; conditions name it
	attrRevision = "r" // HEAD: grows with each change of the row
	attrStatus   = "st"
	attrDoc      = "d" // JSON
	attrVector   = "e"
	attrProfile  = "p" // version: of its vector
	attrHeld     = "h" // version: it was in quarantine as long as it was current
	attrID       = "id"
)

// format is the version of stored documents. Readers accept it and the one
// before, whose members are all members of it; testdata holds a golden of each.
const format = 2

type storedHead struct {
	Format int `json:"f"`
	*Memory
}

// headItem is the HEAD row of a memory.
func headItem(scope tenant.Scope, m *Memory) (store.Item, error) {
	doc, err := json.Marshal(storedHead{format, m})
	if err != nil {
		return store.Item{}, fmt.Errorf("memory: head: %w", err)
	}
	item := store.Item{Key: keys.Memory(scope, m.ID), Attrs: store.Attrs{
		AttrVersion:  store.N(m.Version),
		attrRevision: store.N(m.Revision),
		attrStatus:   store.S(string(m.Status)),
		attrDoc:      store.B(doc),
	}}
	if m.IsDeleted() {
		delete(item.Attrs, AttrVersion) // there is no text any more that StillAt could hold for
	}
	return item, nil
}

// Decode reads a HEAD row, a tombstone too.
func Decode(item store.Item) (*Memory, error) {
	scope, id, ok := keys.MemoryOf(item.Key)
	if !ok {
		return nil, fmt.Errorf("memory: no memory's key")
	}
	head, err := decodeHead(item.Attrs.Bytes(attrDoc))
	if err != nil {
		return nil, err
	}
	if head.Format != format && head.Format != format-1 {
		return nil, fmt.Errorf("memory: stored head of format %d", head.Format)
	}
	head.ID, head.WorkspaceID = id, scope.WorkspaceID()
	return head.Memory, nil
}

func decodeHead(doc []byte) (*storedHead, error) {
	if head := readHead(doc); head != nil {
		return head, nil
	}
	head := &storedHead{Memory: &Memory{}}
	if err := json.Unmarshal(doc, head); err != nil {
		return nil, fmt.Errorf("memory: stored head: %w", err)
	}
	return head, nil
}

// versionItem is the row of an earlier text.
func versionItem(scope tenant.Scope, id string, v Version) (store.Item, error) {
	doc, err := json.Marshal(v)
	if err != nil {
		return store.Item{}, fmt.Errorf("memory: version: %w", err)
	}
	return store.Item{
		Key:   keys.MemoryVersion(scope, id, v.Version),
		Attrs: store.Attrs{attrDoc: store.B(doc)},
	}, nil
}

func decodeVersion(item store.Item) (Version, error) {
	number, err := strconv.ParseInt(strings.TrimPrefix(item.Key.SK, keys.VersionPrefix), 10, 64)
	if err != nil {
		return Version{}, fmt.Errorf("memory: version key: %w", err)
	}
	var v Version
	if err := json.Unmarshal(item.Attrs.Bytes(attrDoc), &v); err != nil {
		return Version{}, fmt.Errorf("memory: stored version: %w", err)
	}
	v.Version = number
	return v, nil
}

// listKey is a memory's place in the list: by the month in its id, which is
// also its order, so the key follows from the id alone.
func listKey(scope tenant.Scope, m *Memory) store.Key {
	at, ok := ids.Time(m.ID)
	if !ok {
		at = m.CreatedAt
	}
	return keys.MemoryList(scope, at, m.ID)
}

// Attributes of list rows: what never changes and lists filter by.
const (
	attrLayer       = "l"
	attrType        = "t"
	attrRun         = "n"
	attrApplication = "a"
	attrAgent       = "g"
	attrUser        = "u"
)

// listItem is the list row: filters read it before they read any HEAD.
func listItem(scope tenant.Scope, m *Memory) store.Item {
	attrs := store.Attrs{attrLayer: store.S(string(m.Layer)), attrType: store.S(string(m.Type))}
	for name, value := range map[string]string{
		attrRun: m.RunID, attrApplication: m.Subject.ApplicationID,
		attrAgent: m.Subject.AgentID, attrUser: m.Subject.UserID,
	} {
		if value != "" {
			attrs[name] = store.S(value)
		}
	}
	return store.Item{Key: listKey(scope, m), Attrs: attrs}
}

// tenantItem is the row that shows a memory of layer Tenant to the other
// workspaces of its tenant.
func tenantItem(scope tenant.Scope, m *Memory) store.Item {
	return store.Item{
		Key: keys.TenantMemory(scope.TenantID(), m.ID),
		Attrs: store.Attrs{
			attrWorkspace: store.S(scope.WorkspaceID()), attrType: store.S(string(m.Type)),
			attrFloor: store.T(m.NonNegotiable),
		},
	}
}

const (
	attrWorkspace = "w"
	attrFloor     = "nn"
)

// TenantRow is what the tenant's list says of a memory of layer Tenant.
type TenantRow struct {
	ID, WorkspaceID string
	Type            Type
	NonNegotiable   bool
}

// DecodeTenantRow reads a row of keys.TenantMemory.
func DecodeTenantRow(item store.Item) TenantRow {
	return TenantRow{
		ID:            strings.TrimPrefix(item.Key.SK, keys.TenantMemoryPrefix),
		WorkspaceID:   item.Attrs.Text(attrWorkspace),
		Type:          Type(item.Attrs.Text(attrType)),
		NonNegotiable: item.Attrs.Bool(attrFloor),
	}
}

// utc is a time as rows and answers show it: UTC, to the millisecond.
func utc(at time.Time) time.Time { return at.UTC().Truncate(time.Millisecond) }
