// Package facttools tells a model of an agent's facts (A3.2): a block for its prompt,
// definitions of tools in OpenAI's function form, and what a call of one answers.
//
// A caller gives the folders that the model works with; none stands for the whole
// memory. No argument of a tool reaches a fact outside of them (S3.53), and none names
// an end user: a folder shows as the caller wrote it, users/{user}/ too (S3.50).
//
// What a model asked for and may not have is text to it (S3.54). Errors are the
// caller's: folders that break a rule, and writes of a run that has ended (S3.55, R3.27).
package facttools
