// Package openai asks a language model through any address that speaks OpenAI's chat
// protocol: POST {URL}/chat/completions with a system and a user message, temperature
// 0 and the task's schema as response_format, answered by one choice.
//
// Addresses and models know different parts of the protocol. One that calls a request
// wrong (400 or 422) and names the part it does not know is asked once more without:
// json_object and the schema in the instructions in place of json_schema;
// max_completion_tokens in place of max_tokens; no temperature. What it then takes is
// kept for later tasks. Nothing else is asked again. Errors are the port's and hold
// neither text nor key, nor anything that the other side wrote. Redirects are not
// followed. Texts leave the machine: whoever configures this adapter decides that.
//
// It may import llm and the standard library.
package openai
