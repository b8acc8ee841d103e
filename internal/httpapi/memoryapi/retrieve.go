package memoryapi

import (
	"context"
	"strings"

	"holdfast/internal/errs"
	"holdfast/internal/httpapi"
	"holdfast/internal/memory"
	"holdfast/internal/recall"
	"holdfast/internal/recall/rerank"
	"holdfast/internal/routes"
	"holdfast/internal/run"
)

type retrieveInput struct {
	Body retrieveBody
}

// retrieveBody asks for a ranked context: the 24 fields of S0.23 to S0.27, and
// consistency (A0.3). A null member is one that is left out.
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
	Rerank        *bool             `json:"rerank,omitempty" required:"false" nullable:"true" doc:"Re-order the first entries with a second scorer; not with mode deterministic"`
	MinScore      *float64          `json:"minScore,omitempty" required:"false" nullable:"true" minimum:"0" maximum:"1"`
	Tags          map[string]string `json:"tags,omitempty" required:"false" nullable:"true" maxProperties:"32"`
	Raw           *bool             `json:"raw,omitempty" required:"false" nullable:"true" doc:"Entries only: no blocks, no budget"`
	Explain       *bool             `json:"explain,omitempty" required:"false" nullable:"true" doc:"Answer diagnostics; nothing else changes"`

	Overrides *httpapi.Separate[overridesBody] `json:"overrides,omitempty" required:"false" nullable:"true" doc:"Change how this request alone ranks"`

	IncludeSuperseded *bool         `json:"includeSuperseded,omitempty" required:"false" nullable:"true" doc:"Show what is superseded or no longer valid too"`
	AsOf              *httpapi.Time `json:"asOf,omitempty" required:"false" nullable:"true" doc:"Answer as of this instant"`
	AsOfAxis          *string       `json:"asOfAxis,omitempty" required:"false" nullable:"true" doc:"valid, recorded (when left out) or both; with asOf only"`
	TemporalAfter     *httpapi.Time `json:"temporalAfter,omitempty" required:"false" nullable:"true" doc:"Events at or after this instant"`
	TemporalBefore    *httpapi.Time `json:"temporalBefore,omitempty" required:"false" nullable:"true" doc:"Events before this instant"`
	TemporalAnchor    *httpapi.Time `json:"temporalAnchor,omitempty" required:"false" nullable:"true" doc:"From where recency and words such as last month are read; filters nothing"`

	ExpandSessions      *bool `json:"expandSessions,omitempty" required:"false" nullable:"true" doc:"Add the neighbours of the best entries in their sessions"`
	ExpandSessionCount  *int  `json:"expandSessionCount,omitempty" required:"false" nullable:"true" minimum:"1" maximum:"10" doc:"How many sessions; 3 when left out"`
	ExpandSessionWindow *int  `json:"expandSessionWindow,omitempty" required:"false" nullable:"true" minimum:"0" maximum:"20" doc:"Entries on each side of an entry; 3 when left out"`

	Consistency *consistency `json:"consistency,omitempty" required:"false" nullable:"true"`
}

type consistency struct {
	AtLeast int64 `json:"atLeast" minimum:"0" doc:"A Memory-Sequence that the answer must include"`
}

// The defaults of R0.8 and R0.20.
const (
	defaultTopN     = 20
	defaultBudget   = 4096
	defaultSessions = 3
	defaultWindow   = 3
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
	memories := serviceOf(d)
	return &recall.Service{
		Store: d.Store, Index: d.Index, Embedder: d.Embedder, Cursors: d.Position, Journal: d.Journal,
		Memories: memories, Clock: d.Clock, IDs: d.IDs, Log: d.Log, CatchUp: d.CatchUp,
		EmbedTime: d.EmbedWait, Breaker: recall.NewBreaker(d.Clock), Reranker: rerank.Cross{}, Runs: run.Visits{Store: d.Store, Clock: d.Clock, Hash: memories.RunHash},
	}
}

func (b retrieveBody) request(c *httpapi.Call) (recall.Request, error) {
	req := recall.Request{
		Scope: c.Scope, Actor: c.Actor(), RunID: or(b.RunID, ""), Query: b.SemanticQuery,
		Subject: memory.Subject{ApplicationID: or(b.ApplicationID, ""), AgentID: or(b.AgentID, ""), UserID: or(b.UserID, "")},
		TopN:    or(b.TopN, defaultTopN), TokenBudget: or(b.TokenBudget, defaultBudget),
		Mode: recall.Mode(or(b.Mode, string(recall.Hybrid))), MinScore: or(b.MinScore, 0), Tags: b.Tags, Raw: or(b.Raw, false),
		Rerank: or(b.Rerank, false), Explain: or(b.Explain, false), IncludeSuperseded: or(b.IncludeSuperseded, false),
		Anchor: b.TemporalAnchor.Or(), Expand: b.expansion(), LexicalWeight: c.Workspace.Settings.LexicalWeight,
	}
	if b.Consistency != nil {
		req.AtLeast = b.Consistency.AtLeast
	}
	for _, step := range []func(*recall.Request) error{b.modes, b.times, b.weigh} {
		if err := step(&req); err != nil {
			return req, err
		}
	}
	return req, nil
}

// modes holds the mode against R0.9 and S0.33.
func (b retrieveBody) modes(req *recall.Request) error {
	if !req.Mode.Known() {
		return errs.New(errs.Invalid, "INVALID_MODE", "mode must be hybrid, semantic, lexical or deterministic.")
	}
	if req.Mode == recall.Deterministic && req.Rerank {
		return errs.New(errs.Invalid, "DETERMINISTIC_EXCLUDES_RERANK",
			"mode deterministic and rerank exclude each other; leave one of them out.")
	}
	return nil
}

// times reads the clocks of R0.15 to R0.18.
func (b retrieveBody) times(req *recall.Request) error {
	axis := memory.Axis(or(b.AsOfAxis, string(memory.RecordedAxis)))
	switch axis {
	case memory.ValidAxis, memory.RecordedAxis, memory.BothAxes:
	default:
		return errs.New(errs.Invalid, "INVALID_AS_OF_AXIS", "asOfAxis must be valid, recorded or both.")
	}
	if b.AsOfAxis != nil && b.AsOf == nil {
		return errs.Validation(errs.Field{Pointer: "/asOf", Rule: "is required with asOfAxis"})
	}
	if b.AsOf != nil {
		req.AsOf = &memory.AsOf{At: b.AsOf.UTC(), Axis: axis}
	}
	req.After, req.Before = b.TemporalAfter.Or(), b.TemporalBefore.Or()
	if req.After != nil && req.Before != nil && !req.After.Before(*req.Before) {
		return errs.Validation(errs.Field{Pointer: "/temporalBefore", Rule: "must be after temporalAfter"})
	}
	return nil
}

// expansion is what R0.20 asks for; the numbers alone switch nothing on.
func (b retrieveBody) expansion() *recall.Expansion {
	if !or(b.ExpandSessions, false) {
		return nil
	}
	return &recall.Expansion{Sessions: or(b.ExpandSessionCount, defaultSessions), Window: or(b.ExpandSessionWindow, defaultWindow)}
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
