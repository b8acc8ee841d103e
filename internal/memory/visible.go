package memory

import "holdfast/internal/ledger"

// Caller is who asks, as far as the rules of memories need to know.
type Caller struct {
	Actor  ledger.Actor
	Review bool // holds memory:review
	Tenant bool // holds memory:tenant
}

// Person tells whether a person's key asks.
func (c Caller) Person() bool { return c.Actor.Kind == "person" }

// origin is that of a text which the caller writes without saying one.
func (c Caller) origin() Origin {
	switch c.Actor.Kind {
	case "person":
		return FromPerson
	case "service":
		return FromService
	}
	return FromAgent
}

// mayLift tells whether the caller may write a rejected value again (R0.85).
func (c Caller) mayLift() bool { return c.Person() && c.Review }

// Admits tells whether a memory bound to s is visible to a request that names
// asked: each member that s has must be named with the same value (R0.5).
func (s Subject) Admits(asked Subject) bool {
	return admits(s.ApplicationID, asked.ApplicationID) &&
		admits(s.AgentID, asked.AgentID) && admits(s.UserID, asked.UserID)
}

func admits(bound, asked string) bool { return bound == "" || bound == asked }

// IsZero tells a subject without any member.
func (s Subject) IsZero() bool { return s == Subject{} }

// Visible tells whether a caller that names a subject may read a memory by id
// (R0.5, R0.75): one in quarantine only with the key that wrote it or as a
// reviewer. A tombstone is visible to nobody.
func (m *Memory) Visible(caller Caller, asked Subject) bool {
	switch m.Status {
	case Deleted:
		return false
	case Quarantined:
		if !caller.Review && caller.Actor.KeyID != m.Provenance.KeyID {
			return false
		}
	}
	return m.Subject.Admits(asked)
}

// Recallable tells whether recall may hand the memory out for a request that
// names a subject and a run (R0.2, R0.5, S0.19, R0.78). Time, tags and
// supersession are the request's own matter.
func (m *Memory) Recallable(asked Subject, runID string) bool {
	if !m.Indexed() || !m.Subject.Admits(asked) {
		return false
	}
	return m.Layer != Session || m.RunID == runID
}
