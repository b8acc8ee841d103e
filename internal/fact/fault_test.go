package fact

import (
	"context"
	"strconv"
	"testing"

	"holdfast/internal/errs"
	"holdfast/internal/ledger"
	"holdfast/internal/runtoken"
	"holdfast/internal/store"
	"holdfast/internal/store/faultstore"
)

// persist calls like a caller that sends the call again while the service is not
// available. What a lost answer has done already may be refused then with one of codes.
func persist(t *testing.T, call func() error, codes ...string) {
	t.Helper()
	for try := range 5 {
		err := call()
		if err == nil {
			return
		}
		for _, code := range codes {
			if e := errs.As(err); try > 0 && e != nil && e.Code == code {
				return
			}
		}
		if !errs.Is(err, errs.Unavailable) {
			t.Fatalf("a fault shows as %v", err)
		}
	}
	t.Fatal("no end of faults")
}

// swept runs a use case with a fault at every store call and holds the rows against the
// invariants. prepare fills the workspace; use is the call; check says what must have
// happened.
func swept(t *testing.T, prepare func(w *world) Target, use func(w *world, run Target) error, check func(w *world, run Target), codes ...string) {
	var raw store.Store
	var run Target
	faultstore.Sweep(t, func(t testing.TB) store.Store {
		raw = filled(t)
		run = prepare(worldOver(t, raw))
		return raw
	}, func(t *testing.T, s *faultstore.Store) {
		w := worldOver(t, s)
		persist(t, func() error { return use(w, run) }, codes...)
		s.Disarm()
		w = worldOver(t, raw)
		check(w, run)
		w.sound()
	})
}

func total(w *world) int {
	head, err := ledger.ReadHead(context.Background(), w.Store, scope)
	if err != nil {
		w.t.Fatal(err)
	}
	return int(head.Sequence)
}

func TestT17AFaultedSaveWithAKeyHasOneEffect(t *testing.T) {
	for name, prepare := range map[string]func(w *world) Target{
		"first":      func(w *world) Target { return w.as("anna") },
		"near full":  func(w *world) Target { run := w.as("anna"); w.save(run, "a", "x"); return run },
		"experiment": func(w *world) Target { return w.run(runtoken.Ask{UserID: "anna", Experiment: true}) },
	} {
		t.Run(name, func(t *testing.T) {
			before := 0
			swept(t, func(w *world) Target {
				run := prepare(w)
				before = total(w)
				return run
			}, func(w *world, run Target) error {
				if name == "near full" {
					w.Most = 2
				}
				saved, err := w.Save(context.Background(), run, draft("users/{user}/x", "quince", keyedBy("k"), tagged("t")))
				if err == nil && (saved.Text != "quince" || saved.Version != 1) {
					w.t.Errorf("answered %+v", saved.Fact)
				}
				return err
			}, func(w *world, run Target) {
				w.wantTexts(run, "users", "quince")
				if total(w) != before+1 {
					w.t.Errorf("%d log rows", total(w)-before)
				}
			})
		})
	}
}

func TestT17AFaultedReplacementHasOneEffect(t *testing.T) {
	var id string
	swept(t, func(w *world) Target {
		run := w.as("anna")
		id = w.save(run, "users/anna/a", "one", tagged("t")).ID
		return run
	}, func(w *world, run Target) error {
		_, err := w.Save(context.Background(), run, draft("users/anna/b", "two", replacing(id), keyedBy("k")))
		return err
	}, func(w *world, run Target) {
		w.wantTexts(run, "", "two")
		w.wantOps(id, ledger.Create, ledger.Update)
	})
}

func TestT17AFaultedDeleteHasOneEffect(t *testing.T) {
	var id string
	swept(t, func(w *world) Target {
		run := w.as("anna")
		f := w.save(run, "users/anna", "one")
		w.save(run, "users/anna", "two", replacing(f.ID))
		id = f.ID
		return run
	}, func(w *world, run Target) error {
		_, err := w.Delete(context.Background(), run, id)
		return err
	}, func(w *world, run Target) {
		w.wantTexts(run, "")
		w.wantOps(id, ledger.Create, ledger.Update, ledger.Delete)
		if len(w.jobs()) != 1 {
			w.t.Errorf("jobs %+v", w.jobs())
		}
	}, "NOT_FOUND")
}

func TestT17AFaultedEditLeavesSoundRows(t *testing.T) {
	for _, p := range []Patch{{Text: ptr("better")}, {Quarantined: ptr(false)}} {
		var id string
		swept(t, func(w *world) Target { id = w.save(w.as("anna"), "users/anna", hostile).ID; return w.panel("desk") },
			func(w *world, people Target) error {
				_, err := w.Edit(context.Background(), people, id, p)
				return err
			}, func(w *world, people Target) {
				f, err := w.Get(context.Background(), people, id)
				if err != nil || p.Text != nil && f.Text != "better" || p.Quarantined != nil && f.Quarantined {
					w.t.Errorf("%+v, %v", f, err)
				}
			})
	}
}

func TestT17AFaultedErasureOfAUserHasItsEffect(t *testing.T) {
	swept(t, func(w *world) Target {
		run := w.as("anna")
		w.save(run, "users/anna", "quokka")
		w.save(run, "a", "stays")
		return run
	}, func(w *world, run Target) error {
		_, err := w.EraseUser(context.Background(), w.panel("desk"), "anna")
		return err
	}, func(w *world, run Target) {
		w.wantTexts(run, "", "stays")
		w.work()
		w.sound()
		if left := w.texting("quokka"); len(left) > 0 {
			w.t.Errorf("left in %v", left)
		}
	})
}

func TestT17AFaultedClearingGoesOn(t *testing.T) {
	swept(t, func(w *world) Target {
		run := w.as("anna")
		for n := range 50 {
			f := w.save(run, "users/anna", strconv.Itoa(n))
			if n == 7 {
				w.save(run, "users/anna", "quokka", replacing(f.ID))
			}
		}
		if _, err := w.EraseUser(context.Background(), w.panel("desk"), "anna"); err != nil {
			w.t.Fatal(err)
		}
		return run
	}, func(w *world, run Target) error {
		jobs, err := w.openJobs()
		for _, job := range jobs {
			if err == nil {
				err = w.do(job)
			}
		}
		return errs.Unread(err)
	}, func(w *world, run Target) {
		w.wantTexts(run, "")
		if left := w.texting("quokka"); len(left) > 0 || len(w.jobs()) > 0 {
			w.t.Errorf("left in %v", left)
		}
	})
}

func TestReadsThatFailAreUnavailable(t *testing.T) {
	s := faultstore.New(filled(t))
	w := worldOver(t, s)
	run, people := w.as("anna"), w.panel("desk")
	f := w.save(run, "users/anna", "one")
	w.save(run, "users/anna", "two", replacing(f.ID))
	w.save(run, "a", "x")
	ctx := context.Background()
	for name, read := range map[string]func() error{
		"get":      func() error { _, err := w.Get(ctx, run, f.ID); return err },
		"versions": func() error { _, _, err := w.Versions(ctx, run, f.ID); return err },
		"list":     func() error { _, err := w.List(ctx, run, Filter{}, 5, f.ID); return err },
		"panel":    func() error { _, err := w.List(ctx, people, Filter{}, 5, ""); return err },
		"agents":   func() error { _, _, err := w.Agents(ctx, people, 5, ""); return err },
		"found":    func() error { _, err := w.Found(ctx, run, Filter{}, []string{f.ID}); return err },
		"index": func() error {
			_, err := (Projector{w.Service}).Live(ctx, scope, []string{f.ID})
			return errs.Unread(err)
		},
	} {
		for at := 1; ; at++ {
			s.Arm(faultstore.Fault{At: at})
			err := read()
			fired := s.Fired()
			s.Disarm()
			if fired == 0 {
				if err != nil {
					t.Errorf("%s without a fault: %v", name, err)
				}
				break
			}
			if !errs.Is(err, errs.Unavailable) {
				t.Errorf("%s, call %d: %v", name, at, err)
			}
		}
	}
}
