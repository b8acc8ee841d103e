package memory

import (
	"context"

	"holdfast/internal/commit"
)

// MaxItems is the most items of a batch (R0.58).
const MaxItems = 100

// Item is one append of a batch. A fault found before it came here makes it fail
// and nothing else.
type Item struct {
	Target // Key is the item's own: the call's key with its index (T.15)
	Draft  Draft
	Base   string // pointer to the item in the request
	Fault  error
}

// AppendMany stores memories in order, each on its own: results and errors by
// index (R0.58). A twin of an earlier item joins it. All items are of one scope.
func (s *Service) AppendMany(ctx context.Context, items []Item) ([]Appended, []error) {
	results, faults := make([]Appended, len(items)), make([]error, len(items))
	var additions []*addition
	var at []int // index of the item of each addition
	for i, item := range items {
		if faults[i] = item.Fault; faults[i] != nil {
			continue
		}
		a, err := s.addition(item.Target, item.Draft, item.Base)
		if faults[i] = err; err == nil {
			additions, at = append(additions, a), append(at, i)
		}
	}
	outs, errors := s.Commit.DoMany(ctx, s.writes(items, additions, at))
	for n, i := range at {
		if faults[i] = errors[n]; faults[i] == nil {
			results[i], faults[i] = s.appended(ctx, items[i].Target, outs[n])
		}
	}
	return results, faults
}

func (s *Service) writes(items []Item, additions []*addition, at []int) []commit.Write {
	var ahead []string
	for n, a := range additions {
		later := items[at[n]].Workspace.Settings.DeferEmbedding
		if len(a.reasons) == 0 && a.memory.Type != ArtifactRef && !later {
			ahead = append(ahead, a.memory.Content)
		}
	}
	e := s.embeddings(ahead...)
	writes := make([]commit.Write, len(additions))
	for n, a := range additions {
		writes[n] = s.write(items[at[n]].Target, a, e)
	}
	return writes
}
