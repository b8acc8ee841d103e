package opensearch

import (
	"context"
	"fmt"
	"net/http"
	"net/url"

	"holdfast/internal/search"
	"holdfast/internal/tenant"
)

// Has asks for the document itself, so that it also sees what is not searchable yet.
func (x *engine) Has(ctx context.Context, scope tenant.Scope, id string) (bool, error) {
	if scope.IsZero() {
		return false, search.ErrBadRequest
	}
	key := scopeKey(scope)
	var answer struct {
		Docs []struct {
			Found bool    `json:"found"`
			Error problem `json:"error"`
		} `json:"docs"`
	}
	err := do(ctx, x, request{method: http.MethodPost, path: "/" + x.index + "/_mget", body: encode(object{
		"docs": []object{{"_id": documentID(key, id), "routing": key, "_source": false}},
	})}, &answer)
	if err != nil {
		return false, err
	}
	if len(answer.Docs) != 1 {
		return false, fmt.Errorf("%w: the answer cannot be read", search.ErrUnavailable)
	}
	if p := answer.Docs[0].Error; p.Type != "" {
		return false, failure(http.StatusInternalServerError, p)
	}
	return answer.Docs[0].Found, nil
}

// Count answers how many documents the scope holds.
func (x *engine) Count(ctx context.Context, scope tenant.Scope) (int, error) {
	scopes, err := scopedTo(scope)
	if err != nil {
		return 0, err
	}
	results, err := x.all(ctx, []query{{routing: scopes.routing(), body: object{"size": 0, "track_total_hits": true, "query": scopes.only()}}})
	if err != nil {
		return 0, err
	}
	return results[0].Hits.Total.Value, nil
}

// Ping answers nil when every primary shard of the index serves.
func (x *engine) Ping(ctx context.Context) error {
	var answer struct {
		Status   string `json:"status"`
		TimedOut bool   `json:"timed_out"`
	}
	err := do(ctx, x, request{
		method: http.MethodGet, path: "/_cluster/health/" + x.index,
		query: url.Values{"wait_for_status": {"yellow"}, "timeout": {"1s"}, "filter_path": {"status,timed_out"}},
	}, &answer)
	if err == nil && (answer.TimedOut || answer.Status != "green" && answer.Status != "yellow") {
		err = fmt.Errorf("%w: the index does not serve", search.ErrUnavailable)
	}
	return err
}
