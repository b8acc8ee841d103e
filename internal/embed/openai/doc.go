// Package openai embeds texts through any address that speaks OpenAI's
// embeddings protocol: POST {URL}/embeddings with model and input, answered by
// one {index, embedding} a text.
//
// An answer is checked before it is used: the count, each index once, the
// dimension, finite numbers. Vectors are scaled to unit length. What may pass by
// itself (429, 5xx, a broken connection) is tried again with full jitter while
// the context's deadline allows; all else fails at once. Errors are the port's
// and hold neither text nor key, nor anything that the other side wrote. Texts
// leave the machine: whoever configures this adapter decides that.
//
// It may import embed, clock and the standard library.
package openai
