package opensearch

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"

	"holdfast/internal/search"
)

// query is one search of an msearch. The routing is that of the scopes in its body.
type query struct {
	routing string
	body    object
	// partial has a search whose time is over answer timed_out, where it otherwise fails
	// like one that cannot be done.
	partial bool
}

// result is the answer to one search.
type result struct {
	Status   int     `json:"status"`
	Error    problem `json:"error"`
	TimedOut bool    `json:"timed_out"`
	// TerminatedEarly: more documents meet the query than it was to go through.
	TerminatedEarly bool `json:"terminated_early"`
	Shards          struct {
		Failed int `json:"failed"`
	} `json:"_shards"`
	Hits         hits                       `json:"hits"`
	Aggregations map[string]json.RawMessage `json:"aggregations"`
}

type hits struct {
	Total struct {
		Value int `json:"value"`
	} `json:"total"`
	Hits []hit `json:"hits"`
}

type hit struct {
	Score       float64         `json:"_score"`
	SeqNo       int64           `json:"_seq_no"`
	PrimaryTerm int64           `json:"_primary_term"`
	Source      json.RawMessage `json:"_source"`
	Fields      struct {
		Scope   []string `json:"scope"`
		ID      []string `json:"id"`
		Item    []string `json:"item"`
		Version []int64  `json:"version"`
		Length  []int    `json:"length"`
	} `json:"fields"`
	Matched struct {
		Cosine json.RawMessage `json:"cosine"` // a number, or "NaN" where nothing was scored
	} `json:"matched_queries"` // scores of named clauses
}

// id is the document's id; of a hit that tells its fields.
func (h *hit) id() string { return documentID(h.Fields.Scope[0], h.Fields.ID[0]) }

// err tells whether the search failed or answered in part only.
func (r *result) err() error {
	switch {
	case r.Status != 0 && r.Status != http.StatusOK || r.Error.Type != "":
		return failure(max(r.Status, http.StatusBadRequest), r.Error)
	case r.TimedOut:
		return fmt.Errorf("%w: no answer in time", search.ErrUnavailable)
	case r.Shards.Failed > 0:
		return fmt.Errorf("%w: a shard does not answer", search.ErrUnavailable)
	}
	return nil
}

// answered is what is read of a search's answer; the rest is not sent.
const answered = "status,timed_out,terminated_early,error.type,_shards.failed,hits.total.value," +
	"hits.hits._score,hits.hits._seq_no,hits.hits._primary_term,hits.hits._source," +
	"hits.hits.fields,hits.hits.matched_queries,aggregations"

// answeredEach is the same for an msearch.
var answeredEach = func() string {
	var out []byte
	for i, part := range bytes.Split([]byte(answered), []byte(",")) {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(append(out, "responses."...), part...)
	}
	return string(out)
}()

// multi asks several searches at once. Each result has an error of its own.
func (x *engine) multi(ctx context.Context, queries []query) ([]result, error) {
	if len(queries) == 0 {
		return nil, nil
	}
	var body bytes.Buffer
	for _, q := range queries {
		body.Write(encode(object{"routing": q.routing, "allow_partial_search_results": q.partial}))
		body.WriteByte('\n')
		body.Write(encode(q.body))
		body.WriteByte('\n')
	}
	var answer struct {
		Responses []result `json:"responses"`
	}
	err := do(ctx, x, request{
		method: http.MethodPost, path: "/" + x.index + "/_msearch", lines: true, body: body.Bytes(),
		query: url.Values{"filter_path": {answeredEach}},
	}, &answer)
	if err != nil {
		return nil, err
	}
	if len(answer.Responses) != len(queries) {
		return nil, fmt.Errorf("%w: the answer cannot be read", search.ErrUnavailable)
	}
	return answer.Responses, nil
}

// all asks several searches of which each must succeed.
func (x *engine) all(ctx context.Context, queries []query) ([]result, error) {
	results, err := x.multi(ctx, queries)
	for i := range results {
		if failed := results[i].err(); failed != nil {
			return nil, failed
		}
	}
	return results, err
}

// one asks a single search and has the scores of its named clauses answered, which
// an msearch cannot.
func (x *engine) one(ctx context.Context, q query) (result, error) {
	var out result
	err := do(ctx, x, request{
		method: http.MethodPost, path: "/" + x.index + "/_search", body: encode(q.body),
		query: url.Values{
			"routing": {q.routing}, "allow_partial_search_results": {"false"},
			"include_named_queries_score": {"true"}, "filter_path": {answered},
		},
	}, &out)
	if err == nil {
		err = out.err()
	}
	return out, err
}
