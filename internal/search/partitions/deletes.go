package partitions

import (
	"strings"
	"time"
)

// rememberFor is how long a delete is known, as in OpenSearch (index.gc_deletes).
const rememberFor = time.Minute

// Deletes remembers deletes for a minute, so that an older operation which comes late
// brings nothing back. The zero Deletes knows none. Its partition locks it.
type Deletes struct {
	of   map[string]deletion
	list []deletion // in order of time
}

type deletion struct {
	id       string
	sequence int64
	at       time.Time
}

// Add remembers one.
func (d *Deletes) Add(id string, sequence int64, at time.Time) {
	if d.of == nil {
		d.of = map[string]deletion{}
	}
	one := deletion{strings.Clone(id), sequence, at}
	d.of[one.id] = one
	d.list = append(d.list, one)
}

// Covers tells an operation that is not later than the delete of its document.
func (d *Deletes) Covers(id string, sequence int64) bool {
	one, ok := d.of[id]
	return ok && sequence <= one.sequence
}

// Drop forgets the delete of a document that is there again.
func (d *Deletes) Drop(id string) { delete(d.of, id) }

// Forget drops those that are older than a minute.
func (d *Deletes) Forget(now time.Time) {
	for len(d.list) > 0 && now.Sub(d.list[0].at) > rememberFor {
		one := d.list[0]
		d.list = d.list[1:]
		if d.of[one.id] == one {
			delete(d.of, one.id)
		}
	}
}

// Len is how many are remembered.
func (d *Deletes) Len() int { return len(d.of) }
