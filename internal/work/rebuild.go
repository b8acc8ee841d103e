package work

import (
	"context"
	"errors"
	"strings"
	"sync"

	"holdfast/internal/fact"
	"holdfast/internal/factsearch"
	"holdfast/internal/ledger"
	"holdfast/internal/memory"
	"holdfast/internal/search"
	"holdfast/internal/search/words"
	"holdfast/internal/store"
	"holdfast/internal/store/keys"
	"holdfast/internal/tenant"
)

// Rebuild fills an empty index from the table: what the embedded engine does at
// every start. It walks the whole table once, in key order, in which a scope's
// head comes before its memories, and a memory's vectors before its HEAD and its
// earlier texts behind.
type Rebuild struct {
	Scanner store.Scanner
	Index   search.Index
	Words   words.Index // facts
	Cursors Cursors
	Profile string // of the vectors to index
	Workers int    // decoders beside the walk; at least 1
	// Erased hears, once the index is filled, of every workspace that has erased items
	// which are to be looked for in it; nil: nobody.
	Erased func(ctx context.Context, scope tenant.Scope) error
}

// rebuildBatch is how many memories are handed over at a time.
const rebuildBatch = 512

type rawMemory struct {
	head    store.Item
	vector  *store.Item
	earlier []store.Item
	seq     int64 // of the scope's head
}

// Run rebuilds and answers how many documents it indexed.
func (r Rebuild) Run(ctx context.Context) (int, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	batches := make(chan []rawMemory, r.Workers)
	var mu sync.Mutex
	var failures []error
	var done sync.WaitGroup
	total := 0
	for range max(1, r.Workers) {
		done.Go(func() {
			for batch := range batches {
				n, err := r.index(ctx, batch)
				mu.Lock()
				total += n
				failures = append(failures, err)
				mu.Unlock()
			}
		})
	}
	erased, err := r.walk(ctx, batches)
	close(batches)
	done.Wait()
	if err := errors.Join(append(failures, err)...); err != nil || r.Erased == nil {
		return total, err
	}
	for scope := range erased {
		if err := r.Erased(ctx, scope); err != nil {
			return total, err
		}
	}
	return total, nil
}

// walk answers the workspaces that have erased items to look for.
func (r Rebuild) walk(ctx context.Context, out chan<- []rawMemory) (map[tenant.Scope]bool, error) {
	w := walker{rebuild: r, out: out, erased: map[tenant.Scope]bool{}}
	vectorKey := keys.VectorPrefix + r.Profile
	want := func(k store.Key) bool {
		if scope, _, ok := keys.CanaryOf(k); ok {
			w.erased[scope] = true
		}
		switch {
		case k.SK == vectorKey, k.SK == keys.SequenceSK:
			return true
		case k.SK == keys.HeadSK, strings.HasPrefix(k.SK, keys.VersionPrefix):
			return strings.Contains(k.PK, keys.MemoryInfix) || k.SK == keys.HeadSK && strings.Contains(k.PK, keys.FactInfix)
		}
		return false
	}
	if err := r.Scanner.ScanKeys(ctx, want, func(item store.Item) error { return w.visit(ctx, item) }); err != nil {
		return nil, err
	}
	w.flush()
	if err := w.flushFacts(ctx); err != nil {
		return nil, err
	}
	return w.erased, nil
}

type walker struct {
	rebuild Rebuild
	out     chan<- []rawMemory
	batch   []rawMemory
	scope   tenant.Scope
	seq     int64
	vector  *store.Item
	facts   []words.Op
	erased  map[tenant.Scope]bool
}

func (w *walker) visit(ctx context.Context, item store.Item) error {
	switch {
	case item.Key.SK == keys.SequenceSK:
		scope, ok := keys.ScopeOf(item.Key)
		if !ok {
			return nil
		}
		w.scope, w.seq = scope, ledger.HeadFromItem(item).Sequence
		return w.rebuild.Cursors.Advance(ctx, scope, w.seq)
	case item.Key.SK == keys.HeadSK && strings.Contains(item.Key.PK, keys.FactInfix):
		return w.fact(ctx, item)
	case item.Key.SK == keys.HeadSK:
		w.head(item)
	case strings.HasPrefix(item.Key.SK, keys.VersionPrefix):
		w.earlier(item)
	default:
		w.vector = &item
	}
	return ctx.Err()
}

// head begins a memory. The one before is whole then.
func (w *walker) head(item store.Item) {
	if len(w.batch) == rebuildBatch {
		w.flush()
	}
	raw := rawMemory{head: item, seq: w.seq}
	if w.vector != nil && w.vector.Key.PK == item.Key.PK {
		raw.vector = w.vector
	}
	w.vector = nil
	w.batch = append(w.batch, raw)
}

// earlier adds an earlier text to the memory whose HEAD came last; one without a
// HEAD is nobody's.
func (w *walker) earlier(item store.Item) {
	if n := len(w.batch); n > 0 && w.batch[n-1].head.Key.PK == item.Key.PK {
		w.batch[n-1].earlier = append(w.batch[n-1].earlier, item)
	}
}

// fact adds a fact, which has an index of its own.
func (w *walker) fact(ctx context.Context, item store.Item) error {
	d, live, err := fact.Rebuild(item)
	if err != nil || !live {
		return err
	}
	w.facts = append(w.facts, words.Op{Document: factsearch.Document(d, ofRow(w.seq))})
	if len(w.facts) < rebuildBatch {
		return nil
	}
	return w.flushFacts(ctx)
}

func (w *walker) flushFacts(ctx context.Context) error {
	if len(w.facts) == 0 {
		return nil
	}
	err := errors.Join(w.rebuild.Words.Apply(ctx, w.facts)...)
	w.facts = w.facts[:0]
	return err
}

func (w *walker) flush() {
	if len(w.batch) > 0 {
		w.out <- w.batch
		w.batch = make([]rawMemory, 0, rebuildBatch)
	}
}

func (r Rebuild) index(ctx context.Context, batch []rawMemory) (int, error) {
	ops := make([]search.Op, 0, len(batch))
	for _, raw := range batch {
		of, err := r.ops(raw)
		if err != nil {
			return 0, err
		}
		ops = append(ops, of...)
	}
	return len(ops), errors.Join(r.Index.Apply(ctx, ops)...)
}

// ops upserts a memory's texts.
func (r Rebuild) ops(raw rawMemory) ([]search.Op, error) {
	m, err := memory.Decode(raw.head)
	if err != nil || !m.Indexed() {
		return nil, err
	}
	scope, _ := keys.ScopeOf(raw.head.Key)
	var vector memory.Vector
	if raw.vector != nil {
		if vector, err = memory.DecodeVector(*raw.vector); err != nil {
			return nil, err
		}
	}
	if vector.Version != m.Version {
		vector.Values = nil
	}
	ops := []search.Op{{Document: memory.Document(scope, m, ofRow(raw.seq), vector.Values, r.Profile)}}
	for _, item := range raw.earlier {
		e, err := memory.DecodeEarlier(item, r.Profile)
		if err != nil {
			return nil, err
		}
		if !e.Held {
			ops = append(ops, pastOp(scope, m, &e, ofRow(raw.seq), r.Profile))
		}
	}
	return ops, nil
}
