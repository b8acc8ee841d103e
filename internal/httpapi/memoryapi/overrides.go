package memoryapi

import "holdfast/internal/recall"

// overridesBody changes how one request ranks (R0.22). It is checked on its own, as
// what is wrong in it has a code of its own (S0.32).
type overridesBody struct {
	SemanticWeight      *float64 `json:"semanticWeight,omitempty" required:"false" nullable:"true" minimum:"0" maximum:"1" doc:"Share of the semantic arm, of the sum of both shares"`
	LexicalWeight       *float64 `json:"lexicalWeight,omitempty" required:"false" nullable:"true" minimum:"0" maximum:"1" doc:"Share of the lexical arm"`
	RecencyWeight       *float64 `json:"recencyWeight,omitempty" required:"false" nullable:"true" minimum:"0" maximum:"1" doc:"Bias: 1 at most doubles or halves a score"`
	ImportanceWeight    *float64 `json:"importanceWeight,omitempty" required:"false" nullable:"true" minimum:"0" maximum:"1" doc:"Bias, likewise"`
	RecencyHalfLifeDays *float64 `json:"recencyHalfLifeDays,omitempty" required:"false" nullable:"true" exclusiveMinimum:"0" doc:"30 when left out"`
	CandidateCount      *int     `json:"candidateCount,omitempty" required:"false" nullable:"true" minimum:"1" maximum:"500" doc:"Entries that each arm proposes"`
}

// weigh reads the overrides.
func (b retrieveBody) weigh(req *recall.Request) error {
	if b.Overrides == nil {
		return nil
	}
	o, err := b.Overrides.Decode("/overrides")
	if err != nil {
		err.Code = "INVALID_OVERRIDES"
		return err
	}
	req.Overrides = recall.Overrides(o)
	return nil
}
