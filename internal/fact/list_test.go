package fact

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"holdfast/internal/errs"
	"holdfast/internal/runtoken"
)

func TestS38S326AListIsOfWholeSegmentsNewestFirst(t *testing.T) {
	w := newWorld(t)
	run := w.as("")
	for _, path := range []string{"companies/7", "companies/7/people", "companies/77", "", "companies"} {
		w.save(run, path, "at "+path)
	}
	w.wantTexts(run, "companies/7/", "at companies/7/people", "at companies/7")
	w.wantTexts(run, "companies", "at companies", "at companies/77", "at companies/7/people", "at companies/7")
	w.wantTexts(run, "compan")
	w.wantTexts(run, "/", "at companies", "at ", "at companies/77", "at companies/7/people", "at companies/7")
	w.wantTexts(w.panel("desk"), "", "at companies", "at ", "at companies/77", "at companies/7/people", "at companies/7")
	w.wantTexts(w.panel("nobody"), "")
	w.sound()
}

// Folders below the eighth have no list of their own.
func TestS38DeepFoldersAreFilteredToo(t *testing.T) {
	w := newWorld(t)
	run := w.as("anna")
	deep := strings.TrimSuffix(strings.Repeat("d/", 12), "/")
	for _, base := range []string{"", "users/anna/"} {
		for _, end := range []string{"", "/x", "/x/y", "/xx"} {
			w.save(run, base+deep+end, "at "+base+end)
		}
		w.wantTexts(run, base+deep, "at "+base+"/xx", "at "+base+"/x/y", "at "+base+"/x", "at "+base)
		w.wantTexts(run, base+deep+"/x", "at "+base+"/x/y", "at "+base+"/x")
		w.wantTexts(run, base+deep+"/x/y/z")
	}
	w.sound()
}

func TestS311TagsNeedEveryTag(t *testing.T) {
	w := newWorld(t)
	run := w.as("")
	w.save(run, "a", "both", tagged("red", "big"))
	w.save(run, "a", "red", tagged("red"))
	w.save(run, "b", "none")
	for _, c := range []struct {
		tags []string
		want string
	}{{[]string{"red"}, "red both"}, {[]string{"red", "big"}, "both"}, {[]string{"big", "red"}, "both"}, {[]string{"re"}, ""}, {nil, "none red both"}} {
		if got := strings.Join(w.texts(run, "", c.tags...), " "); got != c.want {
			t.Errorf("%v: %q, want %q", c.tags, got, c.want)
		}
	}
	for _, bad := range []string{"a b", "", "x,y"} {
		if _, err := NewFilter(run.Border, "", []string{bad}); !errs.Is(err, errs.Invalid) {
			t.Errorf("tag %q: %v", bad, err)
		}
	}
}

func TestR35S315UsersShowsTheRunsOwnUserOnly(t *testing.T) {
	w := newWorld(t)
	anna, ben, none, people := w.as("anna"), w.as("ben"), w.as(""), w.panel("desk")
	of := w.save(anna, "users/{user}", "of anna")
	w.save(ben, "users/{user}/x", "of ben")
	w.save(none, "shared", "of all")
	w.wantTexts(anna, "users", "of anna")
	w.wantTexts(ben, "users", "of ben")
	w.wantTexts(none, "users")
	w.wantTexts(anna, "", "of all", "of anna")
	w.wantTexts(ben, "", "of all", "of ben")
	w.wantTexts(none, "", "of all")
	w.wantTexts(people, "users", "of ben", "of anna")
	w.wantTexts(people, "users/ben", "of ben")
	w.wantTexts(people, "users/nobody")
	w.wantTexts(people, "", "of all", "of ben", "of anna")
	for path, code := range map[string]string{"users/ben": "OTHER_USER", "users/ben/x": "OTHER_USER", "a//b": "VALIDATION_FAILED", "%": "VALIDATION_FAILED"} {
		_, err := NewFilter(anna.Border, path, nil)
		wantCode(t, err, code)
	}
	_, err := NewFilter(none.Border, "users/{user}", nil)
	wantCode(t, err, "NO_USER")
	for _, run := range []Target{ben, none, w.run(runtoken.Ask{AgentID: "shop", UserID: "anna"})} {
		_, err := w.Get(t.Context(), run, of.ID)
		wantCode(t, err, "NOT_FOUND")
		_, _, err = w.Versions(t.Context(), run, of.ID)
		wantCode(t, err, "NOT_FOUND")
		_, err = w.Delete(t.Context(), run, of.ID)
		wantCode(t, err, "NOT_FOUND")
		w.wantFound(run, "", of.ID, false)
	}
	w.wantFound(anna, "users", of.ID, true)
	w.wantFound(anna, "shared", of.ID, false)
}

// Ids of end users are the same in whatever composition they come (R3.30).
func TestR33UsersAreComparedInNFC(t *testing.T) {
	w := newWorld(t)
	apart, composed := w.as("rene\u0301"), w.as("ren\u00e9")
	f := w.save(apart, "users/rene\u0301/x", "x")
	w.wantTexts(composed, "users/{user}", "x")
	w.wantTexts(w.panel("desk"), "users/ren\u00e9", "x")
	if f.Path.String() != "users/ren\u00e9/x/" {
		t.Errorf("path %q", f.Path)
	}
	if _, err := w.EraseUser(t.Context(), w.panel("desk"), "rene\u0301"); err != nil {
		t.Fatal(err)
	}
	w.wantTexts(composed, "")
}

// pages reads a list page by page and calls between two of them.
func (w *world) pages(t Target, path string, limit int, between func()) []string {
	w.t.Helper()
	var seen []string
	before := ""
	for range 1000 {
		page, err := w.List(context.Background(), t, w.filter(t, path), limit, before)
		if err != nil {
			w.t.Fatal(err)
		}
		seen = append(seen, textsOf(page.Facts)...)
		if page.Next == "" {
			return seen
		}
		if n := len(page.Facts); n != limit || page.Facts[n-1].ID != page.Next {
			w.t.Fatalf("a page of %d facts, next %s", n, page.Next)
		}
		before = page.Next
		between()
	}
	w.t.Fatal("no end of pages")
	return nil
}

func TestR311PagingSeesEveryOlderFactOnceWhileOthersWrite(t *testing.T) {
	for _, at := range []string{"", "users"} {
		w := newWorld(t)
		run := w.as("anna")
		var want []string
		for n := range 9 {
			path := "users/{user}"
			if n%2 == 0 && at == "" {
				path = "a"
			}
			w.save(run, path, strconv.Itoa(n))
			want = append([]string{strconv.Itoa(n)}, want...)
		}
		got := w.pages(run, at, 2, func() { w.save(run, "users/{user}", "between") })
		if !slices.Equal(got, want) {
			t.Errorf("in %q: saw %v, want %v", at, got, want)
		}
	}
}

// Facts of one instant have an order too: the larger id first (R3.32).
func TestR332FactsOfOneInstant(t *testing.T) {
	w := newWorld(t)
	run := w.as("anna")
	var want []string
	for n := range 30 {
		path := []string{"a", "users/anna"}[n%2]
		if _, err := w.Save(t.Context(), run, draft(path, strconv.Itoa(n))); err != nil {
			t.Fatal(err)
		}
		want = append([]string{strconv.Itoa(n)}, want...)
	}
	if got := w.pages(run, "", 7, func() {}); !slices.Equal(got, want) {
		t.Errorf("saw %v", got)
	}
}

func TestR332ADeletedFactMarksItsPlace(t *testing.T) {
	w := newWorld(t)
	run := w.as("anna")
	w.save(run, "users/anna", "oldest")
	w.save(run, "a", "older")
	gone, erased := w.save(run, "a", "gone"), w.save(run, "users/anna", "erased")
	w.save(run, "a", "newer")
	others := w.save(w.as("ben"), "users/ben", "of ben")
	elsewhere := w.save(w.run(runtoken.Ask{AgentID: "shop"}), "a", "of the shop")
	if _, err := w.Delete(t.Context(), run, gone.ID); err != nil {
		t.Fatal(err)
	}
	list := func(before string) (string, error) {
		page, err := w.List(t.Context(), run, Filter{}, 10, before)
		return strings.Join(textsOf(page.Facts), " "), err
	}
	if got, err := list(gone.ID); err != nil || got != "older oldest" {
		t.Errorf("behind the deleted: %q, %v", got, err)
	}
	if _, err := w.EraseUser(t.Context(), w.panel("desk"), "anna"); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if got, err := list(erased.ID); err != nil || got != "older" {
			t.Errorf("behind the erased: %q, %v", got, err)
		}
		w.work()
	}
	for _, id := range []string{"m_unknown", "x", others.ID, elsewhere.ID, "m_" + strings.Repeat("0", 26)} {
		_, err := list(id)
		wantCode(t, err, "VALIDATION_FAILED")
	}
}

// A page looks at so many rows and no more; it is short then and says where to go on.
func TestS336APageThatFindsLittleEnds(t *testing.T) {
	w := newWorld(t)
	run := w.as("")
	rare := w.save(run, "a", "rare", tagged("rare"))
	for n := range 300 {
		w.save(run, "a", strconv.Itoa(n))
	}
	k := &walk{sight: w.sight(run), f: w.filter(run, "", "rare"), limit: 5, scanned: mostScanned - 10}
	lists, err := k.lists(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	k.add(lists)
	page, err := k.run(t.Context())
	if err != nil || len(page.Facts) != 0 || page.Next == "" {
		t.Fatalf("%+v, %v", page, err)
	}
	page, err = w.List(t.Context(), run, w.filter(run, "", "rare"), 5, page.Next)
	if err != nil || len(page.Facts) != 1 || page.Facts[0].ID != rare.ID || page.Next != "" {
		t.Errorf("%+v, %v", page, err)
	}
}

// Random writes and filters against a plain model.
func TestListsAgreeWithAModel(t *testing.T) {
	for seed := range uint64(6) {
		w := newWorld(t)
		r := rand.New(rand.NewPCG(seed, 3))
		runs := map[string]Target{"": w.as(""), "anna": w.as("anna"), "ben": w.as("ben")}
		model := map[string]*Fact{}
		paths := []string{"", "a", "a/b", "ab", "users/{user}", "users/{user}/a", "c/c/c/c/c/c/c/c/c/c", "c/c/c/c/c/c/c/c/d"}
		for range 150 {
			w.clock.Advance(time.Duration(r.IntN(3)) * time.Millisecond)
			w.scramble(r, runs[[]string{"", "anna", "ben"}[r.IntN(3)]], paths, model)
		}
		runs["people"] = w.panel("desk")
		for name, run := range runs {
			for _, path := range append(paths, "users", "users/anna", "c/c/c/c/c/c/c/c", "b") {
				f, err := NewFilter(run.Border, path, nil)
				if err != nil {
					continue
				}
				if got, want := w.pages(run, path, 1+r.IntN(9), func() {}), seen(model, run, f); !slices.Equal(got, want) {
					t.Errorf("seed %d, %s at %q: %v, want %v", seed, name, path, got, want)
				}
			}
		}
		w.sound()
	}
}

func (w *world) scramble(r *rand.Rand, run Target, paths []string, model map[string]*Fact) {
	ctx := context.Background()
	var with []func(*Draft)
	var ids []string
	for id := range model {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	if len(ids) > 0 && r.IntN(3) == 0 {
		with = append(with, replacing(ids[r.IntN(len(ids))]))
	}
	if len(ids) > 0 && r.IntN(5) == 0 {
		id := ids[r.IntN(len(ids))]
		if _, err := w.Delete(ctx, run, id); err == nil {
			delete(model, id)
		}
		return
	}
	if saved, err := w.Save(ctx, run, draft(paths[r.IntN(len(paths))], fmt.Sprint(r.Uint32()), with...)); err == nil {
		model[saved.ID] = saved.Fact
	}
}

// seen are the texts that a caller sees under a filter.
func seen(model map[string]*Fact, run Target, f Filter) []string {
	var all []*Fact
	for _, one := range model {
		if run.Border.Sees(one.Path) && f.passes(one.Path, one.Tags) {
			all = append(all, one)
		}
	}
	slices.SortFunc(all, func(a, b *Fact) int {
		if c := b.UpdatedAt.Compare(a.UpdatedAt); c != 0 {
			return c
		}
		return strings.Compare(b.ID, a.ID)
	})
	var out []string
	for _, one := range all {
		out = append(out, one.Text)
	}
	return out
}
