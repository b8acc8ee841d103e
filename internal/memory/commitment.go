package memory

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"

	"holdfast/internal/ledger"
)

// canonical is the form of a memory that the log's commitment covers: content
// and metadata that callers gave. Members are in the order of their names, absent
// ones left out, so that one state has one text (RFC 8785 in spirit).
type canonical struct {
	Agent         string            `json:"agentId,omitempty"`
	Application   string            `json:"applicationId,omitempty"`
	URI           string            `json:"artifactUri,omitempty"`
	Attribute     string            `json:"attribute,omitempty"`
	Content       string            `json:"content"`
	ID            string            `json:"id"`
	Importance    *float64          `json:"importance,omitempty"`
	Layer         Layer             `json:"layer"`
	NonNegotiable bool              `json:"nonNegotiable,omitempty"`
	Origin        Origin            `json:"origin"`
	Run           string            `json:"runId,omitempty"`
	Sources       []canonicalSource `json:"sources,omitempty"`
	Speaker       string            `json:"speaker,omitempty"`
	Tags          map[string]string `json:"tags,omitempty"` // encoding/json sorts the keys
	Type          Type              `json:"type"`
	User          string            `json:"userId,omitempty"`
	ValidFrom     *time.Time        `json:"validFrom,omitempty"`
	ValidTo       *time.Time        `json:"validTo,omitempty"`
	Version       int64             `json:"version"`
}

type canonicalSource struct {
	End   *int       `json:"end,omitempty"`
	ID    string     `json:"id"`
	Kind  SourceKind `json:"kind"`
	Start *int       `json:"start,omitempty"`
}

// Canonical is the JSON text that a commitment covers.
func (m *Memory) Canonical() ([]byte, error) {
	c := canonical{
		Agent: m.Subject.AgentID, Application: m.Subject.ApplicationID, User: m.Subject.UserID,
		URI: m.ArtifactURI, Attribute: m.Attribute, Content: m.Content, ID: m.ID, Importance: m.Importance,
		Layer: m.Layer, NonNegotiable: m.NonNegotiable, Origin: m.Provenance.Origin, Run: m.RunID,
		Speaker: m.Speaker, Tags: m.Tags, Type: m.Type,
		ValidFrom: m.Temporal.ValidFrom, ValidTo: m.Temporal.ValidTo, Version: m.Version,
	}
	for _, s := range m.Provenance.Sources {
		c.Sources = append(c.Sources, canonicalSource{End: s.End, ID: s.ID, Kind: s.Kind, Start: s.Start})
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(c); err != nil {
		return nil, fmt.Errorf("memory: canonical form: %w", err)
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), nil
}

// Commitment binds a log row to the memory's content without telling it: once
// the salt is erased it means nothing (T.18).
func (m *Memory) Commitment() ([]byte, error) {
	text, err := m.Canonical()
	if err != nil {
		return nil, err
	}
	return ledger.Commit(m.Salt, text), nil
}

// entry is the log row of a change of m.
func (m *Memory) entry(op ledger.Op, recall bool) (ledger.Entry, error) {
	e := ledger.Entry{Op: op, Family: Family, ItemID: m.ID, Version: m.Version, Recall: recall}
	if m.IsDeleted() {
		return e, nil
	}
	var err error
	e.Commitment, err = m.Commitment()
	return e, err
}
