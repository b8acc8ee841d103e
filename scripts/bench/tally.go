package main

import "strconv"

// armRow is what one arm reaches. Recall, NDCG and sessions count every question;
// Evidence and Any leave out the adversarial ones (LoCoMo's category 5), which no text
// in the prompt answers.
type armRow struct {
	Arm        string
	Questions  int
	Packed     int // questions of Evidence and Any
	Sessions   int // questions whose evidence is in sessions; 0: the two shares say nothing
	Recall10   float64
	NDCG10     float64
	Session1   float64
	Session5   float64
	Evidence   map[string]float64 // budget → share of a question's evidence turns that are whole in the blocks, the mean of all questions
	Turns      map[string]float64 // budget → share of all evidence turns: questions with much evidence weigh more
	Any        map[string]float64 // budget → share of the questions with at least one
	ByCategory map[string]cell    // category → recall and NDCG
}

type cell struct {
	Questions        int
	Recall10, NDCG10 float64
}

// tally adds the questions up.
type tally struct {
	questions          int
	packed, evidence   int // questions and their evidence turns that budgets count
	sessions           int
	recall, ndcg       float64
	session1, session5 int
	inside, any        map[int]int
	share              map[int]float64
	category           map[int]*cell
}

func newTally() *tally {
	return &tally{inside: map[int]int{}, any: map[int]int{}, share: map[int]float64{}, category: map[int]*cell{}}
}

func (t *tally) ranking(q question, first, sessions []string, wanted map[string]bool) {
	relevant := those(q.Evidence)
	recall, ndcg := recallAt(first, relevant, 10), ndcgAt(first, relevant, 10)
	t.questions++
	t.recall += recall
	t.ndcg += ndcg
	if len(wanted) > 0 {
		t.sessions++
	}
	if hitAt(sessions, wanted, 1) {
		t.session1++
	}
	if hitAt(sessions, wanted, 5) {
		t.session5++
	}
	c := t.category[q.Category]
	if c == nil {
		c = &cell{}
		t.category[q.Category] = c
	}
	c.Questions++
	c.Recall10 += recall
	c.NDCG10 += ndcg
}

// budgeted counts a question whose evidence is looked for in each budget.
func (t *tally) budgeted(q question) {
	t.packed++
	t.evidence += len(q.Evidence)
}

// packing counts the evidence turns of such a question that a budget holds.
func (t *tally) packing(budget, inside, evidence int) {
	t.inside[budget] += inside
	t.share[budget] += float64(inside) / float64(evidence)
	if inside > 0 {
		t.any[budget]++
	}
}

func (t *tally) row(arm string) armRow {
	n, sessions := float64(t.questions), float64(max(1, t.sessions))
	r := armRow{
		Arm: arm, Questions: t.questions, Packed: t.packed, Sessions: t.sessions, Recall10: t.recall / n, NDCG10: t.ndcg / n,
		Session1: float64(t.session1) / sessions, Session5: float64(t.session5) / sessions,
		Evidence: map[string]float64{}, Turns: map[string]float64{}, Any: map[string]float64{}, ByCategory: map[string]cell{},
	}
	for _, b := range budgets {
		r.Evidence[strconv.Itoa(b)] = t.share[b] / float64(max(1, t.packed))
		r.Turns[strconv.Itoa(b)] = float64(t.inside[b]) / float64(max(1, t.evidence))
		r.Any[strconv.Itoa(b)] = float64(t.any[b]) / float64(max(1, t.packed))
	}
	for number, c := range t.category {
		m := float64(c.Questions)
		r.ByCategory[strconv.Itoa(number)] = cell{c.Questions, c.Recall10 / m, c.NDCG10 / m}
	}
	return r
}
