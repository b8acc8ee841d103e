package memoryapi

import (
	"context"
	"strings"

	"holdfast/internal/errs"
	"holdfast/internal/httpapi"
	"holdfast/internal/memory"
	"holdfast/internal/recall"
	"holdfast/internal/routes"
)

type retrieveInput struct {
	Body retrieveBody
}

// retrieveBody asks for a ranked context. A null member is one that is left out.
type retrieveBody struct {
	WorkspaceID   string            `json:"workspaceId"`
	RunID         *string           `json:"runId,omitempty" required:"false" nullable:"true" minLength:"1" maxLength:"256"`
	ApplicationID *string           `json:"applicationId,omitempty" required:"false" nullable:"true" minLength:"1" maxLength:"256"`
	AgentID       *string           `json:"agentId,omitempty" required:"false" nullable:"true" minLength:"1" maxLength:"256"`
	UserID        *string           `json:"userId,omitempty" required:"false" nullable:"true" minLength:"1" maxLength:"256"`
	SemanticQuery string            `json:"semanticQuery" minLength:"1" maxLength:"2000"`
	TopN          *int              `json:"topN,omitempty" required:"false" nullable:"true" minimum:"1" maximum:"200" doc:"Most ranked entries; 20 when left out"`
	TokenBudget   *int              `json:"tokenBudget,omitempty" required:"false" nullable:"true" minimum:"64" maximum:"32000" doc:"Most tokens of all blocks; 4096 when left out"`
	Mode          *string           `json:"mode,omitempty" required:"false" nullable:"true" doc:"hybrid, semantic, lexical or deterministic"`
	MinScore      *float64          `json:"minScore,omitempty" required:"false" nullable:"true" minimum:"0" maximum:"1"`
	Tags          map[string]string `json:"tags,omitempty" required:"false" nullable:"true" maxProperties:"32"`
	Raw           *bool             `json:"raw,omitempty" required:"false" nullable:"true" doc:"Entries only: no blocks, no budget"`
	Consistency   *consistency      `json:"consistency,omitempty" required:"false" nullable:"true"`
}

type consistency struct {
	AtLeast int64 `json:"atLeast" minimum:"0" doc:"A Memory-Sequence that the answer must include"`
}

// The defaults of R0.8.
const (
	defaultTopN   = 20
	defaultBudget = 4096
)

// Retrieve answers a ranked context within a token budget.
func Retrieve(d httpapi.Deps) httpapi.Endpoint {
	memories := serviceOf(d)
	service := recallOf(d)
	return httpapi.Handle(routes.MemoryRetrieve, func(ctx context.Context, c *httpapi.Call, in *retrieveInput) (httpapi.Reply[contextBody], error) {
		req, err := in.Body.request(c)
		if err != nil {
			return httpapi.Reply[contextBody]{}, err
		}
		hasher, err := memories.Hasher(ctx, c.Scope)
		if err != nil {
			return httpapi.Reply[contextBody]{}, err
		}
		req.RequestHash = hasher.Request(c.Body)
		found, err := service.Retrieve(ctx, req)
		if err != nil {
			return httpapi.Reply[contextBody]{}, err
		}
		return httpapi.OK(contextOf(found)).With("Memory-Arms", arms(found.Arms)), nil
	})
}

func recallOf(d httpapi.Deps) *recall.Service {
	return &recall.Service{
		Store: d.Store, Index: d.Index, Embedder: d.Embedder, Cursors: d.Position, Journal: d.Journal,
		Memories: serviceOf(d), Clock: d.Clock, IDs: d.IDs, Log: d.Log, CatchUp: d.CatchUp,
	}
}

func (b retrieveBody) request(c *httpapi.Call) (recall.Request, error) {
	req := recall.Request{
		Scope: c.Scope, Actor: c.Actor(), RunID: or(b.RunID, ""), Query: b.SemanticQuery,
		Subject: memory.Subject{ApplicationID: or(b.ApplicationID, ""), AgentID: or(b.AgentID, ""), UserID: or(b.UserID, "")},
		TopN:    or(b.TopN, defaultTopN), TokenBudget: or(b.TokenBudget, defaultBudget),
		Mode: recall.Mode(or(b.Mode, string(recall.Hybrid))), MinScore: or(b.MinScore, 0), Tags: b.Tags, Raw: or(b.Raw, false),
	}
	if b.Consistency != nil {
		req.AtLeast = b.Consistency.AtLeast
	}
	if !req.Mode.Known() {
		return req, errs.New(errs.Invalid, "INVALID_MODE", "mode must be hybrid, semantic, lexical or deterministic.")
	}
	return req, nil
}

func or[T any](p *T, otherwise T) T {
	if p == nil {
		return otherwise
	}
	return *p
}

// arms is the header of R0.83: which arms ran, also where raw leaves compilation out.
func arms(list []recall.Arm) string {
	parts := make([]string, len(list))
	for i, a := range list {
		parts[i] = a.Name + "=" + string(a.State)
	}
	return strings.Join(parts, ", ")
}
