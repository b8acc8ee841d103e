// Package localserver is AWS in one process: an HTTP server that calls each
// route's own Lambda handler with a payload 2.0 event, as API Gateway does, and
// workers that hand queue messages and schedules to their Lambda handlers, as SQS
// and EventBridge do. What runs here is what is deployed.
//
// It knows no endpoint and no engine: it takes tables and handlers. It may import
// httpapi (the router), lambdahttp, routes, obs, queue and clock.
//
// Invariants: literal segments win over parameters, as in API Gateway (T.55); a
// call or a batch that has begun is finished before Shutdown or Run returns; a
// message that its handler did not report as failed is deleted, any other comes
// back after its visibility timeout.
package localserver
