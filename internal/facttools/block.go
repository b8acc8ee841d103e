package facttools

import (
	"context"
	"regexp"
	"strings"

	"holdfast/internal/fact"
	"holdfast/internal/factsearch"
)

// DefaultBlockK is how many facts of a folder the block holds (S3.44).
const DefaultBlockK = 8

// Finder searches facts; *factsearch.Service does.
type Finder interface {
	Find(ctx context.Context, q factsearch.Query) ([]factsearch.Hit, error)
	Leave(ctx context.Context, t fact.Target, requestHash string, hits []factsearch.Hit) error
}

// BlockQuery asks for the facts that belong into a prompt.
type BlockQuery struct {
	Target      fact.Target
	Text        string   // empty: the newest
	Paths       []string // nil: everything
	K           *int     // for each path; nil: DefaultBlockK
	RequestHash string   // keyed, for the receipt
}

// Block answers the facts that best match under each path, for a prompt: between
// <memory> and </memory> a line with the folder's name above a line a fact (S3.45).
// Empty: nothing was found (S3.47). It leaves one receipt.
func Block(ctx context.Context, from Finder, q BlockQuery) (string, error) {
	list, err := folders(q.Target.Border, q.Paths)
	if err != nil {
		return "", err
	}
	k, err := factsearch.Count(q.K, DefaultBlockK)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	var shown []factsearch.Hit
	for _, f := range list {
		hits, err := from.Find(ctx, factsearch.Query{Target: q.Target, Text: q.Text, Path: f.path, K: &k})
		if err != nil {
			return "", err
		}
		if len(hits) > 0 {
			b.WriteString(f.name + "\n" + lines(hits))
		}
		shown = append(shown, hits...)
	}
	if err := from.Leave(ctx, q.Target, q.RequestHash, once(shown)); err != nil {
		return "", err
	}
	if len(shown) == 0 {
		return "", nil
	}
	return "<memory>\n" + b.String() + "</memory>", nil
}

// once drops hits of a fact that was found under another path already.
func once(hits []factsearch.Hit) []factsearch.Hit {
	seen := map[string]bool{}
	var out []factsearch.Hit
	for _, h := range hits {
		if !seen[h.ID] {
			seen[h.ID] = true
			out = append(out, h)
		}
	}
	return out
}

// lines are facts, a line each: a dash, the text, then date and id in brackets.
func lines(hits []factsearch.Hit) string {
	var b strings.Builder
	for _, h := range hits {
		b.WriteString("- " + plain(h.Text) + " (" + h.UpdatedAt.UTC().Format("2006-01-02") + ", " + h.ID + ")\n")
	}
	return b.String()
}

var (
	// breaks are what some program takes for the end of a line.
	breaks = regexp.MustCompile("\r\n|[\n\v\f\r\x1c-\x1e\u0085\u2028\u2029]")
	marks  = regexp.MustCompile(`(?i)<(/?memory)`)
)

// plain is a text that can neither end its line nor the block (S3.48, R3.19).
func plain(text string) string {
	return marks.ReplaceAllString(breaks.ReplaceAllString(text, " "), "&lt;$1")
}
