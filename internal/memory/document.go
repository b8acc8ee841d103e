package memory

import (
	"strconv"
	"time"

	"holdfast/internal/keyed"
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
	FieldFreed       = "freed" // FreedTerm on what was in quarantine once
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
	TimeForeseen   = "foreseen" // the latest instant that was ever taken for that; absent: no other was
	TimeEvent      = "event"    // Temporal.EventTime
)

// FreedTerm is the value of FieldFreed.
const FreedTerm = "true"

// FloorTerm is the value of FieldFloor on memories that are never left out.
const FloorTerm = "true"

// Indexed tells whether the index knows a memory: not a pointer (R0.4), not a run's
// summary, which is shown with its run and never ranked, not one in quarantine
// (S0.19), not a deleted one.
func (m *Memory) Indexed() bool {
	return m.Type != ArtifactRef && m.Type != Summary && (m.Status == Active || m.Status == Superseded)
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
		Text: m.Content, Speaker: m.Speaker, Session: m.SessionKey(), Fields: m.fields(),
		Item: m.ID, Until: m.until(), Times: m.times(),
	}
	if len(vector) > 0 {
		doc.Vector, doc.Profile = vector, profile
	}
	return doc
}

// PastDocument is what the index knows of an earlier text of a memory, in the
// partition of such texts: with the memory's fields and times as they are today, and
// without neighbours, since what stood beside it then may have changed as well.
func PastDocument(scope tenant.Scope, m *Memory, v Version, sequence int64, vector []float32, profile string) search.Document {
	doc := search.Document{
		Scope: m.IndexScope(scope).Past(), ID: PastID(m.ID, v.Version), Version: v.Version, Sequence: sequence,
		Text: v.Content, Speaker: m.Speaker, Fields: m.fields(),
		Item: m.ID, Until: m.until(), Times: m.times(),
	}
	doc.Times[TimeSince] = v.RecordedFrom
	if v.RecordedTo != nil {
		doc.Times[TimeUntil] = *v.RecordedTo
	}
	if len(vector) > 0 {
		doc.Vector, doc.Profile = vector, profile
	}
	return doc
}

// PastID is the id of an earlier text's document.
func PastID(id string, version int64) string { return id + "." + strconv.FormatInt(version, 10) }

// PastIDs are those of all earlier texts that the memory ever had, a deleted one's
// too.
func (m *Memory) PastIDs() []string {
	var out []string
	for v := int64(1); v < m.Version; v++ {
		out = append(out, PastID(m.ID, v))
	}
	return out
}

// until is when the memory's validity is over; zero: never.
func (m *Memory) until() time.Time {
	to := m.Temporal.ValidTo
	switch {
	case to == nil:
		return time.Time{}
	case to.IsZero(): // the first instant of all, which the index takes for none
		return to.Add(1)
	}
	return to.UTC()
}

// times are those of the current text.
func (m *Memory) times() search.Times {
	out := search.Times{TimeSince: m.Edition.At, TimeEvent: m.Temporal.EventTime()}
	for name, at := range map[string]*time.Time{
		TimeSuperseded: m.Temporal.SupersededAt, TimeReplaced: m.Temporal.ReplacedFrom,
		TimeValidFrom: m.Temporal.ValidFrom, TimeValidTo: m.Temporal.ValidTo,
	} {
		if at != nil {
			out[name] = *at
		}
	}
	if narrowed := m.Temporal.Narrowed; len(narrowed) > 0 {
		out[TimeForeseen] = narrowed[0].From // beliefs only ever moved back
	}
	return out
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
	if len(m.Held) > 0 {
		f[FieldFreed] = []string{FreedTerm}
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

// SessionKey names the memory's neighbours: those of its run (R0.68) with the very
// subject, so that no text weighs in a document that others may see. Memories of
// layer Session are visible with their run only (R0.2) and so are apart. Those of
// layer Tenant are too, and apart from other workspaces': all of a tenant's lie in one
// partition, where a run of the same name is another's. An index that was made before
// they were needs nothing: the next write of one puts it right.
func (m *Memory) SessionKey() string {
	if m.RunID == "" {
		return ""
	}
	class := []string{"w"}
	switch m.Layer {
	case Session:
		class[0] = "s"
	case Tenant:
		class = []string{"t", m.WorkspaceID}
	}
	return keyed.Join(append(class, m.RunID, m.Subject.ApplicationID, m.Subject.AgentID, m.Subject.UserID)...)
}
