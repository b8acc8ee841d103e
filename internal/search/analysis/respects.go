package analysis

import "slices"

// places are those of relating and others that say where or when something is.
var places = set("at in on under behind beside near above below over inside outside")

// Respect answers the preposition before the word of a token; one word for all that may
// tell a place or a time, empty: none.
func Respect(words []string, token string) string {
	i := slices.IndexFunc(words, func(word string) bool { return isOf(word, token) })
	for i--; i > 0 && determiners[words[i]]; i-- {
	}
	switch word := at(words, i); {
	case places[word], word == "for":
		return "at"
	case relating[word], word == "as":
		return word
	}
	return ""
}

// isOf tells a folded word whose token is this one, most by their beginnings.
func isOf(word, token string) bool {
	word = bared(word)
	n := min(3, len(word), len(token))
	return word[:n] == token[:n] && Stem(word) == token
}

// Leads tells a token before whose word a text has no more than determiners and prepositions.
func Leads(words []string, token string) bool {
	for _, word := range words {
		if !determiners[word] && !relating[word] && !places[word] {
			return isOf(word, token)
		}
	}
	return false
}

// IsTheOnly tells by the words of a text that it says who or what the only one is: is the
// owner, is my dentist.
func IsTheOnly(words []string) bool {
	for i, word := range words {
		if word == "is" && determiners[at(words, i+1)] && !severalOf[at(words, i+1)] {
			return true
		}
	}
	return false
}

// Unlike tells definitions of the same thing whose values are of different kinds.
func (d Definition) Unlike(older Definition) bool {
	return len(d.thing) > 0 && d.kind != older.kind && slices.Equal(d.thing, older.thing)
}

// Otherwise tells definitions that do not say the same of one thing: one says where it is
// and the other something else, both say in or for what it is so, or one is of a part or a
// kind of the other's thing (the port, the admin port).
func (d Definition) Otherwise(older Definition) bool {
	if !slices.Equal(d.thing, older.thing) {
		return len(older.thing) > 0 && d.splits(older)
	}
	return d.places(older) || older.places(d) || len(d.in) > 0 && len(older.in) > 0 && !slices.Equal(d.in, older.in)
}

// Narrows tells a definition that says in or for what it is so, where an older one of the
// same thing does not: 9 in Norway.
func (d Definition) Narrows(older Definition) bool {
	return len(d.in) > 0 && len(older.in) == 0 && len(older.thing) > 0 && slices.Equal(d.thing, older.thing)
}

// places tells that a definition says where a thing is and another says something else.
func (d Definition) places(o Definition) bool {
	return places[d.form] && !places[o.form] && len(o.thing) > 0 && o.kind != numberValue && !HasTime(o.is)
}

// splits tells that a definition has all words of another's thing and others between
// them, or ends in another (the book, the book shop).
func (d Definition) splits(older Definition) bool {
	if len(d.words) < len(older.thing) {
		return false
	}
	of := func(token string) bool { return slices.Contains(older.thing, token) }
	first := slices.IndexFunc(d.words, of)
	if first < 0 {
		return false
	}
	held, between := 0, 0
	for _, word := range d.words[first:] {
		if of(word) {
			held++
		} else if held < len(older.thing) {
			between++
		}
	}
	last := d.words[len(d.words)-1]
	return held >= len(older.thing) && (between > 0 || !of(last) && Respect(Words(d.of), last) == "")
}
