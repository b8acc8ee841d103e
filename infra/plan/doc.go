// Package plan turns the table of routes and workers into what a deployment
// consists of, as plain values: functions with their settings and permissions,
// queues, triggers, alarms, the dashboard, and how many resources each stack has.
// The CDK program one folder up only renders it, so everything that is decided
// here is tested without CDK and without Node.
//
// Names. Every resource that code or people address has a fixed name, Prefix and
// an id, so that an ARN can be written down without asking for it. What has no
// such ARN stands in a text as ${Name}: AWS's own pseudo parameters and the
// references of refs.go, in the form of CloudFormation's Fn::Sub.
//
// Invariants, each held by a test: every route that is deployed and every worker
// has exactly one function; a permission names exact actions and resources, and
// one that has a wildcard carries its reason; a function of a route ends within
// 29 seconds; a queue's messages are invisible for longer than its worker may
// run; no stack has 450 resources or more.
//
// It may import routes, config, obs and the standard library.
package plan
