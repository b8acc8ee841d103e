// Package made generates the bench's own sets: texts as they are written to an
// agent's memory, with questions and what answers them. Nothing in it was copied from
// a data set, so that it may be in the repository and ranking cannot have been fitted
// to it.
//
// Updates are pairs of statements of which the newer replaces the older, a plain set,
// a reworded one and one told in free words. Sets are talks in three shapes: a user with an assistant, two
// people, and folders of short facts of nobody.
//
// The texts come from templates in texts/; numbers, order and dates from fixed seeds,
// one for each topic or talk. So a set is the same on every machine, and a change of
// one topic leaves the others as they are. Whoever changes a text changes the figures:
// save the bench's baseline anew.
//
// Half of the updates, texts/*_held.txt, is held back: do not read it, nor ask which of
// its pairs fail, while tuning. It imports the standard library only.
package made
