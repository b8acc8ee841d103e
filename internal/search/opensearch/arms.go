package opensearch

import (
	"holdfast/internal/search"
)

// saturate is BM25 of one term over one passage (search.Saturation) in tenths: the
// score is the term's weight, by the index's similarity.
const saturate = "params.idf * _score / (_score + params.base + params.slope * doc[params.length].value)"

// bm25 scores documents by their best passage.
func bm25(terms []string, stats search.Stats, plain bool) object {
	field, length := passageWindowed, passageLength
	if plain {
		field, length = passagePlain, passagePlainLength
	}
	params := object{
		"length": fieldPassages + "." + length, "base": search.WeightUnit * search.K1, "slope": 0.0,
	}
	if stats.AvgLength > 0 {
		params["base"] = search.WeightUnit * search.K1 * (1 - search.B)
		params["slope"] = search.K1 * search.B / stats.AvgLength
	}
	clauses := make([]object, len(terms))
	for i, term := range terms {
		weighed := object{"idf": (search.K1 + 1) * search.IDF(stats.Documents, stats.DF[term])}
		for name, value := range params {
			weighed[name] = value
		}
		clauses[i] = object{"script_score": object{
			"query":  object{"term": object{fieldPassages + "." + field: indexed(term)}},
			"script": object{"source": saturate, "params": weighed},
		}}
	}
	return object{"nested": object{
		"path": fieldPassages, "score_mode": "max", "query": object{"bool": object{"should": clauses}},
	}}
}

// cosine scores the documents that have a vector of the profile exactly, by the
// plugin's own script, as the semantic arm does: (1 + cosine)/2.
func cosine(profile string, vector []float32) object {
	field := vectorPath(profile)
	return object{"script_score": object{
		"query": object{"exists": object{"field": field}},
		"script": object{"lang": "knn", "source": "knn_score", "params": object{
			"field": field, "query_value": vector, "space_type": "cosinesimil",
		}},
	}}
}

// named has the score of a clause told beside each hit.
func named(name string, clause object) object {
	return object{"bool": object{"_name": name, "must": clause}}
}

// proposing is a search for hits, best first, ties by newer id.
func proposing(most int, q object, patience string) object {
	return told(object{
		"size": most, "track_total_hits": false, "timeout": patience, "query": q,
		"sort": []object{{"_score": "desc"}, {fieldID: "desc"}},
	})
}

// told has hits tell what a search.Hit needs, from doc values alone: of stored
// fields even the id would cost more than finding the hit, since their blocks hold
// the vectors.
func told(body object) object {
	body["stored_fields"] = "_none_"
	body["docvalue_fields"] = []string{fieldScope, fieldID, fieldItem, fieldVersion}
	return body
}

// matching is the lexical arm. It tells the cosines of its hits, by a clause that
// filters nothing, and the scores of other documents that the semantic arm found.
func (s scoped) matching(q *search.Query, terms []string, stats search.Stats, others []string, patience string) object {
	body := proposing(min(q.Lexical, maxWindow), s.scoring(bm25(terms, stats, q.Plain), allowed(q)...), patience)
	if len(q.Vector) > 0 {
		body["post_filter"] = object{"bool": object{"should": []object{{"match_all": object{}}, named("cosine", cosine(q.Profile, q.Vector))}}}
	}
	if len(others) > 0 {
		body["aggs"] = object{"others": object{
			"filter": object{"ids": object{"values": others}},
			"aggs":   object{"best": object{"top_hits": told(object{"size": len(others)})}},
		}}
	}
	return body
}
