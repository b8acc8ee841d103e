// Package offline answers the service's tasks by rules, without a model: the same
// input gives the same bytes.
package offline
