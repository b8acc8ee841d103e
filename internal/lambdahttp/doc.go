// Package lambdahttp turns API Gateway's payload format 2.0 into net/http and
// back (https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html).
//
// Wrap makes a Lambda handler of an http.Handler. Front is the other side: an
// http.Handler that calls a Lambda handler as API Gateway does, for the local
// server. Both know the format's habits: header lines of one name arrive joined
// with commas and stay one value (entity tags and dates hold commas), cookies
// travel apart, bodies that are no UTF-8 are base64, and rawPath arrives
// percent-decoded. So the path is rebuilt from the route key and the path
// parameters, where an encoded slash in an id is still told from a separator.
//
// Invariant: where a request or an answer is lost on the way, the caller gets a
// problem with a Request-Id and never a success.
//
// It may import routes, ids, clock and aws-lambda-go.
package lambdahttp
