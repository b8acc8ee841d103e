package adminapi

import (
	"encoding/json"

	"github.com/danielgtaylor/huma/v2"

	"holdfast/internal/tenant"
	"holdfast/internal/tenant/directory"
)

// Settings are a workspace's settings as they are shown (T.32).
type Settings struct {
	IdleSeconds    int     `json:"idleSeconds"`
	DeferEmbedding bool    `json:"deferEmbedding"`
	MergeThreshold float64 `json:"mergeThreshold"`
	Budgets        Budgets `json:"budgets"`
	// LexicalWeight is shown where it is set: T.32 names no such member.
	LexicalWeight *float64 `json:"lexicalWeight,omitempty" doc:"The lexical arm's share in ranking; absent: the embedding profile's own"`
}

// Budgets are a workspace's limits.
type Budgets struct {
	ModelTokensPerMonth *int64 `json:"modelTokensPerMonth" nullable:"true" doc:"null: none"`
	StoredBytes         *int64 `json:"storedBytes" nullable:"true" doc:"null: none"`
}

func settingsOf(s tenant.Settings) Settings {
	return Settings{
		IdleSeconds: s.IdleSeconds, DeferEmbedding: s.DeferEmbedding, MergeThreshold: s.MergeThreshold,
		Budgets:       Budgets{ModelTokensPerMonth: s.Budgets.ModelTokensPerMonth, StoredBytes: s.Budgets.StoredBytes},
		LexicalWeight: s.LexicalWeight,
	}
}

// SettingsChange is some of the settings; what is left out stays as it is, or
// has its default in a new workspace.
type SettingsChange struct {
	IdleSeconds    *int           `json:"idleSeconds,omitempty" minimum:"60" maximum:"86400" doc:"Seconds without a call after which a run is idle; 1800 by default"`
	DeferEmbedding *bool          `json:"deferEmbedding,omitempty" doc:"Embed after the answer; false by default"`
	MergeThreshold *float64       `json:"mergeThreshold,omitempty" minimum:"0.8" maximum:"0.99" doc:"Least cosine of a near-duplicate; 0.9 by default"`
	Budgets        *BudgetsChange `json:"budgets,omitempty"`
	LexicalWeight  Share          `json:"lexicalWeight,omitzero" doc:"The lexical arm's share in ranking, 0 to 1; null: the embedding profile's own"`
}

// BudgetsChange is some of the budgets; what is left out stays as it is.
type BudgetsChange struct {
	ModelTokensPerMonth Amount `json:"modelTokensPerMonth,omitzero" doc:"null: none"`
	StoredBytes         Amount `json:"storedBytes,omitzero" doc:"null: none"`
}

// Amount is a whole number, null for none, or left out.
type Amount struct{ directory.Amount }

// UnmarshalJSON tells null from a member that was left out.
func (a *Amount) UnmarshalJSON(raw []byte) error {
	a.Set = true
	return json.Unmarshal(raw, &a.Value)
}

// Schema is that of a whole number of at least 0, or null.
func (Amount) Schema(huma.Registry) *huma.Schema {
	low := 0.0
	return &huma.Schema{Type: huma.TypeInteger, Format: "int64", Minimum: &low, Nullable: true}
}

// Share is a number from 0 to 1, null for none, or left out.
type Share struct{ directory.Nullable[float64] }

// UnmarshalJSON tells null from a member that was left out.
func (s *Share) UnmarshalJSON(raw []byte) error {
	s.Set = true
	return json.Unmarshal(raw, &s.Value)
}

// Schema is that of a number from 0 to 1, or null.
func (Share) Schema(huma.Registry) *huma.Schema {
	low, high := 0.0, 1.0
	return &huma.Schema{Type: huma.TypeNumber, Format: "double", Minimum: &low, Maximum: &high, Nullable: true}
}

func (s *SettingsChange) change() directory.SettingsChange {
	if s == nil {
		return directory.SettingsChange{}
	}
	change := directory.SettingsChange{IdleSeconds: s.IdleSeconds, DeferEmbedding: s.DeferEmbedding, MergeThreshold: s.MergeThreshold,
		LexicalWeight: s.LexicalWeight.Nullable}
	if b := s.Budgets; b != nil {
		change.Budgets = &directory.BudgetChange{ModelTokensPerMonth: b.ModelTokensPerMonth.Amount, StoredBytes: b.StoredBytes.Amount}
	}
	return change
}
