package recall

import (
	"fmt"
	"testing"
	"time"

	"holdfast/internal/embed"
	"holdfast/internal/embed/hashembed"
	"holdfast/internal/errs"
	"holdfast/internal/ledger"
	"holdfast/internal/search"
	"holdfast/internal/store"
	"holdfast/internal/store/faultstore"
)

func (w *world) arms(c Context) [3]ArmState {
	w.t.Helper()
	var out [3]ArmState
	for i, name := range []string{"lexical", "semantic", "overlay"} {
		a := c.arm(name)
		out[i] = a.State
		if a.Name != name || (a.State == Ran) != (a.Reason == "") {
			w.t.Errorf("arm %d: %+v", i, a)
		}
	}
	return out
}

func TestA04EveryAnswerSaysWhichArmsRan(t *testing.T) {
	w := newWorld(t)
	w.add("The ferry has a bell.")
	w.sync(here)
	for mode, want := range map[Mode][3]ArmState{
		Hybrid: {Ran, Ran, Skipped}, Semantic: {Skipped, Ran, Skipped},
		Lexical: {Ran, Skipped, Skipped}, Deterministic: {Ran, Skipped, Skipped},
	} {
		if got := w.arms(w.ask("ferry", in(mode))); got != want {
			t.Errorf("%s: %v, want %v", mode, got, want)
		}
		raw := w.ask("ferry", in(mode), func(r *Request) { r.Raw = true })
		if got := w.arms(raw); got != want || raw.Compilation != nil {
			t.Errorf("%s, raw: %v, want %v", mode, got, want)
		}
	}
}

func TestA04AnIndexThatIsDownLeavesTheOverlay(t *testing.T) {
	w := newWorld(t)
	w.add("The ferry has a bell.")
	w.sync(here)
	late := w.add("The ferry takes bicycles.")
	w.index.fail = search.ErrUnavailable
	for mode, want := range map[Mode][3]ArmState{
		Hybrid: {Degraded, Degraded, Ran}, Semantic: {Skipped, Degraded, Ran},
		Lexical: {Degraded, Skipped, Ran}, Deterministic: {Degraded, Skipped, Ran},
	} {
		c := w.ask("ferry", in(mode))
		if got := w.arms(c); got != want {
			t.Errorf("%s: %v, want %v", mode, got, want)
		}
		c.holds(t, late)
	}
}

func TestA04AnArmThatFailedAloneIsTold(t *testing.T) {
	w := newWorld(t)
	id := w.add("The ferry has a bell.")
	w.sync(here)
	for _, one := range []struct {
		change func(search.Answer) search.Answer
		want   [3]ArmState
	}{
		{func(a search.Answer) search.Answer { a.SemanticErr = errAway; return a }, [3]ArmState{Ran, Degraded, Skipped}},
		{func(a search.Answer) search.Answer { a.LexicalErr = errAway; return a }, [3]ArmState{Degraded, Ran, Skipped}},
	} {
		w.index.change = one.change
		c := w.ask("ferry")
		if got := w.arms(c); got != one.want {
			t.Errorf("%v, want %v", got, one.want)
		}
		c.holds(t, id)
	}
}

func TestA04WithoutTheModelTheLexicalArmAnswersAndSaysSo(t *testing.T) {
	for name, out := range map[string]func(*world){
		"down": func(w *world) { w.model.fail = embed.ErrUnavailable },
		"slow": func(w *world) { w.model.slow.Store(true); w.EmbedTime = time.Millisecond },
	} {
		w := newWorld(t)
		id := w.add("The ferry has a bell.")
		w.sync(here)
		late := w.add("The ferry takes bicycles.")
		out(w)
		c := w.ask("ferry")
		if got := w.arms(c); got != [3]ArmState{Ran, Degraded, Ran} {
			t.Errorf("%s: %v", name, got)
		}
		c.holds(t, id, late)
		c = w.ask("ferry", in(Semantic)) // no arm is left: nothing, and it says why
		if got := w.arms(c); got != [3]ArmState{Skipped, Degraded, Ran} || len(c.ids()) != 0 {
			t.Errorf("%s, semantic: %v, %v", name, got, c.ids())
		}
		w.index.asked = nil
		w.ask("ferry", in(Lexical))
		if q := w.index.asked[0]; q.Semantic != 0 || q.Vector != nil {
			t.Errorf("%s: the lexical mode asked for vectors", name)
		}
	}
}

// lacking is what the semantic arm tells of so many memories without a vector.
func lacking(n int) string {
	return fmt.Sprintf("memories in reach without a vector of the model yet: %d", n)
}

// renamed is the same model under another name: a change of the model.
type renamed struct{ embed.Embedder }

func (renamed) Profile() embed.Profile {
	p := hashembed.New(256).Profile()
	p.Version++
	return p
}

func TestA04AfterAChangeOfTheModelTheSemanticArmSaysWhatItMisses(t *testing.T) {
	w := newWorld(t)
	w.add("The ferry has a bell.")
	w.add("The ferry takes bicycles.")
	w.add("Ida rows the ferry.", ofUser("ida"))
	w.add("The ferry was red.", until(start))
	w.sync(here)
	w.model.Embedder = renamed{w.model.Embedder}
	for mode, state := range map[Mode]ArmState{Hybrid: Degraded, Semantic: Degraded, Lexical: Skipped, Deterministic: Skipped} {
		if arm := w.ask("ferry", in(mode)).arm("semantic"); arm.State != state || state == Degraded && arm.Reason != lacking(2) {
			t.Errorf("%s: %+v", mode, arm)
		}
	}
	if arm := w.ask("ferry", asUser("ida")).arm("semantic"); arm.Reason != lacking(3) {
		t.Errorf("as ida: %+v", arm)
	}
}

// A text that says nothing to the model has a vector without a direction: it is not
// one that is missing.
func TestA04ATextThatSaysNothingIsNotMissed(t *testing.T) {
	w := newWorld(t)
	w.add("The ferry has a bell.")
	w.add("?!")
	for range 2 {
		if got := w.arms(w.ask("ferry")); got[1] != Ran {
			t.Errorf("%v", got)
		}
		w.sync(here)
	}
}

func TestA04WhileEmbeddingIsPutOffTheSemanticArmSaysWhatItMisses(t *testing.T) {
	w := newWorld(t)
	w.add("The ferry has a bell.")
	w.sync(here)
	target := w.target(here)
	target.Workspace.Settings.DeferEmbedding = true
	for _, text := range []string{"A deferred walrus tale.", "Another walrus."} {
		w.clock.Advance(time.Second)
		if _, err := w.Memories.Append(t.Context(), target, fact(text)); err != nil {
			t.Fatal(err)
		}
	}
	for _, state := range []string{"in the overlay", "in the index"} {
		for _, mode := range []Mode{Hybrid, Semantic} {
			if arm := w.ask("walrus", in(mode)).arm("semantic"); arm.State != Degraded || arm.Reason != lacking(2) {
				t.Errorf("%s, %s: %+v", state, mode, arm)
			}
		}
		w.sync(here)
	}
}

func TestR010NoModelIsAskedInLexicalAndDeterministicMode(t *testing.T) {
	w := newWorld(t)
	w.add("The ferry has a bell.")
	w.model.calls.Store(0)
	w.ask("ferry", in(Lexical))
	w.ask("ferry", in(Deterministic))
	if n := w.model.calls.Load(); n != 0 {
		t.Errorf("%d calls", n)
	}
}

// A fault at any store call is an error, and then nothing was handed out and no
// receipt says so.
func TestT19AFaultAtEveryStoreCallHandsOutNothing(t *testing.T) {
	base := newWorld(t)
	base.store(here, floor("Sign the register."))
	base.add("Ida likes the ferry.", ofUser("ida"), ofType("preference"))
	base.store(sibling, fact("Every ferry has a bell.", inLayer("Tenant")))
	base.sync(here, sibling)
	base.add("The ferry takes bicycles.")
	s := faultstore.New(base.Store)
	met := 0
	for at := 1; ; at++ {
		w := *base
		service := *base.Service
		w.Service = &service
		w.Store, w.journal = s, &journal{}
		w.Journal = w.journal
		w.Memories = worldOver(t, s, base.clock).Memories // reads the workspace's key anew
		s.Arm(faultstore.Fault{At: at, Err: store.ErrThrottled})
		c, err := w.Retrieve(t.Context(), question("ferry", asUser("ida")))
		if s.Fired() == 0 {
			if err != nil || len(c.ids()) != 4 || c.Profile == nil || len(w.journal.all) != 1 {
				t.Errorf("without a fault: %v, %v", c.ids(), err)
			}
			break
		}
		met++
		if !errs.Is(err, errs.Unavailable) || c.ReceiptID != "" || c.Sections != nil || len(w.journal.all) != 0 {
			t.Errorf("call %d: %+v, %v, %d receipts", at, c, err, len(w.journal.all))
		}
	}
	if met < 6 {
		t.Errorf("%d calls met a fault", met)
	}
}

func TestT19WithoutAReceiptNothingIsHandedOut(t *testing.T) {
	w := newWorld(t)
	w.add("The ferry has a bell.")
	w.journal.fail = errAway
	c, err := w.Retrieve(t.Context(), question("ferry"))
	if !errs.Is(err, errs.Unavailable) || c.Sections != nil || c.Blocks != nil || c.ReceiptID != "" {
		t.Errorf("%+v, %v", c, err)
	}
	w.journal.fail = nil
	c = w.ask("ferry")
	if got := w.journal.last(t); got.ID != c.ReceiptID || got.Kind != ledger.RetrieveReceipt {
		t.Errorf("receipt %+v of %s", got, c.ReceiptID)
	}
}
