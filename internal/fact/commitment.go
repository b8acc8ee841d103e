package fact

import (
	"bytes"
	"encoding/json"
	"fmt"

	"holdfast/internal/ledger"
)

// canonical is the form of a fact that the log's commitment covers. Members are in the
// order of their names, absent ones left out, so that one state has one text.
type canonical struct {
	Confidence *float64 `json:"confidence,omitempty"`
	ID         string   `json:"id"`
	Path       Path     `json:"path"`
	Run        string   `json:"runId,omitempty"`
	Space      string   `json:"space"`
	Tags       []string `json:"tags,omitempty"`
	Text       string   `json:"text"`
	Version    int64    `json:"version"`
	WrittenBy  Writer   `json:"writtenBy"`
}

// Canonical is the JSON text that a commitment covers.
func (f *Fact) Canonical() ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(canonical{
		Confidence: f.Confidence, ID: f.ID, Path: f.Path, Run: f.Source.RunID, Space: f.Space,
		Tags: f.Tags, Text: f.Text, Version: f.Version, WrittenBy: f.Source.WrittenBy,
	})
	if err != nil {
		return nil, fmt.Errorf("fact: canonical form: %w", err)
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), nil
}

// entry is the log row of a change of f. Once the salt is erased its commitment means
// nothing (T.18); a tombstone has none.
func (f *Fact) entry(op ledger.Op, searched bool) (ledger.Entry, error) {
	e := ledger.Entry{Op: op, Family: Family, ItemID: f.ID, Version: f.Version, Recall: searched}
	if f.Deleted {
		return e, nil
	}
	text, err := f.Canonical()
	if err != nil {
		return e, err
	}
	e.Commitment = ledger.Commit(f.Salt, text)
	return e, nil
}
