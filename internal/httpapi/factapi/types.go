package factapi

import (
	"context"

	"holdfast/internal/fact"
	"holdfast/internal/factsearch"
	"holdfast/internal/httpapi"
	"holdfast/internal/keyed"
	"holdfast/internal/runtoken"
	"holdfast/internal/tenant"
)

// factBody is a fact on the wire (S3.5).
type factBody struct {
	ID string `json:"id"`
	editionBody
	CreatedAt   httpapi.Time `json:"created_at"`
	Quarantined bool         `json:"quarantined,omitempty" doc:"Screening caught it; search and prompts leave it out until a person clears it"`
}

// editionBody is what a version holds (R3.12).
type editionBody struct {
	Path       string       `json:"path" doc:"The root is empty, any other ends with a slash"`
	Text       string       `json:"text"`
	Tags       []string     `json:"tags"`
	Confidence *float64     `json:"confidence" nullable:"true"`
	Version    int64        `json:"version"`
	UpdatedAt  httpapi.Time `json:"updated_at"`
	Source     sourceBody   `json:"source"`
}

type sourceBody struct {
	RunID     *string     `json:"run_id" nullable:"true" doc:"Null: a person wrote it"`
	WrittenBy fact.Writer `json:"written_by" enum:"code,model,person"`
}

func factOf(f *fact.Fact) factBody {
	return factBody{ID: f.ID, editionBody: editionOf(f.Edition), CreatedAt: httpapi.At(f.CreatedAt), Quarantined: f.Quarantined}
}

func editionOf(e fact.Edition) editionBody {
	out := editionBody{Path: e.Path.String(), Text: e.Text, Tags: e.Tags, Confidence: e.Confidence, Version: e.Version,
		UpdatedAt: httpapi.At(e.UpdatedAt), Source: sourceBody{WrittenBy: e.Source.WrittenBy}}
	if out.Tags == nil {
		out.Tags = []string{}
	}
	if e.Source.RunID != "" {
		out.Source.RunID = &e.Source.RunID
	}
	return out
}

func factsOf(list []*fact.Fact) []factBody {
	out := make([]factBody, len(list))
	for i, f := range list {
		out[i] = factOf(f)
	}
	return out
}

func editionsOf(list []fact.Edition) []editionBody {
	out := make([]editionBody, len(list))
	for i, e := range list {
		out[i] = editionOf(e)
	}
	return out
}

func serviceOf(d httpapi.Deps) *fact.Service {
	return fact.New(fact.Deps{Store: d.Store, Commit: d.Commit, IDs: d.IDs})
}

func searchOf(d httpapi.Deps) *factsearch.Service {
	return &factsearch.Service{Facts: serviceOf(d), Store: d.Store, Index: d.Words, Cursors: d.Position, Journal: d.Journal,
		Clock: d.Clock, IDs: d.IDs, Log: d.Log, CatchUp: d.CatchUp}
}

// runs is the target of a run's call.
func runs(c *httpapi.Call) fact.Target {
	t := fact.OfRun(c.Run, c.Workspace)
	t.Allows = c.AllowsVersion
	return t
}

// panel is the target of a person's call.
func panel(c *httpapi.Call, agentID string) fact.Target {
	t := fact.OfPanel(c.Scope, c.Workspace, c.Actor(), agentID)
	t.Allows = c.AllowsVersion
	return t
}

// hashes makes the keyed hash of a request that its receipt keeps.
type hashes struct{ secrets *keyed.Secrets }

func hashesOf(d httpapi.Deps) hashes { return hashes{keyed.NewSecrets(d.Store)} }

func (h hashes) of(ctx context.Context, scope tenant.Scope, body []byte) (string, error) {
	hasher, err := h.secrets.Of(ctx, scope)
	if err != nil {
		return "", err
	}
	return hasher.MAC("request", string(body)), nil
}

func tokensOf(d httpapi.Deps) *runtoken.Service {
	return &runtoken.Service{Store: d.Store, Commit: d.Commit, Clock: d.Clock, IDs: d.IDs, Over: serviceOf(d).Over}
}

func or[T any](p *T, otherwise T) T {
	if p == nil {
		return otherwise
	}
	return *p
}

func orNull(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}
