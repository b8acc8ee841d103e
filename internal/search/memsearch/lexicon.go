package memsearch

import (
	"slices"

	"holdfast/internal/search"
	"holdfast/internal/search/analysis"
)

// entry is an analysed document.
type entry struct {
	chunks  [][]string // content tokens, at least one chunk
	speaker []string   // tokens of the speaker's name
	role    bool
	asks    bool     // the text ends with a question
	vector  steps    // without words: none with a direction
	signs   []uint64 // of the vector
}

// tokens is the number of content tokens.
func (e *entry) tokens() int32 {
	n := 0
	for _, chunk := range e.chunks {
		n += len(chunk)
	}
	return int32(n)
}

func analyse(d *search.Document) entry {
	e := entry{
		chunks:  analysis.Chunks(d.Text),
		speaker: search.SpeakerTokens(d.Speaker),
		role:    search.IsRole(d.Speaker),
		asks:    analysis.Asks(d.Text),
	}
	if vector, ok := pack(d.Vector); ok {
		e.vector, e.signs = vector, signs(d.Vector)
	}
	return e
}

// lexicon is the inverted index of a partition. Its unit is the passage: a chunk
// of a document, most often all of it.
type lexicon struct {
	terms    dictionary
	postings postings
	passages []passage
	places   []place // by passage: its terms, for removal
	held     arena[uint32]
	free     []int32
	own      int // length of all passages, in tenths of content tokens
	windowed int // the same with the window's share
	count    int // passages
}

// passage is what scoring needs to know of a chunk. Lengths are in tenths of
// content tokens.
type passage struct {
	doc      int32
	next     int32 // of the same document
	own      int32 // length
	windowed int32 // length with the window's share
}

// insert adds the passages of a document and answers the first.
func (l *lexicon) insert(doc int32, e *entry) int32 {
	first := none
	seen := map[uint32]bool(nil)
	if len(e.chunks) > 1 {
		seen = map[uint32]bool{}
	}
	for _, chunk := range slices.Backward(e.chunks) {
		first = l.passage(doc, first, chunk, e.speaker)
		for _, term := range l.held.get(l.places[first]) {
			if !seen[term] {
				l.postings.terms[term].df++
			}
			if seen != nil {
				seen[term] = true
			}
		}
	}
	return first
}

// passage adds one passage before next.
func (l *lexicon) passage(doc, next int32, tokens, speaker []string) int32 {
	slot := l.slot()
	l.passages[slot] = passage{doc: doc, next: next, own: search.WeightOwn * int32(len(tokens))}
	l.own += search.WeightOwn * len(tokens)
	l.count++
	held := make([]uint32, 0, len(tokens)+len(speaker))
	for _, token := range tokens {
		held = l.count1(slot, held, token, 1, 0)
	}
	for _, token := range speaker {
		held = l.count1(slot, held, token, 0, 1)
	}
	l.places[slot] = l.held.add(held)
	return slot
}

// count1 counts one occurrence of a token in a passage whose terms so far are
// held. The passage's posting is the last of the list if there is one.
func (l *lexicon) count1(slot int32, held []uint32, token string, own, speaker uint16) []uint32 {
	term := l.term(token)
	list := l.postings.of(term)
	if n := len(list) - 1; n >= 0 && list[n].passage == slot {
		list[n].own += own
		list[n].speaker |= speaker
		return held
	}
	l.postings.add(term, posting{passage: slot, own: own, speaker: speaker})
	return append(held, term)
}

// term answers the number of a token.
func (l *lexicon) term(token string) uint32 {
	if term, ok := l.terms.find(token); ok {
		return term
	}
	term := l.terms.add(token)
	l.postings.reach(term)
	return term
}

func (l *lexicon) slot() int32 {
	if last := len(l.free) - 1; last >= 0 {
		slot := l.free[last]
		l.free = l.free[:last]
		return slot
	}
	l.passages = append(l.passages, passage{})
	l.places = append(l.places, place{})
	return int32(len(l.passages) - 1)
}

// measure sets the window's share in the length of a document's passages.
func (l *lexicon) measure(first, share int32) {
	for slot := first; slot != none; slot = l.passages[slot].next {
		at := &l.passages[slot]
		l.windowed += int(at.own + share - at.windowed)
		at.windowed = at.own + share
	}
}

// remove takes out the passages of a document.
func (l *lexicon) remove(first int32) {
	seen := map[uint32]bool{}
	for slot := first; slot != none; {
		for _, term := range l.held.get(l.places[slot]) {
			if !seen[term] {
				seen[term] = true
				l.postings.terms[term].df--
			}
			if l.postings.remove(term, slot) {
				l.terms.drop(term)
			}
		}
		l.own -= int(l.passages[slot].own)
		l.windowed -= int(l.passages[slot].windowed)
		l.count--
		l.held.drop(l.places, slot)
		l.free = append(l.free, slot)
		slot = l.passages[slot].next
	}
}
