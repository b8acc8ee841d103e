// Package lambdawork is the loop around the functions that no caller waits for:
// batches of queue messages, batches of the table's stream, and schedules.
//
// In a batch every message is on its own: one that fails, panics or cannot be
// read is reported as failed, stays in the queue until its tries are used up and
// then goes to the dead-letter queue; its neighbours are done (T.20). The list of
// failed messages is never null: some pollers take null for all of them, some
// break on it.
//
// Every error means «try again»: whoever wants a message dropped answers nil. A
// message's body holds ids and numbers only, and still no log line repeats it.
//
// Lines that are logged with a worker's context have the worker as their route and
// Lambda's id of the run as their requestId; where there is no Lambda, a message's.
//
// It may import routes, errs, obs, store and aws-lambda-go.
package lambdawork
