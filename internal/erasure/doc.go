// Package erasure holds the record of an erasure: where the removal of what was
// deleted stands (R0.45, T.24). Whoever deletes writes it, pending, in the commit of
// the delete; internal/erase moves it on.
package erasure
