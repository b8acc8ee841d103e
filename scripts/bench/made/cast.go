package made

// cast hands out the subjects of one kind, none of them twice: «the billing service»,
// «the billing gateway». Subjects of other topics have the same first words as well.
type cast struct {
	block
	firsts []string
	given  int                 // first words
	rest   map[string][]string // second words that a first word has left
}

// newCasts are the casts of a half, by kind.
func newCasts(half string) map[string]*cast {
	out := make(map[string]*cast)
	for _, b := range read("plain_kinds") {
		d := newDraw("cast " + half + " " + b.one("kind"))
		c := &cast{block: b, firsts: some(d, b.list("first"), len(b.list("first"))), rest: make(map[string][]string)}
		for _, first := range c.firsts {
			c.rest[first] = some(d, b.list("second"), len(b.list("second")))
		}
		out[b.one("kind")] = c
	}
	return out
}

// first is the first word whose turn it is.
func (c *cast) first() string {
	first := c.firsts[c.given%len(c.firsts)]
	c.given++
	return first
}

// subject is a new one with a first word.
func (c *cast) subject(first string) string {
	second := c.rest[first][0]
	c.rest[first] = c.rest[first][1:]
	return fill(c.one("called"), "first", first, "second", second)
}
