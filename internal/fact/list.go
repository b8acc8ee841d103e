package fact

import (
	"context"

	"holdfast/internal/errs"
	"holdfast/internal/store"
	"holdfast/internal/store/keys"
)

// The sizes of lists (S3.36).
const (
	DefaultLimit = 50
	MaxLimit     = 200
	mostScanned  = 10_000 // rows that one page looks at; a page may then be short
	scanPage     = 200
)

// Page is part of a list.
type Page struct {
	Facts []*Fact
	Next  string // id for before; empty: the end
}

// List answers facts newest first, from behind a fact on (S3.26, R3.11). One that was
// deleted since marks its place still, one that never was is Invalid. A page may be
// shorter than the limit, even empty, and still have a next one.
func (s *Service) List(ctx context.Context, t Target, f Filter, limit int, before string) (Page, error) {
	w := &walk{sight: s.sight(t), f: f, limit: limit}
	if before != "" {
		place, err := w.place(ctx, before)
		if err != nil {
			return Page{}, err
		}
		w.after = place
	}
	lists, err := w.lists(ctx)
	if err != nil {
		return Page{}, err
	}
	w.add(lists)
	return w.run(ctx)
}

// place is where a fact stands that the caller may have seen.
func (v *sight) place(ctx context.Context, id string) (string, error) {
	f, err := Head(ctx, v.Store, v.t.Scope, id)
	if err != nil {
		return "", errs.Unread(err)
	}
	if f == nil || f.Space != v.t.Space.hash || !f.Deleted && !v.t.Border.Sees(f.Path) {
		return "", errs.Validation(errs.Field{Pointer: "before", Rule: "must be the id of a fact of this memory"})
	}
	return keys.FactPlace(f.UpdatedAt, f.ID), nil
}

// walk is one page in the making: a merge of lists by place.
type walk struct {
	*sight
	f       Filter
	limit   int
	after   string
	from    []*source
	scanned int
	last    string // id of the last row that was looked at
	found   []*Fact
}

func (w *walk) add(lists []string) {
	for _, list := range lists {
		q := store.Query{PK: keys.FactListPK(w.t.Scope, list), To: w.after, Desc: true, Limit: scanPage}
		w.from = append(w.from, &source{q: q})
	}
}

// lists are those whose union holds what the caller may see under the filter.
func (w *walk) lists(ctx context.Context) ([]string, error) {
	space, p, b := w.t.Space.hash, w.f.path, w.t.Border
	user, bound := p.user()
	switch {
	case w.f.none:
		return nil, nil
	case bound:
		return w.ofUser(ctx, user, p)
	case !p.IsRoot():
		return []string{listOf(space, p, 0)}, nil
	case b.Everyone:
		return []string{listOfAll(space)}, nil
	case b.User == "":
		return []string{listOutside(space)}, nil
	}
	own, err := w.ofUser(ctx, b.User, userFolder(b.User))
	return append(own, listOutside(space)), err
}

func (w *walk) ofUser(ctx context.Context, user string, p Path) ([]string, error) {
	folder, err := w.folder(ctx, w.t, user)
	if err != nil || !folder.found {
		return nil, err
	}
	w.now[user] = folder.generation
	return []string{listOf(w.t.Space.hash, p, folder.generation)}, nil
}

func (w *walk) run(ctx context.Context) (Page, error) {
	for !w.full() {
		rows, err := w.batch(ctx)
		if err != nil {
			return Page{}, err
		}
		if len(rows) == 0 && !w.full() { // the lists are at their end
			return Page{Facts: w.found}, nil
		}
		if err := w.load(ctx, rows); err != nil {
			return Page{}, err
		}
	}
	if len(w.found) > w.limit {
		return Page{Facts: w.found[:w.limit], Next: w.found[w.limit-1].ID}, nil
	}
	return Page{Facts: w.found, Next: w.last}, nil
}

// full tells that the page is settled: one fact more than the limit shows that another
// page comes.
func (w *walk) full() bool { return len(w.found) > w.limit || w.scanned >= mostScanned }

// batch answers the next rows that pass, as many as the page still wants; none at the
// end of the lists.
func (w *walk) batch(ctx context.Context) ([]row, error) {
	var out []row
	for len(out) < w.limit+1-len(w.found) && w.scanned < mostScanned {
		r, found, err := w.next(ctx)
		if err != nil || !found {
			return out, err
		}
		w.scanned, w.last = w.scanned+1, r.id
		if !w.f.passes(r.path, r.tags) {
			continue
		}
		user, _ := r.path.user()
		now, err := w.current(ctx, user, r.generation)
		if err != nil {
			return nil, err
		}
		if now {
			out = append(out, r)
		}
	}
	return out, nil
}

// next takes the newest row that is left in the lists.
func (w *walk) next(ctx context.Context) (row, bool, error) {
	var best *source
	for _, s := range w.from {
		if err := s.fill(ctx, w.Store, w.after); err != nil {
			return row{}, false, errs.Unread(err)
		}
		if len(s.rows) > 0 && (best == nil || s.rows[0].place > best.rows[0].place) {
			best = s
		}
	}
	if best == nil {
		return row{}, false, nil
	}
	r := best.rows[0]
	best.rows = best.rows[1:]
	return r, true, nil
}

// load reads the facts of rows. One that was deleted or moved away since its row was
// read is left out.
func (w *walk) load(ctx context.Context, rows []row) error {
	list := make([]string, len(rows))
	for i, r := range rows {
		list[i] = r.id
	}
	found, err := heads(ctx, w.Store, w.t.Scope, list)
	if err != nil {
		return errs.Unread(err)
	}
	for _, f := range found {
		shown, err := w.shows(ctx, f)
		if err != nil {
			return err
		}
		if shown && w.f.passes(f.Path, f.Tags) {
			w.found = append(w.found, f)
		}
	}
	return nil
}

// source is one list on its way.
type source struct {
	q    store.Query
	rows []row
	over bool // the last page was read
}

func (s *source) fill(ctx context.Context, from store.Store, after string) error {
	for len(s.rows) == 0 && !s.over {
		page, err := from.Query(ctx, s.q)
		if err != nil {
			return err
		}
		for _, item := range page.Items {
			if item.Key.SK != after {
				s.rows = append(s.rows, decodeRow(item))
			}
		}
		s.q.Cursor, s.over = page.Cursor, page.Cursor == ""
	}
	return nil
}
