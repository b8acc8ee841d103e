package fact

import "time"

// Family is the name of facts in log rows, receipts and counts (T.51).
const Family = "fact"

// Writer is the mark of who wrote a version (S3.13, R3.24).
type Writer string

// The writers. Only the panel writes as a person.
const (
	Code   Writer = "code"
	Model  Writer = "model"
	Person Writer = "person"
)

// Source says where a version comes from.
type Source struct {
	RunID     string `json:"run,omitempty"` // empty: a person wrote it
	WrittenBy Writer `json:"by"`
}

// Edition is one version of a fact: all that a replacement can change (R3.12).
type Edition struct {
	Version    int64     `json:"v"`
	Path       Path      `json:"path"`
	Text       string    `json:"text"`
	Tags       []string  `json:"tags,omitempty"`
	Confidence *float64  `json:"confidence,omitempty"` // 0 to 1; nil: not said
	UpdatedAt  time.Time `json:"updatedAt"`
	Source     Source    `json:"source"`
}

// Fact is a short text under a path, in its current version.
type Fact struct {
	ID    string `json:"-"`
	Space string `json:"-"` // hash of the memory that it is in
	Edition
	CreatedAt   time.Time `json:"createdAt"`
	Quarantined bool      `json:"quarantined,omitempty"` // screening caught it and no person has cleared it (R3.25)
	Generation  int64     `json:"generation,omitempty"`  // of the end user's folder that it is in; 0: in none
	Bytes       int64     `json:"bytes"`                 // stored, earlier texts too
	Salt        []byte    `json:"salt"`                  // of the log's commitments
	Revision    int64     `json:"-"`                     // grows with each change of the row
	Deleted     bool      `json:"-"`                     // a tombstone: id, space, version and UpdatedAt only
}

// User is the end user in whose folder the fact is; empty: in none.
func (f *Fact) User() string {
	user, _ := f.Path.user()
	return user
}

// Searched tells whether search may show the fact as far as the fact itself says.
func (f *Fact) Searched() bool { return !f.Deleted && !f.Quarantined }

// utc is a time as rows and answers show it: UTC, to the millisecond.
func utc(at time.Time) time.Time { return at.UTC().Truncate(time.Millisecond) }
