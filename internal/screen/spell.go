package screen

import "unicode/utf8"

// readAlone takes a letter that is a word by itself.
func (r *reader) readAlone(c rune, size int) {
	r.word.reset()
	r.word.addOther(c, 0)
	r.emit(r.at, r.at+size, r.lookupRune(c, r.word.best()))
	r.unspaced = true
}

// readWord reads letters and digits, folding them, and whatever makes the word a
// link, an address or a number.
func (r *reader) readWord() {
	start := r.at
	if r.unspaced {
		r.place |= clauseStart
	}
	r.word.reset()
	for r.readLetters() {
	}
	if end := r.linkEnd(start); end > 0 {
		r.emit(start, end, trapOr(linkWord, r.text[start:end]))
	} else if end := r.addressEnd(); end > 0 {
		r.emit(start, end, trapOr(addressWord, r.text[start:end]))
	} else {
		r.emit(start, r.at, r.wordID())
	}
}

// readLetters takes the next letters into the word; false: the word ends here.
func (r *reader) readLetters() bool {
	r.at += r.word.addASCII(r.text[r.at:])
	if r.at == len(r.text) {
		return false
	}
	c := r.text[r.at]
	if c >= utf8.RuneSelf {
		return r.readLetter()
	}
	switch {
	case ascii[c] == control:
		r.odd = append(r.odd, oddRune{at: r.at, size: 1, r: rune(c)})
	case ascii[c] != quote || !r.quoteInside(1):
		return false
	}
	r.at++
	return true
}

// readLetter takes one character above ASCII into the word.
func (r *reader) readLetter() bool {
	u, size := utf8.DecodeRuneInString(r.text[r.at:])
	switch kindOf(u) {
	case letter, digit:
		r.word.addRune(u)
	case mark:
	case quote:
		if !r.quoteInside(size) {
			return false
		}
	case invisible, control:
		r.odd = append(r.odd, oddRune{at: r.at, size: size, r: u})
	default:
		return false
	}
	r.at += size
	return true
}

// quoteInside: an apostrophe belongs to the word when a letter follows it.
func (r *reader) quoteInside(size int) bool {
	next := r.at + size
	return next < len(r.text) && r.text[next] < utf8.RuneSelf && ascii[r.text[next]] == letter
}

// wordID looks the word up as it reads, then with digits read as letters.
func (r *reader) wordID() uint16 {
	w := &r.word
	if w.digits == w.p && w.p > 0 {
		return numberWord
	}
	id := r.lookup(w.best())
	if id != unknownWord || w.digits == 0 || !w.latin || w.long {
		return id
	}
	if id = r.lookup(w.leet('i')); id != unknownWord {
		return id
	}
	return r.lookup(w.leet('l'))
}
