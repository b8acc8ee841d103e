package memory

import (
	"context"

	"holdfast/internal/errs"
	"holdfast/internal/tenant"
)

// unname takes the names of deleted successors from superseded memories that are
// to be shown. Deleting the current value of an attribute brings no earlier one
// back: that one was replaced, and to present it as current again is for a caller
// to say, by appending it. But the id of what is gone leads nowhere, so what is
// left is that it was superseded, and when.
func (s *Service) unname(ctx context.Context, scope tenant.Scope, list []*Memory) error {
	known := map[string]bool{} // ids that are there
	for _, m := range list {
		known[m.ID] = true
	}
	var asked []string
	for _, m := range list {
		if by := m.Temporal.SupersededBy; by != "" && !known[by] {
			asked = append(asked, by)
		}
	}
	if len(asked) == 0 {
		return nil
	}
	found, err := Load(ctx, s.Store, scope, asked)
	if err != nil {
		return errs.Unread(err)
	}
	for i, m := range found {
		known[asked[i]] = m != nil
	}
	for _, m := range list {
		if !known[m.Temporal.SupersededBy] {
			m.Temporal.SupersededBy = ""
		}
	}
	return nil
}
