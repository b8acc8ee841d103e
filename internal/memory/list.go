package memory

import (
	"context"
	"time"

	"holdfast/internal/errs"
	"holdfast/internal/ids"
	"holdfast/internal/ledger"
	"holdfast/internal/store"
	"holdfast/internal/store/keys"
	"holdfast/internal/tenant"
)

// Filter narrows a list (R0.61); empty members hold for all.
type Filter struct {
	Layer   Layer
	Type    Type
	RunID   string
	Status  Status
	Subject Subject // whom the request names
}

// The sizes of lists.
const (
	DefaultLimit = 50
	MaxLimit     = 200
	mostScanned  = 5000 // rows that one page looks at; a page may then be short
	scanPage     = 200
)

// Page is part of a list.
type Page struct {
	Entries []*Memory
	Next    string // position of the next page; empty: the end
}

// List answers memories newest first, from behind a position on: months back to
// the one in which the workspace was made, or to this one where a clock that
// stepped back says that it is to be made yet. A page may be shorter than the
// limit, even empty, and still have a next one.
func (s *Service) List(ctx context.Context, t Target, f Filter, limit int, after string) (Page, error) {
	w := &walk{Service: s, t: t, f: f, limit: limit, after: after, last: after}
	newest, err := s.newest(ctx, t.Scope, after)
	if err != nil {
		return Page{}, err
	}
	month, first := monthOf(newest), monthOf(earlier(t.Workspace.CreatedAt, s.Clock.Now()))
	for ; !month.Before(first) && !w.full(); month = month.AddDate(0, -1, 0) {
		if err := w.month(ctx, month); err != nil {
			return Page{}, err
		}
	}
	page := w.page()
	return page, s.unname(ctx, t.Scope, page.Entries)
}

// newest is when a list begins: with a position there, else a day after the later
// of now and the newest row of the log. Another process's clock may be ahead, and
// this one may have been.
func (s *Service) newest(ctx context.Context, scope tenant.Scope, after string) (time.Time, error) {
	if at, ok := ids.Time(after); ok {
		return at, nil
	}
	head, err := ledger.ReadHead(ctx, s.Store, scope)
	if err != nil {
		return time.Time{}, errs.Unread(err)
	}
	at := s.Clock.Now()
	if at.Before(head.At) {
		at = head.At
	}
	return at.AddDate(0, 0, 1), nil
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

func monthOf(at time.Time) time.Time {
	at = at.UTC()
	return time.Date(at.Year(), at.Month(), 1, 0, 0, 0, 0, time.UTC)
}

// walk is one page in the making.
type walk struct {
	*Service
	t       Target
	f       Filter
	limit   int
	after   string
	last    string // id of the last row that was looked at
	scanned int
	found   []*Memory
}

// full tells that the page is settled: one entry more than the limit shows that
// another page comes.
func (w *walk) full() bool { return len(w.found) > w.limit || w.scanned >= mostScanned }

func (w *walk) page() Page {
	switch {
	case len(w.found) > w.limit:
		return Page{Entries: w.found[:w.limit], Next: w.found[w.limit-1].ID}
	case w.scanned >= mostScanned:
		return Page{Entries: w.found, Next: w.last}
	}
	return Page{Entries: w.found}
}

func (w *walk) month(ctx context.Context, month time.Time) error {
	q := store.Query{PK: keys.MemoryListPK(w.t.Scope, month), To: w.after, Desc: true, Limit: scanPage}
	for !w.full() {
		page, err := w.Store.Query(ctx, q)
		if err != nil {
			return errs.Unread(err)
		}
		if err := w.rows(ctx, page.Items); err != nil {
			return err
		}
		if page.Cursor == "" {
			return nil
		}
		q.Cursor = page.Cursor
	}
	return nil
}

// rows reads the memories of the rows that pass, as many at a time as the page
// still wants.
func (w *walk) rows(ctx context.Context, items []store.Item) error {
	var list []string
	for i, item := range items {
		if item.Key.SK == w.after {
			continue
		}
		w.scanned, w.last = w.scanned+1, item.Key.SK
		if w.passes(item.Attrs) {
			list = append(list, item.Key.SK)
		}
		if len(list) == 0 || i < len(items)-1 && len(list) < w.limit+1-len(w.found) {
			continue
		}
		if err := w.load(ctx, list); err != nil || w.full() {
			return err
		}
		list = list[:0]
	}
	return nil
}

func (w *walk) load(ctx context.Context, list []string) error {
	found, err := Load(ctx, w.Store, w.t.Scope, list)
	if err != nil {
		return errs.Unread(err)
	}
	for _, m := range found {
		if m != nil && (w.f.Status == "" || w.f.Status == m.Status) && w.shows(m) {
			w.found = append(w.found, m)
		}
	}
	return nil
}

// passes holds what never changes against the filter, before HEAD is read.
func (w *walk) passes(row store.Attrs) bool {
	subject := Subject{ApplicationID: row.Text(attrApplication), AgentID: row.Text(attrAgent), UserID: row.Text(attrUser)}
	return (w.f.Layer == "" || w.f.Layer == Layer(row.Text(attrLayer))) &&
		(w.f.Type == "" || w.f.Type == Type(row.Text(attrType))) &&
		(w.f.RunID == "" || w.f.RunID == row.Text(attrRun)) && w.admitted(subject)
}

// admitted tells whether a list shows a subject's memories (T.52): to callers
// that name it. A reviewer sees all, narrowed to the members that are named.
func (w *walk) admitted(s Subject) bool {
	asked := w.f.Subject
	if !w.t.Caller.Review {
		return s.Admits(asked)
	}
	narrowed := func(bound, asked string) bool { return asked == "" || admits(bound, asked) }
	return narrowed(s.ApplicationID, asked.ApplicationID) && narrowed(s.AgentID, asked.AgentID) &&
		narrowed(s.UserID, asked.UserID)
}

// shows is Visible with the subject's part left to admitted.
func (w *walk) shows(m *Memory) bool { return m.Visible(w.t.Caller, m.Subject) }
