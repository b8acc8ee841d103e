// Package evaluate measures recall against expected answers (R0.56, R0.80).
//
// Each case is one retrieve that leaves no receipt; what counts of it are the first K
// memories of all ranked sections, best first. Floors, profile and session summary do
// not count: they come whatever the query is.
//
// Figures of a case with expected ids, with n the number of ids that were returned:
//
//	hit             one of the n is expected
//	precision       expected among the n, over n; 0 when n is 0. n is at most K and
//	                less where recall has no more, which is no fault of its ranking
//	recall          expected among the n, over all that are expected
//	reciprocalRank  1 over the rank of the first expected one; 0 when there is none
//	ndcg            sum of 1/log2(rank+1) over the expected ones, over the best possible
//	                sum, that of min(K, number expected) in the first places
//
// An id that is expected twice counts once. The overall figures are the means over the
// cases with expected ids; abstention is the share of the other cases that returned
// nothing. A figure with nothing to count is nil (R0.87).
//
// Deterministic mode returns what holds a term of the query and nothing else, so it
// abstains on words that no memory has. The modes with vectors find every memory at
// least a little like the query and rank it near 0 (R0.81): there a Plan abstains by
// its MinScore only.
package evaluate
