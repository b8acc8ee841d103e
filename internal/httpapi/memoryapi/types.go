package memoryapi

import (
	"holdfast/internal/capability"
	"holdfast/internal/httpapi"
	"holdfast/internal/memory"
)

// entryBody is a memory on the wire (R0.57): every member is always there, null
// where there is nothing.
type entryBody struct {
	ID            string            `json:"id"`
	WorkspaceID   string            `json:"workspaceId"`
	Layer         memory.Layer      `json:"layer" enum:"Platform,Tenant,Workspace,Session"`
	Type          memory.Type       `json:"type" enum:"fact,decision,preference,policy,procedure,episode,summary,file_doc,artifact_ref"`
	Content       string            `json:"content"`
	Speaker       *string           `json:"speaker" nullable:"true" doc:"Who said it"`
	Tags          map[string]string `json:"tags"`
	ArtifactURI   *string           `json:"artifactUri" nullable:"true"`
	RunID         *string           `json:"runId" nullable:"true"`
	ApplicationID *string           `json:"applicationId" nullable:"true"`
	AgentID       *string           `json:"agentId" nullable:"true"`
	UserID        *string           `json:"userId" nullable:"true"`
	Version       int64             `json:"version" doc:"Grows by 1 with each change of the content; the ETag"`
	Trust         float64           `json:"trust" doc:"0 to 1, from the origin; 0 while in quarantine"`
	Importance    *float64          `json:"importance" nullable:"true" doc:"0 to 1"`
	Status        memory.Status     `json:"status" enum:"active,superseded,quarantined"`
	Provenance    provenanceBody    `json:"provenance"`
	Temporal      temporalBody      `json:"temporal"`
	Policy        policyBody        `json:"policy"`
	CreatedAt     httpapi.Time      `json:"createdAt"`
	UpdatedAt     httpapi.Time      `json:"updatedAt"`
}

type provenanceBody struct {
	Origin      memory.Origin `json:"origin" enum:"person,agent,tool,web,service"`
	SourceID    *string       `json:"sourceId" nullable:"true" doc:"The source of the agent's key"`
	KeyID       string        `json:"keyId"`
	OperationID string        `json:"operationId"`
	Sources     []sourceBody  `json:"sources" doc:"The evidence"`
}

type sourceBody struct {
	Kind  memory.SourceKind `json:"kind" enum:"message,memory,episode,url"`
	ID    string            `json:"id"`
	Start *int              `json:"start" nullable:"true"`
	End   *int              `json:"end" nullable:"true"`
}

type temporalBody struct {
	RecordedAt   httpapi.Time  `json:"recordedAt"`
	ValidFrom    *httpapi.Time `json:"validFrom" nullable:"true"`
	ValidTo      *httpapi.Time `json:"validTo" nullable:"true"`
	SupersededAt *httpapi.Time `json:"supersededAt" nullable:"true"`
	SupersededBy *string       `json:"supersededBy" nullable:"true" doc:"Null too when that memory has been deleted; the earlier value stays superseded"`
}

type policyBody struct {
	NonNegotiable bool            `json:"nonNegotiable"`
	Quarantine    *quarantineBody `json:"quarantine" nullable:"true"`
}

type quarantineBody struct {
	Reasons []string `json:"reasons" doc:"Reason codes of the screening"`
}

// entryOf is a memory as an answer shows it.
func entryOf(m *memory.Memory) entryBody {
	out := entryBody{
		ID: m.ID, WorkspaceID: m.WorkspaceID, Layer: m.Layer, Type: m.Type, Content: m.Content,
		Speaker: orNull(m.Speaker), Tags: m.Tags, ArtifactURI: orNull(m.ArtifactURI), RunID: orNull(m.RunID),
		ApplicationID: orNull(m.Subject.ApplicationID), AgentID: orNull(m.Subject.AgentID),
		UserID: orNull(m.Subject.UserID), Version: m.Version, Trust: m.Trust(), Importance: m.Importance,
		Status: m.Status, Provenance: provenanceOf(m.Provenance), Temporal: temporalOf(m.Temporal),
		Policy:    policyBody{NonNegotiable: m.NonNegotiable},
		CreatedAt: httpapi.At(m.CreatedAt), UpdatedAt: httpapi.At(m.UpdatedAt),
	}
	if out.Tags == nil {
		out.Tags = map[string]string{}
	}
	if q := m.Quarantine; q != nil {
		out.Policy.Quarantine = &quarantineBody{Reasons: q.Reasons}
	}
	return out
}

func provenanceOf(p memory.Provenance) provenanceBody {
	out := provenanceBody{Origin: p.Origin, SourceID: orNull(p.SourceID), KeyID: p.KeyID, OperationID: p.OperationID,
		Sources: make([]sourceBody, len(p.Sources))}
	for i, s := range p.Sources {
		out.Sources[i] = sourceBody(s)
	}
	return out
}

func temporalOf(t memory.Temporal) temporalBody {
	return temporalBody{
		RecordedAt: httpapi.At(t.RecordedAt), ValidFrom: httpapi.AtOrNull(t.ValidFrom), ValidTo: httpapi.AtOrNull(t.ValidTo),
		SupersededAt: httpapi.AtOrNull(t.SupersededAt), SupersededBy: orNull(t.SupersededBy),
	}
}

// orNull is a text that may be missing: the domain has no empty ones.
func orNull(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// Named are the parameters by which a call names a subject (R0.5): a memory that
// is bound to one is visible to calls that name the same.
type Named struct {
	ApplicationID *string `query:"applicationId" minLength:"1" maxLength:"256"`
	AgentID       *string `query:"agentId" minLength:"1" maxLength:"256"`
	UserID        *string `query:"userId" minLength:"1" maxLength:"256"`
}

func (n Named) subject() memory.Subject { return subjectOf(n.ApplicationID, n.AgentID, n.UserID) }

func subjectOf(application, agent, user *string) memory.Subject {
	return memory.Subject{ApplicationID: or(application, ""), AgentID: or(agent, ""), UserID: or(user, "")}
}

// serviceOf builds the service from what the route was handed.
func serviceOf(d httpapi.Deps) *memory.Service {
	return memory.New(memory.Deps{Store: d.Store, Commit: d.Commit, Embedder: d.Embedder, IDs: d.IDs, Clock: d.Clock})
}

// target is what a call acts on, and as whom.
func target(c *httpapi.Call) memory.Target {
	return memory.Target{Scope: c.Scope, Workspace: c.Workspace, Key: c.Key, Caller: memory.Caller{
		Actor:  c.Actor(),
		Review: c.Principal.Can(capability.MemoryReview),
		Tenant: c.Principal.Can(capability.MemoryTenant),
	}}
}

// nextOf is a list's next cursor, null at its end.
func nextOf(c *httpapi.Call, filters, position string) *string {
	return orNull(c.Cursors.Seal(c.Route.ID, c.Scope, filters, position))
}
