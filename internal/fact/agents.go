package fact

import (
	"context"
	"time"

	"holdfast/internal/errs"
	"holdfast/internal/store"
	"holdfast/internal/store/keys"
	"holdfast/internal/tenant"
)

// Agent is what people see of an agent's memory (R3.29).
type Agent struct {
	ID        string
	Facts     int64
	UpdatedAt time.Time // of its newest fact
}

// agentItem is the row that shows an agent to people, written with its first fact.
func agentItem(scope tenant.Scope, s Space) store.Item {
	return store.Item{Key: keys.FactAgent(scope, s.hash), Attrs: store.Attrs{attrAgent: store.S(s.agent)}}
}

// Agents answers up to limit agents that have facts, from behind an agent's id on, in an
// order that does not change, and the id for the next page; empty: the end.
func (s *Service) Agents(ctx context.Context, t Target, limit int, after string) ([]Agent, string, error) {
	q := store.Query{PK: keys.FactAgentPK(t.Scope), Limit: scanPage}
	if after != "" {
		q.From = OfAgent(after).hash + "!" // the first key after it: hashes hold no '!'
	}
	var out []Agent
	for {
		page, err := s.Store.Query(ctx, q)
		if err != nil {
			return nil, "", errs.Unread(err)
		}
		for _, item := range page.Items {
			a, found, err := s.agent(ctx, t, item.Attrs.Text(attrAgent))
			if err != nil {
				return nil, "", err
			}
			if !found {
				continue
			}
			if len(out) == limit {
				return out, out[limit-1].ID, nil
			}
			out = append(out, a)
		}
		if page.Cursor == "" {
			return out, "", nil
		}
		q.Cursor = page.Cursor
	}
}

// agent counts an agent's facts; false: it has none.
func (s *Service) agent(ctx context.Context, t Target, id string) (Agent, bool, error) {
	t.Space, t.Border = OfAgent(id), Border{Everyone: true}
	n, err := s.count(ctx, t)
	if err != nil || n.total == 0 {
		return Agent{}, false, err
	}
	for before := ""; ; { // a page is empty while many of an erased user's facts are on their way out
		newest, err := s.List(ctx, t, Filter{}, 1, before)
		if err != nil {
			return Agent{}, false, err
		}
		if len(newest.Facts) > 0 {
			return Agent{ID: id, Facts: n.total, UpdatedAt: newest.Facts[0].UpdatedAt}, true, nil
		}
		if before = newest.Next; before == "" {
			return Agent{}, false, nil
		}
	}
}
