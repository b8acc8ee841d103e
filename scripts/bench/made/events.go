package made

// domain is a subject of a chat with what of it was told so far.
type domain struct {
	block
	facts, picks []string // in drawn order
	values       []string // of the event, one for each round
	told         []told
}

// told is one of a domain's events in its turn.
type told struct{ value, month, turn string }

func newDomain(b block, d draw) *domain {
	values := split(split(b.one("event"), " | ")[4], "; ")
	return &domain{
		block: b, facts: some(d, b["fact"], len(b["fact"])), picks: some(d, b["pick"], len(b["pick"])),
		values: some(d, values, rounds),
	}
}

// event is a turn in which the user tells what happened today. The same kind of thing
// happens once in each round.
func (c *chat) event(d *domain, round int) {
	value := d.values[round]
	said := sentence(split(d.one("event"), " | ")[0], "v", value)
	turn := c.add("user", c.around(d, said))
	d.told = append(d.told, told{value, c.date.Month().String(), turn})
}

// askEvents adds what can be asked of a domain's events: what happened in a month, if
// it is the only one of that month; when it happened; and all of them.
func (c *chat) askEvents(d *domain) {
	parts := split(d.one("event"), " | ")
	inMonth := make(map[string]int)
	var all []string
	for _, t := range d.told {
		inMonth[t.month]++
		all = append(all, t.turn)
	}
	for _, t := range d.told {
		if inMonth[t.month] == 1 {
			c.maybe.add(ofTime, fill(parts[1], "month", t.month), t.turn)
		}
		c.maybe.add(ofTime, fill(parts[2], "v", t.value), t.turn)
	}
	c.maybe.add(ofSeveral, parts[3], all...)
}
