package tenant

import "time"

// Tenant is an organization.
type Tenant struct {
	ID        string    `json:"id"`
	Name      string    `json:"name"`
	CreatedAt time.Time `json:"createdAt"`
}

// Workspace is a space of a tenant with its settings.
type Workspace struct {
	ID        string    `json:"id"`
	Name      string    `json:"name"`
	Settings  Settings  `json:"settings"`
	CreatedAt time.Time `json:"createdAt"`
	Version   int64     `json:"version"` // its ETag
}

// Settings are the choices of T.32.
type Settings struct {
	IdleSeconds    int     `json:"idleSeconds"`    // 60 to 86400
	DeferEmbedding bool    `json:"deferEmbedding"` // embed after the answer
	MergeThreshold float64 `json:"mergeThreshold"` // least cosine of a near-duplicate, 0.80 to 0.99
	Budgets        Budgets `json:"budgets"`
	// LexicalWeight is the lexical arm's share in ranking, 0 to 1, in place of the
	// embedding profile's; nil: the profile's.
	LexicalWeight *float64 `json:"lexicalWeight"`
}

// Budgets are limits of a workspace; nil is none.
type Budgets struct {
	ModelTokensPerMonth *int64 `json:"modelTokensPerMonth"`
	StoredBytes         *int64 `json:"storedBytes"`
}

// DefaultSettings are those of a workspace that was made without any (T.32).
func DefaultSettings() Settings {
	return Settings{IdleSeconds: 1800, MergeThreshold: 0.90}
}
