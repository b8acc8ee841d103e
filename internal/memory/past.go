package memory

import (
	"context"
	"fmt"

	"holdfast/internal/store"
	"holdfast/internal/store/keys"
	"holdfast/internal/tenant"
)

// Earlier is an earlier text as its row holds it.
type Earlier struct {
	Version
	Vector []float32 // of the profile that was asked for; empty: none was kept
	Held   bool      // was in quarantine as long as it was current: no read ever shows it
}

// TextID names one version of a memory.
type TextID struct {
	ID      string
	Version int64
}

// Heads is Load with tombstones.
func Heads(ctx context.Context, s store.Store, scope tenant.Scope, ids []string) ([]*Memory, error) {
	return loadHeads(ctx, s, scope, ids)
}

// LoadEarlier reads earlier texts with their vectors in one profile, in the order
// asked; one that is not there, because it is current or was erased, is nil.
func LoadEarlier(ctx context.Context, s store.Store, scope tenant.Scope, asked []TextID, profile string) ([]*Earlier, error) {
	at := make([]store.Key, len(asked))
	for i, p := range asked {
		at[i] = keys.MemoryVersion(scope, p.ID, p.Version)
	}
	items, err := getMany(ctx, s, at)
	if err != nil {
		return nil, err
	}
	out := make([]*Earlier, len(asked))
	for i, item := range items {
		if item == nil {
			continue
		}
		e, err := DecodeEarlier(*item, profile)
		if err != nil {
			return nil, err
		}
		out[i] = &e
	}
	return out, nil
}

// DecodeEarlier reads the row of an earlier text. A vector of another profile is none.
func DecodeEarlier(item store.Item, profile string) (Earlier, error) {
	v, err := decodeVersion(item)
	if err != nil {
		return Earlier{}, err
	}
	out := Earlier{Version: v, Held: item.Attrs.Bool(attrHeld)}
	if item.Attrs.Text(attrProfile) != profile || len(item.Attrs.Bytes(attrVector)) == 0 {
		return out, nil
	}
	vector, err := decodeVector(item)
	if err != nil {
		return Earlier{}, fmt.Errorf("memory: stored vector: %w", err)
	}
	out.Vector = vector.Values
	return out, nil
}

// neverShown tells a text that was in quarantine from the instant on at which it
// became current, and still is.
func (m *Memory) neverShown() bool {
	return m.Status == Quarantined && m.Quarantine != nil && !m.Quarantine.At.After(m.Edition.At)
}
