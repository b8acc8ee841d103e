package recall

import (
	"time"

	"holdfast/internal/ledger"
	"holdfast/internal/memory"
	"holdfast/internal/tenant"
)

// Mode says which arms rank (R0.9).
type Mode string

// The modes. Deterministic answers the same bytes for the same log of the workspace
// and the same tenant memories of its siblings in the index: these come with their
// workspaces' logs, and while such a log is ahead of the index its latest tenant
// memories are not in the answer yet.
const (
	Hybrid        Mode = "hybrid"
	Semantic      Mode = "semantic"
	Lexical       Mode = "lexical"
	Deterministic Mode = "deterministic"
)

// Known tells a mode of R0.9.
func (m Mode) Known() bool {
	return m == Hybrid || m == Semantic || m == Lexical || m == Deterministic
}

func (m Mode) lexical() bool  { return m != Semantic }
func (m Mode) semantic() bool { return m == Hybrid || m == Semantic }

// Request asks for a context. Defaults are the caller's to fill in.
type Request struct {
	Scope       tenant.Scope
	Actor       ledger.Actor
	Subject     memory.Subject
	RunID       string // empty: none, then nothing of a session is visible
	Query       string
	TopN        int
	TokenBudget int
	Mode        Mode
	MinScore    float64 // entries whose final score is below are dropped before packing
	Tags        map[string]string
	// IncludeSuperseded shows what is superseded, or no longer valid, as well (R0.14).
	IncludeSuperseded bool
	// AsOf shows memories as they stood; nil: as they stand. Floors are always those of
	// today: what may never be left out holds for who reads now.
	AsOf *memory.AsOf
	// After and Before are a window over the time of the event, After inclusive and
	// Before exclusive (R0.18); nil: open. Floors, profile and session summary are not
	// narrowed by it.
	After, Before *time.Time
	// Anchor is the instant from which recency and words such as "last month" are read
	// (R0.19); nil: now. It filters nothing, but in deterministic mode it is now (R0.82).
	// A month without a year is the latest one up to an Anchor, and one of any year
	// where there is none.
	Anchor    *time.Time
	Expand    *Expansion // nil: sessions stay closed
	Overrides Overrides
	// LexicalWeight is the workspace's own share of the lexical arm, 0 to 1; nil: the
	// embedding profile's.
	LexicalWeight *float64
	Rerank        bool
	Explain       bool  // answers Diagnostics, and changes nothing else
	Raw           bool  // no blocks, no budget (R0.21)
	AtLeast       int64 // a Memory-Sequence that must be visible (A0.3); 0: none
	// Silent leaves no receipt and visits no run: evaluations (R0.56).
	Silent bool
	// RequestHash is the keyed hash of the request that the receipt keeps.
	RequestHash string
}

// Entry is a memory that is handed out.
type Entry struct {
	Memory *memory.Memory
	Score  float64 // 0 to 1 (R0.81)
	Tokens int     // of its content
}

// Digest is a short text and the memories behind it: a user's profile (R0.30), a
// run's summary (R0.69).
type Digest struct {
	Text      string
	SourceIDs []string
	Tokens    int
}

// ArmState says whether an arm took part (A0.4).
type ArmState string

// The states.
const (
	Ran      ArmState = "ran"
	Degraded ArmState = "degraded"
	Skipped  ArmState = "skipped"
)

// Arm is one way in which candidates were found.
type Arm struct {
	Name   string // lexical, semantic, overlay
	State  ArmState
	Reason string // why it is degraded or skipped; empty when it ran
}

// Compilation says how the context came about (R0.28, R0.63).
type Compilation struct {
	TokenBudget, TokensUsed int
	Sections                []SectionCount
	Dropped                 []Dropped
}

// Context is the answer of a retrieve.
//
// Both numbers come from the index, which counts all that an asked arm knows: texts
// with a word of the query, texts with a vector. They are the same for every topN.
// Three things bound them: an index that does not answer or cannot count leaves what
// was read; of a log that is further ahead of the index than overlayRows the newest
// rows count only; and with a MinScore, which only an entry that was read can meet,
// OmittedWorkspace is of the best 200 of each arm. With AsOf they count texts of then
// in the same way.
type Context struct {
	ReceiptID        string
	At               time.Time
	Blocks           []Block
	Profile          *Digest // nil without a user
	Summary          *Digest // of the run's last consolidated stretch; nil: there is none
	Sections         map[Section][]Entry
	OmittedWorkspace int          // of layer Workspace, found and over topN or the budget (R0.27)
	SupersededHidden int          // found, and hidden for being superseded or over only (R0.14, R0.73)
	Compilation      *Compilation // nil with Raw
	Arms             []Arm
	IndexSequence    int64
	Diagnostics      *Diagnostics // nil without Explain
}
