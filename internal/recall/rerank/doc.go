// Package rerank is the port to a second scorer: it looks at question and text
// together, where the arms of search look at each alone, and re-orders the first
// candidates (R0.11). It is pure and may import search's analysis only.
//
// Cross is the scorer that runs here and needs no model. Its score is the sum of a
// few features (features.go), each 0 to 1 times its weight; the weights add up to 1,
// and a feature of which the question asks nothing counts one half. Combine lets
// that score lift or lower the first one by a factor from one half to two.
//
// Measured in hybrid mode with the static table, 50 candidates re-ordered, as recall@10 /
// NDCG@10 without and with it (scripts/bench, parts recall and made):
//
//	494 questions to conversations of two people    .830 / .676    .830 / .683
//	407 questions to short facts noted from them    .751 / .656    .750 / .650
//	104 questions to chats with an assistant        .724 / .586    .744 / .597
//	104 questions to people's chats                 .933 / .720    .942 / .720
//	100 questions to short facts, generated         .860 / .727    .860 / .732
//
// Most of what it once brought, who tells of himself and who asks, is in the first
// ranking by now. What is left helps little, and facts not at all: so it stays off
// unless a request asks for it.
//
// Fifty texts of 300 characters take about half a millisecond, fifty of the longest
// that a memory may have 40 ms: the work grows with the length of the texts.
//
// Invariants: the same question and texts give the same scores on every machine;
// scores lie in 0 to 1; any text is taken, also one that is not UTF-8.
package rerank
