package screen

// lexicon finds words by their bytes: an open hash table that is filled once and
// then only read. Every word of a text is looked up, so it must be quicker than a
// map of strings.
type lexicon struct {
	slots []slot // a power of two, at most half full
	words int
	runes [1024]uint64 // which characters of the first plane are words by themselves
}

type slot struct {
	hash uint32
	id   uint16
	word string
}

func newLexicon() lexicon { return lexicon{slots: make([]slot, 64)} }

// hashOf is FNV-1a (Fowler, Noll, Vo).
func hashOf(word []byte) uint32 {
	h := uint32(2166136261)
	for _, c := range word {
		h = (h ^ uint32(c)) * 16777619
	}
	return h
}

// lookup answers the number of a folded word, unknownWord for none.
func (l *lexicon) lookup(word []byte) uint16 {
	h := hashOf(word)
	mask := uint32(len(l.slots) - 1)
	for i := h & mask; l.slots[i].id != unknownWord; i = (i + 1) & mask {
		if s := &l.slots[i]; s.hash == h && s.word == string(word) {
			return s.id
		}
	}
	return unknownWord
}

// lookupRune answers the number of a character that is a word by itself.
func (l *lexicon) lookupRune(r rune, word []byte) uint16 {
	if r < 1<<16 && l.runes[r>>6]>>(r&63)&1 == 0 {
		return unknownWord
	}
	return l.lookup(word)
}

// insert gives a word its number, which is not unknownWord.
func (l *lexicon) insert(word string, id uint16) {
	if l.words++; l.words*2 > len(l.slots) {
		l.grow()
	}
	l.place(slot{hash: hashOf([]byte(word)), id: id, word: word})
	if r := []rune(word); len(r) == 1 && r[0] < 1<<16 {
		l.runes[r[0]>>6] |= 1 << (r[0] & 63)
	}
}

func (l *lexicon) grow() {
	old := l.slots
	l.slots = make([]slot, 2*len(old))
	for _, s := range old {
		if s.id != unknownWord {
			l.place(s)
		}
	}
}

func (l *lexicon) place(s slot) {
	mask := uint32(len(l.slots) - 1)
	i := s.hash & mask
	for l.slots[i].id != unknownWord {
		i = (i + 1) & mask
	}
	l.slots[i] = s
}
