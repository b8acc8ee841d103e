package work_test

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"holdfast/internal/clock"
	"holdfast/internal/erase"
	"holdfast/internal/erasure"
	facts "holdfast/internal/fact"
	"holdfast/internal/ids"
	"holdfast/internal/ledger"
	"holdfast/internal/outbox"
	"holdfast/internal/runtoken"
	"holdfast/internal/search/memsearch"
	"holdfast/internal/store"
	"holdfast/internal/store/faultstore"
	"holdfast/internal/store/keys"
	"holdfast/internal/store/memstore"
	"holdfast/internal/tenant"
	"holdfast/internal/work"
)

// words is an index of facts that keeps what the projector says.
type words struct {
	served *facts.Service
	mu     sync.Mutex
	docs   map[string]facts.Document
	away   bool // refreshes fail
	lies   bool // Has always answers that a document is there
}

func (x *words) Refresh(ctx context.Context, scope tenant.Scope, family string, ids []string) error {
	if family != facts.Family {
		return fmt.Errorf("asked for family %q", family)
	}
	live, err := facts.Projector{Facts: x.served}.Live(ctx, scope, ids)
	if err != nil {
		return err
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.away {
		return errAway
	}
	for i, id := range ids {
		if delete(x.docs, id); live[i] != nil {
			x.docs[id] = *live[i]
		}
	}
	return nil
}

func (x *words) Has(_ context.Context, _ tenant.Scope, id string) (bool, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	_, found := x.docs[id]
	return found || x.lies, nil
}

// desk is the world's facts with their index and the runs that write them.
type desk struct {
	*world
	served *facts.Service
	words  *words
	runs   *runtoken.Service
}

func deskOver(w *world) *desk {
	source := ids.NewSource(w.clock.Now, nil)
	d := &desk{world: w, served: facts.New(facts.Deps{Store: w.store, Commit: w.commit, IDs: source})}
	d.words = &words{served: d.served, docs: map[string]facts.Document{}}
	d.runs = &runtoken.Service{Store: w.store, Commit: w.commit, Clock: w.clock, IDs: source, Over: d.served.Over}
	return d
}

func (d *desk) eraser() *erase.Eraser {
	e := d.world.eraser()
	e.Facts, e.Words = d.served, d.words
	return e
}

// run begins a run of an end user.
func (d *desk) run(user string, experiment bool) (runtoken.Run, facts.Target) {
	d.t.Helper()
	r, err := d.runs.Start(context.Background(), scope, agent.Actor, runtoken.Ask{AgentID: "desk", UserID: user, Experiment: experiment})
	if err != nil {
		d.t.Fatal(err)
	}
	return r.Run, facts.OfRun(r.Run, tenant.Workspace{ID: scope.WorkspaceID(), Settings: d.settings})
}

func (d *desk) panel() facts.Target {
	return facts.OfPanel(scope, tenant.Workspace{ID: scope.WorkspaceID(), Settings: d.settings}, admin.Actor, "desk")
}

// save stores a fact, or another version of one, and indexes it.
func (d *desk) save(t facts.Target, path, text, replaces string) string {
	d.t.Helper()
	d.clock.Advance(time.Second)
	draft := facts.Draft{Path: &path, Text: &text}
	if replaces != "" {
		draft.Replaces = &replaces
	}
	saved, err := d.served.Save(context.Background(), t, draft)
	if err == nil {
		err = d.words.Refresh(context.Background(), scope, facts.Family, []string{saved.ID})
	}
	if err != nil {
		d.t.Fatal(err)
	}
	return saved.ID
}

// runAll runs the open erase jobs when they are due until none is left that is not dead.
func (d *desk) runAll() {
	d.t.Helper()
	for range 30 {
		d.clock.Advance(15 * time.Minute)
		open := slices.DeleteFunc(d.jobs(), func(j outbox.Job) bool { return j.State == outbox.Dead })
		if len(open) == 0 {
			return
		}
		for _, j := range open {
			_ = d.eraser().Run(context.Background(), scope, j.ID) // a failure leaves the job, which is seen here
		}
	}
	d.t.Fatalf("no end of jobs: %+v", d.jobs())
}

// complete holds that an erasure has come to its end, and nothing is left of the canary.
func (d *desk) complete(itemID string) {
	d.t.Helper()
	if left := d.copies(d.store.(store.Scanner), canary); len(left) > 0 {
		d.t.Errorf("copies left: %v", left)
	}
	for id, doc := range d.words.docs {
		if strings.Contains(doc.Text, canary) {
			d.t.Errorf("%s is in the index", id)
		}
	}
	if e := d.erasure(itemID); e.Status != erasure.Complete || e.ErasedAt == nil {
		d.t.Errorf("erasure %+v", e)
	}
	if n := d.times(ledger.Erase, itemID); n != 1 {
		d.t.Errorf("%d receipts of the erasure of %s", n, itemID)
	}
	d.verified()
}

func TestT24AFactIsErasedStepByStep(t *testing.T) {
	d := deskOver(newWorld(t))
	_, run := d.run("annabella", false)
	id := d.save(run, "a", canary+" one", "")
	d.save(run, "b", canary+" two", id)
	d.save(run, "users/annabella", canary+" three", d.save(run, "users/annabella", "kept", ""))
	d.save(run, "users/annabella", "kept again", d.only("users/annabella", run))
	if _, err := d.served.Delete(t.Context(), run, d.only("users/annabella", run)); err != nil {
		t.Fatal(err)
	}
	if _, err := d.served.Delete(t.Context(), run, id); err != nil {
		t.Fatal(err)
	}
	if e := d.erasure(id); e.Status != erasure.Pending {
		t.Errorf("%+v", e)
	}
	d.runAll()
	d.complete(id)
	if got := d.steps(id); !slices.Equal(got, []string{"versions 1", "index 1", "canary 0"}) {
		t.Errorf("steps %q", got)
	}
	rows := d.rows()
	if last := rows[len(rows)-1]; last.Kind != ledger.ErasureReceipt || last.Entry.Family != facts.Family || last.Actor != ledger.Service() {
		t.Errorf("receipt %+v", last)
	}
}

// only is the id of the newest fact under a path.
func (d *desk) only(path string, t facts.Target) string {
	d.t.Helper()
	f, err := facts.NewFilter(t.Border, path, nil)
	if err != nil {
		d.t.Fatal(err)
	}
	page, err := d.served.List(context.Background(), t, f, 1, "")
	if err != nil || len(page.Facts) == 0 {
		d.t.Fatal(err)
	}
	return page.Facts[0].ID
}

// victims are facts of an end user, more than a page of them, and one beside.
func (d *desk) victims(t facts.Target) {
	d.t.Helper()
	for n := range 60 {
		id := d.save(t, "users/{user}/"+strconv.Itoa(n%3), canary+" "+strconv.Itoa(n), "")
		if n%20 == 0 {
			d.save(t, "users/{user}", canary+" again", id)
		}
	}
	d.save(t, "notes", "kept", "")
}

// itemOfJob is what the only open job erases.
func (d *desk) itemOfJob() string {
	d.t.Helper()
	jobs := d.jobs()
	if len(jobs) != 1 {
		d.t.Fatalf("jobs %+v", jobs)
	}
	return jobs[0].ItemID
}

func TestR323AnEndUserIsErasedWithReceipt(t *testing.T) {
	d := deskOver(newWorld(t))
	_, run := d.run("annabella", false)
	d.victims(run)
	if _, err := d.served.EraseUser(t.Context(), d.panel(), "annabella"); err != nil {
		t.Fatal(err)
	}
	item := d.itemOfJob()
	d.runAll()
	d.complete(item)
	if got := d.steps(item); !slices.Equal(got, []string{"facts 240", "counts 0", "canary 0"}) { // 57 facts in 4 lists, 3 in 3 with a version each
		t.Errorf("steps %q", got)
	}
	if len(d.words.docs) != 1 || d.times(ledger.Erase, "") != 61 {
		t.Errorf("%d documents, %d log rows", len(d.words.docs), d.times(ledger.Erase, ""))
	}
}

func TestR322AnExperimentIsErasedWithReceipt(t *testing.T) {
	d := deskOver(newWorld(t))
	_, real := d.run("annabella", false)
	d.save(real, "a", "kept", "")
	root, trial := d.run("annabella", true)
	d.victims(trial)
	if _, err := d.runs.End(t.Context(), scope, agent.Actor, root.ID); err != nil {
		t.Fatal(err)
	}
	d.runAll()
	d.complete(root.ID)
	if got := d.steps(root.ID); len(got) != 3 || got[1] != "counts 9" { // eight counts, one folder
		t.Errorf("steps %q", got)
	}
	if head, err := ledger.ReadHead(t.Context(), d.store, scope); err != nil || head.Items != 1 {
		t.Errorf("%d items, %v", head.Items, err)
	}
	if len(d.words.docs) != 1 {
		t.Errorf("%d documents", len(d.words.docs))
	}
}

func TestT24AnErasureWaitsForTheIndexOfWords(t *testing.T) {
	for name, fail := range map[string]func(x *words, on bool){
		"away": func(x *words, on bool) { x.away = on }, "lies": func(x *words, on bool) { x.lies = on },
	} {
		d := deskOver(newWorld(t))
		_, run := d.run("annabella", false)
		d.victims(run)
		if _, err := d.served.EraseUser(t.Context(), d.panel(), "annabella"); err != nil {
			t.Fatal(err)
		}
		item := d.itemOfJob()
		fail(d.words, true)
		for range outbox.Tries {
			if err := d.eraser().Run(t.Context(), scope, d.job().ID); err != nil {
				t.Fatal(err)
			}
			d.clock.Advance(time.Hour)
		}
		if e := d.erasure(item); e.Status != erasure.Dead || e.Attempts != outbox.Tries {
			t.Errorf("%s: %+v", name, e)
		}
		fail(d.words, false)
		d.redrive(d.job())
		d.runAll()
		d.complete(item)
	}
}

func TestAFamilyThatNobodyErasesIsTold(t *testing.T) {
	d := deskOver(newWorld(t))
	_, run := d.run("", false)
	if _, err := d.served.Delete(t.Context(), run, d.save(run, "a", "x", "")); err != nil {
		t.Fatal(err)
	}
	if err := d.world.eraser().Run(t.Context(), scope, d.job().ID); err != nil { // one without facts
		t.Fatal(err)
	}
	if j := d.job(); j.State != outbox.Failed || j.Attempts != 1 {
		t.Errorf("%+v", j)
	}
	job := outbox.Job{ID: "strange", Kind: outbox.Erase, Scope: scope, ItemID: "x", Args: map[string]string{erasure.ArgFamily: "none"},
		State: outbox.Pending, DueAt: d.clock.Now()}
	action, err := job.Put("job")
	if err == nil {
		err = d.store.Commit(t.Context(), store.Tx{Actions: []store.Action{action}})
	}
	if err == nil {
		err = d.eraser().Run(t.Context(), scope, job.ID)
	}
	if err != nil {
		t.Fatal(err)
	}
	if item, found := d.get(keys.Job(scope, job.ID)); !found {
		t.Errorf("the job is gone: %+v", item)
	}
}

// A fault at every store call: the job goes on where it was and ends once.
func TestT24AFaultAtEveryStoreCallOfAnErasureOfFacts(t *testing.T) {
	t.Parallel()
	for _, use := range []string{"user", "fact", "experiment"} {
		t.Run(use, func(t *testing.T) {
			var table *memstore.Store
			var c *clock.Fixed
			var docs map[string]facts.Document
			var item, job string
			faultstore.Sweep(t, func(t testing.TB) store.Store {
				table, c = filled(t), clock.NewFixed(start)
				d := deskOver(worldOver(t, table, c, &index{Index: memsearch.New(c)}, work.NewMemoryCursors()))
				item = d.begin(use)
				docs, job = d.words.docs, d.job().ID
				return table
			}, func(t *testing.T, s *faultstore.Store) {
				next := func(over store.Store) *desk { // another process at the same rows and documents
					d := deskOver(worldOver(t, over, c, &index{Index: memsearch.New(c)}, work.NewMemoryCursors()))
					d.words.docs = docs
					return d
				}
				_ = next(s).eraser().Run(t.Context(), scope, job) // the fault: what it leaves counts
				s.Disarm()
				d := next(table)
				d.runAll()
				d.complete(item)
				if canary, _ := d.get(keys.Canary(scope, item)); len(erasure.DecodeKeys(canary.Attrs["rows"])) == 0 {
					t.Errorf("the canary has no rows: %+v", canary)
				}
			})
		})
	}
}

// begin saves a fact of two versions, deletes it in one way or another and answers the
// item that is to be erased.
func (d *desk) begin(use string) string { d.t.Helper(); return d.beginAfter(use, func() {}) }

// beginAfter is begin with something done before the delete.
func (d *desk) beginAfter(use string, before func()) string {
	d.t.Helper()
	root, run := d.run("annabella", use == "experiment")
	id := d.save(run, "users/annabella", canary, "")
	d.save(run, "users/annabella/b", canary+" two", id)
	before()
	return d.deletes(use, root, run, id)
}

// deletes deletes a fact, what there is of annabella, or an experiment.
func (d *desk) deletes(use string, root runtoken.Run, run facts.Target, id string) string {
	d.t.Helper()
	var err error
	switch use {
	case "user":
		_, err = d.served.EraseUser(context.Background(), d.panel(), "annabella")
	case "experiment":
		_, err = d.runs.End(context.Background(), scope, agent.Actor, root.ID)
	default:
		_, err = d.served.Delete(context.Background(), run, id)
	}
	if err != nil {
		d.t.Fatal(err)
	}
	return d.itemOfJob()
}

// The folders of one end user in two agents' memories are erased each on its own, also
// when both are of the same generation.
func TestR323FoldersOfOneEndUserAreErasedEach(t *testing.T) {
	d := deskOver(newWorld(t))
	_, run := d.run("annabella", false)
	d.save(run, "users/annabella", canary+" here", "")
	elsewhere := run
	elsewhere.Space = facts.OfAgent("shop")
	d.save(elsewhere, "users/annabella", canary+" there", "")
	for _, agentID := range []string{"desk", "shop"} {
		people := d.panel()
		people.Space = facts.OfAgent(agentID)
		if _, err := d.served.EraseUser(t.Context(), people, "annabella"); err != nil {
			t.Fatal(err)
		}
	}
	var items []string
	for _, job := range d.jobs() {
		items = append(items, job.ItemID)
	}
	d.runAll()
	for _, item := range items {
		d.complete(item)
	}
	if len(items) != 2 || items[0] == items[1] {
		t.Errorf("erasures %v", items)
	}
}
