package work_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"holdfast/internal/consolidate"
	"holdfast/internal/errs"
	"holdfast/internal/extract"
	"holdfast/internal/ledger"
	"holdfast/internal/llm"
	"holdfast/internal/memory"
	"holdfast/internal/outbox"
	"holdfast/internal/run"
	"holdfast/internal/search"
	"holdfast/internal/store"
	"holdfast/internal/tenant"
)

// session says four things in a run; the first is what is to be forgotten.
func (w *world) session() []string {
	w.t.Helper()
	var out []string
	for _, text := range []string{"We decided to use Postgres for the " + canary + " ledger.", "The ferry leaves from Rotterdam.",
		"The office of the harbour is at Quay 7.", "The meeting of the crew is on Monday."} {
		out = append(out, w.add(fact(text, inLayer("Session"), inRun("r1"))))
	}
	return out
}

func (w *world) consolidate() error {
	_, err := w.consolidator().Consolidate(w.t.Context(), w.target(scope, agent), askOf("r1"))
	return err
}

// made are the memories that the service made, by type.
func (w *world) made() map[memory.Type][]*memory.Memory {
	w.t.Helper()
	page, err := w.memories.List(w.t.Context(), w.target(scope, admin), memory.Filter{}, 200, "")
	if err != nil {
		w.t.Fatal(err)
	}
	out := map[memory.Type][]*memory.Memory{}
	for _, m := range page.Entries {
		if m.Provenance.Origin == memory.FromService {
			out[m.Type] = append(out[m.Type], m)
		}
	}
	return out
}

// documents counts those of all partitions that match a text.
func (w *world) documents(text string) int {
	w.t.Helper()
	answer, err := w.index.Search(w.t.Context(), search.Query{Text: text, Lexical: 500,
		Scopes: []tenant.Scope{scope, scope.Own(), scope.Past(), scope.Own().Past(), other, other.Past()}})
	if err != nil {
		w.t.Fatal(err)
	}
	return len(answer.Hits)
}

// nowhere holds that the canary is in no row and no document.
func (w *world) nowhere(when string) {
	w.t.Helper()
	if left := w.copies(tableOf(w.store), canary); len(left) > 0 || w.documents(canary) > 0 {
		w.t.Errorf("%s: %d documents, rows %v", when, w.documents(canary), left)
	}
}

// tableOf is the table below what is put before it.
func tableOf(s store.Store) store.Scanner {
	if h, hooked := s.(*hookedStore); hooked {
		return tableOf(h.Store)
	}
	return s.(store.Scanner)
}

// between is a world in which something happens once before the first commit that has
// such an action.
func (w *world) between(such func(store.Action) bool, then func()) *world {
	h := &hookedStore{Store: w.store}
	h.before = func(tx store.Tx) {
		if slices.ContainsFunc(tx.Actions, such) {
			h.before = nil
			then()
		}
	}
	w.t.Cleanup(func() {
		if h.before != nil {
			w.t.Error("no commit has such an action")
		}
	})
	out := worldOver(w.t, h, w.clock, w.index, w.cursors)
	out.extractor = w.extractor
	return out
}

// An entry of a session is deleted when all was made of it, and copies of that too.
func TestR067AnEntryIsTakenOutOfAllThatAConsolidationMadeOfIt(t *testing.T) {
	for _, cascade := range []bool{true, false} {
		w := newWorld(t)
		entries := w.session()
		var episode, copied, factCopy, note string
		o := w.between(isClear, func() {
			made := w.made()
			episode = made[memory.Episode][0].ID
			w.sync(scope)
			copied, factCopy = w.shareWith(episode), w.shareWith(made[memory.Decision][0].ID)
			note = w.add(fact("The minutes are short.", citing(memory.Source{Kind: memory.EpisodeSource, ID: episode})))
			w.sync(other)
			w.delete(entries[0], cascade)
			w.eraseAll()
		})
		if err := o.consolidate(); err != nil {
			t.Fatal(err)
		}
		w.runJobs()
		made := w.made()
		if !cascade {
			if len(made[memory.Decision]) != 1 || !strings.Contains(made[memory.Summary][0].Content, canary) || w.there(copied).IsDeleted() || w.there(factCopy).IsDeleted() {
				t.Errorf("made %+v", made)
			}
			continue
		}
		w.nowhere("after the cascade")
		if len(made[memory.Decision]) != 0 || len(made[memory.Fact]) != 3 || len(made[memory.Episode]) != 1 || len(made[memory.Summary]) != 1 {
			t.Fatalf("made %+v", made)
		}
		for _, m := range []*memory.Memory{made[memory.Episode][0], made[memory.Summary][0]} {
			if !strings.Contains(m.Content, "Quay 7") || m.Version != 2 || m.Edition.Reason != memory.ByRebuild || slices.Contains(m.Cites(), entries[0]) {
				t.Errorf("%+v", m)
			}
		}
		if hit := w.hits("Quay Monday")[episode]; hit.Version != 2 || !hit.HasVec {
			t.Errorf("the index knows of the episode %+v", hit)
		}
		if !w.there(copied).IsDeleted() || !w.there(factCopy).IsDeleted() || w.memory(note).Content == "" {
			t.Error("a copy of what was made again is there, or a note of somebody's own is not")
		}
		w.verified()
	}
}

// isClear tells the action that clears a stretch: all is made then.
func isClear(a store.Action) bool { return a.Label == "0:stretch" && a.If != nil && a.If.Attr != "" }

// labelled tells the actions with a label.
func labelled(label string) func(store.Action) bool {
	return func(a store.Action) bool { return strings.HasSuffix(a.Label, label) }
}

// eraseAll runs the erasures of both workspaces to their end.
func (w *world) eraseAll() {
	w.t.Helper()
	for range 5 {
		for _, s := range []tenant.Scope{scope, other} {
			for _, job := range w.jobsOf(s) {
				if job.Kind != outbox.Erase {
					continue
				}
				if err := w.eraser().Run(w.t.Context(), s, job.ID); err != nil {
					w.t.Fatal(err)
				}
			}
		}
	}
}

// hookedExtractor calls before and after a model is asked.
type hookedExtractor struct {
	extract.Extractor
	read     func() // after a batch was read
	conclude func() error
}

func (h *hookedExtractor) Batch(ctx context.Context, r extract.Request) (extract.Result, error) {
	out, err := h.Extractor.Batch(ctx, r)
	if read := h.read; read != nil {
		h.read = nil
		read()
	}
	return out, err
}

func (h *hookedExtractor) Conclude(ctx context.Context, goal string, list []extract.Sentence) (extract.Conclusion, error) {
	if h.conclude != nil {
		if err := h.conclude(); err != nil {
			return extract.Conclusion{}, err
		}
	}
	return h.Extractor.Conclude(ctx, goal, list)
}

func (w *world) hookExtractor(h *hookedExtractor) {
	w.extractor = func(x extract.Extractor) extract.Extractor { h.Extractor = x; return h }
}

// complete holds that the erasure of an entry is complete.
func (w *world) complete(id string) {
	w.t.Helper()
	if e := w.erasure(id); e.Status != memory.ErasureComplete {
		w.t.Errorf("%+v", e)
	}
}

// What a model was shown before an entry was erased is not staged afterwards.
func TestT24AnErasureWhileTheModelReads(t *testing.T) {
	w := newWorld(t)
	entries := w.session()
	h := &hookedExtractor{}
	h.read = func() {
		w.delete(entries[0], true)
		w.eraseAll()
		w.complete(entries[0])
	}
	h.conclude = func() error { w.nowhere("when the rest is concluded"); return nil }
	w.hookExtractor(h)
	if err := w.consolidate(); err != nil {
		t.Fatal(err)
	}
	w.runJobs()
	w.sync(scope)
	w.nowhere("at the end")
	if made := w.made(); len(made[memory.Fact]) != 3 || len(made[memory.Decision]) != 0 {
		t.Errorf("made %+v", made)
	}
	w.intact(entries[0])
}

// intact holds that nothing but its tombstone is left of an erased entry, whatever came
// after its erasure, and that nothing had to be erased again.
func (w *world) intact(id string) {
	w.t.Helper()
	if len(w.measured) > 0 {
		w.t.Errorf("an alarm: %s", w.logged)
	}
	parts, err := memory.LoadParts(w.t.Context(), w.store, scope, id)
	if err != nil || len(parts.Versions)+len(parts.Vectors)+len(parts.Edges)+len(parts.Suggested) > 0 {
		w.t.Errorf("rows left: %+v, %v", parts, err)
	}
	w.unindexed(id)
}

// At whatever step an entry is erased, its texts are gone when its erasure is complete,
// and the rest is made.
func TestT24AnErasureAtEveryStepOfAConsolidation(t *testing.T) {
	for _, label := range []string{"staged", "edge", ":A", ":mark", "0:count", "conclusion", ":stretch"} {
		t.Run(label, func(t *testing.T) {
			w := newWorld(t)
			entries := w.session()
			o := w.between(labelled(label), func() {
				w.delete(entries[0], true)
				w.eraseAll()
				w.complete(entries[0])
				w.eraseAll() // what was derived by then has an erasure of its own
				w.nowhere("when the erasure is complete")
			})
			if err := o.consolidate(); err != nil {
				t.Fatal(err)
			}
			w.runJobs()
			w.sync(scope)
			w.nowhere("at the end")
			made := w.made()
			if len(made[memory.Fact]) != 3 || len(made[memory.Decision]) != 0 || len(made[memory.Episode]) != 1 || len(made[memory.Summary]) != 1 {
				t.Errorf("made %+v", made)
			}
			w.intact(entries[0])
			w.verified()
		})
	}
}

// deadStretch is a run whose consolidation is dead when half of it is staged.
func (w *world) deadStretch() []string {
	w.t.Helper()
	entries := w.session()
	w.hookExtractor(&hookedExtractor{conclude: func() error { return llm.ErrUnavailable }})
	if err := w.consolidate(); !errs.Is(err, errs.Unavailable) {
		w.t.Fatal(err)
	}
	w.runJobs()
	w.extractor = nil
	return entries
}

func TestT24AnEntryIsErasedFromADeadConsolidation(t *testing.T) {
	w := newWorld(t)
	entries := w.deadStretch()
	w.delete(entries[0], false)
	w.runJobs()
	w.complete(entries[0])
	w.nowhere("beside a dead consolidation")
	if rows := w.copies(w.store.(store.Scanner), "Quay 7"); len(rows) != 2 { // the entry's, the staged one
		t.Errorf("rows %v", rows)
	}
	if got := w.steps(entries[0]); !slices.Contains(got, "staged 1") {
		t.Errorf("steps %q", got)
	}
	if err := w.consolidate(); err != nil {
		t.Fatal(err)
	}
	if made := w.made(); len(made[memory.Fact]) != 3 || len(made[memory.Decision]) != 0 || len(made[memory.Episode]) != 1 {
		t.Errorf("made %+v", made)
	}
}

func TestT24AFaultAtEveryStoreCallBesideADeadConsolidation(t *testing.T) {
	t.Parallel()
	var entries []string
	swept(t, func(w *world) {
		entries = w.deadStretch()
		w.delete(entries[0], false)
	}, func(w *world, table store.Scanner) {
		w.complete(entries[0])
		w.nowhere("at the end")
		if got := w.steps(entries[0]); !slices.Contains(got, "staged 1") {
			w.t.Errorf("steps %q", got)
		}
	})
}

// alike are two memories of a stretch that look the same, and the episode.
func (w *world) alike() (made, known, episode string) {
	w.t.Helper()
	w.settings.MergeThreshold = 0.8
	known = w.add(fact("The archive of the old harbour office in Faro closes at six every single day."))
	w.sync(scope)
	w.add(fact("The archive of the old harbour office in Faro closes at five every single day.", inLayer("Session"), inRun("r1")))
	if err := w.consolidate(); err != nil {
		w.t.Fatal(err)
	}
	w.runJobs()
	all := w.made()
	if len(all[memory.Fact]) != 1 {
		w.t.Fatalf("made %+v", all)
	}
	return all[memory.Fact][0].ID, known, all[memory.Episode][0].ID
}

func (w *world) suggestions(id string) []memory.Pair {
	w.t.Helper()
	x, err := w.memories.Explain(w.t.Context(), w.target(scope, admin), id, memory.Subject{})
	if err != nil {
		w.t.Fatal(err)
	}
	return x.Suggestions
}

func TestA01AnEpisodeTellsWhatLooksAlikeUntilOneOfItIsErased(t *testing.T) {
	for who := range 3 {
		w := newWorld(t)
		made, known, episode := w.alike()
		got := w.suggestions(episode)
		if len(got) != 1 || got[0].ID != made || got[0].Other != known || got[0].Cosine < 0.8 || got[0].Cosine >= 1 {
			t.Fatalf("%+v", got)
		}
		if len(w.suggestions(made))+len(w.suggestions(known)) != 0 {
			t.Error("told at other entries")
		}
		all := []string{made, known, episode}
		w.delete(all[who], false)
		if who < 2 {
			if got := w.suggestions(episode); len(got) != 0 {
				t.Errorf("deleted: %+v", got)
			}
		}
		w.runJobs()
		w.complete(all[who])
		if got := w.steps(all[who]); !slices.Contains(got, "suggestions 1") {
			t.Errorf("steps %q", got)
		}
		for _, id := range all {
			if parts, err := memory.LoadParts(t.Context(), w.store, scope, id); err != nil || len(parts.Suggested) > 0 {
				t.Errorf("%+v, %v", parts, err)
			}
		}
		hash, err := w.memories.RunHash(t.Context(), scope, "r1")
		if err != nil {
			t.Fatal(err)
		}
		if left, err := run.Suggestions(t.Context(), w.store, scope, hash, 1); err != nil || len(left) > 0 {
			t.Errorf("%+v, %v", left, err)
		}
	}
}

func TestT24AFaultAtEveryStoreCallOfAnErasureWithSuggestions(t *testing.T) {
	t.Parallel()
	var known string
	swept(t, func(w *world) {
		_, known, _ = w.alike()
		w.delete(known, false)
	}, func(w *world, _ store.Scanner) {
		w.complete(known)
		w.intact(known)
		if got := w.steps(known); !slices.Contains(got, "suggestions 1") {
			w.t.Errorf("steps %q", got)
		}
	})
}

// Each step's row says how many: three texts, two derived and a copy of them here and
// there.
func TestT24TheStepsCount(t *testing.T) {
	w := newWorld(t)
	id := w.add(fact("The " + canary + " is low."))
	w.update(id, "The "+canary+" is high.")
	w.update(id, "The "+canary+" is at noon.")
	w.add(fact("Low water: the "+canary+" shows it.", citing(derivedFrom(id))))
	both := w.add(fact("The skipper waits for water.", citing(derivedFrom(id), memory.Source{Kind: memory.MessageSource, ID: "m1"})))
	w.shareWith(id)
	w.sync(scope)
	w.delete(id, true)
	w.runJobs()
	w.runJobsOf(other)
	w.erased(w.store.(store.Scanner), id)
	want := []string{"idempotency 0", "derived 3", "versions 2", "vectors 1", "edges 3", "index 3", "suggestions 0", "staged 0", "canary 0"}
	if got := w.steps(id); !slices.Equal(got, want) {
		t.Errorf("steps %q, want %q", got, want)
	}
	if w.times(ledger.Update, both) != 1 {
		t.Error("what rests on others too was not kept")
	}
}

// A made text that somebody wrote over twice loses what it said before: its document
// goes with the row, however many texts came after it.
func TestR067TheDocumentOfAMadeTextThatWasWrittenOverGoes(t *testing.T) {
	w := newWorld(t)
	entries := w.session()
	var id string
	o := w.between(isClear, func() {
		id = w.made()[memory.Decision][0].ID
		w.update(id, "We decided to wait.")
		w.update(id, "We decided to wait for spring.")
		w.updateBy(admin, id, "We decided to wait for summer.")
		w.sync(scope)
		if n := w.documents(canary); n == 0 {
			t.Error("no document is to go")
		}
		w.delete(entries[0], true)
		w.eraseAll()
	})
	if err := o.consolidate(); err != nil {
		t.Fatal(err)
	}
	w.nowhere("after the cascade")
	if m := w.memory(id); m.Version != 4 || m.IsDeleted() {
		t.Errorf("%+v", m)
	}
	w.wantPast("decided", search.Filter{}, id+".2", id+".3")
}

func askOf(run string) consolidate.Ask { return consolidate.Ask{RunID: run} }

// Whatever fails on the way, what was made again is counted once and its copies go.
func TestR067AFaultAtEveryStoreCallOfACascadeFromAnEntry(t *testing.T) {
	t.Parallel()
	var entry string
	swept(t, func(w *world) {
		o := w.between(isClear, func() {
			w.shareWith(w.made()[memory.Episode][0].ID)
			w.sync(scope)
			w.sync(other)
			entry = w.entryOf(canary)
			w.delete(entry, true)
		})
		w.session()
		if err := o.consolidate(); err != nil {
			w.t.Fatal(err)
		}
	}, func(w *world, _ store.Scanner) {
		w.runJobsOf(other)
		w.complete(entry)
		w.nowhere("at the end")
		if got := w.steps(entry); !slices.Contains(got, "derived 4") { // decision, summary, episode and its copy
			w.t.Errorf("steps %q", got)
		}
		if made := w.made(); len(made[memory.Fact]) != 3 || len(made[memory.Episode]) != 1 || made[memory.Episode][0].Version != 2 {
			w.t.Errorf("made %+v", made)
		}
	})
}

// entryOf is the session entry that says something.
func (w *world) entryOf(text string) string {
	w.t.Helper()
	page, err := w.memories.List(w.t.Context(), w.target(scope, admin), memory.Filter{Layer: memory.Session, RunID: "r1"}, 200, "")
	if err != nil {
		w.t.Fatal(err)
	}
	for _, m := range page.Entries {
		if strings.Contains(m.Content, text) {
			return m.ID
		}
	}
	w.t.Fatal("no entry")
	return ""
}
