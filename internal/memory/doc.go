// Package memory is the family of /v1/memory: its types, its rules, and the
// service that reads and writes it. It knows no transport.
//
// A memory is one row, HEAD, with the current version and all metadata; earlier
// texts are rows V#n, written only when a text changes. Beside it stand a vector,
// a list row, and look-up rows: equal words (A0.1), current value of an attribute
// (A0.2), rejected value (A0.5), subject, quarantine, tenant layer, derivation
// edges (A0.6). One plan writes or removes them together with HEAD, so there is
// no instant at which one exists without the others.
//
// Invariants: a memory that is quarantined or superseded is in no duplicate row;
// the attribute row names an active memory; a deleted one keeps HEAD as a
// tombstone without content, subject values or salt, and has no look-up row; HEAD
// changes only under a condition on its revision.
//
// Choices where the specification leaves room. Near-duplicates keep the order of
// their words (see nearForm): names cannot be told from other words once case does
// not count, and it was measured to cost little. A merge that replaces a text
// takes the lower trust of the two. A held text has no vector until it is
// released. What is said with an attribute joins nothing that was said without.
//
// It may import ports, kernel and the pure packages screen and search/analysis;
// no other family and nothing of HTTP.
package memory
