// Package fact is the family of /v0/memory: short facts in folders, kept for an
// agent across its runs.
package fact
