package memory

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"io"
	"sync"

	"holdfast/internal/errs"
	"holdfast/internal/store"
	"holdfast/internal/store/keys"
	"holdfast/internal/tenant"
)

// Hasher makes the keyed hashes of a workspace. Rows and tombstones hold them in
// place of what was said and of whom, so that nothing in the table can be guessed
// back without the workspace's key.
type Hasher struct{ macs *sync.Pool }

func newHasher(key []byte) Hasher {
	return Hasher{&sync.Pool{New: func() any { return hmac.New(sha256.New, key) }}}
}

const macSize = 16 // bytes of a hash: HMAC-SHA256 cut to 128 bits

func (h Hasher) mac(domain string, parts ...string) string {
	m := h.macs.Get().(hash.Hash)
	m.Reset()
	_, _ = io.WriteString(m, joined(append([]string{domain}, parts...)...)) // never fails
	var sum [sha256.Size]byte
	out := hex.EncodeToString(m.Sum(sum[:0])[:macSize])
	h.macs.Put(m)
	return out
}

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

// rejected is the hash of a value in its layer and subject (R0.71).
func (h Hasher) rejected(m *Memory, text forms) string {
	s := m.Subject
	return h.mac("rejected", string(m.Layer), s.ApplicationID, s.AgentID, s.UserID, text.value)
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

// secrets reads and keeps the workspaces' keys.
type secrets struct {
	store store.Store

	mu    sync.RWMutex
	known map[tenant.Scope]Hasher
}

const (
	attrSecret  = "key"  // as internal/tenant/directory writes it when it makes a workspace
	mostSecrets = 10_000 // kept in process; more are read again
)

// of answers a workspace's hasher. The key is made with the workspace and never
// changes.
func (s *secrets) of(ctx context.Context, scope tenant.Scope) (Hasher, error) {
	s.mu.RLock()
	h, found := s.known[scope]
	s.mu.RUnlock()
	if found {
		return h, nil
	}
	item, found, err := s.store.Get(ctx, keys.Secret(scope))
	if err != nil {
		return Hasher{}, err
	}
	key := item.Attrs.Bytes(attrSecret)
	if !found || len(key) == 0 {
		return Hasher{}, errs.New(errs.Internal, "INTERNAL", "The workspace has no key for its hashes.")
	}
	h = newHasher(key)
	s.keep(scope, h)
	return h, nil
}

func (s *secrets) keep(scope tenant.Scope, h Hasher) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.known == nil || len(s.known) >= mostSecrets {
		s.known = map[tenant.Scope]Hasher{}
	}
	s.known[scope] = h
}
