// Package rank orders what the arms of search propose and gives each candidate
// an absolute score. It is pure and may import search and its analysis only.
//
// The score of a candidate is
//
//	base · features · trust · biases + session share, at most 1, with
//	base = share · L + (1 - share) · S
//	L    = BM25 score / sum of the idf of all query terms
//	S    = (cosine - floor) / (1 - floor), not below 0
//
// L is 1 for a text of average length that holds every term of the query once,
// terms that nobody holds included, so a query about what is not there stays near
// 0. S is 0 for texts that have nothing to do with each other. Both are
// comparable between queries, and so is their sum, which orders the candidates as
// well: fusing z-scores over the candidates instead was measured to be no better
// (.805/.626 against .811/.638 recall and NDCG at 10), and reciprocal ranks are
// worse. An arm that cannot speak of a candidate, because it has no vector or the
// query has no terms, leaves its share to the other.
//
// Invariants: scores lie in 0 to 1 and never rise down the list; equal scores are
// ordered by newest, then by greater id; the order does not depend on the order
// of the candidates; deterministic mode uses no vectors, clock or features.
package rank
