package memsearch

// ends keeps when documents are over.
type ends struct {
	until []int64 // by document, in microseconds; it reaches as far as the last that ends
	count int     // documents that are over some day
}

// add notes the end of a document that has none yet.
func (e *ends) add(slot int32, until int64) {
	for int(slot) >= len(e.until) {
		e.until = append(e.until, always)
	}
	e.until[slot] = until
	e.count++
}

// drop forgets it.
func (e *ends) drop(slot int32) {
	if int(slot) >= len(e.until) || e.until[slot] == always {
		return
	}
	e.until[slot] = always
	if e.count--; e.count == 0 {
		e.until = nil
	}
}

// over tells a document that is over at an instant.
func (e *ends) over(slot int32, now int64) bool {
	return int(slot) < len(e.until) && e.until[slot] <= now
}
