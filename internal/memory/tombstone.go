package memory

import (
	"context"
	"strconv"

	"holdfast/internal/store/keys"
)

// tombstone is what is left of a memory: ids and times, and of whom only keyed
// hashes.
func (c *change) tombstone(m *Memory, cascade bool, review *Review) *Memory {
	if review == nil && m.Review != nil {
		review = &Review{Verdict: m.Review.Verdict, At: m.Review.At, KeyID: m.Review.KeyID}
	}
	run := ""
	if m.RunID != "" {
		run = c.hash.Run(m.RunID)
	}
	return &Memory{
		ID: m.ID, WorkspaceID: m.WorkspaceID, Layer: m.Layer, Type: m.Type,
		Version: m.Version, Status: Deleted, CreatedAt: m.CreatedAt, UpdatedAt: c.at,
		Temporal:   Temporal{RecordedAt: m.Temporal.RecordedAt},
		Edition:    Edition{At: m.Edition.At, Actor: m.Edition.Actor, Reason: m.Edition.Reason, OperationID: m.Edition.OperationID},
		Provenance: Provenance{Origin: m.Provenance.Origin, KeyID: m.Provenance.KeyID, OperationID: m.Provenance.OperationID},
		Review:     review,
		Deletion: &Deletion{At: c.at, Subject: c.hash.Subject(m.Subject), WriterID: m.Provenance.KeyID,
			Held: m.Status == Quarantined, Cites: m.Cites(), Cascade: cascade, Run: run,
			Elsewhere: m.Provenance.Elsewhere, SupersededBy: m.Temporal.SupersededBy},
	}
}

// unlist removes the rows by which a memory is found.
func (c *change) unlist(ctx context.Context, m *Memory) error {
	c.remove("list", listKey(c.Scope, m))
	for i, key := range c.subjectKeys(m) {
		c.remove("subject"+strconv.Itoa(i), key)
	}
	if m.RunID != "" {
		c.remove("run", keys.RunEntry(c.Scope, c.hash.Run(m.RunID), m.ID))
	}
	c.unshare(m)
	switch m.Status {
	case Quarantined:
		c.remove("quarantine", keys.Quarantined(c.Scope, m.ID))
		return nil
	case Active:
		if err := c.mergeable(ctx, m, false); err != nil {
			return err
		}
	}
	return c.vacate(ctx, m)
}

// knew tells whether the caller could see a memory before it was deleted (S0.54).
func (c *change) knew(stone *Memory, asked Subject) bool {
	return stone.knownTo(c.Caller, c.hash.Subject(asked))
}

func (m *Memory) knownTo(caller Caller, asked []string) bool {
	d := m.Deletion
	if d == nil || d.Held && !caller.Review && caller.Actor.KeyID != d.WriterID {
		return false
	}
	for _, member := range d.Subject {
		if !contains(asked, member) {
			return false
		}
	}
	return true
}
