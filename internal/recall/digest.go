package recall

import (
	"strings"
	"unicode/utf8"

	"holdfast/internal/memory"
)

// digestShare is the part of the budget that a digest may take at most, and
// digestMost its most tokens.
const (
	digestShare = 4
	digestMost  = 400
)

// digestLimit is the most tokens of a digest.
func (a *assembly) digestLimit() int {
	if a.pack == nil {
		return digestMost
	}
	return min(digestMost, a.pack.budget/digestShare)
}

// digest makes a text of memories, each a line, as far as the section's share of the
// budget goes, and answers those that are in it. What it shows is not packed again when
// it ranks as well (assembly.fits).
func (a *assembly) digest(section Section, from []*memory.Memory) (*Digest, []*memory.Memory) {
	limit, out := a.digestLimit(), &Digest{SourceIDs: []string{}}
	var text strings.Builder
	var shown []*memory.Memory
	for _, m := range from {
		if tokensOf(utf8.RuneCountInString(text.String())+entryLeast(m.Content)) > limit {
			continue
		}
		l := plainLine(m.ID, m.Content)
		if Tokens(text.String()+l.text) > limit || a.pack != nil && !a.pack.fits(section, l) {
			continue
		}
		text.WriteString(l.text)
		out.SourceIDs = append(out.SourceIDs, m.ID)
		shown = append(shown, m)
		if a.pack != nil {
			a.pack.count(section).Included++
		}
	}
	out.Text = text.String()
	out.Tokens = Tokens(out.Text)
	return out, shown
}
