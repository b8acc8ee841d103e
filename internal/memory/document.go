package memory

import (
	"strconv"
	"strings"

	"holdfast/internal/search"
	"holdfast/internal/tenant"
)

// Names of the fields of index documents.
const (
	FieldKind        = "kind"
	FieldLayer       = "layer"
	FieldType        = "type"
	FieldRun         = "run"
	FieldApplication = "application"
	FieldAgent       = "agent"
	FieldUser        = "user"
	FieldStatus      = "status"
	FieldTag         = "tag" // TagTerm of each pair
	FieldFloor       = "floor"
)

// Names of the times of index documents: what as-of reads and windows filter by.
// An absent one is open.
const (
	TimeSince      = "since"      // when this text became current (recorded clock)
	TimeUntil      = "until"      // when it was replaced; earlier texts only
	TimeSuperseded = "superseded" // when the memory was superseded (recorded clock)
	TimeValidFrom  = "validFrom"
	TimeValidTo    = "validTo"
	TimeReplaced   = "replaced" // when, in the world, the value that superseded it began
	TimeEvent      = "event"    // Temporal.EventTime
)

// FloorTerm is the value of FieldFloor on memories that are never left out.
const FloorTerm = "true"

// Indexed tells whether the index knows a memory: not a pointer (R0.4), not one
// in quarantine (S0.19), not a deleted one.
func (m *Memory) Indexed() bool {
	return m.Type != ArtifactRef && (m.Status == Active || m.Status == Superseded)
}

// IndexScope is the partition of the memory's document: memories of layer Tenant
// share the tenant's own, which every workspace of the tenant may search (R0.66).
func (m *Memory) IndexScope(scope tenant.Scope) tenant.Scope {
	if m.Layer == Tenant {
		return scope.Own()
	}
	return scope
}

// Document is what the index knows of a memory. scope is that of the workspace
// that wrote it; sequence the log row of the change. An empty vector is one that
// is not there yet.
func Document(scope tenant.Scope, m *Memory, sequence int64, vector []float32, profile string) search.Document {
	doc := search.Document{
		Scope: m.IndexScope(scope), ID: m.ID, Version: m.Version, Sequence: sequence,
		Text: m.Content, Speaker: m.Speaker, Session: m.session(), Fields: m.fields(),
	}
	if to := m.Temporal.ValidTo; to != nil {
		doc.Until = to.UTC()
		if to.IsZero() { // the first instant of all, which the index takes for none
			doc.Until = to.Add(1)
		}
	}
	if len(vector) > 0 {
		doc.Vector, doc.Profile = vector, profile
	}
	return doc
}

func (m *Memory) fields() search.Fields {
	f := search.Fields{
		FieldKind:   {Family},
		FieldLayer:  {string(m.Layer)},
		FieldType:   {string(m.Type)},
		FieldStatus: {string(m.Status)},
	}
	set := func(name, value string) {
		if value != "" {
			f[name] = []string{value}
		}
	}
	set(FieldRun, m.RunID)
	set(FieldApplication, m.Subject.ApplicationID)
	set(FieldAgent, m.Subject.AgentID)
	set(FieldUser, m.Subject.UserID)
	if m.NonNegotiable {
		f[FieldFloor] = []string{FloorTerm}
	}
	for key, value := range m.Tags {
		f[FieldTag] = append(f[FieldTag], TagTerm(key, value))
	}
	return f
}

// TagTerm is a tag as one keyword, the same for canonically equivalent spellings
// (T.8). The key's length comes first, so that no pair reads like another whatever
// characters they hold.
func TagTerm(key, value string) string {
	key, value = composed(key), composed(value)
	return strconv.Itoa(len(key)) + ":" + key + "=" + value
}

// session names the memory's neighbours: those of its run (R0.68) with the very
// subject, so that no text weighs in a document that others may see. Memories of
// layer Session are visible with their run only (R0.2) and so are apart.
func (m *Memory) session() string {
	if m.RunID == "" {
		return ""
	}
	class := "w"
	if m.Layer == Session {
		class = "s"
	}
	return joined(class, m.RunID, m.Subject.ApplicationID, m.Subject.AgentID, m.Subject.UserID)
}

// joined makes one text of several, each after its length, so that no two lists
// give the same.
func joined(parts ...string) string {
	var b strings.Builder
	for _, p := range parts {
		b.WriteString(strconv.Itoa(len(p)))
		b.WriteByte(':')
		b.WriteString(p)
	}
	return b.String()
}
