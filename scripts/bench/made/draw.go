package made

import (
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"
)

// draw takes what is left to chance. Each topic and each talk has one of its own, by
// its name.
type draw struct{ *rand.Rand }

func newDraw(name string) draw {
	h := fnv.New64a()
	_, _ = h.Write([]byte(name)) // a hash takes everything
	return draw{rand.New(rand.NewPCG(h.Sum64(), 1))}
}

// of is one of the list.
func (d draw) of(list []string) string { return list[d.IntN(len(list))] }

// some are n of the list, in drawn order.
func some[T any](d draw, list []T, n int) []T {
	out := slices.Clone(list)
	d.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out[:n]
}

// between is a whole number from low to high, both included.
func (d draw) between(low, high int) int { return low + d.IntN(high-low+1) }

// firstDay is the day from which sets count.
var firstDay = time.Date(2024, time.January, 8, 9, 0, 0, 0, time.UTC)

func day(n int) time.Time { return firstDay.AddDate(0, 0, n) }

// pools are the words that any template may ask for.
type pools struct{ people, weekdays, months []string }

func readPools() pools {
	b := read("pools")[0]
	return pools{b.list("people"), b.list("weekdays"), b.list("months")}
}

// scene fills the places that any sentence may have: {p} and {q} people other than the
// subject, {d} a weekday, {m} a month, {n} a number.
func (p pools) scene(d draw, template, subject string) string {
	people := slices.DeleteFunc(some(d, p.people, 3), func(name string) bool { return name == subject })
	return fill(template, "p", people[0], "q", people[1], "d", d.of(p.weekdays), "m", d.of(p.months), "n", strconv.Itoa(d.between(3, 40)))
}

// without are the templates that do not use a place.
func without(templates []string, place string) []string {
	return slices.DeleteFunc(slices.Clone(templates), func(t string) bool { return strings.Contains(t, place) })
}
