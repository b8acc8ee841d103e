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
	visible search.Filter // every filter but that of what is current
	shown   search.Filter // of these, what may be an entry
	now     time.Time     // what is over by then is no entry; zero: it may be one
}

func (p *pass) reach() reach {
	r := reach{scopes: []tenant.Scope{p.req.Scope, p.req.Scope.Own()}, visible: p.req.filter(), now: p.now}
	r.scopes = append(r.scopes, p.req.pasts()...)
	r.shown = current(r.visible)
	if p.req.AsOf != nil {
		past := surelyPast(*p.req.AsOf)
		r.shown = search.Filter{All: []search.Filter{r.visible, {Not: &past}}}
		r.now = time.Time{} // the filter says what was valid
	}
	if p.req.IncludeSuperseded {
		r.shown, r.now = r.visible, time.Time{}
	}
	return r
}

// filter is the request's visibility as the index understands it. What it says is
// checked again on the memory itself; here it keeps the invisible from crowding
// out the visible. Parts that the caller names are left out.
func (r Request) filter(but ...Removal) search.Filter {
	all := []search.Filter{
		boundTo(memory.FieldApplication, r.Subject.ApplicationID),
		boundTo(memory.FieldAgent, r.Subject.AgentID),
		boundTo(memory.FieldUser, r.Subject.UserID),
		r.sessions(),
		{Not: &floors},
	}
	for _, n := range r.narrowings() {
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

func (r Request) narrowings() []narrowing {
	var out []narrowing
	if len(r.Tags) > 0 {
		out = append(out, narrowing{ByTags, r.tags()})
	}
	if window := r.window(); window != nil {
		out = append(out, narrowing{ByWindow, window})
	}
	if r.AsOf != nil {
		out = append(out, narrowing{ByAsOf, texts(*r.AsOf)})
	}
	return out
}

func (r Request) tags() (out []search.Filter) {
	for key, value := range r.Tags {
		out = append(out, search.Filter{Field: memory.FieldTag, In: []string{memory.TagTerm(key, value)}})
	}
	return out
}
