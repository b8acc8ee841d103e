package recall

import (
	"context"

	"holdfast/internal/memory"
)

// profileScan is how many of a user's newest memories a profile is made from.
const profileScan = 100

// loadProfile makes the user's profile: their preferences, then their facts, the
// newest first (R0.30).
func (p *pass) loadProfile(ctx context.Context, a *assembly) error {
	if p.req.Subject.UserID == "" {
		return nil
	}
	found, err := p.Memories.OfUser(ctx, p.req.Scope, p.req.Subject.UserID, profileScan)
	if err != nil {
		return err
	}
	views, err := p.asSeen(ctx, p.req.Scope, found)
	if err != nil {
		return err
	}
	a.out.Profile, p.profileSet = a.digest(UserProfile, p.profileOrder(views))
	return nil
}

// profileOrder keeps what may be shown, preferences before facts, newest first.
func (p *pass) profileOrder(views []memory.View) []*memory.Memory {
	var out []*memory.Memory
	for _, kind := range []memory.Type{memory.Preference, memory.Fact} {
		for _, v := range views {
			if p.current(v) && v.Type == kind && v.Layer != memory.Session && v.Subject.UserID != "" {
				out = append(out, v.Memory)
			}
		}
	}
	return out
}

// current tells a memory that a digest may show: what is past is in none, whatever the
// request shows of its kind.
func (p *pass) current(v memory.View) bool {
	return v.Memory != nil && !v.Past && v.Recallable(p.req.Subject, p.req.RunID)
}
