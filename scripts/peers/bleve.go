package main

import (
	"fmt"
	"path/filepath"
	"strconv"

	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/analysis/lang/en"
	"github.com/blevesearch/bleve/v2/mapping"
)

// field is the one field of a document.
const field = "text"

type bleveIndex struct{ bleve.Index }

// bleveWith opens Bleve's usual index on disk (scorch) with its English analyser:
// Unicode words, lower case, possessive 's and English stop words out, Porter stems.
// All texts are one batch. The model is "tf-idf", Bleve's own default, or "bm25" with
// Bleve's k1 1.2 and b .75.
func bleveWith(model string) func(string, []string) (index, error) {
	return func(folder string, texts []string) (index, error) {
		x, err := bleve.New(filepath.Join(folder, "bleve"), bleveMapping(model))
		if err != nil {
			return nil, err
		}
		batch := x.NewBatch()
		for i, text := range texts {
			if err := batch.Index(fmt.Sprintf("%08d", i), map[string]any{field: text}); err != nil {
				return nil, err
			}
		}
		return bleveIndex{x}, x.Batch(batch)
	}
}

// bleveMapping keeps words and their counts only: nothing that a match query does not
// look at.
func bleveMapping(model string) mapping.IndexMapping {
	text := bleve.NewTextFieldMapping()
	text.Analyzer = en.AnalyzerName
	text.Store, text.IncludeTermVectors, text.IncludeInAll, text.DocValues = false, false, false, false
	m := bleve.NewIndexMapping()
	m.DefaultMapping = bleve.NewDocumentStaticMapping()
	m.DefaultMapping.AddFieldMappingsAt(field, text)
	m.ScoringModel = model
	return m
}

// search is a match query: the query's words, analysed as the texts were, any of which
// may be there. Of equal scores the earlier text is first, as with SQLite; Bleve by
// itself gives them in the order in which a batch happened to be written.
func (x bleveIndex) search(query string, n int) ([]int, error) {
	match := bleve.NewMatchQuery(query)
	match.SetField(field)
	ask := bleve.NewSearchRequestOptions(match, n, 0, false)
	ask.SortBy([]string{"-_score", "_id"})
	got, err := x.Search(ask)
	if err != nil {
		return nil, err
	}
	found := make([]int, len(got.Hits))
	for i, hit := range got.Hits {
		if found[i], err = strconv.Atoi(hit.ID); err != nil {
			return nil, err
		}
	}
	return found, nil
}

func (x bleveIndex) close() error { return x.Close() }
