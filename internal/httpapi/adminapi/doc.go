// Package adminapi holds the endpoints of administration and operation: tenants,
// workspaces and keys (T.31 to T.33), jobs and usage (T.53), health (T.30) and the
// test clock (T.39).
//
// An endpoint decodes, calls one method of a service and encodes; rules that a
// schema cannot state are the service's. It may import httpapi, routes, the
// kernel and huma (schemas only).
package adminapi
