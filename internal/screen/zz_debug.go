package screen

// Debug figures.
func Debug(text string) (mail int, biz int, toks int, biztoks int) {
	p := &page{engine: screener, text: text}
	p.read()
	n := 0
	for i := range p.tokens {
		if p.has(i, p.mail.business) {
			n++
		}
	}
	return p.mailScore(), p.business(), len(p.tokens), n
}
func Steps() int { return len(screener.names) }
func Notice(text string) bool {
	p := &page{engine: screener, text: text}
	p.read()
	return isNotice(p)
}
