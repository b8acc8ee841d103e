// Package rank orders what the arms of search propose and gives each candidate
// an absolute score. It is pure and may import search and its analysis only.
//
// The score of a candidate is
//
//	bounded((base · features · biases + session share) · trust · repeated · newer), with
//	base = share · L + (1 - share) · S
//	L    = BM25 score / sum of the idf of all query terms
//	S    = (cosine - floor) / (1 - floor), not below 0
//
// L is 1 for a text of average length that holds every term of the query once,
// terms that nobody holds included, so a query about what is not there stays near
// 0. S is 0 for texts that have nothing to do with each other. Both are
// comparable between queries, and so is their sum, which orders the candidates as
// well. Bounded leaves scores up to .5 as they are and bends those above, so that
// factors keep their effect and no score passes 1.
//
// Features are signs that a text is what a question wants (Features): each has a
// name, a weight and its measured effect, and shows in diagnostics. After them stands
// what the session adds (sessions.go). Last, of statements about the same thing the
// newer ones stand first (newer.go).
//
// What each brings is measured by scripts/bench, part features, on conversations of
// two people, chats with an assistant and short facts; none may help one of them at
// the cost of another. Sums of z-scores in place of base were measured to lose .014 of
// recall and .013 of NDCG on conversations, and cannot be compared between queries.
// The best candidate's score has a median of .83 where a conversation answers the
// question, .27 for questions to another conversation, and 0 to .15 for questions
// about something else.
//
// An arm that cannot speak of a candidate, because it has no vector or the query
// has no terms, leaves its share to the other.
//
// Invariants: scores lie in 0 to 1 and never rise down the list; equal scores are
// ordered by newest, then by greater id; the order does not depend on the order
// of the candidates; deterministic mode uses no vectors, clock or features.
package rank
