package made

// Of a set told: when things are written, in days.
const (
	toldFirst = 200 // until then, what the pairs had first
	toldLast  = 300 // from then on, what replaces it
)

// newTold is half of a set that people wrote one by one instead of by templates: a third of
// the newer statements say the older one's words with another value, a third say it
// otherwise, and a third tell of an event that implies it («sold the Golf and bought a
// Tesla»). Beside them stand statements that say nothing of what is asked, and such of one
// subject of which both hold.
func newTold(name string) Half {
	var all []written
	var pairs []*Pair
	d := newDraw("told " + name)
	for i, b := range read("told_" + name) {
		if b.one("ask") != "" {
			p := &Pair{Topic: "told", Subject: b.one("ask"), Question: b.one("ask")}
			pairs = append(pairs, p)
			all = append(all, written{Statement: Statement{Text: b.one("was")}, day: i % toldFirst, pair: p},
				written{Statement: Statement{Text: b.one("now")}, day: toldLast + i%toldFirst, pair: p, newer: true})
		}
		for _, text := range b["beside"] {
			all = append(all, written{Statement: Statement{Text: text}, day: d.IntN(lastDay)})
		}
	}
	return inOrder("told", name, all, pairs)
}
