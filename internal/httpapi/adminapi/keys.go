package adminapi

import (
	"context"

	"github.com/danielgtaylor/huma/v2"

	"holdfast/internal/apikey"
	"holdfast/internal/capability"
	"holdfast/internal/httpapi"
	"holdfast/internal/routes"
	"holdfast/internal/tenant/directory"
)

// Capability is the name of a capability that a key can be given (T.35).
type Capability string

// Schema lists the names.
func (Capability) Schema(huma.Registry) *huma.Schema {
	s := &huma.Schema{Type: huma.TypeString}
	for _, name := range capability.All() {
		s.Enum = append(s.Enum, string(name))
	}
	return s
}

// NewKey says what a key is to be (T.33).
type NewKey struct {
	Kind         string        `json:"kind" enum:"agent,person"`
	Name         *string       `json:"name,omitempty" minLength:"1" maxLength:"200"`
	Role         *string       `json:"role,omitempty" enum:"integration,admin" doc:"Persons only; integration where neither role nor capabilities are given"`
	Capabilities []Capability  `json:"capabilities,omitempty" minItems:"1" uniqueItems:"true" doc:"Where it is left out an agent has what ordinary work needs; not beside a role"`
	Workspaces   []string      `json:"workspaces,omitempty" minItems:"1" maxItems:"100" uniqueItems:"true" nullable:"true" doc:"Where the key may act; null or left out: in all workspaces of the tenant"`
	SourceID     *string       `json:"sourceId,omitempty" minLength:"1" maxLength:"200" doc:"Agents only; made where it is left out"`
	Vendor       *string       `json:"vendor,omitempty" minLength:"1" maxLength:"200" doc:"Agents only"`
	Purposes     []string      `json:"purposes,omitempty" maxItems:"20" doc:"Agents only; each of 1 to 100 characters"`
	ExpiresAt    *httpapi.Time `json:"expiresAt,omitempty" doc:"In the future"`
}

func (k NewKey) asked() directory.NewKey {
	asked := directory.NewKey{
		Kind: k.Kind, Name: k.Name, Role: k.Role, Workspaces: k.Workspaces,
		SourceID: k.SourceID, Vendor: k.Vendor, Purposes: k.Purposes, ExpiresAt: k.ExpiresAt.Or(),
	}
	for _, name := range k.Capabilities {
		asked.Capabilities = append(asked.Capabilities, string(name))
	}
	return asked
}

// Key is a key without its secret.
type Key struct {
	KeyID        string        `json:"keyId"`
	Kind         string        `json:"kind" enum:"agent,person"`
	Name         *string       `json:"name" nullable:"true"`
	Role         *string       `json:"role" nullable:"true"`
	Capabilities []Capability  `json:"capabilities"`
	Workspaces   []string      `json:"workspaces" nullable:"true" doc:"null: all of the tenant"`
	SourceID     *string       `json:"sourceId" nullable:"true"`
	Vendor       *string       `json:"vendor" nullable:"true"`
	Purposes     []string      `json:"purposes"`
	ExpiresAt    *httpapi.Time `json:"expiresAt" nullable:"true"`
	CreatedAt    httpapi.Time  `json:"createdAt"`
}

func keyOf(p apikey.Principal) Key {
	k := Key{
		KeyID: p.KeyID, Kind: p.Kind, Name: orNull(p.Name), Role: orNull(p.Role), Capabilities: make([]Capability, len(p.Capabilities)),
		Workspaces: p.Workspaces, SourceID: orNull(p.SourceID), Vendor: orNull(p.Vendor), Purposes: p.Purposes,
		ExpiresAt: httpapi.AtOrNull(p.ExpiresAt), CreatedAt: httpapi.At(p.CreatedAt),
	}
	for i, name := range p.Capabilities {
		k.Capabilities[i] = Capability(name)
	}
	return k
}

// MadeKey is a new key with its text.
type MadeKey struct {
	Key
	Text *string `json:"key" nullable:"true" doc:"Shown once; null in a replay"`
}

type newKeyInput struct{ Body NewKey }

// KeysCreate makes a key.
func KeysCreate(d httpapi.Deps) httpapi.Endpoint {
	return httpapi.Handle(routes.AdminKeysCreate, func(ctx context.Context, c *httpapi.Call, in *newKeyInput) (httpapi.Reply[MadeKey], error) {
		made, err := d.Directory.CreateKey(ctx, caller(c), in.Body.asked())
		if err != nil {
			return httpapi.Reply[MadeKey]{}, err
		}
		return httpapi.OK(MadeKey{Key: keyOf(made.Principal), Text: orNull(made.Text)}).Wrote(made.Outcome), nil
	})
}

// KeysPage is a page of keys in the order they were made.
type KeysPage struct {
	Keys       []Key   `json:"keys"`
	NextCursor *string `json:"nextCursor" nullable:"true"`
}

// KeysList lists a tenant's keys, without secrets.
func KeysList(d httpapi.Deps) httpapi.Endpoint {
	return httpapi.Handle(routes.AdminKeysList, func(ctx context.Context, c *httpapi.Call, in *pageInput) (httpapi.Reply[KeysPage], error) {
		shown, next, err := list(c, in, keyOf, func(limit int, position string) ([]apikey.Principal, string, error) {
			return d.Directory.ListKeys(ctx, caller(c), limit, position)
		})
		return httpapi.OK(KeysPage{Keys: shown, NextCursor: next}), err
	})
}

type keyInput struct {
	KeyID string `path:"keyId"`
}

// KeysDelete revokes a key.
func KeysDelete(d httpapi.Deps) httpapi.Endpoint {
	return httpapi.Handle(routes.AdminKeysDelete, func(ctx context.Context, c *httpapi.Call, in *keyInput) (httpapi.Reply[struct{}], error) {
		out, err := d.Directory.DeleteKey(ctx, caller(c), in.KeyID, c.AllowsVersion)
		return httpapi.Reply[struct{}]{}.Wrote(out), err
	})
}
