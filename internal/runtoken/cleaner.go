package runtoken

import (
	"context"
	"errors"
	"time"

	"holdfast/internal/ledger"
	"holdfast/internal/store"
	"holdfast/internal/store/keys"
)

// Cleaner ends the experiments that nobody ended in their time, as those of crashed
// runs, so that their memory is thrown away (R3.22). Their rows are due then; every
// other row of the due index is somebody else's.
type Cleaner struct {
	Runs *Service
}

const cleanPage = 100

// Run ends what is over. It goes on past what fails and answers how many it ended.
func (c *Cleaner) Run(ctx context.Context) (int, error) {
	ended := 0
	var failures []error
	for shard := range store.Shards {
		n, err := c.shard(ctx, shard)
		ended += n
		failures = append(failures, err)
	}
	return ended, errors.Join(failures...)
}

func (c *Cleaner) shard(ctx context.Context, shard int) (int, error) {
	list, err := c.over(ctx, shard)
	failures := []error{err}
	ended := 0
	for _, id := range list {
		done, err := c.end(ctx, id)
		failures = append(failures, err)
		if done {
			ended++
		}
	}
	return ended, errors.Join(failures...)
}

// over lists the runs of a shard that are due, before any is ended: rows that leave the
// index would upset its paging.
func (c *Cleaner) over(ctx context.Context, shard int) ([]string, error) {
	var list []string
	q := store.DueQuery{Shard: shard, Until: c.Runs.Clock.Now(), Limit: cleanPage}
	for {
		page, err := c.Runs.Store.Due(ctx, q)
		if err != nil {
			return list, err
		}
		for _, item := range page.Items {
			if id, ok := keys.RunTokenOf(item.Key); ok {
				list = append(list, id)
			}
		}
		if page.Cursor == "" {
			return list, nil
		}
		q.Cursor = page.Cursor
	}
}

// end ends a run if it is over still: the due index may be stale.
func (c *Cleaner) end(ctx context.Context, id string) (bool, error) {
	r, found, err := c.Runs.read(ctx, id)
	if err != nil || !found || r.Ended() || !r.expired(c.Runs.Clock.Now()) {
		return false, err
	}
	_, err = c.Runs.End(ctx, r.Scope, ledger.Service(), id)
	return err == nil, err
}

// due is when a run's row asks for the cleaner; false: never.
func (r Run) due() (time.Time, bool) { return r.ExpiresAt, r.Root() && !r.Ended() }
