package memoryapi

import (
	"context"

	"holdfast/internal/httpapi"
	"holdfast/internal/memory"
	"holdfast/internal/routes"
)

// erasureBody tells where an erasure stands (S0.52).
type erasureBody struct {
	MemoryID string               `json:"memoryId"`
	Status   memory.ErasureStatus `json:"status" enum:"none,pending,complete,dead"`
	Attempts int                  `json:"attempts"`
	ErasedAt *httpapi.Time        `json:"erasedAt" nullable:"true"`
}

// Erasure reports where the erasure of an entry stands (S0.51 to S0.54).
func Erasure(d httpapi.Deps) httpapi.Endpoint {
	service := serviceOf(d)
	return httpapi.Handle(routes.MemoryErasure, func(ctx context.Context, c *httpapi.Call, in *entryInput) (httpapi.Reply[erasureBody], error) {
		e, err := service.Erasure(ctx, target(c), in.ID, in.subject())
		if err != nil {
			return httpapi.Reply[erasureBody]{}, err
		}
		return httpapi.OK(erasureBody{MemoryID: in.ID, Status: e.Status, Attempts: e.Attempts,
			ErasedAt: httpapi.AtOrNull(e.ErasedAt)}), nil
	})
}
