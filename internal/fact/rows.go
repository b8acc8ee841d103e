package fact

import (
	"encoding/json"
	"fmt"
	"time"

	"holdfast/internal/store"
	"holdfast/internal/store/keys"
	"holdfast/internal/tenant"
)

// Attributes of the rows.
const (
	attrDoc      = "d"  // JSON
	attrRevision = "r"  // HEAD: grows with each change of the row
	attrVersion  = "v"  // HEAD: of the text
	attrStatus   = "st" // HEAD
	attrSpace    = "sp" // HEAD
	attrUpdated  = "u"  // tombstone: milliseconds
	attrID       = "id" // key: of the fact
	attrPath     = "p"  // list
	attrTags     = "t"  // list: joined by commas, which no tag holds
	attrFolder   = "g"  // list and end user's folder: generation
	attrFacts    = "n"  // end user's folder and count
	attrBytes    = "b"  // end user's folder
	attrAgent    = "a"  // agent
)

const (
	statusLive    = "live"
	statusDeleted = "deleted"
)

// format is the version of stored documents; testdata holds a golden of each.
const format = 1

type storedFact struct {
	Format int `json:"f"`
	*Fact
}

// headItem is the HEAD row of a fact, or of its tombstone: which says in what memory
// it was and when it changed last, so that it still marks a place in lists (R3.32).
func headItem(scope tenant.Scope, f *Fact) (store.Item, error) {
	item := store.Item{Key: keys.Fact(scope, f.ID), Attrs: store.Attrs{
		attrRevision: store.N(f.Revision), attrVersion: store.N(f.Version),
		attrSpace: store.S(f.Space), attrStatus: store.S(statusLive),
	}}
	if f.Deleted {
		item.Attrs[attrStatus] = store.S(statusDeleted)
		item.Attrs[attrUpdated] = store.N(f.UpdatedAt.UnixMilli())
		return item, nil
	}
	doc, err := json.Marshal(storedFact{format, f})
	if err != nil {
		return store.Item{}, fmt.Errorf("fact: head: %w", err)
	}
	item.Attrs[attrDoc] = store.B(doc)
	return item, nil
}

// Decode reads a HEAD row, a tombstone too.
func Decode(item store.Item) (*Fact, error) {
	_, id, ok := keys.FactOf(item.Key)
	if !ok {
		return nil, fmt.Errorf("fact: no fact's key")
	}
	f := &Fact{}
	f.Version = item.Attrs.Int(attrVersion)
	if f.Deleted = item.Attrs.Text(attrStatus) == statusDeleted; f.Deleted {
		f.UpdatedAt = time.UnixMilli(item.Attrs.Int(attrUpdated)).UTC()
	} else if err := decodeDoc(item.Attrs.Bytes(attrDoc), f); err != nil {
		return nil, err
	}
	f.ID, f.Space, f.Revision = id, item.Attrs.Text(attrSpace), item.Attrs.Int(attrRevision)
	return f, nil
}

func decodeDoc(doc []byte, f *Fact) error {
	stored := storedFact{Fact: f}
	if err := json.Unmarshal(doc, &stored); err != nil {
		return fmt.Errorf("fact: stored head: %w", err)
	}
	if stored.Format != format {
		return fmt.Errorf("fact: stored head of format %d", stored.Format)
	}
	return nil
}

// versionItem is the row of an earlier version.
func versionItem(scope tenant.Scope, id string, e Edition) (store.Item, error) {
	doc, err := json.Marshal(e)
	if err != nil {
		return store.Item{}, fmt.Errorf("fact: version: %w", err)
	}
	return store.Item{Key: keys.FactVersion(scope, id, e.Version), Attrs: store.Attrs{attrDoc: store.B(doc)}}, nil
}

func decodeVersion(item store.Item) (Edition, error) {
	var e Edition
	if err := json.Unmarshal(item.Attrs.Bytes(attrDoc), &e); err != nil {
		return Edition{}, fmt.Errorf("fact: stored version: %w", err)
	}
	return e, nil
}

// size counts the stored bytes of a version.
func (e Edition) size() int64 {
	n := len(e.Text) + len(e.Path.text)
	for _, tag := range e.Tags {
		n += len(tag)
	}
	return int64(n)
}
