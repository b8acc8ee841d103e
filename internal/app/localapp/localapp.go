// Package localapp serves every route and worker in one process over the
// embedded engines (T.37 to T.40): the product of `make run`. Each call passes
// through the route's own Lambda handler, so that what is tested is what is
// deployed.
package localapp
