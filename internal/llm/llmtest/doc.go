// Package llmtest is the conformance suite of the llm port.
package llmtest
