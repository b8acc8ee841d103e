// Package consolidate ends runs: it makes a run's episode, summary, facts and
// procedures of its session, then clears the session (S0.62 to S0.68).
//
// What is consolidated is a stretch: what was said in the run since the last time. A
// consolidation is a job in steps, each of them one commit that cannot happen twice,
// so that a worker that dies at any point is followed by another that goes on there:
//
//  1. seal: the next stretch is open; nothing is written into the sealed one any
//     more. One stretch of a run is in hand at a time.
//  2. extract: a language model reads the entries in batches, those of each subject
//     by themselves (R0.76). What it answers is staged in rows, with the ids of the
//     memories that are to be made of it.
//  3. derive: the episode, which must find no entry edited since it was read, else
//     step 2 is done again; then the summary; then the statements, each with a mark of
//     its own that says what became of it.
//  4. clear: one commit, from which on the stretch's entries are gone for every reader.
//  5. sweep: they become tombstones, each with its erasure; staged rows go.
//
// A statement says in which version the entries stood that it rests on: one whose
// entries were changed or deleted before it is stored is not stored. Its derivation
// edges come with it, so that a deletion afterwards finds it; those of an episode,
// which may be many, before it.
//
// What a person has rejected comes into none of them (A0.5): it is left out of what is
// staged, and held against again by the commits that store, whose conditions see to a
// rejection in between.
//
// The application that asks narrows nothing: a run is consolidated whole, and what is
// made carries the subject of what it was made of.
//
// What takes no part: what is in quarantine (R0.51), and what another entry of the
// stretch has superseded; the latter is cleared with the rest.
//
// It may import run, memory, extract, the ports and what they stand on.
package consolidate
