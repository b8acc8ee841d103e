package opensearch

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"holdfast/internal/search"
)

// totals asks how many documents and passages the scopes hold and how long they
// are. It is the same for every query, so that the engine answers it from its
// request cache until something is written.
func (s scoped) totals(plain bool) object {
	length := fieldLength
	if plain {
		length = fieldPlainLength
	}
	return object{
		"size": 0, "track_total_hits": true, "query": s.only(),
		"aggs": object{"chunks": object{"sum": object{"field": fieldChunks}}, "length": object{"sum": object{"field": length}}},
	}
}

// frequencies asks in how many documents each term occurs.
func (s scoped) frequencies(terms []string) object {
	filters := make(map[string]object, len(terms))
	for i, term := range terms {
		filters[strconv.Itoa(i)] = object{"term": object{fieldWords: indexed(term)}}
	}
	return object{
		"size": 0, "track_total_hits": false, "query": s.only(),
		"aggs": object{"df": object{"filters": object{"filters": filters}}},
	}
}

// statistics reads both answers.
func statistics(terms []string, totals, frequencies *result) (search.Stats, error) {
	out := search.Stats{Documents: totals.Hits.Total.Value, DF: make(map[string]int, len(terms))}
	var chunks, length struct {
		Value float64 `json:"value"`
	}
	var df struct {
		Buckets map[string]struct {
			Count int `json:"doc_count"`
		} `json:"buckets"`
	}
	err := cmp.Or(read(totals, "chunks", &chunks), read(totals, "length", &length))
	if err == nil && len(terms) > 0 {
		err = read(frequencies, "df", &df)
	}
	if err != nil {
		return search.Stats{}, err
	}
	if chunks.Value > 0 {
		out.AvgLength = length.Value / search.WeightUnit / chunks.Value
	}
	for i, term := range terms {
		out.DF[term] = df.Buckets[strconv.Itoa(i)].Count
	}
	return out, nil
}

// read reads an aggregation.
func read(r *result, name string, out any) error {
	if json.Unmarshal(r.Aggregations[name], out) != nil {
		return fmt.Errorf("%w: the answer cannot be read", search.ErrUnavailable)
	}
	return nil
}

// held answers the terms that weigh in some document, in their order.
func held(terms []string, stats search.Stats) []string {
	return slices.DeleteFunc(slices.Clone(search.Weighing(terms, stats)), func(term string) bool { return stats.DF[term] == 0 })
}
