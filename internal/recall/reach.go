package recall

import (
	"slices"
	"time"

	"holdfast/internal/memory"
	"holdfast/internal/search"
	"holdfast/internal/tenant"
)

// reach is what a request looks for, as the index understands it.
type reach struct {
	scopes  []tenant.Scope
	shown   search.Filter // what may be an entry
	all     search.Filter // what passes every filter but that of what is current: for numbers
	current search.Filter // of these, what is
	now     time.Time     // what is over by then is no entry; zero: it may be one
}

func (p *pass) reach() reach {
	scopes := []tenant.Scope{p.req.Scope, p.req.Scope.Own()}
	r := reach{scopes: append(scopes, p.req.pasts()...), all: p.req.filter(exact), now: p.now}
	r.shown = p.req.filter(loose)
	switch {
	case p.req.IncludeSuperseded:
		r.current, r.now = r.all, time.Time{}
	case p.req.AsOf != nil:
		past := surelyPast(*p.req.AsOf)
		r.shown, r.current = without(r.shown, past), without(r.all, past)
		r.now = time.Time{} // the filter says what was valid
	default:
		r.shown, r.current = without(r.shown, superseded), without(r.all, superseded)
	}
	return r
}

func without(f, not search.Filter) search.Filter {
	return search.Filter{All: []search.Filter{f, {Not: &not}}}
}

// filter is the request's visibility as the index understands it. What it says is
// checked again on the memory itself; here it keeps the invisible from crowding
// out the visible. Parts that the caller names are left out.
func (r Request) filter(g grain, but ...Removal) search.Filter {
	all := []search.Filter{
		boundTo(memory.FieldApplication, r.Subject.ApplicationID),
		boundTo(memory.FieldAgent, r.Subject.AgentID),
		boundTo(memory.FieldUser, r.Subject.UserID),
		r.sessions(),
		{Not: &floors},
	}
	for _, n := range r.narrowings(g) {
		if !slices.Contains(but, n.by) {
			all = append(all, n.filters...)
		}
	}
	return search.Filter{All: all}
}

// narrowing is what one of the filters that a caller chose asks of the index.
type narrowing struct {
	by      Removal
	filters []search.Filter
}

func (r Request) narrowings(g grain) []narrowing {
	var out []narrowing
	if len(r.Tags) > 0 {
		out = append(out, narrowing{ByTags, r.tags()})
	}
	if window := r.window(g); window != nil {
		out = append(out, narrowing{ByWindow, window})
	}
	if r.AsOf != nil {
		out = append(out, narrowing{ByAsOf, g.texts(*r.AsOf)})
	}
	return out
}

func (r Request) tags() (out []search.Filter) {
	for key, value := range r.Tags {
		out = append(out, search.Filter{Field: memory.FieldTag, In: []string{memory.TagTerm(key, value)}})
	}
	return out
}
