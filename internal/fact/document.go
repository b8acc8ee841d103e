package fact

import (
	"context"
	"time"

	"holdfast/internal/store"
	"holdfast/internal/store/keys"
	"holdfast/internal/tenant"
)

// Document is what search knows of a fact.
type Document struct {
	Scope      tenant.Scope
	Space      string // Space.Hash
	ID         string
	Version    int64
	Updated    time.Time
	Path       Path
	Tags       []string
	Text       string
	User       string // in whose folder it is; empty: in none
	Generation int64  // of that folder: a search of a user asks for the current one
}

// Document is the fact as search knows it.
func (f *Fact) Document(scope tenant.Scope) Document {
	return Document{Scope: scope, Space: f.Space, ID: f.ID, Version: f.Version, Updated: f.UpdatedAt, Path: f.Path,
		Tags: f.Tags, Text: f.Text, User: f.User(), Generation: f.Generation}
}

// Projector tells the index what is true now.
type Projector struct{ Facts *Service }

// Live answers the documents of facts in the order asked: nil for one that search must
// not know, as one that is deleted, erased or in quarantine. No id may occur twice.
func (p Projector) Live(ctx context.Context, scope tenant.Scope, ids []string) ([]*Document, error) {
	found, err := heads(ctx, p.Facts.Store, scope, ids)
	if err != nil {
		return nil, err
	}
	out := make([]*Document, len(found))
	sights := map[string]*sight{} // by space
	for i, f := range found {
		if f == nil || !f.Searched() {
			continue
		}
		v := sights[f.Space]
		if v == nil {
			v = p.Facts.sight(Target{Scope: scope, Space: Space{hash: f.Space}})
			sights[f.Space] = v
		}
		current, err := v.current(ctx, f.User(), f.Generation)
		if err != nil {
			return nil, err
		}
		if current {
			d := f.Document(scope)
			out[i] = &d
		}
	}
	return out, nil
}

// Rebuild is the document of a HEAD row, for an index that is filled from the whole
// table; false: search must not know it. It cannot tell a fact of an erased user that
// is on its way out: the search asks for the folder's generation.
func Rebuild(item store.Item) (Document, bool, error) {
	f, err := Decode(item)
	if err != nil || !f.Searched() {
		return Document{}, false, err
	}
	scope, _, _ := keys.FactOf(item.Key)
	return f.Document(scope), true, nil
}
