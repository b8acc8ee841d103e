// Package memoryapi is the wire of /v1/memory: what its calls take and answer,
// one file a call. An endpoint decodes, calls one method of a service and
// encodes; rules that need more than a schema are the service's.
//
// It may import httpapi, routes and the family's own packages. Members of bodies
// are camelCase; every member of an answer is always there, null where there is
// nothing (R0.57).
package memoryapi
