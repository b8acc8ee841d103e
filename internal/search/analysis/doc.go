// Package analysis turns text into what the index counts and what a question
// asks. The index, the scorer and the search over what is not yet indexed use
// the same functions, so that their numbers agree.
//
// It is pure: no input or output, no state but remembered stems, safe for
// concurrent use, and it imports nothing of this module. Invariants: the same text always gives the same
// tokens; a token is never empty; every function takes any string, also one
// that is not UTF-8.
//
// Rules (design: retrieval, section 2). Text is folded: compatibility forms are
// made plain (NFKC), upper case lower, curly apostrophes straight. A word is a
// run of letters, marks and digits; an apostrophe between letters and a point or
// comma between digits belong to it. A trailing 's is dropped. English words are
// left out when they carry no content and stemmed otherwise; accents are dropped;
// scripts that do not part words by spaces are counted by pairs of characters,
// and Han and Hangul also by single ones.
package analysis
