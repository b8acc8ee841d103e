package recall

import (
	"context"
	"slices"

	"holdfast/internal/memory"
)

// Bounds of what opening sessions reads. A side of a hit whose nearest entries do not
// pass the request's filters is read further in steps that double; beyond the bounds it
// has fewer neighbours than asked for.
const (
	expandRounds  = 6    // of reading; they reach 63 windows far
	expandWalks   = 64   // walks along runs
	expandEntries = 1000 // entries read from the table
	strandPage    = 128  // ids of a walk from hit to hit
)

// strand is a stretch of a session: ids that are known to follow one another.
type strand struct {
	runID   string
	session int
	ids     []string // in order
	hits    []string
	ends    [2]bool // the run's first entry, its last entry is among ids
}

// side is one of the two directions from a hit.
type side int

const (
	older side = iota
	newer
)

func (s side) step() int { return 2*int(s) - 1 }

func (s *strand) edge(d side) string {
	if d == older {
		return s.ids[0]
	}
	return s.ids[len(s.ids)-1]
}

func (s *strand) holds(id string) bool {
	_, found := slices.BinarySearch(s.ids, id)
	return found
}

// lay makes the strands of a session: hits that are near to one another share one.
func (x *expansion) lay(ctx context.Context, session int, o opened) error {
	var s *strand
	for _, hit := range o.hits {
		if s != nil && !s.holds(hit) {
			if err := x.extend(ctx, s, newer, strandPage); err != nil {
				return err
			}
		}
		if s == nil || !s.holds(hit) {
			s = &strand{runID: o.runID, session: session, ids: []string{hit}}
			x.strands = append(x.strands, s)
		}
		s.hits = append(s.hits, hit)
	}
	return nil
}

// extend walks on from an edge of a strand.
func (x *expansion) extend(ctx context.Context, s *strand, d side, most int) error {
	if s.ends[d] || x.walks == expandWalks {
		return nil
	}
	x.walks++
	ids, err := x.Memories.SessionIDs(ctx, x.req.Scope,
		memory.Walk{RunID: s.runID, Beyond: s.edge(d), Back: d == older, Limit: most})
	if err != nil {
		return err
	}
	s.ends[d] = len(ids) < most
	if d == older {
		slices.Reverse(ids)
		s.ids = append(ids, s.ids...)
	} else {
		s.ids = append(s.ids, ids...)
	}
	return nil
}
