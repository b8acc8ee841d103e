package fact

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"holdfast/internal/store"
	"holdfast/internal/store/keys"
	"holdfast/internal/tenant"
)

// mostDeep is how deep folders have lists of their own. What lies deeper is found in
// the list of its ancestor there.
const mostDeep = 8

// The lists of a space are named by hashes: one of all its facts, which the panel
// reads; one of those outside users' folders; one a folder. The lists in a user's
// folder belong to a generation of it.
func listOfAll(space string) string   { return keys.Hash(space, "all") }
func listOutside(space string) string { return keys.Hash(space, "outside") }
func listOfUsers(space string) string { return listOf(space, Path{usersFolder + "/"}, 0) }

// userFolder is the folder of an end user.
func userFolder(user string) Path { return Path{usersFolder + "/" + user + "/"} }

// atMost is the ancestor of so many segments, or the path itself.
func (p Path) atMost(segments int) Path {
	for i, r := range p.text {
		if r != '/' {
			continue
		}
		if segments--; segments == 0 {
			return Path{p.text[:i+1]}
		}
	}
	return p
}

// listOf is the list of a folder that is not the root.
func listOf(space string, folder Path, generation int64) string {
	return keys.Hash(space, "folder", folder.atMost(mostDeep).text, strconv.FormatInt(generation, 10))
}

// listsOf are the lists that hold a fact at a path.
func listsOf(space string, p Path, generation int64) []string {
	out := []string{listOfAll(space)}
	_, bound := p.user()
	if !bound {
		out = append(out, listOutside(space))
	}
	folders := p.Folders()[1:]
	for i, folder := range folders[:min(len(folders), mostDeep)] {
		if bound && i == 0 {
			out = append(out, listOfUsers(space))
			continue
		}
		out = append(out, listOf(space, folder, generation))
	}
	return out
}

// places are a fact's rows in lists, by key. Each says what filters ask for, so that
// they read no HEAD.
func (f *Fact) places(scope tenant.Scope) map[store.Key]store.Item {
	attrs := store.Attrs{attrPath: store.S(f.Path.text)}
	if len(f.Tags) > 0 {
		attrs[attrTags] = store.S(strings.Join(f.Tags, ","))
	}
	if f.Generation > 0 {
		attrs[attrFolder] = store.N(f.Generation)
	}
	out := map[store.Key]store.Item{}
	for _, list := range listsOf(f.Space, f.Path, f.Generation) {
		key := keys.FactList(scope, list, f.UpdatedAt, f.ID)
		out[key] = store.Item{Key: key, Attrs: attrs}
	}
	return out
}

// list puts a fact into its lists and takes the one that it was before out of those
// that it has left; either may be nil.
func (c *change) list(before, after *Fact) {
	old, now := map[store.Key]store.Item{}, map[store.Key]store.Item{}
	if before != nil {
		old = before.places(c.Scope)
	}
	if after != nil {
		now = after.places(c.Scope)
	}
	for i, key := range sortedKeys(now) {
		c.put("list"+strconv.Itoa(i), now[key], nil)
	}
	for i, key := range sortedKeys(old) {
		if _, stays := now[key]; !stays {
			c.remove("unlist"+strconv.Itoa(i), key)
		}
	}
}

// sortedKeys makes plans the same in every run.
func sortedKeys(rows map[store.Key]store.Item) []store.Key {
	return slices.SortedFunc(maps.Keys(rows), func(a, b store.Key) int {
		return strings.Compare(a.PK+a.SK, b.PK+b.SK)
	})
}

// row is what a list says of a fact.
type row struct {
	id         string
	place      string // sort key
	path       Path
	tags       []string
	generation int64
}

func decodeRow(item store.Item) row {
	id, _ := keys.FactPlaceOf(item.Key.SK)
	r := row{id: id, place: item.Key.SK, path: Path{item.Attrs.Text(attrPath)}, generation: item.Attrs.Int(attrFolder)}
	if tags := item.Attrs.Text(attrTags); tags != "" {
		r.tags = strings.Split(tags, ",")
	}
	return r
}
