package recall

import (
	"context"
	"slices"
	"strings"

	"holdfast/internal/memory"
)

// profileScan is how many of a user's newest memories a profile is made from.
const profileScan = 100

// profileShare is the part of the budget that a profile may take at most, and
// profileMost its most tokens.
const (
	profileShare = 4
	profileMost  = 400
)

// loadProfile makes the user's profile: their preferences, then their facts, the
// newest first, each a line, as far as its share of the budget goes (R0.30). A
// nil packer means a raw answer. What the profile shows is not packed again when it
// ranks as well (pack).
func (p *pass) loadProfile(ctx context.Context, pack *packer) error {
	if p.req.Subject.UserID == "" {
		return nil
	}
	found, err := p.Memories.OfUser(ctx, p.req.Scope, p.req.Subject.UserID, profileScan)
	if err != nil {
		return err
	}
	limit := profileMost
	if pack != nil {
		limit = min(profileMost, p.req.TokenBudget/profileShare)
	}
	profile := &Profile{SourceIDs: []string{}}
	var text strings.Builder
	for _, m := range p.profileOrder(found) {
		l := plainLine(m.ID, m.Content)
		if Tokens(text.String()+l.text) > limit || pack != nil && !pack.fits(UserProfile, l) {
			continue
		}
		text.WriteString(l.text)
		profile.SourceIDs = append(profile.SourceIDs, m.ID)
		p.profileSet = append(p.profileSet, m)
		if pack != nil {
			pack.count(UserProfile).Included++
		}
	}
	profile.Text = text.String()
	profile.Tokens = Tokens(profile.Text)
	p.profile = profile
	return nil
}

// profileOrder keeps what may be shown, preferences before facts, newest first.
func (p *pass) profileOrder(found []*memory.Memory) []*memory.Memory {
	var out []*memory.Memory
	for _, kind := range []memory.Type{memory.Preference, memory.Fact} {
		for _, m := range found {
			if m.Type == kind && m.Layer != memory.Session && m.Status == memory.Active && m.Subject.UserID != "" &&
				m.Recallable(p.req.Subject, p.req.RunID) && !p.over(m) {
				out = append(out, m)
			}
		}
	}
	return slices.Clip(out)
}
