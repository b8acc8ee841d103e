package memory

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"holdfast/internal/claim"
	"holdfast/internal/errs"
	"holdfast/internal/store"
	"holdfast/internal/store/keys"
	"holdfast/internal/tenant"
)

// Labels before parts of an episode that quote what somebody said.
const (
	GoalLabel    = "Goal: "
	OutcomeLabel = "Outcome: "
)

// said is what a part quotes.
func (p Part) said() string {
	return strings.TrimPrefix(strings.TrimPrefix(p.Text, GoalLabel), OutcomeLabel)
}

// refusal is a row at which a rejection of a value lies, or would.
type refusal struct {
	key   store.Key
	there bool
}

// refusals are the rows at which a rejection of what m says is left and looked for: that
// of its words, and where rules can tell what it says, that of the value in whatever
// words. What is over tells nothing of how things are.
func (h Hasher) refusals(scope tenant.Scope, m *Memory, text forms, at time.Time) []store.Key {
	out := []store.Key{keys.Rejected(scope, h.rejected(m, text))}
	if t, ok := m.tells(); ok && !m.expired(at) {
		out = append(out, keys.Rejected(scope, h.told(m, t)))
	}
	return out
}

// tells reads what m says of the world: of an attribute that is named, its value.
func (m *Memory) tells() (claim.Telling, bool) {
	if m.Attribute != "" {
		return claim.TellOf(m.Attribute, m.Content)
	}
	return claim.Tell(m.Content)
}

// Rejected tells of each text whether a person has rejected it as a value in a layer
// and subject (A0.5, R0.71).
func (s *Service) Rejected(ctx context.Context, scope tenant.Scope, layer Layer, subject Subject, texts []string) ([]bool, error) {
	h, err := s.Hasher(ctx, scope)
	if err != nil {
		return nil, err
	}
	q := quotes{s.Store, scope, h, s.Clock.Now()}
	found, err := q.rejected(ctx, &Memory{Layer: layer, Subject: subject}, texts)
	out := make([]bool, len(texts))
	for i := range found {
		out[i] = len(found[i]) > 0
	}
	return out, err
}

// quotes looks for rejections of several texts.
type quotes struct {
	store store.Store
	scope tenant.Scope
	hash  Hasher
	at    time.Time
}

// rejected answers, for each of several texts in the place of a memory and of its
// speaker, the rejections that are there.
func (q quotes) rejected(ctx context.Context, place *Memory, texts []string) ([][]store.Key, error) {
	var at []store.Key
	var of []int
	for i, text := range texts {
		one := &Memory{Layer: place.Layer, Subject: place.Subject, Speaker: place.Speaker, Content: text}
		for _, key := range q.hash.refusals(q.scope, one, formsOf(text), q.at) {
			at, of = append(at, key), append(of, i)
		}
	}
	items, err := getMany(ctx, q.store, at)
	if err != nil {
		return nil, errs.Unread(err)
	}
	out := make([][]store.Key, len(texts))
	for n, item := range items {
		if item != nil {
			out[of[n]] = append(out[of[n]], at[n])
		}
	}
	return out, nil
}

// rejectedParts answers the rejections that are there of what each of several parts
// quotes. They are more than a commit can check one by one: it is made on condition that
// nothing was rejected in the workspace since they were looked for.
func (c *change) rejectedParts(ctx context.Context, place *Memory, parts []Part) ([][]store.Key, error) {
	item, _, err := c.store.Get(ctx, keys.Rejections(c.Scope)) // before the rejections
	if err != nil {
		return nil, errs.Unread(err)
	}
	texts := make([]string, len(parts))
	for i, p := range parts {
		texts[i] = p.said()
	}
	cond := store.IfAbsent()
	if n := item.Attrs.Int(attrCount); n > 0 {
		cond = store.IfEqual(attrCount, store.N(n))
	}
	c.check("rejections", keys.Rejections(c.Scope), cond)
	return quotes{c.store, c.Scope, c.hash, c.at}.rejected(ctx, place, texts)
}

// attrCount is how many rejections there were.
const attrCount = "n"

// admit refuses a rejected value, unless a person with memory:review writes it
// again, which lifts the rejection (A0.5, R0.85). A value that is not rejected
// must not become so before the commit.
func (c *change) admit(rows []refusal) error {
	for i, row := range rows {
		label := "rejected" + strconv.Itoa(i)
		switch {
		case !row.there:
			c.check(label, row.key, store.IfAbsent())
		case c.Caller.mayLift():
			c.remove(label, row.key)
		default:
			return rejected()
		}
	}
	return nil
}

// admitParts is admit for what a text of several parts quotes; the text itself is not
// among them.
func (c *change) admitParts(ctx context.Context, m *Memory, parts []Part) error {
	parts = slices.DeleteFunc(slices.Clone(parts), func(p Part) bool { return p.Text == m.Content })
	if len(parts) == 0 {
		return nil
	}
	found, err := c.rejectedParts(ctx, m, parts)
	if err != nil {
		return err
	}
	for _, rows := range found {
		for _, key := range rows {
			switch {
			case !c.Caller.mayLift():
				return rejected()
			case !c.planned(key):
				c.remove("lifted", key)
			}
		}
	}
	return nil
}

// planned tells whether the plan has an action on a row already.
func (c *change) planned(key store.Key) bool {
	return slices.ContainsFunc(c.plan.Actions, func(a store.Action) bool { return a.Item.Key == key })
}

func rejected() error {
	return errs.New(errs.Conflict, rejectedCode, "A person has rejected this value; only a reviewer may write it again.")
}

const rejectedCode = "REJECTED_VALUE"

// readmit holds the text that m gets, or has again, against the rejected values.
func (c *change) readmit(ctx context.Context, m *Memory) error {
	at := c.hash.refusals(c.Scope, m, formsOf(m.Content), c.at)
	items, err := getMany(ctx, c.store, at)
	if err != nil {
		return errs.Unread(err)
	}
	return c.admit(found(at, items))
}

// found are rows as they were read.
func found(at []store.Key, items []*store.Item) []refusal {
	out := make([]refusal, len(at))
	for i, key := range at {
		out[i] = refusal{key, items[i] != nil}
	}
	return out
}
