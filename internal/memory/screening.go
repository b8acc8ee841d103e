package memory

import (
	"slices"

	"holdfast/internal/screen"
)

// reasons screens every free text of a memory that recall, lists or blocks show
// (T.27): content, speaker, tags, attribute and address. Ids are left out: they
// are chosen by programs, and random ones look like secrets.
func (m *Memory) reasons() []string {
	out := screen.Check(m.Content).Reasons
	more := func(text string) {
		if text != "" {
			out = append(out, screen.Check(text).Reasons...)
		}
	}
	more(m.Speaker)
	more(m.Attribute)
	more(m.ArtifactURI)
	for key, value := range m.Tags {
		more(key)
		more(value)
	}
	slices.Sort(out)
	return slices.Compact(out)
}
