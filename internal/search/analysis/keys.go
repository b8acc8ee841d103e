package analysis

// askingWords begin a question that no yes or no answers.
var askingWords = set("who whose what what's which where when how why")

// Keys answers the words of a question that tell one of many from the others as a name does:
// numbers (ticket 4711) and days of the week. None where a yes or no may be the answer, since
// it may ask for them. English only.
func (q Question) Keys() []string {
	var out []string
	if !askingWords[at(q.Words, 0)] {
		return nil
	}
	for _, word := range q.Words {
		if isNumber(word) || weekdays[word] {
			out = append(out, word)
		}
	}
	return out
}
