package main

// engine is a library with one way to use it.
type engine struct {
	name string
	open func(folder string, texts []string) (index, error) // indexes the texts in files of the folder
}

// index answers positions in the texts that it was opened with, the best first.
type index interface {
	search(query string, n int) ([]int, error)
	close() error
}

// engines are what is measured. Bleve scores by tf-idf unless it is told otherwise, so
// both of its ways are shown.
var engines = []engine{
	{"Bleve, tf-idf", bleveWith("tf-idf")},
	{"Bleve, BM25", bleveWith("bm25")},
	{"SQLite FTS5", openFTS},
}

// form is how an item is written into an index.
type form struct {
	suffix string
	text   func(previous, it item) string // previous is of the same session; its text is empty for the first
}

// forms are the text alone, the text after the one before it, and the same with the name
// of who speaks, which Holdfast is told too. Naming the previous speaker as well lowers
// Bleve's NDCG and gains SQLite nothing.
var forms = []form{
	{"", func(_, it item) string { return it.Text }},
	{", windowed", func(previous, it item) string { return previous.Text + "\n" + it.Text }},
	{", windowed, speaker", func(previous, it item) string {
		return previous.Text + "\n" + it.Speaker + ": " + it.Text
	}},
}

func (f form) texts(items []item) []string {
	out := make([]string, len(items))
	for i, it := range items {
		var previous item
		if i > 0 && items[i-1].Session == it.Session {
			previous = items[i-1]
		}
		out[i] = f.text(previous, it)
	}
	return out
}
