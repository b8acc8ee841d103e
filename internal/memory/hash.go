package memory

import (
	"strconv"

	"holdfast/internal/claim"
	"holdfast/internal/keyed"
)

// Hasher makes the keyed hashes of a workspace's memories.
type Hasher struct{ keyed.Hasher }

func (h Hasher) mac(domain string, parts ...string) string { return h.MAC(domain, parts...) }

// place are the parts of a key that say where a text stands: two of another
// layer, subject or (for Session) run have nothing to do with each other.
func (m *Memory) place() []string {
	run := ""
	if m.Layer == Session {
		run = m.RunID
	}
	return []string{string(m.Layer), run, m.Subject.ApplicationID, m.Subject.AgentID, m.Subject.UserID}
}

// duplicate is the hash of what near-duplicates share (A0.1). Pointers to two
// things are never duplicates, however they are described.
func (h Hasher) duplicate(m *Memory, text forms) string {
	day := ""
	if m.Temporal.ValidFrom != nil {
		day = m.Temporal.ValidFrom.UTC().Format("2006-01-02")
	}
	parts := append(m.place(), string(m.Type), composed(m.Speaker), day, text.near)
	if m.Type == ArtifactRef {
		parts = append(parts, composed(m.ArtifactURI))
	}
	return h.mac("duplicate", parts...)
}

// exact is the hash of a text that differs from its like in case, composition
// and white space only.
func (h Hasher) exact(text forms) string { return h.mac("exact", text.exact) }

// attribute is the hash of a subject's attribute (A0.2).
func (h Hasher) attribute(m *Memory) string {
	return h.mac("attribute", append(m.place(), composed(m.Attribute))...)
}

// claim is the hash of what a claim is about (A0.2): what two speakers say of
// themselves, or of others, are two things.
func (h Hasher) claim(m *Memory, key string) string {
	return h.mac("claim", append(m.place(), composed(m.Speaker), key)...)
}

// rejected is the hash of a value's words in its layer and subject (R0.71).
func (h Hasher) rejected(m *Memory, text forms) string {
	s := m.Subject
	return h.mac("rejected", string(m.Layer), s.ApplicationID, s.AgentID, s.UserID, text.value)
}

// told is the hash of a value that rules can tell, in its layer and subject, in whatever
// words. What speakers say of themselves is each one's own.
func (h Hasher) told(m *Memory, t claim.Telling) string {
	s, speaker := m.Subject, ""
	if t.Own {
		speaker = composed(m.Speaker)
	}
	return h.mac("told", string(m.Layer), s.ApplicationID, s.AgentID, s.UserID, strconv.FormatBool(t.Own), speaker,
		t.Subject, t.Attribute, t.Value)
}

// Subject answers the hashes of a subject's members: the partitions keys.Subject
// that list everything of theirs, in the order application, agent, user.
func (h Hasher) Subject(s Subject) []string {
	var out []string
	for _, member := range []struct{ kind, value string }{
		{"application", s.ApplicationID}, {"agent", s.AgentID}, {"user", s.UserID},
	} {
		if member.value != "" {
			out = append(out, h.mac("subject", member.kind, member.value))
		}
	}
	return out
}

// Run is the hash of a run's id: the partition that keys.RunPK names.
func (h Hasher) Run(runID string) string { return h.mac("run", runID) }
