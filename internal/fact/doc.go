// Package fact is the family of /v0/memory: short facts in folders, kept for an agent
// across its runs. It knows no transport; search itself is another package's, which
// this one tells what is true (Projector) and asks what may be shown (Found).
//
// A fact is one row, HEAD, with the current version; earlier versions are rows V#n.
// Beside it stand its rows in lists: one of the whole memory, one of what is outside
// users' folders, one for each folder above it down to the eighth. One plan writes or
// removes them together with HEAD, so that a list misses nothing and repeats nothing.
//
// Invariants: a live fact is in its lists with its very path, tags and time, and in no
// other list; versions have no gap; HEAD changes only under a condition on its revision;
// the counts of a memory, of users' folders and of the workspace are exact. A deleted
// one keeps HEAD as a tombstone: memory, version and last time, nothing that was said.
//
// End users. Every call passes the Border. What lies in users/{user}/ carries the
// generation of that folder, and shows in the current one only: to erase a user is to
// raise the generation, one commit (R3.23), and every write into the folder holds it in
// its commit. What the user had is taken off all counts in the same commit; rows go
// later, page by page (Clearing), the row by which a page is found last.
//
// Experiments have the same rows under a memory of their own. The commit that ends one
// leaves the job that empties it (Over), and no write commits after that.
//
// Cost of a new fact under a path of n segments, n at most 8: HEAD, n+2 rows in lists
// (one less below users/), the count, and where they apply key, folder, agent and
// experiment; then log, operation and the shares of head and mark. That is 8 to 19 rows
// of about 200 bytes beside the text. A replacement removes as many rows of lists and
// writes one version more. Writes of one agent share no row but one of eight counts, so
// that they go together; those of one end user, or of one experiment, follow each other.
//
// Choices where the specification leaves room. A page of a list may be short when a
// filter finds little in ten thousand rows; its next is then the last fact looked at. A
// fact that is replaced marks its new place in lists for before, as it has no other. The
// limit of facts is exact as long as fewer than a twentieth of it are written at once.
// What a person clears stays cleared until a text is written over it again.
//
// It may import ports, kernel and the pure package screen; no other family and nothing
// of HTTP.
package fact
