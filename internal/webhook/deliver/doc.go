// Package deliver calls the addresses of webhooks, which strangers choose, without
// letting them choose what of our own network is called (T.22).
//
// An address is https. Its host is looked up and each address that comes of it is
// held against what the Internet can reach; one that is private, loopback, link-local,
// shared, reserved, multicast or a form that hides one of these refuses the call. The
// addresses that were checked are the ones that are dialled: nothing is looked up
// again in between. Redirects are not followed, no proxy is asked, an answer's body is
// not read, and a call ends after 10 seconds whatever happens.
//
// Allowed networks (HOLDFAST_WEBHOOK_ALLOW) are excepted: they may be called although
// they are private, and by http too; nothing else changes (T.49).
//
// It imports the standard library only and logs nothing. What it answers of a failure
// is a code of its own, never a text that somebody else wrote.
package deliver
