package opensearch

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"holdfast/internal/search/words"
)

// orderByScore is words.Scorer.Of of the sum of the clauses' scores.
const orderByScore = `double step = params.step, base = params.base, slope = params.slope;
double matched = Math.floor(_score / step), weight = _score - matched * step;
return matched + weight * base / (base + slope * doc['length'].value) / step;`

// Search asks for the statistics of the reach and then for the hits.
func (x *Words) Search(ctx context.Context, q words.Query) (words.Answer, error) {
	if err := q.Check(); err != nil {
		return words.Answer{}, err
	}
	scope, err := scopedTo(q.Scope)
	if err != nil {
		return words.Answer{}, err
	}
	answer := words.Answer{Statistics: words.Statistics{DF: make([]int, len(q.Words))}}
	reach, any := reachOf(&q)
	if !any {
		return answer, ctx.Err()
	}
	within := append([]object{{"term": object{fieldSpace: q.Space}}}, reach)
	if answer.Statistics, err = x.statistics(ctx, scope, &q, within); err != nil || !slices.ContainsFunc(answer.Statistics.DF, positive) {
		return answer, err
	}
	answer.Hits, err = x.hits(ctx, scope, &q, within, words.NewScorer(q.Words, answer.Statistics))
	return answer, err
}

func positive(n int) bool { return n > 0 }

// reachOf holds for the documents in a query's reach; false: there can be none.
func reachOf(q *words.Query) (object, bool) {
	var branches []object
	for _, b := range q.Branches() {
		if slices.Contains(b.Out, b.Folder) {
			continue
		}
		var clauses []object
		if b.Folder != "" {
			clauses = append(clauses, object{"term": object{fieldFolders: b.Folder}})
		}
		if len(b.Out) > 0 {
			clauses = append(clauses, not(object{"terms": object{fieldFolders: b.Out}}))
		}
		branches = append(branches, together(clauses))
	}
	if len(branches) == 0 {
		return nil, false
	}
	return object{"bool": object{"should": branches, "minimum_should_match": 1}}, true
}

// beginning holds for the documents of the query's space with a word that begins so.
func beginning(q *words.Query, word string) object {
	return object{"prefix": object{fieldWords: object{"value": wordsKey(q.Scope, q.Space) + word}}}
}

// statistics counts what lies in the reach, and what of it each word matches.
func (x *Words) statistics(ctx context.Context, scope scoped, q *words.Query, within []object) (words.Statistics, error) {
	aggregations := object{"length": object{"sum": object{"field": fieldLength}}}
	if len(q.Words) > 0 {
		filters := object{}
		for i, word := range q.Words {
			filters[strconv.Itoa(i)] = beginning(q, word)
		}
		aggregations["counts"] = object{"filters": object{"filters": filters}}
	}
	results, err := x.all(ctx, []query{{routing: scope.routing(), body: object{
		"size": 0, "track_total_hits": true, "timeout": x.patience, "query": scope.only(within...), "aggs": aggregations,
	}}})
	if err != nil {
		return words.Statistics{}, err
	}
	return readStatistics(&results[0], len(q.Words))
}

func readStatistics(r *result, n int) (words.Statistics, error) {
	out := words.Statistics{Documents: r.Hits.Total.Value, DF: make([]int, n)}
	var length struct {
		Value float64 `json:"value"`
	}
	if err := read(r, "length", &length); err != nil {
		return words.Statistics{}, err
	}
	out.Length = int64(length.Value)
	if n == 0 {
		return out, nil
	}
	var counts struct {
		Buckets map[string]struct {
			Count int `json:"doc_count"`
		} `json:"buckets"`
	}
	if err := read(r, "counts", &counts); err != nil {
		return words.Statistics{}, err
	}
	for i := range out.DF {
		out.DF[i] = counts.Buckets[strconv.Itoa(i)].Count
	}
	return out, nil
}

// hits asks for the best. What they score is computed here.
func (x *Words) hits(ctx context.Context, scope scoped, q *words.Query, within []object, scorer words.Scorer) ([]words.Hit, error) {
	var matches []object
	for i, word := range q.Words {
		matches = append(matches, object{"constant_score": object{"filter": beginning(q, word), "boost": scorer.Raw(i)}})
	}
	clauses := slices.Clone(within)
	for _, tag := range q.Tags {
		clauses = append(clauses, object{"term": object{fieldTags: tag}})
	}
	if len(q.Without) > 0 {
		clauses = append(clauses, not(object{"terms": object{fieldID: q.Without}}))
	}
	script := object{"source": orderByScore, "params": object{"step": scorer.Step, "base": scorer.Base, "slope": scorer.Slope}}
	found, err := x.one(ctx, query{routing: scope.routing(), body: object{
		"size": min(q.Limit, maxWindow), "track_total_hits": false, "track_scores": true, "timeout": x.patience, "_source": false,
		"query":           scope.scoring(object{"bool": object{"should": matches, "minimum_should_match": 1}}, clauses...),
		"docvalue_fields": []string{fieldID, fieldLength},
		"sort": []object{
			{"_script": object{"type": "number", "order": "desc", "script": script}},
			{fieldUpdated: "desc"}, {fieldID: "desc"},
		},
	}})
	if err != nil {
		return nil, err
	}
	out := make([]words.Hit, len(found.Hits.Hits))
	for i := range found.Hits.Hits {
		h := &found.Hits.Hits[i]
		if len(h.Fields.ID) != 1 || len(h.Fields.Length) != 1 {
			return nil, fmt.Errorf("%w: the answer cannot be read", words.ErrUnavailable)
		}
		out[i].ID = h.Fields.ID[0]
		out[i].Score, out[i].Matched = scorer.Of(int(h.Score), h.Fields.Length[0])
	}
	return out, nil
}
