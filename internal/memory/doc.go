// Package memory is the family of /v1/memory: its types, its rules, and the
// service that reads and writes it. It knows no transport.
//
// A memory is one row, HEAD, with the current version and all metadata; earlier
// texts are rows V#n, written only when a text changes. Beside it stand a vector,
// a list row, look-up rows: equal words (A0.1), values of an attribute and claims
// without one (A0.2), rejected value (A0.5), subject, quarantine, tenant layer, and
// edges: from what is cited to what cites it (A0.6), from a value to those whose
// place it took. One plan writes or removes them together with HEAD, so there is no
// instant at which one exists without the others.
//
// Invariants: a memory that is quarantined or superseded is in no duplicate row and
// in no claim row; the attribute row names an active memory or none, and superseded
// ones; of one memory recorded times never run backwards; a deleted one keeps HEAD as
// a tombstone without content, subject values or salt, and has no look-up row; HEAD
// changes only under a condition on its revision.
//
// Choices where the specification leaves room. Near-duplicates keep the order of
// their words (see nearForm): names cannot be told from other words once case does
// not count, and it was measured to cost little. A held text has no vector until it
// is released. What is said with an attribute joins nothing that was said without.
//
// A merge loses nothing that either side says; where it would, both live (takes).
// A memory whose validity is over is no merge target (R0.73), nor is one that ends
// at another time; a text with the attribute of such a one supersedes it. An equal
// text from an origin that is trusted less joins and changes neither text nor
// trust; nearly the same text from there lives beside (with the attribute of the
// current value: joins, unreplaced). What is trusted more lifts the trust to its
// own, for it vouches for the text. The higher importance stays. Of two times of
// validFrom on one day the older append's stays (A0.1).
//
// Texts are compared in NFC and kept as sent (T.8): attribute, speaker, tags. Ids of
// subjects and runs are opaque bytes.
//
// Deleting the current value of an attribute brings no earlier value back: it
// stays superseded, supersededBy is null as its successor is gone, and a caller that
// wants it current appends it again.
//
// Of the values of an attribute each ends where the next in time begins; a late one
// cuts short the one it came after, and what was known until then is kept
// (Temporal.Narrowed). What is over and does not say when it began is history at once
// and cuts none. What was superseded stays so through a quarantine.
//
// A text without an attribute that says that something changed supersedes what it
// contradicts (package claim; measured there), as a new value of an attribute does:
// facts, decisions and preferences of one speaker and place. It closes nothing that
// is trusted more or not yet true; nor does a text that holds for a time only. Where
// neither text has a word of change both stay. A change of a text closes nothing. A
// late claim is history at once, and cuts none short.
//
// Trust never exceeds that of what a text derives from (Ceiling): not by a merge, an
// edit, a share, nor by erasing the source. Citing held text holds the text; policies
// and procedures that derive from a tool or the web are held until a reviewer
// releases them, and again after each edit. The origin of a text is that of who wrote
// it last.
//
// A rejected value leaves a row under the hash of its words, and one under that of what
// rules can tell that it says (claim.Tell), so that it does not come back in other words:
// the same attribute of the same subject with the same value, in one layer and subject,
// of whatever type; of what speakers say of themselves, from the same speaker. What is
// over is held against its words alone. A correction that keeps the value in more words
// rejects words alone. A reviewer who writes a value again lifts it, and the words that
// were written; other words that a person has rejected stay so. What is stored in parts
// is held part by part: a derivation leaves out those that are rejected, a copy or a
// release of one is refused.
//
// Session entries stand in a stretch of their run (package run): they merge into and
// supersede entries of the same stretch only, are never written into one that was
// sealed, and are gone for every reader (Load, Head, lists) once it is cleared, before
// the sweep makes them tombstones. One that leaves quarantine stands in the stretch
// that is open then.
//
// What the service derives (Derive) keeps its text in parts, each with what it rests
// on, so that it can be made again without one of them (Rebuild). It joins what says
// the same and changes no text, tag, origin or trust of it; a text of the service's own
// that is joined rests on either evidence from then on. Whoever writes over a derived
// text makes it theirs: it has no parts any more.
//
// It may import ports, kernel, run and the pure packages claim, screen and search/analysis;
// no other family and nothing of HTTP.
package memory
