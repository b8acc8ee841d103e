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
	scopes []tenant.Scope
	shown  search.Filter // what may be an entry
	now    time.Time     // what is over by then is no entry; zero: it may be one
	// hidden is the number of what only supersession, or the end of its validity, hides:
	// the first tally's less the second's.
	hidden [2]search.Tally
}

func (p *pass) reach() reach {
	scopes := []tenant.Scope{p.req.Scope, p.req.Scope.Own()}
	r := reach{scopes: append(scopes, p.req.pasts()...), shown: p.req.filter(loose)}
	switch {
	case p.req.IncludeSuperseded:
		r.hidden = [2]search.Tally{{Filter: nothing}, {Filter: nothing}}
	case p.req.AsOf != nil: // the filter says what was valid
		past := surelyPast(*p.req.AsOf)
		r.shown = both(r.shown, not(past))
		r.hidden = [2]search.Tally{{Filter: both(past, p.req.filter(exact))}, {Filter: nothing}}
	default:
		all := p.req.filter(exact)
		r.shown, r.now = both(r.shown, not(superseded)), p.now
		r.hidden = [2]search.Tally{{Filter: all, Over: true}, {Filter: both(all, not(superseded))}}
	}
	return r
}

// nothing holds for no document.
var nothing = search.Filter{Field: memory.FieldKind}

// both holds where two filters do; the first is the one that fails sooner.
func both(a, b search.Filter) search.Filter { return search.Filter{All: []search.Filter{a, b}} }

func not(f search.Filter) search.Filter { return search.Filter{Not: &f} }

// filter is the request's visibility as the index understands it. What it says is
// checked again on the memory itself; here it keeps the invisible from crowding
// out the visible. Parts that the caller names are left out.
func (r Request) filter(g grain, but ...Removal) search.Filter {
	all := []search.Filter{
		boundTo(memory.FieldApplication, r.Subject.ApplicationID),
		boundTo(memory.FieldAgent, r.Subject.AgentID),
		boundTo(memory.FieldUser, r.Subject.UserID),
		r.sessions(),
		not(floors),
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
