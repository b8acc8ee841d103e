// Package bedrock embeds texts with a model of Amazon Bedrock, one InvokeModel a
// text, since Titan's models take one text a call; several are under way at once.
//
// An answer is checked before it is used: one vector, the dimension, finite
// numbers. Vectors are scaled to unit length here, whatever the model does. What
// may pass by itself (throttling, a model that is not ready, 5xx, a broken
// connection, a cut answer) is tried again after a pause with full jitter, unless
// the pause would outlast the context's deadline; all else fails at once. Errors
// are the port's and hold a status and AWS's code, neither text nor what the
// service wrote. Texts leave the process for the account's own Region: whoever
// configures this adapter decides that.
//
// It may import embed, clock and the AWS SDK.
package bedrock
