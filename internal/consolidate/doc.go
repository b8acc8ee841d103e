// Package consolidate ends runs: it makes a run's episode, facts, procedures and
// summary of its session, then clears the session (S0.62 to S0.68), as a job whose
// every step is one commit and can be done again.
package consolidate
