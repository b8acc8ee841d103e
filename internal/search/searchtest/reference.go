package searchtest

import (
	"math"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"holdfast/internal/search"
	"holdfast/internal/search/analysis"
	"holdfast/internal/tenant"
)

// Reference evaluates queries by going through all documents and all terms, as
// the contract states the formulas.
type Reference struct {
	Documents []search.Document
}

// Stats are the statistics of a query.
func (r Reference) Stats(q search.Query) search.Stats {
	out := search.Stats{DF: map[string]int{}}
	length, chunks := 0.0, 0.0
	docs := r.within(q.Scopes)
	for _, d := range docs {
		out.Documents++
		for _, chunk := range chunksOf(d.Text) {
			length += float64(len(chunk)) + r.window(d, q, anyToken)
			chunks++
		}
	}
	if chunks > 0 {
		out.AvgLength = length / chunks
	}
	for _, term := range analysis.Terms(q.Text) {
		out.DF[term] = 0
		for _, d := range docs {
			if slices.Contains(tokens(d.Text), term) || slices.Contains(speaker(d), term) {
				out.DF[term]++
			}
		}
	}
	return out
}

func (r Reference) within(scopes []tenant.Scope) []search.Document {
	var out []search.Document
	for _, d := range r.Documents {
		if slices.Contains(scopes, d.Scope) {
			out = append(out, d)
		}
	}
	return out
}

// Lexical answers the score of every document that the lexical arm may propose.
func (r Reference) Lexical(q search.Query) map[Key]float64 {
	stats := r.Stats(q)
	terms := weighing(analysis.Terms(q.Text), stats)
	out := map[Key]float64{}
	for _, d := range r.within(q.Scopes) {
		score := r.score(d, q, terms, stats)
		if score > 0 && allowed(q, d) {
			out[KeyOf(d)] = score
		}
	}
	return out
}

// allowed tells a document that may be a hit.
func allowed(q search.Query, d search.Document) bool {
	return Holds(q.Filter, d) && !over(q, d) && !slices.Contains(q.Without, item(d))
}

func item(d search.Document) string {
	if d.Item == "" {
		return d.ID
	}
	return d.Item
}

// over tells a document whose end is not after now, in whole microseconds.
func over(q search.Query, d search.Document) bool {
	if d.Until.IsZero() || q.Now.IsZero() {
		return false
	}
	end := d.Until.Truncate(time.Microsecond)
	if end.Before(d.Until) {
		end = end.Add(time.Microsecond)
	}
	return !end.After(q.Now.Truncate(time.Microsecond))
}

// Tally counts what a tally asks for.
func (r Reference) Tally(q search.Query, t search.Tally) int {
	if q.Filter = t.Filter; t.Over {
		q.Now = time.Time{}
	}
	known := map[Key]bool{}
	if q.Lexical > 0 {
		for key := range r.Lexical(q) {
			known[key] = true
		}
	}
	if q.Semantic > 0 {
		for key := range r.Semantic(q) {
			known[key] = true
		}
	}
	return len(known)
}

// Unembedded counts what came without a vector of the query's profile.
func (r Reference) Unembedded(q search.Query) int {
	n := 0
	for _, d := range r.within(q.Scopes) {
		if q.Semantic > 0 && allowed(q, d) && (len(d.Vector) == 0 || d.Profile != q.Profile) {
			n++
		}
	}
	return n
}

// checkNumbers compares an answer's numbers.
func (r Reference) checkNumbers(t *testing.T, q search.Query, a search.Answer) {
	t.Helper()
	if len(a.Tallies) != len(q.Tallies) {
		t.Fatalf("%d tallies, want %d", len(a.Tallies), len(q.Tallies))
	}
	for i, got := range a.Tallies {
		if want := r.Tally(q, q.Tallies[i]); got != want {
			t.Errorf("tally %d (%+v) is %d, want %d", i, q.Tallies[i], got, want)
		}
	}
	if want := r.Unembedded(q); a.Unembedded != want {
		t.Errorf("%d unembedded, want %d", a.Unembedded, want)
	}
}

// checkItems holds whose text each hit says it is.
func (r Reference) checkItems(t *testing.T, hits []search.Hit) {
	t.Helper()
	want := map[Key]string{}
	for _, d := range r.Documents {
		want[KeyOf(d)] = item(d)
	}
	for _, h := range hits {
		if key := (Key{h.Scope, h.ID}); h.Item != want[key] {
			t.Errorf("%v is of item %q, want %q", key, h.Item, want[key])
		}
	}
}

// Key identifies a document.
type Key struct {
	Scope tenant.Scope
	ID    string
}

// KeyOf is a document's key.
func KeyOf(d search.Document) Key { return Key{Scope: d.Scope, ID: d.ID} }

// weighing are the held terms for which fewer than MaxTerms come before them: those
// that fewer documents hold, and of as many the ones that stand before.
func weighing(terms []string, stats search.Stats) []string {
	var out []string
	for i, term := range terms {
		before := 0
		for j, other := range terms {
			if df := stats.DF[other]; df > 0 && (df < stats.DF[term] || df == stats.DF[term] && j < i) {
				before++
			}
		}
		if stats.DF[term] > 0 && before < search.MaxTerms {
			out = append(out, term)
		}
	}
	return out
}

// score is the best chunk's sum over the terms of idf times saturation.
func (r Reference) score(d search.Document, q search.Query, terms []string, stats search.Stats) float64 {
	best := 0.0
	for _, chunk := range chunksOf(d.Text) {
		sum := 0.0
		for _, term := range terms {
			f := count(chunk, term) + r.window(d, q, term)
			if slices.Contains(speaker(d), term) {
				f++
			}
			n, df := float64(stats.Documents), float64(stats.DF[term])
			idf := math.Log(1 + (n-df+.5)/(df+.5))
			relative := 1.0
			if stats.AvgLength > 0 {
				relative = (float64(len(chunk)) + r.window(d, q, anyToken)) / stats.AvgLength
			}
			sum += idf * f * 2.2 / (f + 1.2*(.6+.4*relative))
		}
		best = max(best, sum)
	}
	return best
}

// anyToken stands for every token where tokens are counted; it is no term.
const anyToken = ""

// window is what the documents around add to a term's weight or to the length.
func (r Reference) window(d search.Document, q search.Query, term string) float64 {
	if q.Plain {
		return 0
	}
	previous := .3
	if strings.HasSuffix(r.textBeside(d, -1), "?") {
		previous = .5
	}
	beside := func(places int) float64 { return count(tokens(r.textBeside(d, places)), term) }
	return previous*beside(-1) + .2*beside(-2) + .1*beside(1)
}

// textBeside is the text so many places away in the session; empty where there is none,
// or where a role speaks there, here or between.
func (r Reference) textBeside(d search.Document, places int) string {
	if d.Session == "" || role(d.Speaker) {
		return ""
	}
	var session []search.Document
	for _, other := range r.Documents {
		if other.Scope == d.Scope && other.Session == d.Session {
			session = append(session, other)
		}
	}
	slices.SortFunc(session, func(a, b search.Document) int { return strings.Compare(a.ID, b.ID) })
	here := slices.IndexFunc(session, func(o search.Document) bool { return o.ID == d.ID })
	step := 1
	if places < 0 {
		step = -1
	}
	for at := here + step; at >= 0 && at < len(session); at += step {
		if role(session[at].Speaker) {
			return ""
		}
		if at == here+places {
			return session[at].Text
		}
	}
	return ""
}

// tokens and chunksOf are analysis.Tokens and analysis.Chunks, each text analysed once: the
// naive evaluation asks for them again and again.
func tokens(text string) []string { return once(&knownTokens, text, analysis.Tokens) }

func chunksOf(text string) [][]string { return once(&knownChunks, text, analysis.Chunks) }

var knownTokens, knownChunks sync.Map // by text

func once[T any](known *sync.Map, text string, analyse func(string) T) T {
	if out, ok := known.Load(text); ok {
		return out.(T)
	}
	out := analyse(text)
	known.Store(text, out)
	return out
}

func count(tokens []string, term string) float64 {
	n := 0
	for _, token := range tokens {
		if token == term || term == anyToken {
			n++
		}
	}
	return float64(n)
}

func role(name string) bool {
	return slices.Contains([]string{"user", "assistant", "tool"}, strings.ToLower(strings.TrimSpace(name)))
}

func speaker(d search.Document) []string {
	if role(d.Speaker) {
		return nil
	}
	return tokens(d.Speaker)
}

// Semantic answers the cosine of every document that the semantic arm may propose.
func (r Reference) Semantic(q search.Query) map[Key]float64 {
	out := map[Key]float64{}
	for _, d := range r.within(q.Scopes) {
		if d.Profile == q.Profile && len(d.Vector) > 0 && allowed(q, d) {
			if cosine, ok := cosine(d.Vector, q.Vector); ok {
				out[KeyOf(d)] = cosine
			}
		}
	}
	return out
}

func cosine(a, b []float32) (float64, bool) {
	var ab, aa, bb float64
	for i := range a {
		ab += float64(a[i]) * float64(b[i])
		aa += float64(a[i]) * float64(a[i])
		bb += float64(b[i]) * float64(b[i])
	}
	if aa == 0 || bb == 0 {
		return 0, false
	}
	return ab / math.Sqrt(aa*bb), true
}

// Holds evaluates a filter as its doc comment says.
func Holds(f search.Filter, d search.Document) bool {
	for _, each := range f.All {
		if !Holds(each, d) {
			return false
		}
	}
	if len(f.Any) > 0 && !slices.ContainsFunc(f.Any, func(o search.Filter) bool { return Holds(o, d) }) {
		return false
	}
	if f.Not != nil && Holds(*f.Not, d) {
		return false
	}
	return holdsField(f, d.Fields[f.Field]) && holdsTime(f, d.Times)
}

func holdsField(f search.Filter, values []string) bool {
	if f.Field == "" {
		return true
	}
	if f.Missing && len(values) > 0 {
		return false
	}
	if len(f.In) > 0 || !f.Missing {
		return slices.ContainsFunc(values, func(v string) bool { return slices.Contains(f.In, v) })
	}
	return true
}

func holdsTime(f search.Filter, times search.Times) bool {
	if f.Time == "" {
		return true
	}
	at, there := times[f.Time]
	if f.Missing {
		return !there && f.Since.IsZero() && f.Before.IsZero()
	}
	down := func(t time.Time) time.Time { return t.Truncate(time.Microsecond) }
	return there && (f.Since.IsZero() || !down(at).Before(down(f.Since))) && (f.Before.IsZero() || down(at).Before(down(f.Before)))
}
