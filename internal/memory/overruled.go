package memory

import (
	"slices"
	"strconv"

	"holdfast/internal/store"
	"holdfast/internal/store/keys"
)

// reject leaves tombstones of values, and counts them as one rejection. They hold
// nothing: the keys are hashes with the workspace's key.
func (c *change) reject(at []store.Key) {
	if len(at) == 0 {
		return
	}
	for i, key := range at {
		c.put("rejection"+strconv.Itoa(i), store.Item{Key: key, Attrs: store.Attrs{}}, nil)
	}
	c.plan.Actions = append(c.plan.Actions, store.AddTo("rejections", keys.Rejections(c.Scope), map[string]int64{attrCount: 1}, nil))
}

// overruled are the rows that a correction of old to next leaves a rejection at. A
// change of punctuation alone rejects nothing: it would reject the new text too. Nor
// is a value rejected that the new text gives still, in more words.
func (c *change) overruled(old, next *Memory) []store.Key {
	was := c.hash.refusals(c.Scope, old, formsOf(old.Content), c.at)
	is := c.hash.refusals(c.Scope, next, formsOf(next.Content), c.at)
	var out []store.Key
	for i, key := range was {
		if !slices.Contains(is, key) && (i == 0 || !old.keptBy(next)) {
			out = append(out, key)
		}
	}
	return out
}

// keptBy tells whether another text gives the value that m tells.
func (m *Memory) keptBy(next *Memory) bool {
	was, ok := m.tells()
	if !ok {
		return false
	}
	is, ok := next.tells()
	if !ok {
		return was.StaysIn(next.Content)
	}
	return was.About(is) && was.Agrees(is)
}
