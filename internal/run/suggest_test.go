package run_test

import (
	"slices"
	"testing"

	"holdfast/internal/run"
	"holdfast/internal/store"
	"holdfast/internal/store/faultstore"
	"holdfast/internal/store/keys"
	"holdfast/internal/store/memstore"
)

const (
	made    = "01890000-0000-7000-8000-0000000000a1"
	known   = "01890000-0000-7000-8000-0000000000a2"
	episode = "01890000-0000-7000-8000-0000000000a3"
)

var suggestion = run.Suggestion{MadeID: made, OtherID: known, Cosine: 0.9375, EpisodeID: episode}

func TestA01ASuggestionIsFoundFromAllThatHaveAPartInIt(t *testing.T) {
	s := memstore.New()
	must(t, do(t, s, run.Suggest(scope, hash, 3, suggestion)...))
	got, err := run.Suggestions(t.Context(), s, scope, hash, 3)
	if err != nil || !slices.Equal(got, []run.Suggestion{suggestion}) {
		t.Fatal(got, err)
	}
	if other, err := run.Suggestions(t.Context(), s, scope, hash, 4); err != nil || len(other) > 0 {
		t.Error(other, err)
	}
	gone := keys.Suggested(scope, made, hash, 9, known)
	for _, id := range []string{made, known, episode} {
		row := keys.Suggested(scope, id, hash, 3, made)
		if _, found, err := s.Get(t.Context(), row); err != nil || !found {
			t.Errorf("no row at %s: %v", id, err)
		}
		all, err := run.Suggested(t.Context(), s, []store.Key{row, gone})
		if err != nil || len(all) != 2 || *all[0] != suggestion || all[1] != nil {
			t.Fatal(all, err)
		}
	}
	must(t, do(t, s, run.Unsuggest(keys.Suggested(scope, known, hash, 3, made), &suggestion)...))
	must(t, do(t, s, run.Unsuggest(gone, nil)...))
	left := 0
	must(t, s.Scan(t.Context(), func(store.Item) error { left++; return nil }))
	if left != 0 {
		t.Errorf("%d rows are left", left)
	}
}

// More suggestions than one read takes are answered in the order asked.
func TestA01ManySuggestionsAreRead(t *testing.T) {
	s := memstore.New()
	var rows []store.Key
	for n := int64(1); n <= 250; n++ {
		must(t, do(t, s, run.Suggest(scope, hash, n, suggestion)...))
		rows = append(rows, keys.Suggested(scope, episode, hash, n, made))
	}
	all, err := run.Suggested(t.Context(), s, rows)
	if err != nil || len(all) != 250 || slices.Contains(all, nil) {
		t.Errorf("%d, %v", len(all), err)
	}
	f := faultstore.New(s)
	for at := 1; at <= 3; at++ {
		f.Arm(faultstore.Fault{At: at, Ops: []faultstore.Op{faultstore.GetMany}})
		if _, err := run.Suggested(t.Context(), f, rows); err == nil {
			t.Errorf("read %d failed and nobody says so", at)
		}
	}
}

func TestADamagedSuggestionIsAnError(t *testing.T) {
	s := memstore.New()
	must(t, do(t, s, store.PutItem("", store.Item{Key: keys.RunSuggestion(scope, hash, 1, made), Attrs: store.Attrs{"c": store.S("much")}}, nil)))
	if _, err := run.Suggestions(t.Context(), s, scope, hash, 1); err == nil {
		t.Error("read")
	}
	if _, err := run.Suggested(t.Context(), s, []store.Key{keys.Suggested(scope, made, hash, 1, made)}); err == nil {
		t.Error("read")
	}
}
