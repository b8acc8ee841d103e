package memoryapi

import (
	"holdfast/internal/httpapi"
	"holdfast/internal/recall"
	"holdfast/internal/recall/rank"
)

// diagnosticsBody explains a retrieve (R0.32).
type diagnosticsBody struct {
	Entries    []explainedBody `json:"entries" doc:"One an id in the answer"`
	Removed    []removedBody   `json:"removed" doc:"Filters that took candidates out"`
	TimeWindow *windowBody     `json:"timeWindow" nullable:"true" doc:"The first stretch of time that the query names; it weighs and never filters"`
	Anchor     httpapi.Time    `json:"anchor"`
	Overrides  effectiveBody   `json:"overrides" doc:"What the request ranked by"`
	Rerank     rerankBody      `json:"rerank"`
	Timings    []stepBody      `json:"timings"`
	Candidates numbersBody     `json:"candidates"`
}

type explainedBody struct {
	ID         string         `json:"id"`
	Section    recall.Section `json:"section"`
	Arms       []string       `json:"arms"`
	Scores     *scoresBody    `json:"scores" nullable:"true" doc:"Components of the score; null where the entry was not ranked"`
	RankBefore *int           `json:"rankBefore" nullable:"true" doc:"Place before the second scorer, from 1"`
	RankAfter  *int           `json:"rankAfter" nullable:"true"`
}

// scoresBody are the components of a score: shares of the arms, factors, and the share
// of the session, which is added.
type scoresBody struct {
	Lexical    float64       `json:"lexical"`
	Semantic   float64       `json:"semantic"`
	Features   float64       `json:"features" doc:"Product of the factors of applied"`
	Applied    []appliedBody `json:"applied" doc:"Features that changed the score"`
	Trust      float64       `json:"trust"`
	Importance float64       `json:"importance"`
	Recency    float64       `json:"recency"`
	Session    float64       `json:"session"`
	Repeated   float64       `json:"repeated" doc:"Factor of a text that says, word by word, what a better entry says"`
	Newer      float64       `json:"newer" doc:"Factor of a statement that replaces, or is replaced by, another one"`
	Second     float64       `json:"second" doc:"What rerank added to the score, or took from it; 0: nothing"`
	Succeeds   float64       `json:"succeeds" doc:"Score of what it superseded, where that is more than its own; 0: none"`
}

type appliedBody struct {
	Feature string  `json:"feature"`
	Weight  float64 `json:"weight" doc:"Its factor where it applies whole"`
	Factor  float64 `json:"factor"`
}

func scoresOf(p *rank.Parts) *scoresBody {
	if p == nil {
		return nil
	}
	out := &scoresBody{
		Lexical: p.Lexical, Semantic: p.Semantic, Features: p.Features.Product(), Applied: []appliedBody{},
		Trust: p.Trust, Importance: p.Importance, Recency: p.Recency, Session: p.Session, Repeated: p.Repeated, Newer: p.Newer, Second: p.Second, Succeeds: p.Succeeds,
	}
	for i, factor := range p.Features {
		if f := rank.Features[i]; factor != 1 {
			out.Applied = append(out.Applied, appliedBody{Feature: f.Name, Weight: f.Weight, Factor: factor})
		}
	}
	return out
}

type removedBody struct {
	Filter recall.Removal `json:"filter"`
	Count  int            `json:"count"`
}

type windowBody struct {
	From httpapi.Time `json:"from"`
	To   httpapi.Time `json:"to"`
}

type effectiveBody struct {
	SemanticWeight      float64 `json:"semanticWeight"`
	LexicalWeight       float64 `json:"lexicalWeight"`
	RecencyWeight       float64 `json:"recencyWeight"`
	ImportanceWeight    float64 `json:"importanceWeight"`
	RecencyHalfLifeDays float64 `json:"recencyHalfLifeDays"`
	CandidateCount      int     `json:"candidateCount"`
}

type rerankBody struct {
	Asked  bool    `json:"asked"`
	Ran    bool    `json:"ran"`
	Scorer *string `json:"scorer" nullable:"true"`
	Reason *string `json:"reason" nullable:"true" doc:"Why it did not run"`
}

type stepBody struct {
	Step         string  `json:"step"`
	Milliseconds float64 `json:"milliseconds"`
}

type numbersBody struct {
	Proposed int `json:"proposed"`
	Read     int `json:"read"`
	Ranked   int `json:"ranked"`
	Expanded int `json:"expanded"`
}

func diagnosticsOf(d *recall.Diagnostics) *diagnosticsBody {
	if d == nil {
		return nil
	}
	out := &diagnosticsBody{
		Entries: []explainedBody{}, Removed: []removedBody{}, Timings: []stepBody{},
		Anchor: httpapi.At(d.Anchor), Overrides: effectiveBody(d.Overrides), Candidates: numbersBody(d.Numbers),
		Rerank: rerankBody{Asked: d.Rerank.Asked, Ran: d.Rerank.Ran, Scorer: orNull(d.Rerank.Scorer), Reason: orNull(d.Rerank.Reason)},
	}
	if w := d.Window; w != nil {
		out.TimeWindow = &windowBody{From: httpapi.At(w.From), To: httpapi.At(w.To)}
	}
	for _, e := range d.Entries {
		out.Entries = append(out.Entries, explainedBody{ID: e.ID, Section: e.Section, Arms: e.Arms, Scores: scoresOf(e.Parts),
			RankBefore: placeOf(e.First), RankAfter: placeOf(e.Last)})
	}
	for _, r := range d.Removed {
		out.Removed = append(out.Removed, removedBody{Filter: r.By, Count: r.Count})
	}
	for _, s := range d.Timings {
		out.Timings = append(out.Timings, stepBody{Step: s.Name, Milliseconds: s.Milliseconds})
	}
	return out
}

// placeOf is a place in the ranking, null where there is none.
func placeOf(place int) *int {
	if place == 0 {
		return nil
	}
	return &place
}
