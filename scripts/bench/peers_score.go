package main

import (
	"fmt"
	"io"
	"slices"
	"time"
	"unicode/utf8"
)

// sessionDepth is how many turns the sessions are looked for in, as with our own arms.
const sessionDepth = 50

// row scores every question by the functions that score our own arms. Evidence in a
// budget is counted over the questions that the conversation answers.
func (a peerAnswer) row(talks []conversation) (row peerRow, err error) {
	if len(a.Collections) != len(talks) {
		return row, fmt.Errorf("%w: %d collections of %d", errPeers, len(a.Collections), len(talks))
	}
	sum := newTally()
	var took []time.Duration
	for i, got := range a.Collections {
		k := stored{conversation: talks[i], turns: map[string]turn{}}
		for _, t := range k.Turns {
			k.turns[t.ID] = t
		}
		if err := got.fits(k); err != nil {
			return row, err
		}
		for n, q := range k.Questions {
			k.tally(q, got.Ranked[n], sum)
		}
		took, row.Index = append(took, got.Took...), row.Index+got.Index
	}
	row.armRow, row.latency = sum.row(a.Name), summarize(took)
	return row, nil
}

// fits tells whether each question was answered, with turns of its conversation.
func (r peerRanked) fits(k stored) error {
	if r.Name != k.Name || len(r.Ranked) != len(k.Questions) || len(r.Took) != len(k.Questions) {
		return fmt.Errorf("%w: %d answers of %q to %d questions of %q", errPeers, len(r.Ranked), r.Name, len(k.Questions), k.Name)
	}
	for _, ids := range r.Ranked {
		for i, id := range ids {
			if _, ok := k.turns[id]; !ok || slices.Contains(ids[:i], id) {
				return fmt.Errorf("%w: %q is unknown in %s, or named twice", errPeers, id, k.Name)
			}
		}
	}
	return nil
}

// tally adds a question; what a budget holds where the conversation answers it.
func (k stored) tally(q question, ids []string, sum *tally) {
	sum.ranking(q, ids, k.sessions(ids[:min(sessionDepth, len(ids))]), k.sessionsOf(q))
	if q.Adversarial {
		return
	}
	sum.budgeted(q)
	for _, budget := range budgets {
		held := k.packed(ids, budget)
		inside := 0
		for _, id := range q.Evidence {
			if held[id] {
				inside++
			}
		}
		sum.packing(budget, inside, len(q.Evidence))
	}
}

// packed are the turns that fit a budget of tokens, 4 characters each, by the plainest
// packing: whole turns in the order of their rank, each a line with its date and
// speaker. A turn that does not fit is passed over.
func (k stored) packed(ids []string, budget int) map[string]bool {
	held := make(map[string]bool)
	left := 4 * budget
	for _, id := range ids {
		if n := utf8.RuneCountInString(plainLine(k.turns[id])); n <= left {
			left -= n
			held[id] = true
		}
	}
	return held
}

func plainLine(t turn) string {
	line := "- [" + t.Date.Format(time.DateOnly) + "] "
	if t.Speaker != "" {
		line += t.Speaker + ": "
	}
	return line + t.Text + "\n"
}

// printPeers shows the libraries beside our own arms, where these were measured in the
// same run.
func printPeers(w io.Writer, r report) error {
	return table(w, func(p *printer) {
		p.row("Peers on the same texts and questions, evidence in plain lines with the date on each; our own arms in the service's blocks")
		p.row("arm or peer\trecall@10\tNDCG@10\tsession@1\tsession@5\tin 512\tin 1,024\tin 2,048\tin 4,096\tquery p50\tp99\tindex\t")
		for _, a := range r.Recall {
			p.row("%s\t\t\t\t", a.figures())
		}
		for _, a := range r.Peers {
			p.row("%s\t%s\t%s\t%s\t", a.figures(), micro(a.P50), micro(a.P99), micro(a.Index))
		}
	})
}

func (a armRow) figures() string {
	return fmt.Sprintf("%s\t%.3f\t%.3f\t%.3f\t%.3f\t%.3f\t%.3f\t%.3f\t%.3f", a.Arm, a.Recall10, a.NDCG10, a.Session1, a.Session5,
		a.Evidence["512"], a.Evidence["1024"], a.Evidence["2048"], a.Evidence["4096"])
}
