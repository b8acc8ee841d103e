// Package prose reads running text by rules: its sentences and clauses, its relative
// dates, the numbers and names in it, and whether it denies or doubts what it says.
// The checks on a model's answer and the answers by rules use the same reading.
//
// Positions are byte offsets into the text that was given, on the borders of code
// points. Every function is pure, safe for concurrent use, near linear in the length
// of the text, and takes any string, also one that is not UTF-8. The package imports
// the analysis of search and the standard library only.
package prose
