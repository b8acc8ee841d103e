// Package e2e holds black-box scenarios: its tests build the real binary once, start
// it as a process and drive it over HTTP, with signals and with damaged data
// folders. They know what the specification says and what the route table lists,
// nothing of the service's inside.
package e2e
