package memory

import (
	"context"

	"holdfast/internal/embed"
	"holdfast/internal/errs"
	"holdfast/internal/store"
	"holdfast/internal/store/keys"
	"holdfast/internal/tenant"
)

// Vector is the embedding of one version's text.
type Vector struct {
	Version int64
	Values  []float32
}

// VectorItem is the row of a vector: also what the embed worker writes, under
// StillAt of the version that it embedded.
func VectorItem(scope tenant.Scope, id, profile string, v Vector) store.Item {
	return store.Item{
		Key:   keys.MemoryVector(scope, id, profile),
		Attrs: store.Attrs{AttrVersion: store.N(v.Version), attrVector: store.B(embed.Encode(v.Values))},
	}
}

// keepVector copies the vector of m's text, where there is one, into the row of that
// text: as-of reads look for it when another has taken its place.
func (c *change) keepVector(ctx context.Context, e *embeddings, m *Memory, row store.Item) error {
	if !m.Indexed() || e.model == nil {
		return nil
	}
	profile := e.model.Profile().Name()
	current, found, err := c.store.Get(ctx, keys.MemoryVector(c.Scope, m.ID, profile))
	if err != nil {
		return errs.Unread(err)
	}
	if found && current.Attrs.Int(AttrVersion) == m.Version {
		row.Attrs[attrVector], row.Attrs[attrProfile] = current.Attrs[attrVector], store.S(profile)
	}
	return nil
}

// StillAt is the condition that the memory still has this version's text: it does
// not hold once the memory is deleted.
func StillAt(scope tenant.Scope, id string, version int64) store.Action {
	return store.CheckItem("head", keys.Memory(scope, id), store.IfEqual(AttrVersion, store.N(version)))
}

// StillActive is the condition that the memory is active: neither held nor superseded
// nor deleted.
func StillActive(label string, scope tenant.Scope, id string) store.Action {
	return store.CheckItem(label, keys.Memory(scope, id), store.IfEqual(attrStatus, store.S(string(Active))))
}

func decodeVector(item store.Item) (Vector, error) {
	packed := item.Attrs.Bytes(attrVector)
	values, err := embed.Decode(packed, len(packed)-packedScale) // the key names the profile
	return Vector{Version: item.Attrs.Int(AttrVersion), Values: values}, err
}

// packedScale is how many bytes of embed.Encode are no components.
const packedScale = 4
