// Package factsearch answers the search of facts (S3.25, S3.32–S3.35): the index of
// words proposes, the table disposes. Every fact is read again as the caller may see it
// before it is answered, and its score is computed here from the text that was read.
//
// A search sees every write that was answered before it began: an index of this process
// is brought up to the log first; of another the log rows that it has not reached, up to
// overlayRows, are read and scored here. Further behind it is waited for, and then the
// search is refused (503), for a fact that was just written must not be missed.
//
// Cost of a search: two reads of where log and index stand, one of the generation of the
// user's folder, the index, and one batch read of what it proposes. A write costs the
// table nothing more: its log row is what the index worker reads.
package factsearch
