package memsearch

// posting says that a passage holds a term.
type posting struct {
	passage int32
	own     uint16 // occurrences in the text
	speaker uint16 // 1: the term is of the speaker's name
}

// postings keeps the passages of each term. Most terms stand in one only, which needs
// no list of its own.
type postings struct {
	terms []occurrences // by term
	lists [][]posting   // of those with several
	free  []int32       // lists that are not in use
}

type occurrences struct {
	one  [1]posting // the only one; zero: there is none, or a list
	list int32      // in lists; none: there is none
	df   int32      // documents, not passages
}

// of answers the passages of a term.
func (p *postings) of(term uint32) []posting {
	switch at := &p.terms[term]; {
	case at.list != none:
		return p.lists[at.list]
	case at.one[0] == posting{}:
		return nil
	default:
		return at.one[:]
	}
}

// reach makes room for a new term.
func (p *postings) reach(term uint32) {
	if int(term) == len(p.terms) {
		p.terms = append(p.terms, occurrences{list: none})
	}
}

// add adds a passage to a term's.
func (p *postings) add(term uint32, one posting) {
	switch at := &p.terms[term]; {
	case at.list != none:
		p.lists[at.list] = append(p.lists[at.list], one)
	case at.one[0] == posting{}:
		at.one[0] = one
	default:
		at.list = p.list([]posting{at.one[0], one})
		at.one[0] = posting{}
	}
}

func (p *postings) list(of []posting) int32 {
	if last := len(p.free) - 1; last >= 0 {
		list := p.free[last]
		p.free = p.free[:last]
		p.lists[list] = of
		return list
	}
	p.lists = append(p.lists, of)
	return int32(len(p.lists) - 1)
}

// remove takes a passage out of a term's, and tells whether it was the last. It is
// looked for from the end, where what is new stands and changes most.
func (p *postings) remove(term uint32, passage int32) bool {
	at := &p.terms[term]
	if at.list == none {
		at.one[0] = posting{}
		return true
	}
	list := p.lists[at.list]
	i := len(list) - 1
	for list[i].passage != passage {
		i--
	}
	list[i] = list[len(list)-1]
	p.lists[at.list] = list[:len(list)-1]
	if len(list) > 1 {
		return false
	}
	p.lists[at.list] = nil
	p.free = append(p.free, at.list)
	at.list = none
	return true
}
