package opensearch

import (
	"cmp"
	"hash/fnv"
	"maps"
	"math"
	"slices"
	"strconv"

	"holdfast/internal/search"
	"holdfast/internal/search/analysis"
)

// record is a document as the index keeps it.
type record struct {
	Tenant    string               `json:"tenant"`
	Workspace string               `json:"workspace"`
	Scope     string               `json:"scope"`
	ID        string               `json:"id"`
	Item      string               `json:"item"`
	Session   string               `json:"session,omitempty"`
	Version   int64                `json:"version"`
	Sequence  int64                `json:"sequence"`
	Labels    []string             `json:"labels,omitempty"`
	Vectors   map[string][]float32 `json:"vectors,omitempty"`
	Embedded  string               `json:"embedded,omitempty"`
	Until     *int64               `json:"until,omitempty"`
	Times     map[string]int64     `json:"times,omitempty"` // by field
	derived

	seqNo, primaryTerm int64   // the engine's, of what was read
	counted            weights // of all chunks; made when asked for
}

// derived is the part of a record that a change beside it in the session changes.
type derived struct {
	Kept        kept      `json:"kept"`
	Words       []string  `json:"words"`
	Chunks      int       `json:"chunks"`
	Length      int       `json:"length"`
	PlainLength int       `json:"plain_length"`
	Passages    []passage `json:"passages"`
}

// kept is what passages are made from, and a digest of the window that they were
// made with.
type kept struct {
	Own     []string `json:"own"`     // weights of each chunk
	Speaker []string `json:"speaker"` // tokens
	Role    bool     `json:"role"`
	Asks    bool     `json:"asks"`
	Window  string   `json:"window"`
	// Left is the session that the document was in, while it is on its way out of it:
	// no window there shows it any more, and the record's own Session is empty.
	Left string `json:"left,omitempty"`
}

// passage is a chunk with its weights and lengths in tenths.
type passage struct {
	Windowed    string `json:"windowed"`
	Plain       string `json:"plain"`
	Length      int    `json:"length"`
	PlainLength int    `json:"plain_length"`
}

// newRecord checks and analyses a document. Its passages are derived later.
func (x *Index) newRecord(d *search.Document) (*record, error) {
	keywords, err := labels(d.Fields)
	if err != nil {
		return nil, err
	}
	slices.Sort(keywords)
	r := &record{
		Tenant: d.Scope.TenantID(), Workspace: d.Scope.WorkspaceID(), Scope: scopeKey(d.Scope),
		ID: d.ID, Item: d.ItemID(), Session: d.Session, Version: d.Version, Sequence: d.Sequence, Labels: keywords,
	}
	if until, ends := d.UntilMicros(); ends {
		r.Until = &until
	}
	if r.Times, err = instants(d.Times); err != nil {
		return nil, err
	}
	if err := x.embed(r, d); err != nil {
		return nil, err
	}
	r.Kept = kept{Own: chunksOf(d.Text), Speaker: []string{}, Role: search.IsRole(d.Speaker), Asks: analysis.Asks(d.Text)}
	for _, token := range search.SpeakerTokens(d.Speaker) {
		r.Kept.Speaker = append(r.Kept.Speaker, indexed(token))
	}
	return r, nil
}

// instants writes times as numbers by field.
func instants(times search.Times) (map[string]int64, error) {
	out := make(map[string]int64, len(times))
	for name, at := range times {
		if name == "" {
			return nil, search.ErrBadRequest
		}
		out[fieldOf(name)] = search.Micros(at)
	}
	return out, nil
}

// embed takes over the vector; of one without a direction only that it came.
func (x *Index) embed(r *record, d *search.Document) error {
	if len(d.Vector) == 0 {
		return nil
	}
	if dimension, known := x.dimensions[d.Profile]; !known || dimension != len(d.Vector) || !finite(d.Vector) {
		return search.ErrBadRequest
	}
	r.Embedded = fieldOf(d.Profile)
	if hasDirection(d.Vector) {
		r.Vectors = map[string][]float32{fieldOf(d.Profile): d.Vector}
	}
	return nil
}

func finite(vector []float32) bool {
	return !slices.ContainsFunc(vector, func(v float32) bool { return math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) })
}

func hasDirection(vector []float32) bool {
	return slices.ContainsFunc(vector, func(v float32) bool { return v != 0 })
}

// lastSession is the session whose windows may hold the record's words; empty: none.
func (r *record) lastSession() string { return cmp.Or(r.Session, r.Kept.Left) }

// leave takes the record out of its session and keeps which one that was.
func (r *record) leave() {
	r.Session, r.Kept.Left = "", r.Session
	r.derive(window{})
}

// own counts the tokens of the whole text.
func (r *record) own() weights {
	if r.counted == nil {
		r.counted = weights{}
		for _, chunk := range r.Kept.Own {
			r.counted.add(parseWeights(chunk), 1)
		}
	}
	return r.counted
}

// window is what stands around a document in its session; nil where nothing does.
type window struct{ previous, second, next *record }

// windowAt answers the window of the document at i of a session in order: none
// reaches to or past one that a role speaks.
func windowAt(session []*record, i int) window {
	named := func(i int) *record {
		if i < 0 || i >= len(session) || session[i].Kept.Role {
			return nil
		}
		return session[i]
	}
	if named(i) == nil {
		return window{}
	}
	w := window{previous: named(i - 1), next: named(i + 1)}
	if w.previous != nil {
		w.second = named(i - 2)
	}
	return w
}

// digest tells windows apart by the words in them: not by versions, since a vector
// that comes late changes nothing here.
func (w window) digest() string {
	if w == (window{}) {
		return ""
	}
	sum := fnv.New64a()
	for _, r := range []*record{w.previous, w.second, w.next} {
		if r != nil {
			for _, chunk := range r.Kept.Own {
				_, _ = sum.Write([]byte(chunk + "\n")) // a hash takes all
			}
			_, _ = sum.Write([]byte(strconv.FormatBool(r.Kept.Asks)))
		}
		_, _ = sum.Write([]byte{0})
	}
	return strconv.FormatUint(sum.Sum64(), 36)
}

// weights answers what the window adds to each passage, in tenths.
func (w window) weights() weights {
	out := weights{}
	previous := search.Previous(w.previous != nil && w.previous.Kept.Asks)
	for _, part := range []struct {
		of    *record
		times int
	}{{w.previous, previous}, {w.second, search.WeightSecond}, {w.next, search.WeightNext}} {
		if part.of != nil {
			out.add(part.of.own(), part.times)
		}
	}
	return out
}

// maxSpread is the most terms that a window adds to all passages of a document
// together: long texts beside a long text would otherwise fill megabytes. A window
// that has more adds them to the first passage alone.
const maxSpread = 50_000

// derive makes the passages with a window.
func (r *record) derive(w window) {
	around := w.weights()
	share := around.sum()
	everywhere := len(around)*len(r.Kept.Own) <= maxSpread
	names := countOf(r.Kept.Speaker)
	r.Kept.Window = w.digest()
	r.Chunks, r.Length, r.PlainLength = len(r.Kept.Own), 0, 0
	r.Passages = make([]passage, len(r.Kept.Own))
	for i, chunk := range r.Kept.Own {
		own := parseWeights(chunk)
		plain := weights{}
		plain.add(own, search.WeightOwn)
		length := plain.sum()
		plain.add(names, search.WeightSpeaker)
		windowed := maps.Clone(plain)
		if everywhere || i == 0 {
			windowed.add(around, 1)
		}
		r.Passages[i] = passage{
			Windowed: windowed.String(), Plain: plain.String(), Length: length + share, PlainLength: length,
		}
		r.Length += length + share
		r.PlainLength += length
	}
	r.Words = slices.Sorted(maps.Keys(r.vocabulary()))
}

// vocabulary are the terms that the document itself holds.
func (r *record) vocabulary() weights {
	out := maps.Clone(r.own())
	out.add(countOf(r.Kept.Speaker), 1)
	return out
}
