// Package extract turns the entries of a run into statements worth keeping: it asks
// a language model (internal/llm), checks what it answers and keeps only what is
// grounded in the entries (S0.63, S0.67, T.27, T.28). It knows neither store nor
// transport.
//
// Nothing that a model says is believed. An answer of another form than the schema
// is asked for once more, with what was wrong, and then is ErrBroken. Of an answer
// in form each text has to cite entries of this batch by the numbers that it was
// given, and has to be grounded in them:
//
//   - it is a piece of one of them, up to case and white space; or
//   - at least four in five of its content words (stems) occur in them, and every
//     number, every name, every date and every word that turns a meaning does; a date
//     may be the stated resolution of a relative one; and
//   - each of its clauses stands to what it says (denied, doubted, undone, asked,
//     under a condition) as the clause of the entries that it is nearest to.
//
// What is not grounded, and what screening holds back, is dropped and counted. From
// entries of tools and the web nothing becomes a procedure or a preference, and
// nothing at all becomes a policy. So a hostile text, be it an entry or the caller's
// instructions, can at most make less be kept.
//
// Limits: the words are checked, not their sense. A model that exchanges who did what
// among the same words of one entry is not found out.
package extract
