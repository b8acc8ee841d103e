// Package obs is what the service says about itself: log lines and metrics, one
// JSON object a line.
//
// A line holds ids, counts and codes only, never content, keys or personal data
// (T.29). That is every caller's duty; as a net below it, each finished line is
// searched for anything that looks like a bearer key, and for the secrets that
// the process knows, before it leaves. The search works on the line as it is
// written, so nothing can pass it in a name, a message, a nested value or an
// error's text.
//
// Fields of a request travel in its context and are added to each line logged
// with it, so call sites stay short. It imports the standard library only.
package obs
