package extract

import (
	"context"
	"errors"
	"time"
)

// Entry is one entry of a session, in its order.
type Entry struct {
	ID      string
	Type    string // memory type: fact, decision, …
	Speaker string // empty: unknown
	Text    string
	At      time.Time // when it was said: relative times are read from here
	// Weak marks text of tools and the web: nothing of it becomes a procedure or policy
	// without a review.
	Weak bool
}

// Span is a piece of an entry's text, in code points, end exclusive.
type Span struct {
	EntryID    string
	Start, End int
}

// Statement is something worth keeping. Its text is a span or a stated rewrite of
// spans; Spans name them, at least one.
type Statement struct {
	Type      string // fact, decision, preference, procedure
	Text      string
	Speaker   string // whose words they are, where all its entries have the one speaker
	Spans     []Span
	ValidFrom *time.Time // where the text says since when; never after the entry's time
}

// Sentence is a sentence of an episode or summary with what it rests on.
type Sentence struct {
	Text  string
	Spans []Span
}

// Request is one batch of a run's entries.
type Request struct {
	Goal         string // of the run; may be empty
	Instructions string // a caller's narrowing of what is kept; may be empty
	Entries      []Entry
}

// Counts say what was not kept.
type Counts struct {
	Outside    int // citations of numbers that the batch does not have
	Ungrounded int // cites nothing in the batch, or says what its citations do not
	Unsafe     int // held back by screening
	Narrowed   int // outside what the instructions keep
	Repaired   int // answers that needed the second try
}

// Result is what a batch gave.
type Result struct {
	Statements []Statement
	Sentences  []Sentence // the most salient, for the episode, in the order of the entries
	Counts     Counts
	Tokens     int // of the model
}

// Conclusion is the end of a run: what came of it, and its summary.
type Conclusion struct {
	Outcome []Sentence
	Summary []Sentence
	Counts  Counts
	Tokens  int
}

// ErrBroken: the model's answer was broken, and so was the one to the request to
// repair it. Trying again later may help, since models do not always answer the same.
var ErrBroken = errors.New("extract: the model's answer is broken")

// CodeBroken is the code of ErrBroken in the record of a job.
const CodeBroken = "MODEL_ANSWER_BROKEN"

// Extractor is what a consolidation asks. An error is llm.ErrUnavailable, to try
// again after, ErrBroken, or llm.ErrRefused; the tokens are counted all the same.
type Extractor interface {
	// Batch extracts from a batch of at most MaxEntries entries.
	Batch(ctx context.Context, r Request) (Result, error)
	// Conclude makes outcome and summary of all batches' sentences.
	Conclude(ctx context.Context, goal string, sentences []Sentence) (Conclusion, error)
}

// MaxEntries is the most entries of a batch.
const MaxEntries = 100
