package consolidate

import (
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"holdfast/internal/extract"
	"holdfast/internal/memory"
	"holdfast/internal/run"
)

// The room for what one batch gives. A staged row stays well below the store's limit.
const (
	statementBytes = 48 << 10
	statementCites = 600
	sentenceBytes  = 32 << 10
	sentenceCites  = 300
	mostCites      = 30 // different entries that one statement rests on
	outcomeLength  = 1000
	summaryLength  = 2000
)

// room is what is left of a limit.
type room struct{ bytes, cites int }

// takes tells whether a sentence fits, and takes its room.
func (r *room) takes(s sentence) bool {
	if len(s.Text) > r.bytes || len(s.Cites) > r.cites {
		return false
	}
	r.bytes, r.cites = r.bytes-len(s.Text), r.cites-len(s.Cites)
	return true
}

// sorted keeps of a batch's answer what rests on its entries. The extractor has seen
// to that; a citation of what is not in the batch must never get further, whatever
// the extractor is.
func (p *pass) sorted(result extract.Result, list entries) batch {
	b := batch{Counts: map[string]int64{}}
	tally(b.Counts, result.Counts)
	known := map[string]*memory.Memory{}
	for _, m := range list {
		known[m.ID] = m
	}
	space := room{bytes: statementBytes, cites: statementCites}
	for _, s := range result.Statements {
		one := statement{sentence: sentence{Text: s.Text, Cites: citesOf(s.Spans, known)}, Type: memory.Type(s.Type), Speaker: s.Speaker}
		switch {
		case !one.sound() || !slices.Contains(kinds, one.Type) || !one.spoken(known):
			b.Counts[run.CountUngrounded]++
		case !space.takes(one.sentence):
			b.Counts[countOverflow]++
		default:
			one.ID, one.ValidFrom, one.Tags = p.IDs.New(), s.ValidFrom, sharedTags(one.Cites, known)
			b.Statements = append(b.Statements, one)
		}
	}
	space = room{bytes: sentenceBytes, cites: sentenceCites}
	for _, s := range result.Sentences {
		one := sentence{Text: cut(s.Text, longSentence), Cites: citesOf(s.Spans, known)}
		if one.sound() && space.takes(one) {
			b.Sentences = append(b.Sentences, one)
		}
	}
	return b
}

// kinds are the types of statements.
var kinds = []memory.Type{memory.Fact, memory.Decision, memory.Preference, memory.Procedure}

// sound tells a sentence that says something and rests on something.
func (s sentence) sound() bool {
	n := utf8.RuneCountInString(strings.TrimSpace(s.Text))
	return len(s.Cites) > 0 && n > 0 && n <= memory.MaxContent && utf8.ValidString(s.Text) && !strings.ContainsRune(s.Text, 0) &&
		len(s.ids()) <= mostCites
}

// spoken tells whether the speaker is that of every entry, or nobody.
func (s statement) spoken(known map[string]*memory.Memory) bool {
	return s.Speaker == "" || !slices.ContainsFunc(s.Cites, func(c cite) bool { return known[c.ID].Speaker != s.Speaker })
}

// ids are the entries that a sentence rests on, each once.
func (s sentence) ids() []string {
	var out []string
	for _, c := range s.Cites {
		if !slices.Contains(out, c.ID) {
			out = append(out, c.ID)
		}
	}
	return out
}

// citesOf are the spans as citations; none where one of them is of no known entry, or
// lies outside its text.
func citesOf(spans []extract.Span, known map[string]*memory.Memory) []cite {
	var out []cite
	for _, s := range spans {
		m := known[s.EntryID]
		if m == nil || s.Start < 0 || s.Start >= s.End || s.End > utf8.RuneCountInString(m.Content) {
			return nil
		}
		out = append(out, cite{ID: m.ID, Version: m.Version, Trust: m.Trust(), Start: s.Start, End: s.End})
	}
	return out
}

// sharedTags are the tags that all entries of a statement have.
func sharedTags(cites []cite, known map[string]*memory.Memory) map[string]string {
	out := maps.Clone(known[cites[0].ID].Tags)
	maps.DeleteFunc(out, func(key, value string) bool {
		return slices.ContainsFunc(cites, func(c cite) bool { return !known[c.ID].Tagged(map[string]string{key: value}) })
	})
	return out
}

// grounded keeps of a conclusion's sentences those that rest on what was asked about,
// up to a length in code points.
func grounded(list []extract.Sentence, known map[string]cite, counts map[string]int64, length int) []sentence {
	var out []sentence
	for _, s := range list {
		one := sentence{Text: cut(s.Text, longSentence)}
		for _, span := range s.Spans {
			if c, there := known[span.EntryID]; there {
				c.Start, c.End = span.Start, span.End
				one.Cites = append(one.Cites, c)
			} else {
				one.Cites = nil
				break
			}
		}
		n := utf8.RuneCountInString(one.Text)
		switch {
		case !one.sound():
			counts[run.CountUngrounded]++
		case n <= length:
			length -= n
			out = append(out, one)
		}
	}
	return out
}

// ask is a sentence as an extractor takes it.
func (s sentence) ask() extract.Sentence {
	out := extract.Sentence{Text: s.Text}
	for _, c := range s.Cites {
		out.Spans = append(out.Spans, extract.Span{EntryID: c.ID, Start: c.Start, End: c.End})
	}
	return out
}
