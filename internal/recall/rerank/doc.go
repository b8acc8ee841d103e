// Package rerank is the port to a second scorer: it looks at question and text
// together, where the arms of search look at each alone, and re-orders the first
// candidates (R0.11). It is pure and may import search's analysis only.
//
// Cross is the scorer that runs here and needs no model. Its score is the sum of a
// few features (features.go), each 0 to 1 times its weight; the weights add up to 1,
// and a feature of which the question asks nothing counts one half. Combine lets
// that score lift or lower the first one by a factor from one half to two.
//
// Measured in hybrid mode with the static table, 50 candidates re-ordered (scripts/bench,
// part recall, but for the halves and the last), as recall@10 / NDCG@10 / first entry
// of the right session:
//
//	494 questions to three conversations of two people, turn by turn
//	  without  .808 / .636 / .765    halves .818 / .637 and .797 / .634
//	  with     .826 / .671 / .777    halves .833 / .662 and .816 / .679
//	407 questions to 677 short facts in the third person, noted from the same
//	  without  .754 / .650 / .710
//	  with     .753 / .654 / .715
//	the same facts with speaker and session
//	  without  .814 / .688 / .722
//	  with     .808 / .686 / .725
//
// The weights were sought on the first half, and then evened out by both halves and the
// facts, so no half is unseen; halving or doubling any one of them changes recall by at
// most .004 and NDCG by .007. What helps most is where people talk: who tells of
// himself, and who asks. Stored facts do neither, and gain nothing: so it stays off
// unless a request asks for it.
//
// Fifty texts of 300 characters take about half a millisecond, fifty of the longest
// that a memory may have 40 ms: the work grows with the length of the texts.
//
// Invariants: the same question and texts give the same scores on every machine;
// scores lie in 0 to 1; any text is taken, also one that is not UTF-8.
package rerank
