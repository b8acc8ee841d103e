package adminapi

import (
	"context"

	"holdfast/internal/httpapi"
	"holdfast/internal/ledger"
	"holdfast/internal/outbox"
	"holdfast/internal/routes"
	"holdfast/internal/run"
)

type usageInput struct{}

// usageBody is what a workspace uses (T.53).
type usageBody struct {
	Items       int64 `json:"items"`
	StoredBytes int64 `json:"storedBytes"`
	ModelTokens int64 `json:"modelTokens" doc:"Tokens of paid models this month; the local models use none"`
	IndexLag    int64 `json:"indexLag" doc:"Log rows that the index has not reached"`
	DeadJobs    int64 `json:"deadJobs"`
}

// Usage answers the counters of a workspace.
func Usage(d httpapi.Deps) httpapi.Endpoint {
	runner := &outbox.Runner{Store: d.Store, Clock: d.Clock, Log: d.Log}
	return httpapi.Handle(routes.AdminUsage, func(ctx context.Context, c *httpapi.Call, _ *usageInput) (httpapi.Reply[usageBody], error) {
		head, err := ledger.ReadHead(ctx, d.Store, c.Scope)
		if err != nil {
			return httpapi.Reply[usageBody]{}, err
		}
		reached, err := d.Position.Cursor(ctx, c.Scope)
		if err != nil {
			return httpapi.Reply[usageBody]{}, err
		}
		tokens, err := run.ModelTokens(ctx, d.Store, c.Scope, d.Clock.Now())
		if err != nil {
			return httpapi.Reply[usageBody]{}, err
		}
		dead, err := deadJobs(ctx, runner, c)
		if err != nil {
			return httpapi.Reply[usageBody]{}, err
		}
		return httpapi.OK(usageBody{
			Items: head.Items, StoredBytes: head.Bytes, ModelTokens: tokens,
			IndexLag: max(0, head.Recall-reached), DeadJobs: dead,
		}), nil
	})
}

func deadJobs(ctx context.Context, runner *outbox.Runner, c *httpapi.Call) (int64, error) {
	var n int64
	after := ""
	for {
		jobs, next, err := runner.List(ctx, c.Scope, outbox.Dead, 200, after)
		n += int64(len(jobs))
		if err != nil || next == "" {
			return n, err
		}
		after = next
	}
}
