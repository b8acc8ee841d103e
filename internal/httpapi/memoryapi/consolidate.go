package memoryapi

import (
	"context"
	"time"

	"holdfast/internal/consolidate"
	"holdfast/internal/httpapi"
	"holdfast/internal/outbox"
	"holdfast/internal/routes"
)

type consolidateInput struct {
	Body consolidateBody
}

// consolidateBody ends a run (S0.65).
type consolidateBody struct {
	RunID         string  `json:"runId" minLength:"1" maxLength:"256"`
	ApplicationID *string `json:"applicationId,omitempty" required:"false" nullable:"true" minLength:"1" maxLength:"256"`
	Goal          *string `json:"goal,omitempty" required:"false" nullable:"true" maxLength:"1000" doc:"What the run was for; it opens the episode"`
	Instructions  *string `json:"extractionInstructions,omitempty" required:"false" nullable:"true" maxLength:"2000" doc:"Narrow what is kept, such as: only decisions about the database"`
}

type consolidatedBody struct {
	Status string `json:"status" enum:"consolidated"`
}

// consolidateLease outlasts the route's time.
const consolidateLease = 40 * time.Second

// Consolidate ends a run: episode, facts and procedures, and a cleared session
// (S0.62 to S0.67).
func Consolidate(d httpapi.Deps) httpapi.Endpoint {
	service := consolidate.New(consolidate.Service{
		Store: d.Store, Commit: d.Commit, Memories: serviceOf(d), Index: d.Index, IDs: d.IDs, Clock: d.Clock, Log: d.Log,
		Runner:    &outbox.Runner{Store: d.Store, Queue: d.Queue, Clock: d.Clock, Log: d.Log, Lease: consolidateLease},
		Workspace: d.WorkspaceOf, // Ended is the worker's, which sweeps
	}, d.LLM)
	return httpapi.Handle(routes.MemoryConsolidate, func(ctx context.Context, c *httpapi.Call, in *consolidateInput) (httpapi.Reply[consolidatedBody], error) {
		out, err := service.Consolidate(ctx, target(c), consolidate.Ask{
			RunID: in.Body.RunID, ApplicationID: in.Body.ApplicationID, Goal: or(in.Body.Goal, ""), Instructions: or(in.Body.Instructions, ""),
		})
		if err != nil {
			return httpapi.Reply[consolidatedBody]{}, err
		}
		return httpapi.OK(consolidatedBody{Status: "consolidated"}).Wrote(out), nil
	})
}
