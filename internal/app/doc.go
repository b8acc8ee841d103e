// Package app wires adapters to ports and ports to endpoints and workers: the
// only place that knows which engine stands behind a port. app/awsapp serves one
// route or worker as a Lambda function, app/localapp all of them in one process.
package app
