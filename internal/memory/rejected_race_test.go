package memory

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"holdfast/internal/errs"
	"holdfast/internal/store/faultstore"
)

// errRefused stands for a derivation that is refused, or stored without the value.
var errRefused = errors.New("refused")

// makers are the ways in which a text comes into a workspace; each prepares a world and
// answers the write, which ends with the sequence that it has in the log.
var makers = map[string]func(w *world) func(w *world) (int64, error){
	"append": func(*world) func(w *world) (int64, error) {
		return func(w *world) (int64, error) {
			a, err := w.Append(context.Background(), w.as(agent), fact("Port: 25"))
			return a.Sequence, err
		}
	},
	"batch": func(*world) func(w *world) (int64, error) {
		return func(w *world) (int64, error) {
			out, faults := w.AppendMany(context.Background(), []Item{{Target: w.as(agent), Draft: fact("The port is now 25.")}})
			return out[0].Sequence, faults[0]
		}
	},
	"attribute": func(*world) func(w *world) (int64, error) {
		return func(w *world) (int64, error) {
			a, err := w.Append(context.Background(), w.as(agent), fact("25", port))
			return a.Sequence, err
		}
	},
	"update": func(w *world) func(w *world) (int64, error) {
		id := w.add("The host is Vega.")
		return func(w *world) (int64, error) {
			out, err := w.update(agent, id, "Port: 25")
			return out.Sequence, err
		}
	},
	"share": func(w *world) func(w *world) (int64, error) {
		id := w.add("Port: 25", inRun("r"))
		return func(w *world) (int64, error) {
			out, err := w.share(agent, Sharing{ID: id, TargetLayer: "Workspace"})
			return out.Sequence, err
		}
	},
	"release": func(w *world) func(w *world) (int64, error) {
		weak := func(d *Draft) { d.Origin = ptr("web") }
		id := w.append(agent, fact("Port: 25", ofType("policy"), weak, citing(Source{Kind: MemorySource, ID: w.add("x", weak)}))).ID
		bot := agent
		bot.Review = true
		return func(w *world) (int64, error) {
			out, err := w.review(bot, id, Release)
			return out.Sequence, err
		}
	},
	"derive": func(w *world) func(w *world) (int64, error) {
		d := w.derivation("The port is now 25.", w.add("x"))
		return func(w *world) (int64, error) { return w.derived(d, "The port is now 25.") }
	},
	"episode": func(w *world) func(w *world) (int64, error) {
		d := w.quoting(Episode, OutcomeLabel+"Port: 25", "Ida was there.")
		return func(w *world) (int64, error) { return w.derived(d, OutcomeLabel+"Port: 25\nIda was there.") }
	},
}

// derived stores a derivation; what is stored with another text has left something out.
func (w *world) derived(d Derivation, text string) (int64, error) {
	made, err := w.Derive(context.Background(), w.service(), d)
	if err == nil && (made.ID == "" || w.head(made.ID).Content != text) {
		err = errRefused
	}
	return made.Sequence, err
}

func isRefused(err error) bool {
	e := errs.As(err)
	return errors.Is(err, errRefused) || e != nil && e.Code == rejectedCode
}

// However a rejection falls between what a write reads and its commit: it is refused, or
// it came first.
func TestA05ARejectionAtEveryStepOfAWrite(t *testing.T) {
	for name, prepare := range makers {
		first, refused := 0, 0
		for at := 1; ; at++ {
			raw := filled(t)
			w := worldOver(t, raw)
			wrong := w.add("The port is 25.")
			write := prepare(w)
			var rejection *Changed
			m := faultstore.New(raw)
			m.Arm(faultstore.Fault{At: at, Then: func() {
				out, err := w.update(person, wrong, "The port is 26.")
				if err != nil {
					t.Error(err) // the committer may be the one that calls
				}
				rejection = &out
			}})
			writer := worldOver(t, m)
			sequence, err := write(writer)
			if rejection == nil {
				break
			}
			switch {
			case isRefused(err):
				refused++
			case err != nil || sequence > rejection.Sequence:
				t.Errorf("%s: step %d: stored at %d, rejected at %d, %v", name, at, sequence, rejection.Sequence, err)
			default:
				first++
			}
			w.sound()
		}
		if refused < 2 {
			t.Errorf("%s: refused %d times, first %d", name, refused, first)
		}
	}
}

func TestA05ARejectionRacesEveryMaker(t *testing.T) {
	for name, prepare := range makers {
		for round := range 5 {
			w := worldOver(t, filled(t))
			wrong := w.add("The port is 25.")
			write := prepare(w)
			writer := worldOver(t, w.Store)
			var g sync.WaitGroup
			var sequence int64
			var failure error
			g.Go(func() { sequence, failure = write(writer) })
			rejection, err := w.Update(context.Background(), w.as(person), Revision{ID: wrong, Content: "The port is 26."})
			if g.Wait(); err != nil {
				t.Fatal(err)
			}
			if !isRefused(failure) && (failure != nil || sequence > rejection.Sequence) {
				t.Errorf("%s: stored at %d, rejected at %d, %v", fmt.Sprint(name, " ", round), sequence, rejection.Sequence, failure)
			}
			w.sound()
		}
	}
}
