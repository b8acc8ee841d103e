package screen

// phrases is the finder of rows made of phrases.
type phrases struct {
	texts, exceptions []string
	compiled, except  []phrase
	firsts            []int // the first step of each compiled phrase, close together
}

// said finds a text in which one of the phrases occurs.
func said(texts ...string) *phrases { return &phrases{texts: texts} }

// unless lets a phrase pass in whose sentence one of the others occurs too.
func (f *phrases) unless(texts ...string) *phrases {
	f.exceptions = texts
	return f
}

func (f *phrases) prepare(v *vocabulary) {
	for _, t := range f.texts {
		ph := v.compile(t)
		f.compiled = append(f.compiled, ph)
		f.firsts = append(f.firsts, ph.steps[0].set)
	}
	for _, t := range f.exceptions {
		f.except = append(f.except, v.compile(t))
	}
}

func (f *phrases) find(p *page) {
	for k, first := range f.firsts {
		if p.seen.has(first) && p.seen.covers(&f.compiled[k].need) {
			f.findOne(p, &f.compiled[k])
		}
	}
}

func (f *phrases) findOne(p *page, ph *phrase) {
	for i := 0; i < len(p.tokens); i++ {
		end := p.match(ph, i)
		if end < 0 || !p.mayStart(ph, i) || f.excused(p, ph, i) {
			continue
		}
		p.report(int(p.tokens[i].start), int(p.tokens[end-1].end))
		i = end - 1
	}
}

// excused: an exception stands in the sentence of token i, or the words are only
// quoted there.
func (f *phrases) excused(p *page, ph *phrase, i int) bool {
	if p.rule.quotable && p.mentioned(i) {
		return true
	}
	if len(f.except) == 0 {
		return false
	}
	first, last := p.sentence(i, ph.place)
	for j := first; j < last; j++ {
		for k := range f.except {
			if p.match(&f.except[k], j) >= 0 {
				return true
			}
		}
	}
	return false
}

// sentence answers the tokens around i up to the ends of the sentence, within one
// window on either side; for a phrase that starts a line, those of its line.
func (p *page) sentence(i int, starts place) (first, last int) {
	ends := sentenceStart
	if starts&lineStart != 0 {
		ends |= lineStart
	}
	first = i
	for starts&lineStart == 0 && first > 0 && i-first < window && p.tokens[first].place&ends == 0 {
		first--
	}
	for last = i + 1; last < len(p.tokens) && last-i < window && p.tokens[last].place&ends == 0; last++ {
	}
	return first, last
}

// combine joins one of each list to phrases: groups of first words, gap, second
// words, gap, third words.
func combine(groups ...combination) []string {
	var texts []string
	for _, g := range groups {
		for _, a := range g.first {
			for _, b := range g.second {
				for _, c := range g.third {
					texts = append(texts, a+" "+g.gaps[0]+" "+b+" "+g.gaps[1]+" "+c)
				}
			}
		}
	}
	return texts
}

// combination is what combine takes: three lists and the gaps between them.
type combination struct {
	first, second, third []string
	gaps                 [2]string
}
