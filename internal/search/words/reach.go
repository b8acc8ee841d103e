package words

import (
	"slices"
	"strings"
)

// stored tells the stored form of a path or prefix: the root, or segments that each
// end with a slash, none empty.
func stored(path string) bool {
	return path == "" || strings.HasSuffix(path, "/") && path[0] != '/' && !strings.Contains(path, "//")
}

// Reaches tells whether a path lies in the query's reach.
func (q *Query) Reaches(path string) bool {
	longest := func(prefixes []string) int {
		n := -1
		for _, p := range prefixes {
			if len(p) > n && strings.HasPrefix(path, p) {
				n = len(p)
			}
		}
		return n
	}
	return longest(q.Under) > longest(q.Not)
}

// Branch is a part of a reach: what lies in a folder, but not in those below it that
// are left out. A path lies in the reach where it lies in one of the branches.
type Branch struct {
	Folder string
	Out    []string
}

// Branches answers the reach as branches.
func (q *Query) Branches() []Branch {
	var out []Branch
	for _, folder := range slices.Compact(slices.Sorted(slices.Values(q.Under))) {
		b := Branch{Folder: folder}
		for _, p := range q.Not {
			if strings.HasPrefix(p, folder) {
				b.Out = append(b.Out, p)
			}
		}
		out = append(out, b)
	}
	return out
}

// Ancestors answers a path and the prefixes of whole segments above it, from the root
// on.
func Ancestors(path string) []string {
	out := []string{""}
	for i := range len(path) {
		if path[i] == '/' {
			out = append(out, path[:i+1])
		}
	}
	return out
}

// Tagged tells whether a document has every tag of the query.
func (q *Query) Tagged(tags []string) bool {
	return !slices.ContainsFunc(q.Tags, func(tag string) bool { return !slices.Contains(tags, tag) })
}
