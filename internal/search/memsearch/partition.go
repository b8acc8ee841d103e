package memsearch

import (
	"strings"
	"sync"
	"time"

	"holdfast/internal/search"
	"holdfast/internal/search/partitions"
	"holdfast/internal/tenant"
)

// none stands for the absence of a document, passage or row.
const none = int32(-1)

// partition holds the documents of one scope.
type partition struct {
	scope tenant.Scope

	sync.RWMutex
	byID     map[string]int32
	docs     []document
	links    []link   // by document; what searches walk over stands beside docs for the cache's sake
	sets     []uint32 // by document: its fields, in fieldSets
	ends     ends
	freeDocs []int32
	words    lexicon
	sessions map[string]*session
	shows    map[string][]int32 // by item: documents of another id that show it
	fields   fieldSets
	times    times
	vectors  map[string]*vectors       // by profile
	bare     vectors                   // documents without a vector, or with one that has no direction
	blank    map[string]map[int32]bool // by profile: those whose vector has no direction
	deletes  partitions.Deletes
}

// document is what is kept of a document beside its terms.
type document struct {
	id       string
	item     string // whose text it is
	version  int64
	sequence int64
	session  *session // nil: none
	vectors  *vectors // that hold its row
	row      int32
	tokens   int32 // content tokens
	role     bool  // the speaker is a role
}

// link leads to the documents beside one in its session, where they share a
// window, and to its first passage.
type link struct {
	prev, next, passage int32
	asks                bool // it ends with a question
}

// previous is the weight of a document's terms in the one after it.
func (l *link) previous() int32 { return int32(search.Previous(l.asks)) }

func newPartition(scope tenant.Scope) *partition {
	return &partition{
		scope:    scope,
		byID:     map[string]int32{},
		sessions: map[string]*session{},
		shows:    map[string][]int32{},
		times:    times{},
		fields:   newFieldSets(),
		vectors:  map[string]*vectors{},
		blank:    map[string]map[int32]bool{},
	}
}

// Holds tells of a document; the partition is held.
func (p *partition) Holds(id string) bool {
	_, ok := p.byID[id]
	return ok
}

// Len is how many documents there are; the partition is held.
func (p *partition) Len() int { return len(p.byID) }

// apply does one operation unless a later one was done.
func (p *partition) apply(op *search.Op, e *entry, now time.Time) error {
	d := &op.Document
	old, exists := p.byID[d.ID]
	if exists && d.Sequence <= p.docs[old].sequence {
		return nil
	}
	if p.deletes.Covers(d.ID, d.Sequence) {
		return nil
	}
	if !op.Delete && !p.fits(d) {
		return search.ErrBadRequest
	}
	if exists {
		p.remove(old)
	}
	if op.Delete {
		p.deletes.Add(d.ID, d.Sequence, now)
		return nil
	}
	p.insert(d, e)
	return nil
}

// insert adds a document that is not there.
func (p *partition) insert(d *search.Document, e *entry) {
	slot := p.slot()
	id := strings.Clone(d.ID)
	p.docs[slot] = document{
		id: id, item: id, version: d.Version, sequence: d.Sequence, role: e.role, tokens: e.tokens(),
	}
	p.sets[slot] = p.fields.add(d.Fields)
	if until, ends := d.UntilMicros(); ends {
		p.ends.add(slot, until)
	}
	p.byID[id] = slot
	p.show(slot, d.ItemID())
	p.times.add(slot, d.Times)
	p.links[slot] = link{prev: none, next: none, passage: p.words.insert(slot, e), asks: e.asks}
	p.measure(slot)
	if d.Session != "" {
		p.join(slot, d.Session)
	}
	p.embed(slot, d, e)
	p.deletes.Drop(id)
}

// slot answers a free place for a document.
func (p *partition) slot() int32 {
	if last := len(p.freeDocs) - 1; last >= 0 {
		slot := p.freeDocs[last]
		p.freeDocs = p.freeDocs[:last]
		return slot
	}
	p.docs = append(p.docs, document{})
	p.links = append(p.links, link{})
	p.sets = append(p.sets, 0)
	return int32(len(p.docs) - 1)
}

// remove takes a document out of everything that knows it.
func (p *partition) remove(slot int32) {
	d := &p.docs[slot]
	delete(p.byID, d.id)
	p.hide(slot)
	p.times.drop(slot)
	p.words.remove(p.links[slot].passage)
	p.leave(slot)
	p.unembed(slot)
	p.fields.drop(p.sets[slot])
	p.ends.drop(slot)
	p.docs[slot] = document{}
	p.links[slot] = link{prev: none, next: none, passage: none}
	p.freeDocs = append(p.freeDocs, slot)
}
