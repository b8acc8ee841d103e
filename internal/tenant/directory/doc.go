// Package directory is the service over tenants, workspaces and keys (T.31 to
// T.33, T.35): who exists, what a workspace's settings are, which keys there are.
//
// Every change is one commit in the tenant's own log (T.57), through
// internal/commit, with its idempotency record. What a replay answers from are
// ids only: the record itself is read from the table, as the first call left it,
// and a secret that was shown once is not shown again (T.15).
//
// Administration needs the role admin (T.33), which only a person's key has. A
// key that is limited to some workspaces administers within them: other
// workspaces, and keys that reach further than itself, are absent for it (T.4).
//
// It may import the kernel (store, commit, ledger, idem, apikey), nothing of HTTP.
// Errors name members by their JSON pointers in the requests of T.31 to T.33.
package directory
