package searchtest

import (
	"errors"
	"testing"

	"holdfast/internal/search"
	"holdfast/internal/tenant"
)

// embedded makes a document with a vector of the suite's profile.
func embedded(id string, vector ...float32) search.Document {
	d := doc(id, 1, "")
	d.Vector, d.Profile = vector, profile
	return d
}

// nearTo asks the semantic arm.
func nearTo(most int, vector ...float32) search.Query {
	return search.Query{Vector: vector, Profile: profile, Semantic: most}
}

var semanticCases = []testCase{
	{"DocumentsAreProposedByCosine", func(t *testing.T, x search.Index) {
		put(t, x, embedded("1", 1, 0, 0, 0), embedded("2", 3, 3, 0, 0), embedded("3", 0, 0, 2, 0), embedded("4", -1, 0, 0, 0))
		hits := ask(t, x, nearTo(9, 2, 0, 0, 0)).Hits
		expect(t, hits, "1", "2", "3", "4")
		for i, want := range []float64{1, .70710678, 0, -1} {
			if i < len(hits) && (!near(hits[i].Semantic, want) || !hits[i].HasVec) {
				t.Errorf("hit %d: %+v, want cosine %v", i, hits[i], want)
			}
		}
	}},
	{"DocumentsWithoutAVectorAreNoHits", func(t *testing.T, x search.Index) {
		put(t, x, doc("1", 1, "kiln"), embedded("2", 0, 0, 0, 0), embedded("3", 1, 0, 0, 0))
		expect(t, ask(t, x, nearTo(9, 1, 0, 0, 0)).Hits, "3")
	}},
	{"VectorsOfAnotherProfileAreNoHits", func(t *testing.T, x search.Index) {
		other := embedded("1", 1, 0, 0, 0)
		other.Profile = "other-4-v2"
		put(t, x, other, embedded("2", 0, 1, 0, 0))
		expect(t, ask(t, x, nearTo(9, 1, 0, 0, 0)).Hits, "2")
	}},
	{"AnUnknownProfileHasNoHits", func(t *testing.T, x search.Index) {
		put(t, x, embedded("1", 1, 0, 0, 0))
		q := nearTo(9, 1, 0)
		q.Profile = "unknown"
		expect(t, ask(t, x, q).Hits)
	}},
	{"AVectorOfAWrongDimensionIsRefused", func(t *testing.T, x search.Index) {
		put(t, x, embedded("1", 1, 0, 0, 0))
		for _, vector := range [][]float32{{1, 0}, nil} {
			q := nearTo(9, vector...)
			q.Scopes = []tenant.Scope{scopeA}
			if _, err := x.Search(t.Context(), q); !errors.Is(err, search.ErrBadRequest) {
				t.Errorf("dimension %d: error %v", len(vector), err)
			}
		}
	}},
	{"ADocumentOfAWrongDimensionIsRefused", func(t *testing.T, x search.Index) {
		put(t, x, embedded("1", 1, 0, 0, 0))
		errs := x.Apply(t.Context(), []search.Op{{Document: embedded("2", 1, 0)}})
		if len(errs) != 1 || !errors.Is(errs[0], search.ErrBadRequest) {
			t.Errorf("errors %v", errs)
		}
	}},
	{"AVectorThatArrivesLaterCounts", func(t *testing.T, x search.Index) {
		put(t, x, doc("1", 1, "kiln"))
		late := embedded("1", 1, 0, 0, 0)
		late.Text, late.Sequence = "kiln", 2
		put(t, x, late)
		q := nearTo(9, 1, 0, 0, 0)
		q.Text, q.Lexical = "kiln", 9
		expect(t, ask(t, x, q).Hits, "1")
	}},
	{"ADeleteTakesTheVectorOut", func(t *testing.T, x search.Index) {
		put(t, x, embedded("1", 1, 0, 0, 0), embedded("2", 0, 1, 0, 0), embedded("3", 0, 0, 1, 0))
		apply(t, x, remove("1", 2))
		hits := ask(t, x, nearTo(1, 0, 0, 1, 0)).Hits
		expect(t, hits, "3")
		expectSet(t, ask(t, x, nearTo(9, 1, 0, 0, 0)).Hits, "2", "3")
	}},
	{"CosineTiesAreOrderedByNewerID", func(t *testing.T, x search.Index) {
		put(t, x, embedded("2", 1, 0, 0, 0), embedded("3", 1, 0, 0, 0), embedded("1", 1, 0, 0, 0))
		expect(t, ask(t, x, nearTo(2, 1, 0, 0, 0)).Hits, "3", "2")
	}},
}

var answerCases = []testCase{
	{"TheAnswerIsTheUnionOfTheArms", func(t *testing.T, x search.Index) {
		both, lexical, semantic := embedded("1", 1, 0, 0, 0), doc("2", 1, "kiln kiln"), embedded("3", 1, 1, 0, 0)
		both.Text = "a kiln of clay"
		put(t, x, both, lexical, semantic)
		q := nearTo(2, 1, 0, 0, 0)
		q.Text, q.Lexical = "kiln", 2
		hits := ask(t, x, q).Hits
		expectSet(t, hits, "1", "2", "3")
		for _, h := range hits {
			if hasLexical := h.Lexical > 0; hasLexical != (h.ID != "3") || h.HasVec != (h.ID != "2") {
				t.Errorf("hit %+v", h)
			}
		}
	}},
	{"AnArmThatIsNotAskedIsSilent", func(t *testing.T, x search.Index) {
		d := embedded("1", 1, 0, 0, 0)
		d.Text = "kiln"
		put(t, x, d)
		for _, h := range ask(t, x, search.Query{Text: "kiln", Lexical: 1}).Hits {
			if h.HasVec || h.Semantic != 0 {
				t.Errorf("lexical arm alone: %+v", h)
			}
		}
		q := nearTo(1, 1, 0, 0, 0)
		q.Text = "kiln"
		for _, h := range ask(t, x, q).Hits {
			if h.Lexical != 0 {
				t.Errorf("semantic arm alone: %+v", h)
			}
		}
		expect(t, ask(t, x, search.Query{Text: "kiln"}).Hits)
	}},
	{"TheSameStateGivesTheSameAnswer", func(t *testing.T, x search.Index) {
		put(t, x, talk...)
		apply(t, x, remove("04", 2))
		again := talk[3]
		again.Sequence = 3
		put(t, x, again)
		agree(t, x, talk, search.Query{Text: "oven hinge smith tarn"})
	}},
	{"RandomStatesAgreeWithTheNaiveEvaluation", func(t *testing.T, x search.Index) {
		Agree(t, x, 1, 120)
	}},
}
