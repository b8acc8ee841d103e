// Package bedrock asks a language model of Amazon Bedrock, with the Converse call and
// temperature 0. The model is made to use one tool, whose input schema is the task's:
// the tool's input is the answer.
//
// A model that calls the request wrong for its temperature, which some no longer take,
// is asked once more without, and later tasks leave it out. Nothing else is asked
// again. Errors are the port's and hold a status and AWS's code, neither text nor what
// the service wrote. Texts leave the process for the account's own Region, or those of
// the inference profile that is configured: whoever configures this adapter decides
// that.
//
// It may import llm, awsconf and the AWS SDK.
package bedrock
