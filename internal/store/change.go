package store

// Change is what a commit did to one item, as the table's stream tells it: at
// least once, and for each item in the order of its commits.
type Change struct {
	Key  Key
	Item *Item // as the commit left it, without Due and Expires; nil: removed
	New  bool  // there was no item before
}
