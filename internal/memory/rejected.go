package memory

import (
	"context"

	"holdfast/internal/errs"
	"holdfast/internal/store"
	"holdfast/internal/store/keys"
	"holdfast/internal/tenant"
)

// Rejected tells of each text whether a person has rejected it as a value in a layer
// and subject (A0.5, R0.71).
func (s *Service) Rejected(ctx context.Context, scope tenant.Scope, layer Layer, subject Subject, texts []string) ([]bool, error) {
	h, err := s.Hasher(ctx, scope)
	if err != nil {
		return nil, err
	}
	place := &Memory{Layer: layer, Subject: subject}
	at := make([]store.Key, len(texts))
	for i, text := range texts {
		at[i] = keys.Rejected(scope, h.rejected(place, formsOf(text)))
	}
	items, err := getMany(ctx, s.Store, at)
	if err != nil {
		return nil, errs.Unread(err)
	}
	out := make([]bool, len(texts))
	for i, item := range items {
		out[i] = item != nil
	}
	return out, nil
}
