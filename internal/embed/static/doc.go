// Package static is the local embedding model: the sum of fixed token vectors,
// in pure Go, microseconds a sentence, the same bytes on every machine.
//
// A text is cut into the word pieces of an uncased BERT; each piece has a
// vector, distilled beforehand from all-MiniLM-L6-v2 (README.md beside this file
// tells how, scripts/embedtable does it), and a weight: 0 for punctuation and
// stop words, else growing with the piece's rarity. The text's vector is the
// weighted sum at unit length. Word order and context play no part, so it is
// weaker than the transformer (README.md has the numbers) and is meant to stand
// beside the lexical arm of search, with the share that Profile gives.
//
// The table is part of the program, or, with the build tag tablefile, two files
// beside it: a function that only names the model's profile then carries no table,
// and one that embeds carries it as data that is not linked. The first Load or Embed
// reads it, all Embedders share it.
// The package may import embed and text folding only. Every product is rounded
// before it is added, so no machine fuses the two and vectors do not differ
// between processors.
package static
