package work_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"holdfast/internal/clock"
	"holdfast/internal/ids"
	"holdfast/internal/ledger"
	"holdfast/internal/outbox"
	"holdfast/internal/queue"
	"holdfast/internal/store"
	"holdfast/internal/store/keys"
	"holdfast/internal/tenant"
	"holdfast/internal/work"
)

// wires is a queue that notes what it takes and can refuse.
type wires struct {
	lines   []string
	batches int
	down    map[queue.Name]error // the whole call fails
	refuse  string               // a message whose body has this is refused
}

var errRefused = errors.New("refused")

func (q *wires) Send(_ context.Context, name queue.Name, batch []queue.Message) ([]error, error) {
	if err := q.down[name]; err != nil {
		return nil, err
	}
	q.batches++
	errs := make([]error, len(batch))
	for i, m := range batch {
		if q.refuse != "" && strings.Contains(m.Body, q.refuse) {
			errs[i] = errRefused
			continue
		}
		parsed, err := outbox.ParseMessage(m.Body)
		if err != nil {
			return nil, err
		}
		q.lines = append(q.lines, fmt.Sprintf("%s %s %s %s", name, parsed.Workspace, parsed.Job, m.Delay))
	}
	return errs, nil
}

func relayOver(q queue.Sender, log *bytes.Buffer) work.Relay {
	return work.Relay{Queue: q, Clock: clock.NewFixed(start), Log: slog.New(slog.NewTextHandler(log, nil))}
}

func changeOf(a store.Action, isNew bool) store.Change {
	item := a.Item
	return store.Change{Key: item.Key, Item: &item, New: isNew}
}

func marked(s tenant.Scope, seq int64) store.Change {
	return changeOf(outbox.Mark("", s, seq, start), seq == 1)
}

// hooked is the mark of a workspace that has webhooks.
func hooked(s tenant.Scope) store.Change {
	item := store.Item{Key: keys.WebhookMark(s), Attrs: store.Attrs{"kind": store.S(outbox.KindEvents)}}
	return store.Change{Key: item.Key, Item: &item, New: true}
}

func jobRow(t testing.TB, id string, isNew bool, with func(*outbox.Job)) store.Change {
	t.Helper()
	j := outbox.Job{ID: id, Kind: outbox.Embed, Scope: scope, State: outbox.Pending, CreatedAt: start, DueAt: start}
	if with != nil {
		with(&j)
	}
	a, err := j.Put("")
	if err != nil {
		t.Fatal(err)
	}
	return changeOf(a, isNew)
}

func waitingRow(t testing.TB, s tenant.Scope) store.Change {
	t.Helper()
	id := ids.NewSource(func() time.Time { return start }, nil).New()
	row, err := ledger.WaitingRow(s, ledger.Receipt{ID: id, Kind: ledger.RetrieveReceipt, At: start})
	if err != nil {
		t.Fatal(err)
	}
	return store.Change{Key: row.Key, Item: &row, New: true}
}

func relayed(t *testing.T, changes ...store.Change) []string {
	t.Helper()
	q := &wires{}
	for i, err := range relayOver(q, &bytes.Buffer{}).Run(t.Context(), changes) {
		if err != nil {
			t.Errorf("change %d: %v", i, err)
		}
	}
	return q.lines
}

func TestT20ABatchOfChangesIsGathered(t *testing.T) {
	got := relayed(t, marked(scope, 1), marked(scope, 2), jobRow(t, "j1", true, nil), marked(other, 5),
		waitingRow(t, scope), hooked(other), marked(scope, 3), hooked(other), jobRow(t, "j1", false, nil), waitingRow(t, scope), marked(scope.Own(), 1),
		jobRow(t, "j2", true, func(j *outbox.Job) { j.Kind = outbox.Erase }))
	want := []string{"index " + spaceID + "  0s", "index " + otherID + "  0s", "index own  0s",
		"embed " + spaceID + " j1 0s", "erase " + spaceID + " j2 0s", "seal " + spaceID + "  2s", "events " + otherID + "  0s"}
	if !slices.Equal(got, want) {
		t.Errorf("%q\nwant %q", got, want)
	}
}

// TestOnlyJobsThatNobodyElseTellsAreRelayed: a worker's own changes of its job have
// messages of their own, and the sweep has what is due much later.
func TestOnlyJobsThatNobodyElseTellsAreRelayed(t *testing.T) {
	due := func(d time.Duration) func(*outbox.Job) { return func(j *outbox.Job) { j.DueAt = start.Add(d) } }
	state := func(s outbox.State) func(*outbox.Job) { return func(j *outbox.Job) { j.State = s } }
	for _, c := range []struct {
		name  string
		isNew bool
		with  func(*outbox.Job)
		want  string
	}{
		{"new", true, nil, "0s"},
		{"new and due long ago", true, due(-time.Hour), "0s"},
		{"new and due soon", true, due(5 * time.Minute), "5m0s"},
		{"new and due as late as a message can be", true, due(queue.MaxDelay), "15m0s"},
		{"new and due later than that", true, due(queue.MaxDelay + 1), ""},
		{"driven again by a person", false, nil, "0s"},
		{"put off by the sweep", false, due(time.Minute), ""},
		{"leased", false, state(outbox.Running), ""},
		{"failed", false, state(outbox.Failed), ""},
		{"dead", false, state(outbox.Dead), ""},
	} {
		got := relayed(t, jobRow(t, "j", c.isNew, c.with))
		if c.want == "" && len(got) != 0 || c.want != "" && !slices.Equal(got, []string{"embed " + spaceID + " j " + c.want}) {
			t.Errorf("%s: %q", c.name, got)
		}
	}
}

func TestWhatWakesNobodyIsNotRelayed(t *testing.T) {
	sealed := waitingRow(t, scope)
	sealed.Item = &store.Item{Key: sealed.Key, Attrs: store.Attrs{"d": store.B(nil), "op": store.S("o")}}
	gone := marked(scope, 1)
	gone.Item = nil
	goneJob := jobRow(t, "j", false, nil)
	goneJob.Item = nil
	head := store.Change{Key: keys.Head(scope), Item: &store.Item{Key: keys.Head(scope)}}
	memory := store.Change{Key: keys.Memory(scope, "m"), Item: &store.Item{Key: keys.Memory(scope, "m"),
		Attrs: store.Attrs{"kind": store.S("index")}}, New: true}
	if got := relayed(t, sealed, gone, goneJob, head, memory); len(got) != 0 {
		t.Errorf("%q", got)
	}
}

// TestT20AFailedMessageFailsItsChangesAlone, and the others are sent.
func TestT20AFailedMessageFailsItsChangesAlone(t *testing.T) {
	changes := []store.Change{marked(scope, 1), jobRow(t, "bad", true, nil), jobRow(t, "good", true, nil), marked(scope, 2),
		waitingRow(t, scope), jobRow(t, "bad", false, nil)}
	for _, c := range []struct {
		name string
		q    *wires
		fail []int
		sent int
	}{
		{"one message is refused", &wires{refuse: `"bad"`}, []int{1, 5}, 3},
		{"a queue is down", &wires{down: map[queue.Name]error{queue.Index: errRefused}}, []int{0, 3}, 3},
		{"another is", &wires{down: map[queue.Name]error{queue.Embed: errRefused}}, []int{1, 2, 5}, 2},
	} {
		for i, err := range relayOver(c.q, &bytes.Buffer{}).Run(t.Context(), changes) {
			if errors.Is(err, errRefused) != slices.Contains(c.fail, i) {
				t.Errorf("%s: change %d: %v", c.name, i, err)
			}
		}
		if len(c.q.lines) != c.sent {
			t.Errorf("%s: sent %q", c.name, c.q.lines)
		}
	}
}

// TestT20APoisonRowIsPassedOver: told by its id, never its content.
func TestT20APoisonRowIsPassedOver(t *testing.T) {
	broken := jobRow(t, "j1", true, nil)
	broken.Item.Attrs["d"] = store.B([]byte("kanarya"))
	foreign := jobRow(t, "j2", true, func(j *outbox.Job) { j.Kind = "kanarya" })
	empty := store.Change{Key: keys.Job(scope, "j3"), Item: &store.Item{}, New: true}
	q, log := &wires{}, &bytes.Buffer{}
	errs := relayOver(q, log).Run(t.Context(), []store.Change{broken, foreign, empty, marked(scope, 1)})
	if errors.Join(errs...) != nil || len(q.lines) != 1 {
		t.Errorf("%v, sent %q", errs, q.lines)
	}
	text := log.String()
	if strings.Contains(text, "kanarya") || !strings.Contains(text, "j1") || !strings.Contains(text, "j2") || !strings.Contains(text, "j3") {
		t.Errorf("log %s", text)
	}
}

func TestManyMessagesGoInFullBatches(t *testing.T) {
	var changes []store.Change
	for n := range 25 {
		changes = append(changes, jobRow(t, fmt.Sprintf("j%d", n), true, nil))
	}
	q := &wires{}
	errs := relayOver(q, &bytes.Buffer{}).Run(t.Context(), changes)
	if errors.Join(errs...) != nil || len(q.lines) != 25 || q.batches != 3 {
		t.Errorf("%v, %d messages in %d batches", errors.Join(errs...), len(q.lines), q.batches)
	}
}

// TestTheFilterLetsThroughWhatTheRelayNeeds, by the attribute that its rows share.
func TestTheFilterLetsThroughWhatTheRelayNeeds(t *testing.T) {
	var filter struct {
		EventName []string `json:"eventName"`
		Dynamodb  struct {
			NewImage map[string]map[string][]string
		} `json:"dynamodb"`
	}
	if err := json.Unmarshal([]byte(work.RelayFilter), &filter); err != nil {
		t.Fatal(err)
	}
	kinds := filter.Dynamodb.NewImage["kind"]["S"]
	needed := []store.Change{marked(scope, 1), hooked(scope), waitingRow(t, scope), jobRow(t, "j", true, nil),
		jobRow(t, "j", true, func(j *outbox.Job) { j.Kind = outbox.Erase }),
		jobRow(t, "j", true, func(j *outbox.Job) { j.Kind = outbox.Consolidate })}
	for _, c := range needed {
		if !slices.Contains(kinds, c.Item.Attrs.Text("kind")) {
			t.Errorf("%s is left out", c.Key.SK)
		}
	}
	if len(kinds) != len(needed) || !slices.Equal(filter.EventName, []string{"INSERT", "MODIFY"}) {
		t.Errorf("%+v", filter)
	}
}

// TestEveryWriteReachesTheRelay: what an append commits holds a mark or a job that
// the relay turns into the messages that the relay of one process sends.
func TestEveryWriteReachesTheRelay(t *testing.T) {
	w := newWorld(t)
	w.settings.DeferEmbedding = true
	id := w.add(fact("The lighthouse is white."))
	mark, found := w.get(keys.IndexMark(scope))
	if !found {
		t.Fatal("no mark")
	}
	job := w.job()
	row, _ := w.get(keys.Job(scope, job.ID))
	q := &wires{}
	r := work.Relay{Queue: q, Clock: w.clock, Log: slog.New(slog.DiscardHandler)}
	errs := r.Run(t.Context(), []store.Change{{Key: mark.Key, Item: &mark, New: true}, {Key: row.Key, Item: &row, New: true}})
	if errors.Join(errs...) != nil || !slices.Equal(q.lines, []string{"index " + spaceID + "  0s", "embed " + spaceID + " " + job.ID + " 0s"}) {
		t.Errorf("%v, %q for %s", errs, q.lines, id)
	}
}
