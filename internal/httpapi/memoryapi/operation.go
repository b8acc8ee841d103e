package memoryapi

import (
	"context"

	"holdfast/internal/httpapi"
	"holdfast/internal/ledger"
	"holdfast/internal/memory"
	"holdfast/internal/routes"
	"holdfast/internal/tenant"
	"holdfast/internal/webhook"
)

type operationInput struct {
	OperationID string `path:"operationId"`
}

// operationBody is an ingestion receipt (S0.57).
type operationBody struct {
	OperationID     string                 `json:"operationId"`
	MemoryID        string                 `json:"memoryId"`
	Merged          bool                   `json:"merged"`
	ContentReplaced bool                   `json:"contentReplaced"`
	Status          memory.IngestionStatus `json:"status" enum:"pending,indexed,failed"`
	CreatedAt       httpapi.Time           `json:"createdAt"`
	Effects         []effectBody           `json:"effects"`
}

type effectBody struct {
	Kind      memory.EffectKind  `json:"kind" enum:"embed,event"`
	State     memory.EffectState `json:"state" enum:"pending,failed,succeeded,dead"`
	Attempt   int                `json:"attempt"`
	LastError *string            `json:"lastError" nullable:"true" doc:"A code"`
}

// Operation tells what became of an append (S0.55 to S0.61).
func Operation(d httpapi.Deps) httpapi.Endpoint {
	service := serviceOf(d)
	service.Events = func(ctx context.Context, scope tenant.Scope, op ledger.Operation) (memory.Effect, error) {
		e, err := webhook.EffectOf(ctx, d.Store, scope, op)
		return memory.Effect{State: memory.EffectState(e.State), Attempt: e.Attempt, LastError: e.LastError}, err
	}
	return httpapi.Handle(routes.MemoryOperation, func(ctx context.Context, c *httpapi.Call, in *operationInput) (httpapi.Reply[operationBody], error) {
		r, err := service.Operation(ctx, target(c), in.OperationID)
		if err != nil {
			return httpapi.Reply[operationBody]{}, err
		}
		body := operationBody{OperationID: r.OperationID, MemoryID: r.MemoryID, Merged: r.Merged,
			ContentReplaced: r.ContentReplaced, Status: r.Status, CreatedAt: httpapi.At(r.CreatedAt),
			Effects: make([]effectBody, len(r.Effects))}
		for i, e := range r.Effects {
			body.Effects[i] = effectBody{Kind: e.Kind, State: e.State, Attempt: e.Attempt, LastError: orNull(e.LastError)}
		}
		return httpapi.OK(body), nil
	})
}
