package recall

import "holdfast/internal/memory"

// Section names a list of entries of the answer (S0.28).
type Section string

// The sections, in the order in which blocks are packed (R0.25).
const (
	PlatformEntries  Section = "platformEntries"
	TenantFloors     Section = "tenantFloors"
	UserProfile      Section = "userProfile"
	SessionSummary   Section = "sessionSummary"
	WorkspaceEntries Section = "workspaceEntries"
	TenantEntries    Section = "tenantEntries"
	Procedures       Section = "procedures"
	RelevantEpisodes Section = "relevantEpisodes"
	FileDocs         Section = "fileDocs"
	SessionEntries   Section = "sessionEntries"
)

var packingOrder = []Section{
	PlatformEntries, TenantFloors, UserProfile, SessionSummary,
	WorkspaceEntries, TenantEntries, Procedures, RelevantEpisodes, FileDocs, SessionEntries,
}

// sectionOf places a ranked memory. What a type says goes before what a layer
// says, but an entry of the session stays there.
func sectionOf(m *memory.Memory) Section {
	switch {
	case m.Layer == memory.Session:
		return SessionEntries
	case m.Type == memory.Procedure:
		return Procedures
	case m.Type == memory.Episode || m.Type == memory.Summary:
		return RelevantEpisodes
	case m.Type == memory.FileDoc:
		return FileDocs
	case m.Layer == memory.Tenant:
		return TenantEntries
	case m.Layer == memory.Platform:
		return PlatformEntries
	}
	return WorkspaceEntries
}

// isFloor tells policy that may never be left out (R0.24).
func isFloor(m *memory.Memory) bool {
	return m.Layer == memory.Tenant && m.Type == memory.Policy && m.NonNegotiable
}
