package memory

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strconv"
	"sync"
	"testing"

	"holdfast/internal/errs"
	"holdfast/internal/ledger"
	"holdfast/internal/store"
	"holdfast/internal/store/faultstore"
)

// persist calls like a caller that sends the call again with its key while the
// service is not available.
func persist(t *testing.T, call func() error) {
	t.Helper()
	for range 5 {
		err := call()
		if err == nil {
			return
		}
		if !errs.Is(err, errs.Unavailable) {
			t.Fatalf("a fault shows as %v", err)
		}
	}
	t.Fatal("no end of faults")
}

// swept runs a use case with a fault at every store call and holds the rows
// against the invariants. prepare fills the workspace; use is the call with a key;
// check says what must have happened, once.
func swept(t *testing.T, prepare func(w *world), use func(w *world) error, check func(w *world)) {
	var raw store.Store
	faultstore.Sweep(t, func(t testing.TB) store.Store {
		raw = filled(t)
		prepare(worldOver(t, raw))
		return raw
	}, func(t *testing.T, s *faultstore.Store) {
		w := worldOver(t, s)
		persist(t, func() error { return use(w) })
		s.Disarm()
		w = worldOver(t, raw)
		check(w)
		w.sound()
	})
}

func total(w *world) (rows int) {
	head, err := ledger.ReadHead(context.Background(), w.Store, w.scope)
	if err != nil {
		w.t.Fatal(err)
	}
	return int(head.Sequence)
}

func TestT17AFaultedAppendHasOneEffect(t *testing.T) {
	var id string
	swept(t, func(w *world) { w.add("The code is one.", ofAttribute("code"), ofUser("ida")) },
		func(w *world) error {
			a, err := w.Append(context.Background(), w.keyed(agent, "k", ""), fact("The code is two.", ofAttribute("code"), ofUser("ida")))
			id = a.ID
			return err
		},
		func(w *world) {
			if n := total(w); n != 3 || w.head(id).Status != Active {
				w.t.Errorf("%d log rows", n)
			}
		})
}

func TestT17AFaultedMergeHasOneEffect(t *testing.T) {
	var id string
	swept(t, func(w *world) { w.add("All of the lamps in the long shed are lit.") },
		func(w *world) error {
			a, err := w.Append(context.Background(), w.keyed(agent, "k", ""), fact("All lamps in the long shed are lit!"))
			id = a.ID
			return err
		},
		func(w *world) {
			if m := w.head(id); m.MergeCount != 1 || m.Version != 2 || total(w) != 2 {
				w.t.Errorf("%+v", m)
			}
		})
}

func TestT17AFaultedBatchHasOneEffectAnItem(t *testing.T) {
	swept(t, func(*world) {},
		func(w *world) error {
			target := w.keyed(agent, "k", "")
			var items []Item
			for i, text := range []string{"One lamp.", "Two ropes.", "ONE lamp."} {
				item := Item{Target: target, Draft: fact(text)}
				key := target.Key.Part(i, []byte(strconv.Itoa(i)))
				item.Key = &key
				items = append(items, item)
			}
			_, faults := w.AppendMany(context.Background(), items)
			return errors.Join(faults...)
		},
		func(w *world) {
			page, err := w.List(context.Background(), w.as(agent), Filter{}, 10, "")
			if err != nil || len(page.Entries) != 2 || total(w) != 3 {
				w.t.Errorf("%+v, %v, %d rows", page.Entries, err, total(w))
			}
		})
}

// first is the id of the only memory of a workspace.
func first(w *world) string {
	page, err := w.List(context.Background(), w.as(reviewer), Filter{}, 2, "")
	if err != nil || len(page.Entries) != 1 {
		return ""
	}
	return page.Entries[0].ID
}

// known remembers the id of the memory that prepare adds.
func known(w *world, id *string, text string, with ...func(*Draft)) { *id = w.add(text, with...) }

func TestT17AFaultedUpdateHasOneEffect(t *testing.T) {
	var id string
	swept(t, func(w *world) { known(w, &id, "The mast is teak.", ofAttribute("mast")) },
		func(w *world) error {
			_, err := w.Update(context.Background(), w.keyed(person, "k", ""), Revision{ID: id, Content: "The mast is spruce."})
			return err
		},
		func(w *world) {
			if m := w.head(first(w)); m.Version != 2 || m.Content != "The mast is spruce." || total(w) != 2 {
				w.t.Errorf("%+v", m)
			}
			if e := w.past(id, 1, w.profile()); e == nil || len(e.Vector) == 0 {
				w.t.Errorf("the earlier text is %+v", e)
			}
			w.refused(agent, fact("The mast is teak."))
		})
}

func TestT17AFaultedDirtyUpdateHasOneEffect(t *testing.T) {
	var id string
	swept(t, func(w *world) { known(w, &id, "The mast is teak.", ofAttribute("mast")) },
		func(w *world) error {
			_, err := w.Update(context.Background(), w.keyed(agent, "k", ""), Revision{ID: id, Content: hostile})
			return err
		},
		func(w *world) {
			if m := w.head(first(w)); m.Version != 2 || m.Status != Quarantined || total(w) != 2 {
				w.t.Errorf("%+v", m)
			}
		})
}

func TestT17AFaultedDeleteHasOneEffect(t *testing.T) {
	var id string
	swept(t, func(w *world) {
		known(w, &id, "The mast is teak.", ofAttribute("mast"), citing(Source{Kind: MemorySource, ID: memoryID}))
	},
		func(w *world) error {
			_, err := w.Delete(context.Background(), w.keyed(agent, "k", ""), Removal{ID: id})
			return err
		},
		func(w *world) {
			if m := w.head(id); !m.IsDeleted() || total(w) != 2 {
				w.t.Errorf("%+v", m)
			}
		})
}

func TestT17AFaultedReviewHasOneEffect(t *testing.T) {
	for _, v := range []Verdict{Release, Reject} {
		var id string
		swept(t, func(w *world) { known(w, &id, hostile, ofAttribute("a")) },
			func(w *world) error {
				_, err := w.Review(context.Background(), w.keyed(reviewer, "k", ""), Ruling{ID: id, Verdict: v})
				return err
			},
			func(w *world) {
				if m := w.head(id); m.Review.Verdict != v || total(w) != 2 || m.IsDeleted() != (v == Reject) {
					w.t.Errorf("%+v", m)
				}
			})
	}
}

func TestReadsThatFailAreUnavailable(t *testing.T) {
	s := faultstore.New(filled(t))
	w := worldOver(t, s)
	id, op := w.add("The mast is teak."), w.append(agent, fact("The keel is oak.")).OperationID
	was := w.add("The bell is brass.", ofAttribute("bell"))
	w.add("The bell is bronze.", ofAttribute("bell"))
	ctx := context.Background()
	for name, read := range map[string]func() error{
		"successor":  func() error { _, err := w.Get(ctx, w.as(agent), was, Subject{}); return err },
		"get":        func() error { _, err := w.Get(ctx, w.as(agent), id, Subject{}); return err },
		"explain":    func() error { _, err := w.Explain(ctx, w.as(agent), was, Subject{}); return err },
		"versions":   func() error { _, err := w.Versions(ctx, w.as(agent), id, Subject{}); return err },
		"list":       func() error { _, err := w.List(ctx, w.as(agent), Filter{}, 5, ""); return err },
		"quarantine": func() error { _, err := w.Service.Quarantine(ctx, w.as(reviewer), 5, ""); return err },
		"erasure":    func() error { _, err := w.Erasure(ctx, w.as(agent), id, Subject{}); return err },
		"operation":  func() error { _, err := w.Operation(ctx, w.as(agent), op); return err },
	} {
		for at := 1; ; at++ {
			s.Arm(faultstore.Fault{At: at})
			err := read()
			if s.Fired() == 0 {
				if err != nil {
					t.Errorf("%s without a fault: %v", name, err)
				}
				break
			}
			if !errs.Is(err, errs.Unavailable) {
				t.Errorf("%s, call %d: %v", name, at, err)
			}
			s.Disarm()
		}
	}
}

// Many writers of the same few values, merging, correcting, deleting and
// reviewing at once: whatever happens, the rows agree.
func TestManyWritersLeaveSoundRows(t *testing.T) {
	w := newWorld(t)
	texts := []string{"The lamp is lit.", "the LAMP is lit.", "A lamp is lit", "The rope is dry.", hostile,
		"The fee is €1.", "The fee is now €2.", "The fee was raised from €2 to €3."}
	var group sync.WaitGroup
	for n := range 8 {
		group.Go(func() {
			r := rand.New(rand.NewPCG(uint64(n), 1))
			var mine []string
			for range 25 {
				w.scramble(r, texts, &mine)
			}
		})
	}
	group.Wait()
	w.sound()
}

func (w *world) scramble(r *rand.Rand, texts []string, mine *[]string) {
	ctx := context.Background()
	text := texts[r.IntN(len(texts))]
	var with []func(*Draft)
	if r.IntN(2) == 0 {
		with = append(with, ofAttribute("state"))
	}
	var err error
	switch n := r.IntN(6); {
	case n < 3 || len(*mine) == 0:
		var a Appended
		if a, err = w.Append(ctx, w.as(admin), fact(text, with...)); err == nil {
			*mine = append(*mine, a.ID)
		}
	case n == 3:
		_, err = w.Update(ctx, w.as(agent), Revision{ID: (*mine)[r.IntN(len(*mine))], Content: text})
	case n == 4:
		_, err = w.Delete(ctx, w.as(admin), Removal{ID: (*mine)[r.IntN(len(*mine))]})
	default:
		verdict := []Verdict{Release, Reject}[r.IntN(2)]
		_, err = w.Review(ctx, w.as(admin), Ruling{ID: (*mine)[r.IntN(len(*mine))], Verdict: verdict})
	}
	expected := []errs.Kind{errs.NotFound, errs.Conflict}
	if err != nil && !slices.Contains(expected, errs.KindOf(err)) {
		w.t.Errorf("%v", err)
	}
}

func TestF14ParallelTwinsAreOneMemory(t *testing.T) {
	w := newWorld(t)
	var group sync.WaitGroup
	for range 12 {
		group.Go(func() {
			if _, err := w.Append(context.Background(), w.as(agent), fact("The shed is locked.")); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	if m := w.head(first(w)); m.MergeCount != 11 {
		t.Errorf("%d merges", m.MergeCount)
	}
	w.sound()
}
