// Package keyed makes the keyed hashes of a workspace. Rows hold them in place of
// what was said and of whom, so that nothing in the table can be guessed back
// without the workspace's key.
package keyed
