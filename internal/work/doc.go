// Package work holds the bodies of the workers: index, embed, erase, sweep and
// seal. Workers are level-triggered: a message only says that something moved or
// is due, and the worker reads the table for what is true now, so that lost,
// late and doubled messages do no harm. It knows no transport; lambdawork turns
// events into its calls.
package work
