// Package factapi holds the endpoints of /v0: runs and their tokens, the facts of a
// run's memory, search, the prompt block, tools for models, and the panel (A3.1 to
// A3.3). Each decodes, calls one service and encodes.
package factapi
