package fact

import "slices"

// Filter narrows a list or a search, its path resolved; the zero Filter is everything.
type Filter struct {
	path Path
	tags []string
	none bool // a run without end user asks for users/
}

// NewFilter checks what narrows a list or a search, and holds its path against the
// border (R3.5).
func NewFilter(b Border, path string, tags []string) (Filter, error) {
	var f faults
	p := f.path(&path)
	out := Filter{tags: f.tagList(tags)}
	if err := f.err(); err != nil {
		return Filter{}, err
	}
	p, err := b.Filter(p)
	if err != nil {
		return Filter{}, err
	}
	out.path = p
	if p.text == usersFolder+"/" && !b.Everyone {
		out.path, out.none = userFolder(b.User), b.User == ""
	}
	return out, nil
}

// Path is the folder that the filter stands for.
func (f Filter) Path() Path { return f.path }

// Tags are those that a fact must have, all of them (S3.11).
func (f Filter) Tags() []string { return f.tags }

// Empty tells a filter that nothing passes.
func (f Filter) Empty() bool { return f.none }

func (f Filter) passes(p Path, tags []string) bool {
	for _, tag := range f.tags {
		if !slices.Contains(tags, tag) {
			return false
		}
	}
	return !f.none && f.path.Holds(p)
}
