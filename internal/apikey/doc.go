// Package apikey is who calls: bearer keys, how they are written, stored and
// checked (T.2 to T.5, T.33).
//
// A key's text is holdfast_<id>_<secret>. The id is the key's UUIDv7 without
// hyphens, so it names the row; the secret is 256 random bits as 43 letters and
// digits, of which only the SHA-256 is stored. Everything that is wrong with a
// key answers one and the same error.
//
// Rows are kept in process for at most CacheFor, counted from before they were
// read, so that a revocation elsewhere is seen within that time; a revocation in
// this process is seen at once. That a key is unknown is never remembered.
//
// It imports the store, capability and the log's Actor; nothing of HTTP. Issuing
// and revoking are commits of internal/tenant/directory, made of the actions
// that this package builds.
package apikey
