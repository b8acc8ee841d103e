// Package boltstore is the embedded adapter of the store port: one bbolt file in
// a folder, made for one process on one machine. It may import store and bbolt.
//
// Layout. The file has three buckets. "items" maps {PK} 0x00 {SK} to an encoded
// item (encode.go), so that a partition is a range in byte order of its sort keys.
// "due" holds {shard}{milliseconds}{item key} without values and changes in the
// same transaction as its item. "format" names the version of this layout.
//
// Commits. A single writer takes what waits and runs it as one transaction with
// one flush to disk: group commit. Each commit's conditions are looked at in the
// order of arrival, on top of the ones before it in the same group; one that
// fails is not applied and does not touch its neighbours. Nobody is answered
// before the group is on disk. A lone commit is never delayed.
//
// Outcome of errors. ErrBadRequest, ErrTooLarge, *ConditionError and ErrClosed
// mean that nothing happened. After the context's error, ErrFull, ErrCorrupt or
// an error of the system the outcome is unknown, as the port says. After a failed
// flush the kernel may have dropped what it could not write, so the store takes
// no further commits until it is opened again; reads go on.
//
// Erased bytes. bbolt leaves the bytes of what was deleted in pages that wait for
// new use. Close overwrites these pages (scrub.go), and Compact writes the file anew
// without them, so that neither file holds what is no longer in the table.
//
// Reads see the newest committed state without waiting for the writer, which may
// be a moment before that state is flushed.
package boltstore
