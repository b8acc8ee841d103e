package memwords

import (
	"slices"
	"strings"

	"holdfast/internal/search/words"
)

// space is one memory: its documents by slot, the dictionary of their words, and how
// many documents and words lie in each folder.
type space struct {
	name    string
	count   int
	docs    []document
	marks   []mark // by slot, beside docs for the cache's sake
	free    []uint32
	terms   dictionary
	folders interned // paths of documents
	tags    interned // sets of tags
	sums    map[string]sum
}

// document is what is kept of a document and no search needs but for its answer.
type document struct {
	id       string
	sequence int64
	terms    []uint32 // of the dictionary
}

// mark is what searches look at.
type mark struct {
	updated int64 // microseconds
	folder  uint32
	tags    uint32
	length  int32 // words
}

// sum counts what lies in a folder and below.
type sum struct {
	documents int
	length    int64
}

// entry is an analysed text.
type entry struct {
	distinct []string
	length   int
}

func analyse(text string) entry {
	all := words.Split(text)
	return entry{length: len(all), distinct: words.Distinct(all)}
}

func newSpace(name string) *space {
	return &space{name: name, terms: newDictionary(), folders: newInterned(), tags: newInterned(), sums: map[string]sum{}}
}

// separator ends each tag of a set.
const separator = "\x00"

func joined(tags []string) string {
	var b strings.Builder
	for _, tag := range tags {
		b.WriteString(tag + separator)
	}
	return b.String()
}

func parted(set string) []string {
	parts := strings.Split(set, separator)
	return parts[:len(parts)-1]
}

// insert adds a document that is not there.
func (s *space) insert(id string, d *words.Document, e entry) uint32 {
	slot := s.slot()
	terms := make([]uint32, len(e.distinct))
	for i, word := range e.distinct {
		terms[i] = s.terms.add(word, slot)
	}
	s.docs[slot] = document{id: id, sequence: d.Sequence, terms: terms}
	s.marks[slot] = mark{updated: d.Micros(), folder: s.folders.add(d.Path),
		tags: s.tags.add(joined(d.Tags)), length: int32(e.length)}
	s.tally(slot, 1)
	return slot
}

// slot answers a free place for a document.
func (s *space) slot() uint32 {
	if last := len(s.free) - 1; last >= 0 {
		slot := s.free[last]
		s.free = s.free[:last]
		return slot
	}
	s.docs = append(s.docs, document{})
	s.marks = append(s.marks, mark{})
	return uint32(len(s.docs) - 1)
}

// remove takes a document out of everything that knows it.
func (s *space) remove(slot uint32) {
	for _, term := range s.docs[slot].terms {
		s.terms.drop(term, slot)
	}
	s.tally(slot, -1)
	s.folders.drop(s.marks[slot].folder)
	s.tags.drop(s.marks[slot].tags)
	s.docs[slot], s.marks[slot] = document{}, mark{}
	s.free = append(s.free, slot)
}

// tally counts a document in its folder and those above.
func (s *space) tally(slot uint32, sign int) {
	m := s.marks[slot]
	s.count += sign
	for _, folder := range words.Ancestors(s.folders.text(m.folder)) {
		now := s.sums[folder]
		now.documents += sign
		now.length += int64(sign) * int64(m.length)
		if now.documents == 0 {
			delete(s.sums, folder)
			continue
		}
		s.sums[folder] = now
	}
}

// within counts what lies in a query's reach: of each prefix what lies in it and in no
// longer one, for the prefixes that are reached.
func (s *space) within(q *words.Query) sum {
	prefixes := slices.Concat(q.Under, q.Not)
	slices.Sort(prefixes)
	prefixes = slices.Compact(prefixes)
	var out sum
	for i, p := range prefixes {
		if !q.Reaches(p) {
			continue
		}
		own := s.sums[p]
		for j := i + 1; j < len(prefixes) && strings.HasPrefix(prefixes[j], p); {
			below := prefixes[j]
			own.documents -= s.sums[below].documents
			own.length -= s.sums[below].length
			for j < len(prefixes) && strings.HasPrefix(prefixes[j], below) {
				j++
			}
		}
		out.documents += own.documents
		out.length += own.length
	}
	return out
}
