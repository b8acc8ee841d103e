package apikey

import (
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"time"

	"holdfast/internal/capability"
	"holdfast/internal/store"
	"holdfast/internal/store/keys"
)

// schema is the version of a key's rows.
const schema = 1

// The attributes of a key's rows. Lists of ids and capabilities are joined with
// a space, which neither can hold; purposes are free text, so they are JSON.
const (
	attrSchema       = "v"
	attrTenant       = "tenant"
	attrKind         = "kind"
	attrName         = "name"
	attrRole         = "role"
	attrCapabilities = "caps"
	attrWorkspaces   = "ws" // absent: all
	attrSource       = "src"
	attrVendor       = "vendor"
	attrPurposes     = "purposes"
	attrExpires      = "exp" // milliseconds; absent: never
	attrCreated      = "at"  // milliseconds
	attrDigest       = "sha256"
)

// attrs is a key as a row, without the secret's digest.
func attrs(p Principal) (store.Attrs, error) {
	purposes, err := json.Marshal(p.Purposes)
	if err != nil {
		return nil, fmt.Errorf("apikey: purposes: %w", err)
	}
	a := store.Attrs{
		attrSchema:       store.N(schema),
		attrTenant:       store.S(p.TenantID),
		attrKind:         store.S(p.Kind),
		attrName:         store.S(p.Name),
		attrRole:         store.S(p.Role),
		attrCapabilities: store.S(joinNames(p.Capabilities)),
		attrSource:       store.S(p.SourceID),
		attrVendor:       store.S(p.Vendor),
		attrPurposes:     store.S(string(purposes)),
		attrCreated:      store.N(p.CreatedAt.UnixMilli()),
	}
	if p.Workspaces != nil {
		a[attrWorkspaces] = store.S(strings.Join(p.Workspaces, " "))
	}
	if p.ExpiresAt != nil {
		a[attrExpires] = store.N(p.ExpiresAt.UnixMilli())
	}
	return a, nil
}

// fromAttrs reads a key's row back.
func fromAttrs(keyID string, a store.Attrs) (Principal, error) {
	if v := a.Int(attrSchema); v != schema {
		return Principal{}, fmt.Errorf("apikey: row of schema %d", v)
	}
	p := Principal{
		KeyID: keyID, TenantID: a.Text(attrTenant), Kind: a.Text(attrKind), Name: a.Text(attrName), Role: a.Text(attrRole),
		Capabilities: splitNames(a.Text(attrCapabilities)),
		SourceID:     a.Text(attrSource), Vendor: a.Text(attrVendor),
		CreatedAt: time.UnixMilli(a.Int(attrCreated)).UTC(),
	}
	if _, limited := a[attrWorkspaces]; limited {
		p.Workspaces = strings.Fields(a.Text(attrWorkspaces))
	}
	if _, expires := a[attrExpires]; expires {
		at := time.UnixMilli(a.Int(attrExpires)).UTC()
		p.ExpiresAt = &at
	}
	if err := json.Unmarshal([]byte(a.Text(attrPurposes)), &p.Purposes); err != nil {
		return Principal{}, fmt.Errorf("apikey: purposes of a row: %w", err)
	}
	return p, nil
}

func joinNames(names []capability.Name) string {
	parts := make([]string, len(names))
	for i, name := range names {
		parts[i] = string(name)
	}
	return strings.Join(parts, " ")
}

func splitNames(text string) []capability.Name {
	parts := strings.Fields(text)
	names := make([]capability.Name, len(parts))
	for i, part := range parts {
		names[i] = capability.Name(part)
	}
	return names
}

// Issued is a new key with its text, which is shown once and stored nowhere.
type Issued struct {
	Principal Principal
	Text      string
	secret    string
}

// Put answers the actions that make the key: its look-up row, which has the
// secret's digest, and its row in the tenant's list, which has not.
func (i Issued) Put() ([]store.Action, error) {
	p := i.Principal
	listed, err := attrs(p)
	if err != nil {
		return nil, err
	}
	sum := Digest(i.secret)
	looked := maps.Clone(listed)
	looked[attrDigest] = store.B(sum[:])
	return []store.Action{
		store.PutItem("key", store.Item{Key: keys.APIKey(p.KeyID), Attrs: looked}, store.IfAbsent()),
		store.PutItem("key-listed", store.Item{Key: keys.TenantKey(p.TenantID, p.KeyID), Attrs: listed}, store.IfAbsent()),
	}, nil
}

// RevokedFor is how long a revoked key's record is kept, so that a repeated call
// can still answer it: a little longer than idempotency keys live (T.15).
const RevokedFor = 25 * time.Hour

// Revoke answers the actions that end a key at a time. The condition labelled
// "key-listed" fails when it has ended already.
func Revoke(p Principal, at time.Time) ([]store.Action, error) {
	a, err := attrs(p)
	if err != nil {
		return nil, err
	}
	gone := store.Item{Key: keys.RevokedKey(p.TenantID, p.KeyID), Attrs: a, Expires: at.Add(RevokedFor)}
	return []store.Action{
		store.DeleteItem("key", keys.APIKey(p.KeyID), nil),
		store.DeleteItem("key-listed", keys.TenantKey(p.TenantID, p.KeyID), store.IfExists()),
		store.PutItem("key-revoked", gone, nil),
	}, nil
}

// Read reads a key back from its row in a tenant's list, or from the record of a
// revoked one.
func Read(keyID string, row store.Item) (Principal, error) { return fromAttrs(keyID, row.Attrs) }
