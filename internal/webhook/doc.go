// Package webhook tells addresses that a workspace names what happens in it (T.22,
// T.44, T.45, T.49).
//
// Writers pay nothing for it: events are derived from the log, which every write has
// anyhow. A consumer of each workspace that has webhooks reads the rows beyond its
// cursor and makes a delivery for each webhook that wants a row's event, in one commit
// with the cursor; so no row is missed and none makes two deliveries. A delivery's id
// follows from the webhook and the row, is the Webhook-Id of every try, and lets an
// operation's receipt find it.
//
// A webhook's deliveries are tried by one worker at a time, its lane, a few at once,
// each try counted before it is made. A lane is given back after ten seconds, and a
// workspace holds few of them at a time, so that a target that is slow or away holds up
// neither other webhooks nor other workspaces.
//
// Rows: P#WH webhooks (their secrets among them, since they sign), P#WD#{webhook}
// deliveries, which expire after thirty days, P#WQ#{webhook} when open ones are tried
// next, P#WL lanes, CUR#webhooks the cursor, and MARK#events, which is in the due index
// as long as there are webhooks: what the sweep finds when a message was lost.
//
// Bodies and rows hold ids, versions and times; log lines neither addresses nor
// secrets. It may import ports, keys, ledger, outbox and commit.
package webhook
