// Package awsconf makes the configuration of AWS SDK clients from the environment
// that Lambda sets.
//
// A function has all it needs there: region, keys and session token. Reading them
// directly costs microseconds; the SDK's own loader also looks for files, profiles
// and servers, and links their clients (2 MB of a function's binary). Where the
// environment has no keys, as on a developer's machine, Load asks the Fallback that
// it is given: package chain has the SDK's default chain.
//
// AWS_ENDPOINT_URL, or AWS_ENDPOINT_URL_ and a service's name, sends the clients to
// an emulator. AWS_CA_BUNDLE is not read: the SDK's loader refuses to combine it with
// a client of the caller's own, so that a machine that sets it breaks every program
// that has one. Certificates of a proxy belong in the system's roots, which
// SSL_CERT_FILE names for Go programs.
//
// It may import the AWS SDK's core and the standard library.
package awsconf
