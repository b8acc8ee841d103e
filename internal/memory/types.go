package memory

import "time"

// Family is the name of these memories in log rows, receipts and counts (T.51).
const Family = "memory"

// Layer says how far a memory reaches (R0.1).
type Layer string

// The layers.
const (
	Platform  Layer = "Platform"  // read-only here
	Tenant    Layer = "Tenant"    // recalled in every workspace of the tenant (R0.66)
	Workspace Layer = "Workspace" // recalled in its workspace
	Session   Layer = "Session"   // recalled with its run only (R0.2)
)

// Type says what a memory is (R0.3).
type Type string

// The types; Episode and Summary are written by the service only.
const (
	Fact        Type = "fact"
	Decision    Type = "decision"
	Preference  Type = "preference"
	Policy      Type = "policy"
	Procedure   Type = "procedure"
	Episode     Type = "episode"
	Summary     Type = "summary"
	FileDoc     Type = "file_doc"
	ArtifactRef Type = "artifact_ref" // a pointer: never embedded, never ranked (R0.4)
)

// Status is where a memory stands.
type Status string

// The states. Deleted never leaves this package's callers: it is a tombstone.
const (
	Active      Status = "active"
	Superseded  Status = "superseded"
	Quarantined Status = "quarantined"
	Deleted     Status = "deleted"
)

// Origin says where a text comes from (R0.40, R0.58).
type Origin string

// The origins.
const (
	FromPerson  Origin = "person"
	FromAgent   Origin = "agent"
	FromTool    Origin = "tool"
	FromWeb     Origin = "web"
	FromService Origin = "service"
)

// trust is the weight of an origin (R0.40). What the service derives is agents'
// text in other words.
var trust = map[Origin]float64{FromPerson: 1, FromAgent: 0.8, FromTool: 0.5, FromWeb: 0.5, FromService: 0.8}

// Subject is whom a memory is bound to. An empty member is none: callers refuse
// empty ids at the edge (R0.87), so that empty never means everyone.
type Subject struct {
	ApplicationID string `json:"application,omitempty"`
	AgentID       string `json:"agent,omitempty"`
	UserID        string `json:"user,omitempty"`
}

// SourceKind says what a citation points at (R0.67).
type SourceKind string

// The kinds of sources. Memory and episode form the derivation graph.
const (
	MessageSource SourceKind = "message"
	MemorySource  SourceKind = "memory"
	EpisodeSource SourceKind = "episode"
	URLSource     SourceKind = "url"
)

// Source is a piece of evidence (A0.6): offsets count code points, end exclusive.
type Source struct {
	Kind  SourceKind `json:"kind"`
	ID    string     `json:"id"`
	Start *int       `json:"start,omitempty"`
	End   *int       `json:"end,omitempty"`
}

// Derives tells whether the citation is an edge of the derivation graph.
func (s Source) Derives() bool { return s.Kind == MemorySource || s.Kind == EpisodeSource }

// Provenance says who brought a memory in, and on what evidence.
type Provenance struct {
	Origin      Origin   `json:"origin"`
	SourceID    string   `json:"source,omitempty"` // an agent's source id
	KeyID       string   `json:"key"`
	OperationID string   `json:"operation"`
	Sources     []Source `json:"sources,omitempty"`
	// Elsewhere names the workspace of each cited memory that lies in another one: of
	// what was shared across (R0.80).
	Elsewhere map[string]string `json:"elsewhere,omitempty"`
}

// Temporal holds the two clocks: true in the world from ValidFrom to ValidTo
// (open where nil), known to the service from RecordedAt to SupersededAt.
type Temporal struct {
	RecordedAt   time.Time  `json:"recordedAt"`
	ValidFrom    *time.Time `json:"validFrom,omitempty"`
	ValidTo      *time.Time `json:"validTo,omitempty"`
	SupersededAt *time.Time `json:"supersededAt,omitempty"`
	SupersededBy string     `json:"supersededBy,omitempty"`
	// ReplacedFrom is when, in the world, the next value began, as far as known now: on
	// the valid clock a superseded value ends there at the latest (A0.2).
	ReplacedFrom *time.Time  `json:"replacedFrom,omitempty"`
	Narrowed     []Narrowing `json:"narrowed,omitempty"` // what was known of it before, oldest first
}

// EventTime is when it happened in the world, as far as known (R0.18): ValidFrom,
// else RecordedAt.
func (t Temporal) EventTime() time.Time {
	if t.ValidFrom != nil {
		return *t.ValidFrom
	}
	return t.RecordedAt
}

// Quarantine says why a text is held.
type Quarantine struct {
	Reasons []string  `json:"reasons"` // reason codes of internal/screen
	At      time.Time `json:"at"`
}

// Verdict is a reviewer's decision (R0.52).
type Verdict string

// The verdicts.
const (
	Release Verdict = "release"
	Reject  Verdict = "reject"
)

// Review is a decision that was made; it makes a second one ALREADY_DECIDED.
type Review struct {
	Verdict Verdict   `json:"verdict"`
	At      time.Time `json:"at"`
	KeyID   string    `json:"key"`
	Note    string    `json:"note,omitempty"` // goes with the content
}

// Edition says who made a version's text, when and why.
type Edition struct {
	At          time.Time `json:"at"`               // on the recorded clock: from then on this text was current
	Actor       string    `json:"actor"`            // key id
	Origin      Origin    `json:"origin,omitempty"` // of the text; empty: written before origins were kept here
	Reason      Reason    `json:"reason"`
	OperationID string    `json:"operation"`
}

// Reason says how a text came to be.
type Reason string

// The reasons.
const (
	ByAppend Reason = "append"
	ByMerge  Reason = "merge"
	ByUpdate Reason = "update"
	// ByRebuild: made again without a piece that was erased; earlier texts are gone.
	ByRebuild Reason = "rebuild"
)

// Merge is an append that joined a memory (R0.35).
type Merge struct {
	At          time.Time `json:"at"`
	OperationID string    `json:"operation"`
	KeyID       string    `json:"key"`
	SourceID    string    `json:"source,omitempty"`
	Origin      Origin    `json:"origin"`
	Replaced    bool      `json:"replaced,omitempty"`
}

// Memory is the current state of one memory.
type Memory struct {
	ID          string `json:"-"` // of the key
	WorkspaceID string `json:"-"` // of the key: the workspace that wrote it

	Layer         Layer             `json:"layer"`
	Type          Type              `json:"type"`
	Content       string            `json:"text"`
	Speaker       string            `json:"speaker,omitempty"`
	Tags          map[string]string `json:"tags,omitempty"`
	ArtifactURI   string            `json:"uri,omitempty"`
	RunID         string            `json:"run,omitempty"`
	Subject       Subject           `json:"subject"`
	Attribute     string            `json:"attribute,omitempty"`
	Importance    *float64          `json:"importance,omitempty"` // nil: not given, neutral in ranking
	NonNegotiable bool              `json:"nonNegotiable,omitempty"`

	Version    int64      `json:"version"`  // grows with each change of the text
	Revision   int64      `json:"revision"` // grows with each change of the row
	Status     Status     `json:"status"`
	Provenance Provenance `json:"provenance"`
	Temporal   Temporal   `json:"temporal"`
	Edition    Edition    `json:"edition"` // of the current text
	CreatedAt  time.Time  `json:"createdAt"`
	UpdatedAt  time.Time  `json:"updatedAt"`

	Quarantine *Quarantine `json:"quarantine,omitempty"` // set while quarantined
	Held       []Period    `json:"held,omitempty"`       // earlier times in quarantine, oldest first
	Review     *Review     `json:"review,omitempty"`     // the last decision
	Merges     []Merge     `json:"merges,omitempty"`     // the last of them, oldest first
	MergeCount int64       `json:"mergeCount,omitempty"`

	// Ceiling is the most trust that what it derives from allows; nil: no bound but its
	// origin's.
	Ceiling *float64 `json:"ceiling,omitempty"`
	// Parts are the pieces that the service made the text of, each with what it rests
	// on, so that the text can be made again without one of them; nil: somebody
	// else's text.
	Parts []Part `json:"parts,omitempty"`

	Stretch int64  `json:"stretch,omitempty"` // layer Session: of the run, in which it was written
	RunHash string `json:"runHash,omitempty"` // layer Session: Hasher.Run of the run

	Bytes int64  `json:"bytes"`          // what it counts in the workspace's budget, all versions
	Salt  []byte `json:"salt,omitempty"` // key of the commitments in the log; erased with the content

	Deletion *Deletion `json:"deletion,omitempty"` // set on a tombstone only
}

// Part is a piece of a text that the service made.
type Part struct {
	Text  string   `json:"text"`
	Cites []string `json:"cites"` // ids of the memories that it rests on
}

// Deletion is what a tombstone knows besides id, version and times: enough to say
// who may read the erasure's state (S0.54) and which edges point here.
type Deletion struct {
	At       time.Time `json:"at"`
	Subject  []string  `json:"subject,omitempty"` // Hasher.Subject of its subject
	WriterID string    `json:"writer"`            // the key that wrote it
	Held     bool      `json:"held,omitempty"`    // was in quarantine
	Cites    []string  `json:"cites,omitempty"`   // memories and episodes it was derived from
	Cascade  bool      `json:"cascade,omitempty"` // what is derived from it goes too
	Run      string    `json:"run,omitempty"`     // Hasher.Run of its run

	Elsewhere    map[string]string `json:"elsewhere,omitempty"`    // as Provenance.Elsewhere
	SupersededBy string            `json:"supersededBy,omitempty"` // the value that took its place
}

// IsDeleted tells a tombstone.
func (m *Memory) IsDeleted() bool { return m.Status == Deleted }

// Trust is the weight of the memory's origin, no more than what it derives from is
// trusted, and 0 while it is quarantined (R0.40).
func (m *Memory) Trust() float64 {
	if m.Status == Quarantined {
		return 0
	}
	return m.worth()
}

// worth is the trust of a memory that is not in quarantine.
func (m *Memory) worth() float64 {
	own := trust[m.Provenance.Origin]
	if m.Ceiling != nil {
		return min(own, *m.Ceiling)
	}
	return own
}

// Cites lists the memories and episodes of this workspace that this one is derived
// from, each once.
func (m *Memory) Cites() []string {
	var out []string
	for _, s := range m.Provenance.Sources {
		_, elsewhere := m.Provenance.Elsewhere[s.ID]
		if s.Derives() && !elsewhere && !contains(out, s.ID) {
			out = append(out, s.ID)
		}
	}
	return out
}

func contains(list []string, one string) bool {
	for _, s := range list {
		if s == one {
			return true
		}
	}
	return false
}

// Version is an earlier or the current text of a memory. It was true in the world
// from ValidFrom to ValidTo and known to the service from RecordedFrom to
// RecordedTo (nil: still).
type Version struct {
	Version      int64      `json:"-"`
	Content      string     `json:"text"`
	Edition      Edition    `json:"edition"`
	ValidFrom    *time.Time `json:"validFrom,omitempty"`
	ValidTo      *time.Time `json:"validTo,omitempty"`
	RecordedFrom time.Time  `json:"recordedFrom"`
	RecordedTo   *time.Time `json:"recordedTo,omitempty"`
}
