package memory

import (
	"maps"
	"slices"
	"time"
)

// takes tells whether old may take m in; same: their texts are the same but for
// case, composition and white space. Nothing that either says may be lost by it,
// else both live:
//
//   - old must be recalled as m would be: active, its validity not over (R0.73),
//     ending when m's ends, and (layer Session) of the open stretch of the run;
//   - what is said with an attribute joins only what was said with the same;
//   - what is trusted less than old neither replaces its text nor changes the
//     value of its tags. Where it gives the current value of an attribute in
//     almost the same words it joins all the same, for else it would supersede it;
//   - tags of both fit into MaxTags and sources into mostSources.
func (c *change) takes(old, m *Memory, same bool) bool {
	switch {
	case old.Status != Active || old.Stretch != m.Stretch || old.expired(c.at) || !sameTime(old.Temporal.ValidTo, m.Temporal.ValidTo):
		return false
	case m.Attribute != "" && composed(m.Attribute) != composed(old.Attribute):
		return false
	case m.Trust() < old.Trust() && (!same && m.Attribute == "" || contradicts(m.Tags, old.Tags)):
		return false
	}
	tags, sources := unitedTags(old.Tags, m.Tags), unitedSources(old.Provenance.Sources, m.Provenance.Sources)
	return len(tags) <= max(MaxTags, len(old.Tags)) && len(sources) <= max(mostSources, len(old.Provenance.Sources))
}

// expired tells whether the memory's validity is over (R0.73).
func (m *Memory) expired(at time.Time) bool {
	return m.Temporal.ValidTo != nil && !at.Before(*m.Temporal.ValidTo)
}

func sameTime(a, b *time.Time) bool { return a == b || a != nil && b != nil && a.Equal(*b) }

// unitedTags are the tags of both; of two values of a key the newer wins (R0.35),
// in the spelling of the newer.
func unitedTags(old, newer map[string]string) map[string]string {
	if len(newer) == 0 {
		return old
	}
	out := maps.Clone(newer)
	for key, value := range old {
		if _, there := tagOf(newer, key); !there {
			out[key] = value
		}
	}
	return out
}

// contradicts tells whether two sets of tags give a key two values.
func contradicts(a, b map[string]string) bool {
	for key, value := range a {
		if other, there := tagOf(b, key); there && composed(other) != composed(value) {
			return true
		}
	}
	return false
}

// unitedSources are the old sources and those of the newer that are not among
// them.
func unitedSources(old, newer []Source) []Source {
	out := slices.Clip(old)
	for _, source := range newer {
		if !slices.ContainsFunc(out, source.equal) {
			out = append(out, source)
		}
	}
	return out
}

// weightier is the higher of two importances; one that was not given weighs
// nothing.
func weightier(a, b *float64) *float64 {
	if a == nil || b != nil && *b > *a {
		return b
	}
	return a
}
